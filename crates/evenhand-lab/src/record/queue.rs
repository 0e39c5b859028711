//! Results of `evenhand queue`.

use evenhand_theory::predict::QueuePrediction;
use serde::Serialize;

use super::{Beside, Distance, Estimate};

/// What one policy did to the queues, over all replications. Times are in the unit of the
/// service law.
#[derive(Debug, Clone, Serialize)]
pub struct QueueResult {
    /// Canonical policy expression.
    pub policy: String,
    /// Engine that ran: `profile`, `uniformised`, `lazy` or `event`.
    pub engine: String,
    /// Number of servers.
    pub servers: u64,
    /// Arrival rate times mean service time over total speed; null where an infinite mean or a
    /// trace of one instant leaves it undefined.
    pub load: Option<f64>,
    /// Jobs per unit of time, of all dispatchers.
    pub rate: Option<f64>,
    /// Canonical expression of the service law.
    pub service: String,
    /// Canonical expression of the arrivals.
    pub arrivals: String,
    /// `fifo` or `ps`.
    pub discipline: String,
    /// Most jobs at a server; null for no limit.
    pub buffer: Option<u32>,
    /// Number of dispatchers.
    pub dispatchers: u32,
    /// Canonical expression of the law of the dispatchers' shares; null for equal shares.
    pub dispatcher_shares: Option<String>,
    /// Canonical expression of the subsets: which servers a dispatcher knows.
    pub subset: String,
    /// Canonical signal expression: what dispatchers see of the queues.
    pub signal: String,
    /// Canonical comparison expression.
    pub comparison: String,
    /// Canonical expression or file of the speeds; null when all are equal.
    pub speeds: Option<String>,
    /// Source of the servers' places; null without places.
    pub server_places: Option<String>,
    /// Source of the users' places; null without places.
    pub users: Option<String>,
    /// Replications that finished and count.
    pub runs: u64,
    /// Jobs that were counted, over all runs.
    pub jobs: u64,
    /// Arrivals and departures that were simulated, those of the warm-up included.
    pub events: u64,
    /// Time at the start of each run that does not count.
    pub warm_up: f64,
    /// False if the queues kept growing. Then means and quantiles are null.
    pub stable: bool,
    /// Sojourn times: waiting, service, and travel where that takes time.
    pub sojourn: Times,
    /// Waiting times.
    pub wait: Waits,
    /// Time average of the number of jobs at a server, the one in service included; null if
    /// unstable.
    pub queue_length: Option<Estimate>,
    /// Mean fraction of servers with at least `i` jobs (index = jobs), averaged over time; null
    /// if unstable.
    pub fraction_at_least: Option<Vec<f64>>,
    /// 95 % confidence intervals of `fraction_at_least`; null for one run.
    pub fraction_at_least_ci95: Option<Vec<[f64; 2]>>,
    /// Mean sojourn time by Little's law: the mean number of jobs over the rate of arrivals that
    /// are not lost, to compare with the mean over jobs; null if unstable.
    pub sojourn_by_little: Option<f64>,
    /// Fraction of time that servers work, by speed.
    pub utilisation: Vec<Class>,
    /// Queue lengths read per job.
    pub probes_per_job: f64,
    /// Fraction of the jobs that were lost at full servers.
    pub lost: f64,
    /// Distance from user to server; null without places.
    pub distance: Option<Distance>,
    /// Queue lengths at the times asked for (`--at`); null when none were.
    pub transient: Option<Vec<Moment>>,
    /// What theory says; null where none covers the model.
    pub prediction: Option<Beside<QueuePrediction>>,
    /// What the reader should know: choices made by the program, warnings, reasons for nulls.
    pub notes: Vec<String>,
    /// Wall time of this result's simulation.
    pub seconds: f64,
    /// Events per second of wall time, all threads together.
    pub events_per_second: f64,
    /// The distribution of the sojourn time, for pictures. Not part of the record.
    #[serde(skip)]
    pub curve: Curve,
}

/// A distribution of times over all counted jobs of all runs.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Times {
    /// Mean; null if unstable.
    pub mean: Option<f64>,
    /// 95 % confidence interval of the mean over runs; null for one run.
    pub ci95: Option<[f64; 2]>,
    /// Median.
    pub p50: Option<f64>,
    /// 90th percentile.
    pub p90: Option<f64>,
    /// 99th percentile.
    pub p99: Option<f64>,
    /// 95 % confidence interval of the 99th percentile over runs; null for one run.
    pub p99_ci95: Option<[f64; 2]>,
    /// 99.9th percentile.
    pub p999: Option<f64>,
    /// Longest; null where an engine has no job times.
    pub max: Option<f64>,
}

/// Waiting times, and how often there is one.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Waits {
    /// Fraction of the jobs that wait at all.
    pub probability: Option<f64>,
    /// How long, those that do not wait included.
    #[serde(flatten)]
    pub times: Times,
}

/// The servers of one speed.
#[derive(Debug, Clone, Serialize)]
pub struct Class {
    /// Their speed.
    pub speed: f64,
    /// Fraction of time that they work.
    pub utilisation: f64,
}

/// Queue lengths at one time.
#[derive(Debug, Clone, Serialize)]
pub struct Moment {
    /// The time.
    pub t: f64,
    /// Mean fraction of servers with at least `i` jobs (index = jobs).
    pub fraction_at_least: Vec<f64>,
    /// Mean number of jobs at a server.
    pub queue_length: f64,
    /// 95 % confidence interval of `queue_length` over runs; null for one run.
    pub queue_length_ci95: Option<[f64; 2]>,
}

/// Points of a distribution function: (time, fraction of jobs that stay longer), from short to
/// long times.
#[derive(Debug, Clone, Default)]
pub struct Curve(pub Vec<(f64, f64)>);
