use std::sync::Arc;

use evenhand_core::{Choice, Load, Rng, Rule, ServerId, Signal};

/// How equal loads are decided between owners of regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum RegionTies {
    /// Uniformly at random.
    #[default]
    Random,
    /// The owner of the smaller region.
    Smaller,
    /// The owner of the larger region.
    Larger,
}

impl RegionTies {
    /// The words of the parameter `ties`.
    pub const WORDS: &'static [&'static str] = &["random", "smaller", "larger"];

    /// Reads one of [`RegionTies::WORDS`].
    pub fn from_word(word: &str) -> Self {
        match word {
            "smaller" => Self::Smaller,
            "larger" => Self::Larger,
            _ => Self::Random,
        }
    }

    /// The word of this value.
    pub fn word(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Smaller => "smaller",
            Self::Larger => "larger",
        }
    }
}

/// The least loaded candidate; of equals the owner of the smaller (or larger) region.
///
/// Byers, Considine, Mitzenmacher 2004.
#[derive(Clone, Debug)]
pub struct RegionLeast {
    /// Size of each server's region, signed so that of two tied servers the one with the lesser
    /// number wins.
    rank: Arc<[f64]>,
}

impl RegionLeast {
    /// The rule over regions of these sizes; `ties` is not random.
    pub fn new(sizes: &[f64], ties: RegionTies) -> Self {
        let sign = if ties == RegionTies::Larger { -1.0 } else { 1.0 };
        Self { rank: sizes.iter().map(|size| sign * size).collect() }
    }
}

impl<L: Load> Rule<L> for RegionLeast {
    fn choose<S, R>(&mut self, candidates: &[ServerId], signal: &S, _: &mut R) -> Option<Choice>
    where
        S: Signal<Load = L> + ?Sized,
        R: Rng + ?Sized,
    {
        let key = |s: ServerId| (signal.load(s).as_f64(), self.rank[s.index()]);
        let mut rest = candidates.iter().copied().filter(|&s| signal.eligible(s));
        let mut server = rest.next()?;
        for challenger in rest {
            if key(challenger) < key(server) {
                server = challenger;
            }
        }
        Some(Choice::best_of(candidates, server))
    }
}
