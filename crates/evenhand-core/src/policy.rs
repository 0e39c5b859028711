use crate::{CandidateSet, Choice, Load, Rule, Sampler, Signal, Streams};

/// A policy: a sampler and a rule. A clone is another dispatcher of the same policy.
#[derive(Clone, Debug)]
pub struct Policy<S, R> {
    /// Proposes candidates without reading load.
    pub sampler: S,
    /// Picks one of them.
    pub rule: R,
}

impl<S, R> Policy<S, R> {
    /// Draws candidates for one arrival and picks one: the policy, one arrival at a time.
    ///
    /// The caller carries the choice out (adds the load, forwards the request). A rule with
    /// memory wants to know when that is done: use [`Policy::choose_with`] then.
    ///
    /// `None` if no candidate is eligible.
    pub fn choose<A, G>(&mut self, arrival: &A, signal: &G, streams: &mut Streams) -> Option<Choice>
    where
        G: Signal + ?Sized,
        S: Sampler<A>,
        R: Rule<G::Load>,
    {
        let candidates = self.sampler.sample(arrival, &mut streams.sample);
        self.rule.choose(candidates.as_slice(), signal, &mut streams.rule)
    }

    /// As [`Policy::choose`], and tells the rule when `carry_out` has returned, so that a rule
    /// with memory reads the loads after the placement.
    pub fn choose_with<A, L, G>(
        &mut self,
        arrival: &A,
        signal: &G,
        streams: &mut Streams,
        carry_out: impl FnOnce(&Choice),
    ) -> Option<Choice>
    where
        L: Load,
        G: Signal<Load = L> + ?Sized,
        S: Sampler<A>,
        R: Rule<L>,
    {
        let candidates = self.sampler.sample(arrival, &mut streams.sample);
        let candidates = candidates.as_slice();
        let choice = self.rule.choose(candidates, signal, &mut streams.rule)?;
        carry_out(&choice);
        self.rule.placed(candidates, &choice, signal, &mut streams.rule);
        Some(choice)
    }
}
