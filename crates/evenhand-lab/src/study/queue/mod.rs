//! Points of queues: how long a run is, how many runs, and their result.

mod length;
mod result;
mod times;

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use evenhand_queue::{End, Engine, JobRow, Outcome, Plan, Queue};
use evenhand_sim::observe::enough;
use evenhand_sim::{Control, Interrupted};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::record::QueueResult;
use times::{Kind, Law};

/// One point of a study of queues.
#[derive(Clone, Debug)]
pub struct QueuePoint {
    /// The model with its policy.
    pub model: Queue,
    /// The engine.
    pub engine: Engine,
    /// The end of each run; `None` to choose it by pilot runs.
    pub end: Option<End>,
    /// Time that is not counted; `None` to find it by pilot runs.
    pub warm_up: Option<f64>,
    /// How many runs.
    pub stop: Stop,
    /// Times at which queue lengths are recorded, ascending.
    pub at: Vec<f64>,
    /// True if the model is known to have no stationary state.
    pub is_overloaded: bool,
    /// What the reader of the result should know.
    pub notes: Vec<String>,
}

/// When there are enough runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stop {
    /// After so many.
    Runs(u64),
    /// When a statistic is known to this relative half-width of its 95 % interval.
    Precision {
        /// The half-width over the value.
        relative: f64,
        /// Of what.
        of: Statistic,
    },
}

/// A statistic of the sojourn times of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statistic {
    /// The mean.
    Mean,
    /// The quantile at so many thousandths.
    Quantile(u16),
}

impl Statistic {
    /// The statistic of a run. Where an engine knows no job times, it is the mean, by Little's law.
    fn of(self, outcome: &Outcome, servers: u64) -> f64 {
        match (self, Law::of(outcome, Kind::Sojourn)) {
            (_, None) => outcome.sojourn_by_little(servers).unwrap_or(0.0),
            (Self::Mean, Some(law)) => law.mean(),
            (Self::Quantile(thousandths), Some(law)) => {
                law.quantile(f64::from(thousandths) / 1000.0)
            }
        }
    }
}

/// Is told of single jobs.
pub type Observer<'o> = dyn FnMut(&JobRow) + Send + 'o;

/// Runs before precision is looked at: fewer are narrow by chance too often.
const LEAST_RUNS: usize = 10;
/// Runs after which precision is given up.
const MOST_RUNS: usize = 400;

impl QueuePoint {
    /// Runs until there are enough runs, and sums them up; `None` if not one was finished.
    ///
    /// The runs that count are a prefix of the replications, in order, so threads cannot change
    /// the result.
    pub fn finish(&self, control: &Control) -> Option<QueueResult> {
        self.finish_observed(control, &mut |_| {})
    }

    /// As [`QueuePoint::finish`], and `observer` is told of each counted job of the first run, if
    /// the engine sees jobs ([`Engine::sees_jobs`]). If there is a result, it was told of all.
    pub fn finish_observed(
        &self,
        control: &Control,
        observer: &mut Observer<'_>,
    ) -> Option<QueueResult> {
        let start = Instant::now();
        let settled = self.plan(control).ok()?;
        let mut outcomes = self.run_enough(&settled.plan, control, observer);
        let mut notes = self.notes.clone();
        notes.extend(settled.notes);
        match self.stop {
            Stop::Runs(runs) if (outcomes.len() as u64) < runs => {
                notes.push(format!("interrupted: {} of {runs} runs finished", outcomes.len()));
            }
            Stop::Precision { relative, of } => match self.enough(&outcomes, relative, of) {
                Some(runs) => outcomes.truncate(runs),
                None if control.is_stopped() => {
                    notes.push(format!("interrupted after {} runs", outcomes.len()));
                }
                None => {}
            },
            Stop::Runs(_) => {}
        }
        let result = result::result(self, &settled.plan, &outcomes, notes)?;
        Some(result.timed(start.elapsed().as_secs_f64()))
    }

    fn enough(&self, outcomes: &[Outcome], relative: f64, of: Statistic) -> Option<usize> {
        let servers = self.model.servers;
        let values: Vec<f64> = outcomes.iter().map(|outcome| of.of(outcome, servers)).collect();
        enough(&values, relative, LEAST_RUNS)
    }

    /// Whether queues are seen to grow without bound. The bursts of a trace say nothing of that, and
    /// buffers prevent it.
    fn grows(&self, outcomes: &[Outcome]) -> bool {
        let may_grow = self.model.arrivals.trace().is_none() && self.model.buffer.is_none();
        may_grow && result::keeps_growing(outcomes)
    }

    /// Replications from the first on, as many as are needed or a few more.
    fn run_enough(
        &self,
        plan: &Plan,
        control: &Control,
        observer: &mut Observer<'_>,
    ) -> Vec<Outcome> {
        // Only one run locks it.
        let observer = Mutex::new(observer);
        let run = |number: u64| match number {
            0 => {
                let mut observer = observer.lock().unwrap_or_else(PoisonError::into_inner);
                self.model.run_observed(self.engine, plan, 0, control, &mut **observer)
            }
            number => self.run(plan, number, control),
        };
        let mut outcomes = Vec::new();
        loop {
            let wanted = match self.stop {
                Stop::Runs(runs) => runs as usize,
                Stop::Precision { relative, of } => {
                    let precise = self.enough(&outcomes, relative, of).is_some();
                    let hopeless = outcomes.len() >= LEAST_RUNS && self.grows(&outcomes);
                    match outcomes.len() {
                        0 => LEAST_RUNS,
                        runs if precise || hopeless || runs >= MOST_RUNS => runs,
                        runs => runs + rayon::current_num_threads(),
                    }
                }
            };
            if outcomes.len() >= wanted || control.is_stopped() {
                return outcomes;
            }
            let next = outcomes.len() as u64..wanted as u64;
            let finished: Vec<Option<Outcome>> =
                next.into_par_iter().map(|number| run(number).ok()).collect();
            // A stopped run ends the prefix.
            outcomes.extend(finished.into_iter().map_while(|outcome| outcome));
        }
    }

    fn run(
        &self,
        plan: &Plan,
        replication: u64,
        control: &Control,
    ) -> Result<Outcome, Interrupted> {
        self.model.run(self.engine, plan, replication, control)
    }
}
