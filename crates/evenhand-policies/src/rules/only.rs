use evenhand_core::{Choice, Load, Rng, Rule, ServerId, Signal};

/// Takes the first eligible candidate and reads no load.
#[derive(Clone, Copy, Debug, Default)]
pub struct Only;

impl<L: Load> Rule<L> for Only {
    #[inline(always)]
    fn choose<S, R>(&mut self, candidates: &[ServerId], signal: &S, _: &mut R) -> Option<Choice>
    where
        S: Signal<Load = L> + ?Sized,
        R: Rng + ?Sized,
    {
        let server = candidates.iter().copied().find(|&s| signal.eligible(s))?;
        Some(Choice::one(server, 0))
    }
}
