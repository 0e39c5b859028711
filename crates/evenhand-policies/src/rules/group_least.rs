use evenhand_core::{Choice, Load, Rng, Rule, ServerId, Signal, below};

/// What is compared between groups of bins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    /// The total load of a group.
    Total,
    /// The load of its least loaded bin.
    Least,
}

impl Compare {
    /// The words of the parameter `compare`.
    pub const WORDS: &'static [&'static str] = &["total", "least"];

    /// Reads one of [`Compare::WORDS`].
    pub fn from_word(word: &str) -> Self {
        if word == "least" { Self::Least } else { Self::Total }
    }

    /// The word of this value.
    pub fn word(self) -> &'static str {
        match self {
            Self::Total => "total",
            Self::Least => "least",
        }
    }
}

/// Candidates come as groups of `size`; the lesser loaded group gets the ball, in its least
/// loaded bin. Ties between groups, and between bins of the group, are decided uniformly.
///
/// Groups without an eligible bin are passed over. The total of a group counts all its bins.
///
/// Kenthapadi, Panigrahy 2006.
#[derive(Clone, Copy, Debug)]
pub struct GroupLeast {
    /// Bins in a group.
    pub size: usize,
    /// What is compared between groups.
    pub compare: Compare,
}

impl<L: Load> Rule<L> for GroupLeast {
    fn choose<S, R>(&mut self, candidates: &[ServerId], signal: &S, rng: &mut R) -> Option<Choice>
    where
        S: Signal<Load = L> + ?Sized,
        R: Rng + ?Sized,
    {
        let up = |group: &&[ServerId]| group.iter().any(|&server| signal.eligible(server));
        let groups = candidates.chunks_exact(self.size).filter(up);
        let scores = groups.map(|group| (group, self.score(group, signal)));
        let group = least_by_score(scores, rng)?;
        let eligible = group.iter().filter(|&&s| signal.eligible(s));
        let server = least_by_score(eligible.map(|&s| (s, signal.load(s).as_f64())), rng)?;
        Some(Choice::one(server, candidates.len() as u32))
    }
}

impl GroupLeast {
    fn score<S: Signal + ?Sized>(&self, group: &[ServerId], signal: &S) -> f64 {
        let load = |&server: &ServerId| signal.load(server).as_f64();
        match self.compare {
            Compare::Total => group.iter().map(load).sum(),
            Compare::Least => {
                let eligible = group.iter().filter(|&&server| signal.eligible(server));
                eligible.map(load).fold(f64::INFINITY, f64::min)
            }
        }
    }
}

/// The item of least score; a tie is decided uniformly (reservoir sampling).
pub(crate) fn least_by_score<T, R: Rng + ?Sized>(
    mut items: impl Iterator<Item = (T, f64)>,
    rng: &mut R,
) -> Option<T> {
    let (mut best, mut least) = items.next()?;
    let mut tied = 1;
    for (item, score) in items {
        if score < least {
            (best, least, tied) = (item, score, 1);
        } else if score == least {
            tied += 1;
            if below(rng, tied) == 0 {
                best = item;
            }
        }
    }
    Some(best)
}
