//! Results of `evenhand allocate`.

use std::collections::BTreeMap;

use evenhand_theory::predict::AllocationPrediction;
use serde::Serialize;

use super::{Beside, Distance, Estimate};

/// What one policy did to the bins, over all replications.
#[derive(Debug, Clone, Serialize)]
pub struct AllocateResult {
    /// Canonical policy expression.
    pub policy: String,
    /// Engine that ran: `bins` or `profile`.
    pub engine: String,
    /// Number of bins (servers).
    pub bins: u64,
    /// Number of balls (users, jobs) thrown in a run.
    pub balls: u64,
    /// Replications that finished.
    pub runs: u64,
    /// Canonical signal expression: what loads the rule was shown.
    pub signal: String,
    /// Canonical comparison expression: how loads were compared.
    pub comparison: String,
    /// Canonical expression of the balls' weights; null for unit balls.
    pub weights: Option<String>,
    /// Canonical expression or file of the bins' speeds; null when all are equal.
    pub speeds: Option<String>,
    /// Probability that a ball leaves before each throw; null for none.
    pub deletions: Option<f64>,
    /// Source of the servers' places (a file or a generator); null without places.
    pub servers: Option<String>,
    /// Source of the users' places; null without places.
    pub users: Option<String>,
    /// Maximum load.
    pub max_load: MaxLoad,
    /// Maximum load minus average load, at the end.
    pub gap: Estimate,
    /// Maximum of load over speed; null when all speeds are equal.
    pub max_load_per_speed: Option<Estimate>,
    /// Mean fraction of bins with load at least `i` (index = load); null for weighted balls.
    pub fraction_at_least: Option<Vec<f64>>,
    /// 95 % confidence intervals of `fraction_at_least`; null for weighted balls or one run.
    pub fraction_at_least_ci95: Option<Vec<[f64; 2]>>,
    /// Number of empty bins.
    pub empty: Estimate,
    /// Loads read per ball.
    pub probes_per_ball: f64,
    /// Distance from user to server; null without places.
    pub distance: Option<Distance>,
    /// The profile along the way (`--snapshots`); null when none were asked for.
    pub snapshots: Option<Vec<Snapshot>>,
    /// What theory says; null where none covers the model.
    pub prediction: Option<Beside<AllocationPrediction>>,
    /// What the reader should know: choices made by the program, warnings, reasons for nulls.
    pub notes: Vec<String>,
    /// Wall time of this result's simulation, memory set-up included.
    pub seconds: f64,
    /// Balls thrown per second of wall time, all threads together.
    pub balls_per_second: f64,
}

/// Distribution of the maximum load over replications.
#[derive(Debug, Clone, Serialize)]
pub struct MaxLoad {
    /// Mean over replications.
    pub mean: f64,
    /// 95 % confidence interval of the mean; null for one run.
    pub ci95: Option<[f64; 2]>,
    /// Least over replications.
    pub min: f64,
    /// Greatest over replications.
    pub max: f64,
    /// Number of replications with each maximum load; null for weighted balls.
    pub counts: Option<BTreeMap<u64, u64>>,
}

/// The profile after a part of the balls.
#[derive(Debug, Clone, Serialize)]
pub struct Snapshot {
    /// Balls thrown so far.
    pub balls: u64,
    /// Mean over runs of the maximum load so far.
    pub max_load: f64,
    /// Mean over runs of maximum minus average load so far.
    pub gap: f64,
    /// Mean fraction of bins with load at least `i` so far; null for weighted balls.
    pub fraction_at_least: Option<Vec<f64>>,
}

/// A server on the map or graph, with what it got. Not part of the JSON record: figures use it.
#[derive(Debug, Clone)]
pub struct MapPoint {
    /// Longitude in degrees, or x.
    pub x: f64,
    /// Latitude in degrees, or y.
    pub y: f64,
    /// Name of the server where the file has one.
    pub name: Option<String>,
    /// Mean load over the runs.
    pub load: f64,
}

/// One map or graph per policy: servers coloured by load.
#[derive(Debug, Clone)]
pub struct LoadMap {
    /// Canonical policy expression.
    pub policy: String,
    /// True when x, y are longitude and latitude in degrees.
    pub geographic: bool,
    /// False where x, y are only a layout of the graph, without any meaning as places.
    pub placed: bool,
    /// The servers.
    pub points: Vec<MapPoint>,
    /// Edges of the policy's graph between servers, by position in `points`; empty without one.
    pub edges: Vec<(u32, u32)>,
    /// True if graph and loads are those of the first run: every run has another graph.
    pub first_run: bool,
}
