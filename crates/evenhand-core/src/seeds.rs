use crate::Stream;

/// SplitMix64 (Steele, Lea, Flood 2014): expands a seed into words.
#[derive(Clone, Debug)]
pub(crate) struct SplitMix64(u64);

const GOLDEN_GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

impl SplitMix64 {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next_word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN_GAMMA);
        mix(self.0)
    }
}

/// The finaliser of SplitMix64: a bijection of 64-bit words whose output bits all depend on all
/// input bits.
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// What a random stream is for. Streams of different roles are independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// Candidates drawn by samplers.
    Sample,
    /// Ties, coins and noise of rules.
    Rule,
    /// The world of a replication: server places, arcs of a ring, random graphs.
    World,
    /// Who arrives and where.
    Users,
    /// Weights of balls.
    Weights,
    /// Which balls leave.
    Deletions,
    /// When jobs arrive.
    Arrivals,
    /// How much work jobs bring.
    Service,
    /// Which dispatcher gets a job.
    Dispatchers,
    /// Moments of service in engines that do not draw the work of a job.
    Departures,
}

impl Role {
    /// Numbers are part of the published streams: never change them, only add.
    fn number(self) -> u64 {
        match self {
            Self::Sample => 1,
            Self::Rule => 2,
            Self::World => 3,
            Self::Users => 4,
            Self::Weights => 5,
            Self::Deletions => 6,
            Self::Arrivals => 7,
            Self::Service => 8,
            Self::Dispatchers => 9,
            Self::Departures => 10,
        }
    }
}

/// A stable 64-bit hash of the text that names a point: its canonical model.
///
/// Text is hashed with FNV-1a and finished with the SplitMix64 mixer. The same text gives the
/// same hash on every machine and in every version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PointHash(pub u64);

impl PointHash {
    /// Hashes the canonical text of a model.
    pub fn of(model: &str) -> Self {
        let fnv = model.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
        });
        Self(mix(fnv))
    }
}

/// What determines the randomness of one replication: master seed, point, number.
///
/// Neither threads nor order nor other points enter, so a replication can be rerun alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplicationSeed {
    /// The seed that the user gives.
    pub master: u64,
    /// The point (model with policy).
    pub point: PointHash,
    /// Number of the replication, from 0.
    pub replication: u64,
}

impl ReplicationSeed {
    /// The stream of one role.
    pub fn stream(&self, role: Role) -> Stream {
        let words = [self.master, self.point.0, self.replication, role.number()];
        let seed =
            words.iter().fold(0, |state: u64, word| mix(state.wrapping_add(GOLDEN_GAMMA) ^ word));
        Stream::from_seed(seed)
    }

    /// The two streams of a dispatcher.
    pub fn streams(&self) -> Streams {
        Streams { sample: self.stream(Role::Sample), rule: self.stream(Role::Rule) }
    }
}

/// The two random streams of a dispatcher.
///
/// Samplers and rules draw from their own, so a result cannot depend on how far ahead candidates
/// are drawn.
#[derive(Clone, Debug)]
pub struct Streams {
    /// For the sampler.
    pub sample: Stream,
    /// For the rule.
    pub rule: Stream,
}

impl Streams {
    /// Streams of a plain seed, for a dispatcher outside of a study.
    pub fn from_seed(seed: u64) -> Self {
        ReplicationSeed { master: seed, point: PointHash(0), replication: 0 }.streams()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn splitmix_matches_its_published_words() {
        // First outputs for seed 1234567 (Vigna's reference implementation).
        let mut words = SplitMix64::new(1_234_567);
        assert_eq!(words.next_word(), 6_457_827_717_110_365_317);
        assert_eq!(words.next_word(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn every_part_of_a_seed_matters() {
        let mut seen = HashSet::new();
        for master in 0..4 {
            for point in ["", "a", "b", "two-choice"] {
                for replication in 0..4 {
                    for role in [
                        Role::Sample,
                        Role::Rule,
                        Role::World,
                        Role::Users,
                        Role::Weights,
                        Role::Deletions,
                        Role::Arrivals,
                        Role::Service,
                        Role::Dispatchers,
                        Role::Departures,
                    ] {
                        let seed =
                            ReplicationSeed { master, point: PointHash::of(point), replication };
                        assert!(seen.insert(seed.stream(role).next_word()));
                    }
                }
            }
        }
    }

    #[test]
    fn golden_seeds() {
        assert_eq!(PointHash::of("two-choice").0, GOLDEN_HASH);
        let seed =
            ReplicationSeed { master: 1, point: PointHash::of("two-choice"), replication: 3 };
        assert_eq!(seed.stream(Role::Sample).next_word(), GOLDEN_SAMPLE);
        assert_eq!(seed.stream(Role::Rule).next_word(), GOLDEN_RULE);
    }

    const GOLDEN_HASH: u64 = 9_361_000_169_699_554_329;
    const GOLDEN_SAMPLE: u64 = 7_305_699_931_547_115_963;
    const GOLDEN_RULE: u64 = 6_111_416_265_469_597_979;
}
