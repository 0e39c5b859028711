//! Policies whose ball lands by one key: the greatest rank of its candidates.
//!
//! Rank bins by decreasing load. The least loaded of `d` candidates is the one of greatest rank
//! K, and its load is the number of levels i >= 1 with s_i > K: integers only, no powers.

use evenhand_core::{Index, IndexPair, Rng, Streams, unit_f64};
use evenhand_policies::PolicySpec;

use super::occupancy::Occupancy;
use super::skipping::Ladder;

/// How a ball lands under a policy that compares nothing but ranks.
///
/// Rank bins by decreasing load, from 0. The *key* of a ball is the greatest rank of its
/// candidates; the ball lands on level k - 1 if exactly k - 1 of the counts `s_1 >= s_2 >= ...`
/// (bins with load at least 1, 2, ...) are above its key.
#[derive(Clone, Debug)]
pub struct Keys {
    bins: u64,
    d: u32,
    index: Index,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// One draw.
    One,
    /// Two independent draws from one word.
    Pair(IndexPair),
    /// `d` independent draws.
    Independent,
    /// Two distinct draws from one word.
    DistinctPair(IndexPair),
    /// `d` distinct draws.
    Distinct,
    /// With probability beta the greatest of `d` draws, else the first.
    Coin { beta: f64 },
}

/// Pairs fit one word up to this many bins.
const PAIR_BINS: u64 = 1 << 32;

impl Keys {
    /// The keys of a policy on `bins` bins: of `choices` that are not weighted, and of
    /// `one-plus-beta`. `None` for other policies.
    ///
    /// # Panics
    /// If `bins` is 0.
    pub fn of(policy: &PolicySpec, bins: u64) -> Option<Self> {
        match policy {
            PolicySpec::Choices(choices) if choices.weighted => None,
            PolicySpec::Choices(choices) if choices.distinct => {
                Some(Self::distinct(bins, choices.d))
            }
            PolicySpec::Choices(choices) => Some(Self::independent(bins, choices.d)),
            PolicySpec::OnePlusBeta(policy) => Some(Self::coin(bins, policy.d, policy.beta)),
            _ => None,
        }
    }

    /// The greatest of `d` independent ranks.
    pub(crate) fn independent(bins: u64, d: u32) -> Self {
        let kind = match d {
            1 => Kind::One,
            2 if bins <= PAIR_BINS => Kind::Pair(IndexPair::new(bins, bins)),
            _ => Kind::Independent,
        };
        Self { bins, d, index: Index::new(bins), kind }
    }

    /// The greatest of `d` distinct ranks.
    pub(crate) fn distinct(bins: u64, d: u32) -> Self {
        let kind = match d {
            1 => Kind::One,
            2 if bins <= PAIR_BINS => Kind::DistinctPair(IndexPair::new(bins, bins - 1)),
            _ => Kind::Distinct,
        };
        Self { bins, d, index: Index::new(bins), kind }
    }

    /// With probability `beta` the greatest of `d` independent ranks, else one.
    pub(crate) fn coin(bins: u64, d: u32, beta: f64) -> Self {
        Self { bins, d, index: Index::new(bins), kind: Kind::Coin { beta } }
    }

    /// Expected loads read per ball.
    pub fn probes_per_ball(&self) -> f64 {
        match self.kind {
            Kind::One => 0.0,
            Kind::Coin { beta } => beta * f64::from(self.d),
            _ => f64::from(self.d),
        }
    }

    /// The key of the next ball.
    #[inline]
    pub fn draw(&self, streams: &mut Streams) -> u64 {
        let sample = &mut streams.sample;
        match &self.kind {
            Kind::One => self.index.draw(sample),
            Kind::Pair(pair) => {
                let (i, j) = pair.draw(sample);
                i.max(j).into()
            }
            Kind::DistinctPair(pair) => {
                let (i, j) = pair.draw(sample);
                i.max(j + u32::from(j >= i)).into()
            }
            Kind::Independent => self.greatest(sample),
            Kind::Distinct => self.greatest_distinct(sample),
            Kind::Coin { beta } => {
                if unit_f64(&mut streams.rule) < *beta {
                    self.greatest(sample)
                } else {
                    self.index.draw(sample)
                }
            }
        }
    }

    fn greatest<R: Rng>(&self, rng: &mut R) -> u64 {
        (0..self.d).map(|_| self.index.draw(rng)).max().unwrap_or(0)
    }

    /// Draws until `d` distinct ranks are seen.
    fn greatest_distinct<R: Rng>(&self, rng: &mut R) -> u64 {
        let mut seen = Vec::with_capacity(self.d as usize);
        while seen.len() < self.d as usize {
            let rank = self.index.draw(rng);
            if !seen.contains(&rank) {
                seen.push(rank);
            }
        }
        seen.into_iter().max().unwrap_or(0)
    }

    /// Probability that all ranks of a ball are below `count`: that it lands on a level that
    /// `count` bins have reached. Increasing in `count`.
    #[inline]
    pub fn tail(&self, count: f64) -> f64 {
        let bins = self.bins as f64;
        let x = count / bins;
        match self.kind {
            Kind::One => x,
            Kind::Pair(_) => x * x,
            Kind::Independent => x.powi(self.d as i32),
            Kind::Coin { beta } => (1.0 - beta) * x + beta * x.powi(self.d as i32),
            Kind::DistinctPair(_) | Kind::Distinct => (0..self.d)
                .map(|drawn| (count - f64::from(drawn)).max(0.0) / (bins - f64::from(drawn)))
                .product(),
        }
    }
}

/// The levels of a keyed policy as a ladder for skipping.
#[derive(Debug)]
pub(crate) struct Levels {
    keys: Keys,
    occupancy: Occupancy,
}

impl Levels {
    pub(crate) fn new(keys: Keys, bins: u64) -> Self {
        Self { keys, occupancy: Occupancy::empty(bins) }
    }
}

impl Ladder for Levels {
    fn thresholds(&self, extra: u64, low: &mut Vec<f64>, high: &mut Vec<f64>) {
        let bins = self.occupancy.bins();
        for &count in self.occupancy.partial() {
            low.push(self.keys.tail(count as f64));
            high.push(self.keys.tail((count + extra).min(bins) as f64));
        }
        low.push(0.0);
        high.push(self.keys.tail(extra.min(bins) as f64));
    }

    #[inline]
    fn threshold(&self, bottom: usize, rung: usize) -> f64 {
        match self.occupancy.at_least(bottom + 1 + rung) {
            0 => 0.0,
            count => self.keys.tail(count as f64),
        }
    }

    #[inline]
    fn land(&mut self, bottom: usize, rung: usize, balls: u64) {
        self.occupancy.raise(bottom + rung, balls);
    }

    fn bottom(&self) -> usize {
        self.occupancy.full()
    }

    fn at_least(&self) -> Vec<u64> {
        self.occupancy.to_vec()
    }

    fn probes_per_ball(&self) -> f64 {
        self.keys.probes_per_ball()
    }
}
