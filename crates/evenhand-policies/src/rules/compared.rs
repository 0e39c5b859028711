use evenhand_core::{Choice, Load, Rng, Rule, ServerId, Signal};

use crate::comparisons::Comparison;

/// The winner of a comparison that is not exact: candidates challenge the current one in the
/// order in which they were drawn.
#[derive(Clone, Copy, Debug)]
pub struct Compared(pub Comparison);

impl<L: Load> Rule<L> for Compared {
    #[inline]
    fn choose<S, R>(&mut self, candidates: &[ServerId], signal: &S, rng: &mut R) -> Option<Choice>
    where
        S: Signal<Load = L> + ?Sized,
        R: Rng + ?Sized,
    {
        let mut rest = candidates.iter().copied().filter(|&s| signal.eligible(s));
        let mut server = rest.next()?;
        let mut current = self.0.observe(signal.load(server).as_f64(), rng);
        for challenger in rest {
            let load = self.0.observe(signal.load(challenger).as_f64(), rng);
            if self.0.challenger_wins(current, load, rng) {
                (server, current) = (challenger, load);
            }
        }
        Some(Choice::best_of(candidates, server))
    }
}
