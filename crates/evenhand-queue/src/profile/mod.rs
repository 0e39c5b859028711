//! The profile engine: the number of servers with at least 1, 2, ... jobs, whatever the number of
//! servers.
//!
//! Under an exchangeable policy and exponential service the counts `s_k` of servers with at least
//! k jobs are themselves a Markov chain: an arrival draws the rank of its server by the policy's
//! law, a completion a uniform rank. Two forms, the same law:
//! - *sequential* (`sequential.rs`): one step at a time;
//! - *skipping* (`skipping.rs`): about sqrt(n) steps at once, for many servers.

mod sequential;
mod skipping;
#[cfg(test)]
mod tests;
mod zones;

use evenhand_core::{Role, Stream, Streams};
use evenhand_sim::{Control, Interrupted, Keys};

use crate::markov::{self, Chain, Rates, Steps, Tally};
use crate::model::Queue;
use crate::outcome::Outcome;
use crate::plan::Plan;
use crate::uniformised::starting_counts;
use sequential::Sequential;
use skipping::Skipping;

/// From this many servers on, skipping beats single steps (measured at two choices, load 0.9).
const SKIP_FROM_SERVERS: u64 = 1 << 15;

pub(crate) fn run(
    queue: &Queue,
    plan: &Plan,
    replication: u64,
    control: &Control,
) -> Result<Outcome, Interrupted> {
    let rates = Rates::of(queue);
    let world = queue.world_seed(replication);
    let source = Source {
        keys: Keys::of(&queue.policy, queue.servers).expect("checked: the policy has keys"),
        servers: queue.servers,
        buffer: queue.buffer,
        arrival_share: rates.arrival_share(),
        policy: queue.policy_seed(replication, 0).streams(),
        steps: world.stream(Role::Departures),
    };
    let tally = Tally::new(starting_counts(queue));
    if queue.servers < SKIP_FROM_SERVERS {
        let mut chain = Counted::new(Sequential::new(source));
        return markov::run(queue, plan, replication, control, rates, tally, &mut chain);
    }
    let mut chain = Counted::new(Skipping::new(source));
    markov::run(queue, plan, replication, control, rates, tally, &mut chain)
}

/// What steps are drawn from.
struct Source {
    keys: Keys,
    servers: u64,
    buffer: Option<u32>,
    arrival_share: f64,
    policy: Streams,
    /// Kinds of steps, completions, and all that is drawn for many steps at once.
    steps: Stream,
}

impl Source {
    /// True if a server with `length` jobs loses the next.
    #[inline]
    fn is_full(&self, length: usize) -> bool {
        self.buffer.is_some_and(|buffer| length >= buffer as usize)
    }
}

/// A form of the process.
trait Form {
    /// As [`Chain::go`].
    fn go(&mut self, most: Steps, tally: &mut Tally) -> Steps;

    /// Expected loads read per arrival.
    fn probes_per_job(&self) -> f64;
}

/// A form with the loads that it reads.
struct Counted<F> {
    form: F,
    counted_arrivals: u64,
}

impl<F: Form> Counted<F> {
    fn new(form: F) -> Self {
        Self { form, counted_arrivals: 0 }
    }
}

impl<F: Form> Chain for Counted<F> {
    fn go(&mut self, most: Steps, tally: &mut Tally) -> Steps {
        let taken = self.form.go(most, tally);
        self.counted_arrivals += if tally.counts() { taken.arrivals } else { 0 };
        taken
    }

    fn finish(&mut self, outcome: &mut Outcome) {
        let probes = self.counted_arrivals as f64 * self.form.probes_per_job();
        outcome.probes = probes.round() as u64;
    }
}
