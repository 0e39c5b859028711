use crate::{Choice, Load, Policy, Rule, Sampler, Signal, Streams};

/// A policy behind one virtual call: one box per dispatcher in queues and live balancers, where
/// the call is noise beside an event.
///
/// Every [`Policy`] of a sampler and a rule is one.
///
/// ```
/// # use evenhand_core::*;
/// # #[derive(Clone)] struct Always(u32);
/// # impl<A> Sampler<A> for Always {
/// #     type Set = [ServerId; 1];
/// #     fn sample<R: Rng + ?Sized>(&mut self, _: &A, _: &mut R) -> [ServerId; 1] { [ServerId(self.0)] }
/// # }
/// # #[derive(Clone)] struct First;
/// # impl<L: Load> Rule<L> for First {
/// #     fn choose<S: Signal<Load = L> + ?Sized, R: Rng + ?Sized>(&mut self, c: &[ServerId], _: &S, _: &mut R) -> Option<Choice> {
/// #         Some(Choice::one(c[0], 0))
/// #     }
/// # }
/// # struct Idle;
/// # impl Signal for Idle { type Load = u32; fn load(&self, _: ServerId) -> u32 { 0 } }
/// let mut dispatchers: Vec<Box<dyn ErasedPolicy<(), u32>>> = vec![
///     Box::new(Policy { sampler: Always(3), rule: First }),
///     Box::new(Policy { sampler: Always(5), rule: First }),
/// ];
/// let mut streams = Streams::from_seed(1);
/// let choice = dispatchers[1].choose(&(), &Idle, &mut streams, &mut |_| {});
/// assert_eq!(choice.unwrap().server, ServerId(5));
/// ```
pub trait ErasedPolicy<A, L: Load>: Send {
    /// Draws candidates, picks one, calls `carry_out` with the choice, and lets the rule see the
    /// loads after it. `None` if no candidate is eligible; then `carry_out` is not called.
    fn choose(
        &mut self,
        arrival: &A,
        signal: &dyn Signal<Load = L>,
        streams: &mut Streams,
        carry_out: &mut dyn FnMut(&Choice),
    ) -> Option<Choice>;
}

impl<A, L, S, R> ErasedPolicy<A, L> for Policy<S, R>
where
    L: Load,
    S: Sampler<A> + Send,
    R: Rule<L> + Send,
{
    fn choose(
        &mut self,
        arrival: &A,
        signal: &dyn Signal<Load = L>,
        streams: &mut Streams,
        carry_out: &mut dyn FnMut(&Choice),
    ) -> Option<Choice> {
        self.choose_with(arrival, signal, streams, carry_out)
    }
}
