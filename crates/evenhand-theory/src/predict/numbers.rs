//! What is predicted, by the names that results of runs have.

use serde::Serialize;

/// A mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
}

/// A law of times, in the unit of the service law.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Times {
    /// Mean.
    pub mean: Option<f64>,
    /// Median.
    pub p50: Option<f64>,
    /// 90th percentile.
    pub p90: Option<f64>,
    /// 99th percentile.
    pub p99: Option<f64>,
    /// 99.9th percentile.
    pub p999: Option<f64>,
}

/// Waiting times, and how often there is one.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Waits {
    /// Fraction of the jobs that wait at all.
    pub probability: Option<f64>,
    /// How long, those that do not wait included.
    #[serde(flatten)]
    pub times: Times,
}

/// Queues in stationarity. What theory does not say is null.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct QueueNumbers {
    /// Sojourn times.
    pub sojourn: Times,
    /// Waiting times.
    pub wait: Waits,
    /// Number of jobs at a server, the one in service included.
    pub queue_length: Option<Mean>,
    /// Fraction of servers with at least `i` jobs (index = jobs).
    pub fraction_at_least: Option<Vec<f64>>,
}

/// Queues at one time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QueueMoment {
    /// The time, in the unit of the service law.
    pub t: f64,
    /// Fraction of servers with at least `i` jobs (index = jobs).
    pub fraction_at_least: Vec<f64>,
    /// Mean number of jobs at a server.
    pub queue_length: f64,
    /// Numerical error of the fractions, at most.
    pub error: f64,
}

/// Loads of bins. What theory does not say is null.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LoadNumbers {
    /// Fraction of bins with at least `i` balls (index = load).
    pub fraction_at_least: Option<Vec<f64>>,
    /// Number of bins without a ball.
    pub empty: Option<Mean>,
    /// The greatest load of a bin.
    pub max_load: Option<MaxLoad>,
    /// The greatest load minus the average load.
    pub gap: Option<Mean>,
}

/// The law of the greatest load.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MaxLoad {
    /// Its mean.
    pub mean: f64,
    /// Its probabilities, by load.
    pub probabilities: std::collections::BTreeMap<u64, f64>,
    /// How they are found: `exact`, `refined` or `limit`.
    pub method: &'static str,
}

/// Loads along the way.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LoadMoment {
    /// Balls per bin so far.
    pub balls_per_bin: f64,
    /// Fraction of bins with at least `i` balls (index = load).
    pub fraction_at_least: Vec<f64>,
    /// Numerical error of the fractions relative to them, at most.
    pub error: f64,
}

/// Numbers with the errors of their computation, under the same names.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Computed<T> {
    /// The numbers.
    #[serde(flatten)]
    pub numbers: T,
    /// Numerical error of each, at most. It says nothing of the distance to a finite system.
    pub error: T,
}
