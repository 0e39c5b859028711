use evenhand_core::{CandidateSet, Choice, Policy, Rule, Sampler, ServerId, Streams};

use super::Arrivals;
use crate::allocation::ledger::Ledger;

/// Balls drawn ahead in a block. Two blocks are in flight: 16 to 64 loads, about what a core can
/// wait for at once. From 128 on it gets slower again.
const BLOCK: usize = 16;

/// Why throwing stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stopped {
    /// As many balls as asked for are placed.
    Done,
    /// A counter is nearly full.
    Full,
}

/// Arrivals whose candidates are drawn, and how many of them are used up.
pub(crate) struct Ahead<A, S> {
    block: [(A, S); BLOCK],
    used: usize,
}

/// A policy with its streams and arrivals, throwing balls.
pub(crate) struct Thrower<A, S: Sampler<A>, R, V> {
    policy: Policy<S, R>,
    streams: Streams,
    arrivals: V,
    ahead: Ahead<A, S::Set>,
    /// The next block, while it is drawn together with those of other replications.
    drawing: Vec<(A, S::Set)>,
    /// Balls placed so far.
    thrown: u64,
    /// Balls to place in all; the last placement is cut there.
    total: u64,
    /// Loads read so far.
    probes: u64,
}

impl<A, S, R, V> Thrower<A, S, R, V>
where
    S: Sampler<A>,
    V: Arrivals<A>,
{
    pub(crate) fn new<G: Ledger>(
        mut policy: Policy<S, R>,
        mut streams: Streams,
        mut arrivals: V,
        ledger: &G,
        total: u64,
    ) -> Self {
        let block = draw_block(&mut policy, &mut streams, &mut arrivals, ledger);
        let ahead = Ahead { block, used: 0 };
        Self { policy, streams, arrivals, ahead, drawing: Vec::new(), thrown: 0, total, probes: 0 }
    }

    pub(crate) fn thrown(&self) -> u64 {
        self.thrown
    }

    pub(crate) fn probes(&self) -> u64 {
        self.probes
    }

    /// Places balls until `until` are placed in all, or a counter is nearly full. `placed` is
    /// told of every placement.
    pub(crate) fn throw<G: Ledger>(
        &mut self,
        ledger: &mut G,
        until: u64,
        mut placed: impl FnMut(&A, ServerId, u64),
    ) -> Stopped
    where
        R: Rule<G::Load>,
    {
        let until = until.min(self.total);
        while self.thrown < until {
            if !ledger.has_room_for(BLOCK as u64) {
                return Stopped::Full;
            }
            let whole = R::ONE_BALL && self.ahead.used == 0;
            if whole && until - self.thrown >= BLOCK as u64 {
                self.place_block(ledger, &mut placed);
            } else {
                self.place_one(ledger, &mut placed);
            }
        }
        Stopped::Done
    }

    /// Draws the next block, then places the current one.
    #[inline(always)]
    fn place_block<G: Ledger>(&mut self, ledger: &mut G, placed: &mut impl FnMut(&A, ServerId, u64))
    where
        R: Rule<G::Load>,
    {
        let next = draw_block(&mut self.policy, &mut self.streams, &mut self.arrivals, ledger);
        self.place_current(next, ledger, placed);
    }

    /// Places the current block; `next` takes its place.
    #[inline(always)]
    fn place_current<G: Ledger>(
        &mut self,
        next: [(A, S::Set); BLOCK],
        ledger: &mut G,
        placed: &mut impl FnMut(&A, ServerId, u64),
    ) where
        R: Rule<G::Load>,
    {
        for (arrival, candidates) in &self.ahead.block {
            let candidates = candidates.as_slice();
            let choice = choose(&mut self.policy.rule, candidates, ledger, &mut self.streams);
            ledger.admit(choice.server, 1);
            self.policy.rule.placed(candidates, &choice, ledger, &mut self.streams.rule);
            placed(arrival, choice.server, 1);
            self.probes += u64::from(choice.probes);
        }
        self.ahead.block = next;
        self.thrown += BLOCK as u64;
    }

    /// Places balls of several replications, each on its ledger, until `until` are placed in each
    /// or a counter is nearly full.
    ///
    /// A walker's next step waits for the memory that holds its row. While one replication waits,
    /// the others draw: arrival by arrival, all in turn. Streams and loads are their own, so each
    /// replication is bit for bit what it is alone.
    pub(crate) fn throw_together<G: Ledger>(
        throwers: &mut [Self],
        ledgers: &mut [G],
        until: u64,
    ) -> Stopped
    where
        R: Rule<G::Load>,
    {
        let whole = |thrower: &Self| {
            let left = until.min(thrower.total).saturating_sub(thrower.thrown);
            R::ONE_BALL && thrower.ahead.used == 0 && left >= BLOCK as u64
        };
        while throwers.iter().all(whole) {
            if !ledgers.iter().all(|ledger| ledger.has_room_for(BLOCK as u64)) {
                return Stopped::Full;
            }
            for _ in 0..BLOCK {
                for (thrower, ledger) in throwers.iter_mut().zip(ledgers.iter()) {
                    thrower.draw_one(ledger);
                }
            }
            for (thrower, ledger) in throwers.iter_mut().zip(ledgers.iter_mut()) {
                let mut drawing = std::mem::take(&mut thrower.drawing);
                let mut drawn = drawing.drain(..);
                let next = std::array::from_fn(|_| drawn.next().expect("a block was drawn"));
                drop(drawn);
                thrower.drawing = drawing;
                thrower.place_current(next, ledger, &mut |_, _, _| {});
            }
        }
        for (thrower, ledger) in throwers.iter_mut().zip(ledgers.iter_mut()) {
            if thrower.throw(ledger, until, |_, _, _| {}) == Stopped::Full {
                return Stopped::Full;
            }
        }
        Stopped::Done
    }

    #[inline(always)]
    fn draw_one<G: Ledger>(&mut self, ledger: &G) {
        let (policy, streams) = (&mut self.policy, &mut self.streams);
        let drawn = draw(policy, streams, &mut self.arrivals, ledger);
        self.drawing.push(drawn);
    }

    /// Places the next arrival of the current block.
    fn place_one<G: Ledger>(&mut self, ledger: &mut G, placed: &mut impl FnMut(&A, ServerId, u64))
    where
        R: Rule<G::Load>,
    {
        let (arrival, candidates) = &self.ahead.block[self.ahead.used];
        let candidates = candidates.as_slice();
        let choice = choose(&mut self.policy.rule, candidates, ledger, &mut self.streams);
        let balls = choice.balls.min(self.total - self.thrown);
        ledger.admit(choice.server, balls);
        self.policy.rule.placed(candidates, &choice, ledger, &mut self.streams.rule);
        placed(arrival, choice.server, balls);
        self.probes += u64::from(choice.probes);
        self.thrown += balls;
        self.ahead.used += 1;
        if self.ahead.used == BLOCK {
            let next = draw_block(&mut self.policy, &mut self.streams, &mut self.arrivals, ledger);
            self.ahead = Ahead { block: next, used: 0 };
        }
    }
}

