//! How long a run is: pilot runs find the warm-up and the spread between runs.

use evenhand_queue::{End, Outcome, Plan};
use evenhand_sim::observe::mser5;
use evenhand_sim::{Control, Interrupted};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::{QueuePoint, Statistic, Stop};

/// The plan of the runs, and what the reader should know of it.
pub(super) struct Settled {
    pub plan: Plan,
    pub notes: Vec<String>,
}

/// Pilot runs: replications counted from the last number down, which no study reaches.
const PILOTS: u64 = 4;
/// Service times of the shortest pilot run.
const LEAST_TIMES: f64 = 200.0;
/// Jobs of the shortest pilot run: fewer make averages so noisy that MSER-5 sees no warm-up.
const LEAST_JOBS: f64 = 200_000.0;
/// Pilot runs grow up to so many jobs, or more where the relaxation time asks for it.
const USUAL_JOBS: f64 = 4e6;
const MOST_JOBS: f64 = 1e8;
/// Relaxation times, 1 / (1 - load)^2 service times, that the longest pilot run covers.
const RELAXATIONS: f64 = 20.0;
/// Pilots of so many service times whose queues grow in proportion to time will not settle.
const HOPELESS_TIMES: f64 = 2_000.0;
/// MSER-5 leaves a bias of about the pilots' noise. The bias decays exponentially, so three times
/// the warm-up takes its third power.
const CAUTION: f64 = 3.0;
/// A run is at least so many warm-ups long.
const WARM_UPS: f64 = 5.0;
/// Beyond so many pilots' length more runs help better than longer ones: what differs between
/// runs, such as places or subsets that are drawn anew, does not average out within one.
const LONGEST: f64 = 20.0;
/// Runs that should reach the precision asked for.
const PLANNED_RUNS: f64 = 20.0;

impl QueuePoint {
    /// The plan of the runs. The same model, seed and request give the same plan.
    pub(super) fn plan(&self, control: &Control) -> Result<Settled, Interrupted> {
        let plan = |end, warm_up| Plan { warm_up, end, at: self.at.clone() };
        if let Some(trace) = self.model.arrivals.trace() {
            let end = self.end.unwrap_or(End::Jobs(trace.jobs()));
            let warm_up = self.warm_up.unwrap_or(0.0);
            let note = "a run is the whole trace, counted from its first job";
            let whole = self.end.is_none() && self.warm_up.is_none();
            let notes = whole.then(|| note.to_string()).into_iter().collect();
            return Ok(Settled { plan: plan(end, warm_up), notes });
        }
        match (self.end, self.warm_up) {
            (Some(end), Some(warm_up)) => {
                Ok(Settled { plan: plan(end, warm_up), notes: Vec::new() })
            }
            (Some(end), None) => self.warm_up_of(end, control),
            (None, warm_up) => self.length(warm_up, control),
        }
    }

    fn rate(&self) -> f64 {
        self.model.rate.expect("only traces have a rate of their own")
    }

    fn time_of(&self, end: End) -> f64 {
        match end {
            End::Time(time) => time,
            End::Jobs(jobs) => jobs as f64 / self.rate(),
        }
    }

    /// The warm-up of runs of a given length: by MSER-5 on their own average.
    fn warm_up_of(&self, end: End, control: &Control) -> Result<Settled, Interrupted> {
        let time = self.time_of(end);
        let pilots = self.pilots(end, control)?;
        let mut notes = Vec::new();
        let warm_up = match cut(&pilots) {
            Some(part) => (CAUTION * part * time).min(time / 2.0),
            None => {
                notes.push(TOO_SHORT.to_string());
                time / 2.0
            }
        };
        Ok(Settled { plan: Plan { warm_up, end, at: self.at.clone() }, notes })
    }

