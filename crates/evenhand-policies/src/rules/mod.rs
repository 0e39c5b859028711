//! Rules that several policies share.

mod compared;
mod group_least;
mod least;
mod only;
mod region_least;

pub use compared::Compared;
pub use group_least::{Compare, GroupLeast};
pub use least::{FirstLeast, RandomLeast};
pub use only::Only;
pub use region_least::{RegionLeast, RegionTies};

use evenhand_core::{Policy, Sampler};

use crate::comparisons::Comparison;
use crate::definition::{User, Visit};

/// How equal loads are decided among candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Ties {
    /// Uniformly at random among the tied draws.
    #[default]
    Random,
    /// The first drawn.
    First,
}

impl Ties {
    /// The words of the parameter `ties`.
    pub const WORDS: &'static [&'static str] = &["random", "first"];

    /// Reads one of [`Ties::WORDS`].
    pub fn from_word(word: &str) -> Self {
        if word == "first" { Self::First } else { Self::Random }
    }
}

/// Hands `visitor` the policy "least loaded of what `sampler` draws", where every order of the
/// draws is equally likely.
///
/// Then taking the first of the tied draws *is* a uniform choice among them, and no random bit is
/// spent: `ties=random` and `ties=first` are one law.
pub(crate) fn visit_exchangeable<V, S>(sampler: S, comparison: Comparison, visitor: V) -> V::Out
where
    V: Visit,
    S: Sampler<()> + Sampler<User> + Clone + Send + 'static,
{
    match comparison {
        Comparison::Exact => visitor.visit(Policy { sampler, rule: FirstLeast }),
        other => visitor.visit(Policy { sampler, rule: Compared(other) }),
    }
}

/// Hands `visitor` the policy "least loaded of what `sampler` draws", for draws whose order means
/// something.
pub(crate) fn visit_ordered<V, S>(
    sampler: S,
    ties: Ties,
    comparison: Comparison,
    visitor: V,
) -> V::Out
where
    V: Visit,
    S: Sampler<()> + Sampler<User> + Clone + Send + 'static,
{
    match (comparison, ties) {
        (Comparison::Exact, Ties::First) => visitor.visit(Policy { sampler, rule: FirstLeast }),
        (Comparison::Exact, Ties::Random) => visitor.visit(Policy { sampler, rule: RandomLeast }),
        (other, _) => visitor.visit(Policy { sampler, rule: Compared(other) }),
    }
}

/// Hands `visitor` the policy "least loaded of what `sampler` draws", for draws whose order means
/// something, at places.
pub(crate) fn visit_placed<V, S>(
    sampler: S,
    ties: Ties,
    comparison: Comparison,
    visitor: V,
) -> V::Out
where
    V: Visit,
    S: Sampler<User> + Clone + Send + 'static,
{
    match (comparison, ties) {
        (Comparison::Exact, Ties::First) => {
            visitor.visit_placed(Policy { sampler, rule: FirstLeast })
        }
        (Comparison::Exact, Ties::Random) => {
            visitor.visit_placed(Policy { sampler, rule: RandomLeast })
        }
        (other, _) => visitor.visit_placed(Policy { sampler, rule: Compared(other) }),
    }
}