#[inline(always)]
fn choose<R, G>(
    rule: &mut R,
    candidates: &[ServerId],
    ledger: &mut G,
    streams: &mut Streams,
) -> Choice
where
    G: Ledger,
    R: Rule<G::Load>,
{
    ledger.before_ball();
    rule.choose(candidates, ledger, &mut streams.rule).expect("every bin is eligible")
}

#[inline(always)]
fn draw_block<A, S, R, V, G>(
    policy: &mut Policy<S, R>,
    streams: &mut Streams,
    arrivals: &mut V,
    ledger: &G,
) -> [(A, S::Set); BLOCK]
where
    S: Sampler<A>,
    V: Arrivals<A>,
    G: Ledger,
{
    std::array::from_fn(|_| draw(policy, streams, arrivals, ledger))
}

/// Draws one arrival and its candidates, and asks for their loads.
#[inline(always)]
fn draw<A, S, R, V, G>(
    policy: &mut Policy<S, R>,
    streams: &mut Streams,
    arrivals: &mut V,
    ledger: &G,
) -> (A, S::Set)
where
    S: Sampler<A>,
    V: Arrivals<A>,
    G: Ledger,
{
    let arrival = arrivals.next_arrival();
    let candidates = policy.sampler.sample(&arrival, &mut streams.sample);
    candidates.as_slice().iter().for_each(|&server| ledger.prefetch(server));
    (arrival, candidates)
}
