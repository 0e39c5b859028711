//! What the statistical tests share: replications, and comparisons with what is known.
//!
//! All seeds are fixed, so a test that passes once passes always. A comparison fails correct code
//! with probability [`FALSE_ALARM`]; no test makes more than a hundred.

// Each test file is a crate of its own and uses a part of this.
#![allow(dead_code)]

use evenhand_policies::PolicySpec;
use evenhand_queue::{Engine, JobRow, Outcome, Plan, Queue};
use evenhand_sim::{Control, Service};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// Probability that one comparison fails correct code, from Student's law.
const FALSE_ALARM: f64 = 1e-8;

/// Replications of a comparison.
pub(crate) const RUNS: u64 = 40;

/// A queue with this policy expression.
pub(crate) fn queue(policy: &str, servers: u64, load: f64) -> Queue {
    let policy = PolicySpec::parse(policy).unwrap_or_else(|error| panic!("{error}"));
    Queue::new(policy, servers, load)
}

/// The queue with this service law.
pub(crate) fn served(mut queue: Queue, service: &str) -> Queue {
    queue.service = Service::parse(service).unwrap_or_else(|error| panic!("{error}"));
    queue
}

/// One replication of the lazy engine.
pub(crate) fn run(queue: &Queue, plan: &Plan, number: u64) -> Outcome {
    assert_eq!(queue.check(), [], "{}", queue.policy);
    assert_eq!(queue.unsupported(Engine::Lazy), None, "{}", queue.policy);
    queue.run(Engine::Lazy, plan, number, &Control::default()).expect("nobody stops it")
}

/// All counted jobs of one replication.
pub(crate) fn jobs(queue: &Queue, plan: &Plan) -> Vec<JobRow> {
    let mut jobs = Vec::new();
    let mut keep = |job: &JobRow| jobs.push(*job);
    let control = Control::default();
    queue.run_observed(Engine::Lazy, plan, 0, &control, &mut keep).expect("nobody stops it");
    jobs
}

/// A mean over independent replications.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Estimate {
    pub(crate) mean: f64,
    pub(crate) standard_error: f64,
    degrees_of_freedom: f64,
}

impl Estimate {
    /// The mean of values of replications.
    pub(crate) fn plain(values: &[f64]) -> Self {
        Self::controlled(values, &vec![0.0; values.len()], 0.0)
    }

    /// The mean of values, corrected by what is known: in each replication something else was
    /// measured, its control, whose true mean is `known`. The line through the pairs, fitted by
    /// least squares, is read at `known`.
    pub(crate) fn controlled(values: &[f64], controls: &[f64], known: f64) -> Self {
        let n = values.len() as f64;
        let mean = |x: &[f64]| x.iter().sum::<f64>() / n;
        let (y, x) = (mean(values), mean(controls));
        let pairs = || values.iter().zip(controls).map(|(v, c)| (v - y, c - x));
        let spread: f64 = pairs().map(|(_, c)| c * c).sum();
        let (slope, fitted) = match spread > 0.0 {
            true => (pairs().map(|(v, c)| v * c).sum::<f64>() / spread, 2.0),
            false => (0.0, 1.0),
        };
        let squares: f64 = pairs().map(|(v, c)| (v - slope * c).powi(2)).sum();
        let distance = if spread > 0.0 { (known - x).powi(2) / spread } else { 0.0 };
        let variance = squares / (n - fitted) * (1.0 / n + distance);
        Self {
            mean: y + slope * (known - x),
            standard_error: variance.sqrt(),
            degrees_of_freedom: n - fitted,
        }
    }

    /// Half of the interval that misses the true mean with probability [`FALSE_ALARM`], where
    /// `other` is the standard error of the value compared with.
    fn half_width(&self, other: f64) -> f64 {
        let t = StudentsT::new(0.0, 1.0, self.degrees_of_freedom).expect("several replications");
        t.inverse_cdf(1.0 - FALSE_ALARM / 2.0) * self.standard_error.hypot(other)
    }

    /// Fails unless the true mean may be `expected` give or take `allowed`, and the interval is
    /// narrow enough to say so: half of it is at most `precision` times `expected`.
    pub(crate) fn assert_near(&self, what: &str, expected: f64, allowed: f64, precision: f64) {
        let half = self.half_width(0.0);
        let difference = self.mean - expected;
        let line = format!(
            "{what}: {:.5} ± {half:.5}, expected {expected:.5} ± {allowed:.5}: off by {:.2} %, z {:.1}",
            self.mean,
            100.0 * difference / expected,
            difference / self.standard_error,
        );
        assert!(difference.abs() <= half + allowed, "{line}");
        assert!(half <= precision * expected.abs(), "not precise: {line}");
    }

    /// Fails unless the true mean is above `bound`.
    pub(crate) fn assert_above(&self, what: &str, bound: f64) {
        let half = self.half_width(0.0);
        assert!(
            self.mean - half > bound,
            "{what}: {:.5} ± {half:.5}, not above {bound}",
            self.mean
        );
    }
}

/// What replications of one queue measured. The control is the work that arrived, per server and
/// time, where the load says what it is on average.
#[derive(Debug)]
pub(crate) struct Measured {
    pub(crate) outcomes: Vec<Outcome>,
    work: Option<f64>,
}

impl Measured {
    /// [`RUNS`] replications of a queue with equal servers and a known load.
    pub(crate) fn new(queue: &Queue, load: f64, plan: &Plan) -> Self {
        Self { work: Some(load), ..Self::without_load(queue, plan) }
    }

    /// [`RUNS`] replications.
    pub(crate) fn without_load(queue: &Queue, plan: &Plan) -> Self {
        Self { outcomes: (0..RUNS).map(|number| run(queue, plan, number)).collect(), work: None }
    }

    pub(crate) fn estimate(&self, value: impl Fn(&Outcome) -> f64) -> Estimate {
        let values: Vec<f64> = self.outcomes.iter().map(value).collect();
        match self.work {
            None => Estimate::plain(&values),
            Some(load) => {
                let work: Vec<f64> = self.outcomes.iter().map(|o| o.utilisation[0].1).collect();
                Estimate::controlled(&values, &work, load)
            }
        }
    }

    pub(crate) fn sojourn(&self) -> Estimate {
        self.estimate(|outcome| outcome.sojourn.mean())
    }

    pub(crate) fn wait(&self) -> Estimate {
        self.estimate(|outcome| outcome.wait.mean())
    }

    /// Time average of the number of jobs at a server.
    pub(crate) fn length(&self) -> Estimate {
        self.estimate(|outcome| outcome.queue_length)
    }

    /// Fraction of servers with at least `k` jobs.
    pub(crate) fn at_least(&self, k: usize) -> Estimate {
        self.estimate(|outcome| outcome.at_least.get(k).copied().unwrap_or(0.0))
    }
}
