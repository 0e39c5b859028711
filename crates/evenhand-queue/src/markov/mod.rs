//! What the engines of Markov chains share: a run as a number of steps.
//!
//! With exponential service and Poisson arrivals the queue lengths are a Markov chain whose jumps
//! can be drawn without their times. All events come from one Poisson process of rate `total`:
//! each is an arrival with probability `arrival rate / total`, else a server, drawn in proportion
//! to its service rate, completes a job if it has one. The kinds of steps are independent of
//! their times (uniformisation; Jensen 1953, Grassmann 1977). So
//!
//! - a time is mapped to a step number once, by a Poisson draw (`clock.rs`);
//! - an average over time is the average over steps, and no exponential time is drawn
//!   (`tally.rs`);
//! - job times follow from the lengths that jobs meet on arrival, where servers are alike and
//!   first come, first served.

mod clock;
mod rates;
mod tally;

use evenhand_sim::{Control, Interrupted};

use crate::model::Queue;
use crate::outcome::{JobTimes, Outcome, Transient};
use crate::plan::Plan;

use clock::{Clock, Mark};
pub(crate) use rates::Rates;
pub(crate) use tally::{NARROW_CELLS, STRETCH, Tally};

/// Parts of the run in [`Outcome::course`], as many as of an engine that sees job times.
const PARTS: u64 = 500;

/// A chain of queue lengths that goes on by steps.
pub(crate) trait Chain {
    /// Takes at least one step and at most `most.steps`, none after `most.arrivals` arrivals, and
    /// tells the tally. Returns what was taken.
    fn go(&mut self, most: Steps, tally: &mut Tally) -> Steps;

    /// Adds what only this chain knows.
    fn finish(&mut self, outcome: &mut Outcome);
}

/// A number of steps, and how many of them are arrivals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Steps {
    pub steps: u64,
    pub arrivals: u64,
}

/// Runs the chain through the plan.
pub(crate) fn run(
    queue: &Queue,
    plan: &Plan,
    replication: u64,
    control: &Control,
    rates: Rates,
    tally: Tally,
    chain: &mut impl Chain,
) -> Result<Outcome, Interrupted> {
    let clock = Clock::draw(queue, plan, &rates, replication);
    let mut run = Run { clock, tally, outcome: Outcome::default(), now: Steps::default() };
    loop {
        run.pass_marks();
        let most = run.clock.most(run.now);
        if most.steps == 0 || most.arrivals == 0 {
            break;
        }
        let taken = chain.go(most, &mut run.tally);
        run.now.steps += taken.steps;
        run.now.arrivals += taken.arrivals;
        control.advance(taken.arrivals)?;
    }
    Ok(run.finish(queue, &rates, chain))
}

struct Run {
    clock: Clock,
    tally: Tally,
    outcome: Outcome,
    now: Steps,
}

impl Run {
    fn pass_marks(&mut self) {
        while let Some(mark) = self.clock.pass(self.now) {
            match mark {
                Mark::WarmUp => self.tally.start_counting(),
                Mark::Record(time) => {
                    let at_least = self.tally.at_least().to_vec();
                    self.outcome.transient.push(Transient { time, at_least });
                }
                Mark::Part => self.end_part(),
            }
        }
    }

    /// Mean sojourn time in a part of the run, by Little's law: job time over jobs.
    fn end_part(&mut self) {
        let (job_steps, jobs) = self.tally.take_part();
        if jobs > 0 {
            self.outcome.course.push(job_steps * self.clock.step_time() / jobs as f64);
        }
    }

    fn finish(mut self, queue: &Queue, rates: &Rates, chain: &mut impl Chain) -> Outcome {
        self.end_part();
        let mut outcome = self.outcome;
        outcome.arrived = self.now.arrivals;
        outcome.events = self.tally.events();
        outcome.lost = self.tally.lost();
        let (steps, duration) = self.clock.counted(self.now);
        if self.clock.ends_at_a_time() {
            self.tally.count_state();
        }
        outcome.duration = duration;
        let servers = queue.servers as f64;
        outcome.at_least = self.tally.averages(steps, servers);
        outcome.queue_length = outcome.at_least[1..].iter().sum();
        let busy = outcome.at_least.get(1).copied().unwrap_or(0.0);
        outcome.utilisation = vec![(1.0, busy)];
        outcome.met = Some(self.tally.met().to_vec());
        outcome.job_times = job_times(queue, rates);
        chain.finish(&mut outcome);
        outcome
    }
}

fn job_times(queue: &Queue, rates: &Rates) -> JobTimes {
    use crate::model::Discipline;
    let unknown = |reason| JobTimes::Unknown { reason };
    if queue.discipline != Discipline::Fifo {
        return unknown("queue lengths give job times under the discipline fifo only");
    }
    if !queue.speeds.are_equal() {
        return unknown("queue lengths give job times where all servers have one speed only");
    }
    if queue.spatial.is_some() && queue.latency_per_km > 0.0 {
        return unknown("queue lengths do not give the time that jobs travel");
    }
    JobTimes::Erlang { mean_service: rates.mean_service() }
}
