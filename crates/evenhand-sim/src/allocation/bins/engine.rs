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
        Self { policy, streams, arrivals, ahead, thrown: 0, total, probes: 0 }
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
    std::array::from_fn(|_| {
        let arrival = arrivals.next_arrival();
        let candidates = policy.sampler.sample(&arrival, &mut streams.sample);
        candidates.as_slice().iter().for_each(|&server| ledger.prefetch(server));
        (arrival, candidates)
    })
}
