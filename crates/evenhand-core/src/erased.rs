use crate::{CandidateSet, Choice, Load, Policy, Rule, Sampler, ServerId, Signal, Stream, Streams};

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

/// A sampler behind one virtual call for many arrivals.
///
/// Every [`Sampler`] is one.
pub trait ErasedSampler<A>: Send {
    /// Draws the candidates of each arrival, in order, and appends them to `lists`.
    fn sample_all(&mut self, arrivals: &[A], rng: &mut Stream, lists: &mut CandidateLists);
}

impl<A, S: Sampler<A> + Send> ErasedSampler<A> for S {
    fn sample_all(&mut self, arrivals: &[A], rng: &mut Stream, lists: &mut CandidateLists) {
        for arrival in arrivals {
            lists.push(self.sample(arrival, rng).as_slice());
        }
    }
}

/// A rule that reads one kind of signal, behind a virtual call: the comparison of loads is
/// compiled for the signal, the engine around it is not compiled again.
///
/// Every [`Rule`] is one.
pub trait ErasedRule<G: Signal>: Send {
    /// As [`Rule::choose`].
    fn choose_erased(
        &mut self,
        candidates: &[ServerId],
        signal: &G,
        rng: &mut Stream,
    ) -> Option<Choice>;

    /// As [`Rule::placed`].
    fn placed_erased(
        &mut self,
        candidates: &[ServerId],
        choice: &Choice,
        signal: &G,
        rng: &mut Stream,
    );
}

impl<G: Signal, R: Rule<G::Load> + Send> ErasedRule<G> for R {
    fn choose_erased(
        &mut self,
        candidates: &[ServerId],
        signal: &G,
        rng: &mut Stream,
    ) -> Option<Choice> {
        self.choose(candidates, signal, rng)
    }

    fn placed_erased(
        &mut self,
        candidates: &[ServerId],
        choice: &Choice,
        signal: &G,
        rng: &mut Stream,
    ) {
        self.placed(candidates, choice, signal, rng);
    }
}

/// The candidate lists of several arrivals, one after the other.
#[derive(Clone, Debug, Default)]
pub struct CandidateLists {
    servers: Vec<ServerId>,
    ends: Vec<usize>,
}

impl CandidateLists {
    /// Forgets all lists, and keeps the memory.
    #[inline]
    pub fn clear(&mut self) {
        self.servers.clear();
        self.ends.clear();
    }

    /// Appends a list.
    #[inline]
    pub fn push(&mut self, list: &[ServerId]) {
        self.servers.extend_from_slice(list);
        self.ends.push(self.servers.len());
    }

    /// List number `index`, from 0.
    ///
    /// # Panics
    /// If there is no such list.
    #[inline]
    pub fn get(&self, index: usize) -> &[ServerId] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.servers[start..self.ends[index]]
    }

    /// The servers of all lists.
    #[inline]
    pub fn servers(&self) -> &[ServerId] {
        &self.servers
    }

    /// The servers of all lists, to rename them.
    #[inline]
    pub fn servers_mut(&mut self) -> &mut [ServerId] {
        &mut self.servers
    }
}