    /// Warm-up and length of runs, by pilot runs that double until they settle.
    fn length(&self, warm_up: Option<f64>, control: &Control) -> Result<Settled, Interrupted> {
        let unit = self.unit();
        let load = self.model.rate.unwrap_or(0.0) * unit / self.model.servers as f64;
        let relaxation = unit / (1.0 - load.min(0.9999)).powi(2);
        let jobs = |time: f64| time * self.rate();
        let most = (RELAXATIONS * relaxation * self.rate()).clamp(USUAL_JOBS, MOST_JOBS);
        let last = self.at.last().copied().unwrap_or(0.0);
        let mut time = (LEAST_TIMES * unit).max(LEAST_JOBS / self.rate()).max(last);
        loop {
            let pilots = self.pilots(End::Time(time), control)?;
            let grows = time >= HOPELESS_TIMES * unit && self.grows(&pilots);
            let is_last = grows || jobs(2.0 * time) > most.max(jobs(LEAST_TIMES * unit));
            if let Some(part) = cut(&pilots).filter(|_| !self.is_overloaded) {
                let found = (CAUTION * part * time).max(time / WARM_UPS);
                let warm_up = warm_up.unwrap_or(found);
                let counted =
                    self.counted_time(&pilots, part, time).max((WARM_UPS - 1.0) * warm_up);
                let end = End::Time((warm_up + counted).max(last));
                let plan = Plan { warm_up, end, at: self.at.clone() };
                return Ok(Settled { plan, notes: Vec::new() });
            }
            if is_last || self.is_overloaded {
                let plan = Plan {
                    warm_up: warm_up.unwrap_or(time / 2.0),
                    end: End::Time(time),
                    at: self.at.clone(),
                };
                return Ok(Settled { plan, notes: vec![TOO_SHORT.to_string()] });
            }
            time *= 2.0;
        }
    }

    /// Counted time of a run so that the planned number of runs is precise enough, from the
    /// spread between pilots of which a part is cut off.
    fn counted_time(&self, pilots: &[Outcome], part: f64, time: f64) -> f64 {
        let Stop::Precision { relative, of } = self.stop else { return 0.0 };
        /// Between a run's mean and its 99th percentile, the spread about doubles.
        const QUANTILE_VARIANCE: f64 = 4.0;
        let mean = |outcome: &Outcome| {
            let course = &outcome.course[(part * outcome.course.len() as f64) as usize..];
            course.iter().sum::<f64>() / course.len().max(1) as f64
        };
        let means: Vec<f64> = pilots.iter().map(mean).collect();
        let average = means.iter().sum::<f64>() / means.len() as f64;
        let squares = means.iter().map(|mean| (mean / average - 1.0).powi(2)).sum::<f64>();
        let mut variance = squares / (means.len() - 1) as f64;
        if of != Statistic::Mean {
            variance *= QUANTILE_VARIANCE;
        }
        const NORMAL_975: f64 = 1.96;
        let runs_of_pilot_length = variance * (NORMAL_975 / relative).powi(2);
        let needed = runs_of_pilot_length * time * (1.0 - part) / PLANNED_RUNS;
        if needed.is_finite() { needed.min(LONGEST * time) } else { 0.0 }
    }

    /// Mean service time at the mean speed of the servers.
    fn unit(&self) -> f64 {
        let mean = self.model.service.mean() / self.model.mean_speed();
        if mean > 0.0 { mean } else { 1.0 }
    }

    fn pilots(&self, end: End, control: &Control) -> Result<Vec<Outcome>, Interrupted> {
        let plan = Plan { warm_up: 0.0, end, at: Vec::new() };
        let pilot = |number| self.run(&plan, u64::MAX - number, control);
        (0..PILOTS).into_par_iter().map(pilot).collect()
    }
}

const TOO_SHORT: &str = "the runs did not settle (MSER-5): the first half of each is left out; \
     longer runs need --horizon or --jobs";

/// The part of the pilots' average course that is not stationary.
fn cut(pilots: &[Outcome]) -> Option<f64> {
    let parts = pilots.iter().map(|pilot| pilot.course.len()).min()?;
    let average = |part: usize| {
        pilots.iter().map(|pilot| pilot.course[part]).sum::<f64>() / pilots.len() as f64
    };
    let course: Vec<f64> = (0..parts).map(average).collect();
    Some(mser5(&course)? as f64 / parts as f64)
}
