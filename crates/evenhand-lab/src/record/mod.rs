//! The result record: what every front shows, whatever the format.
//!
//! One JSON object per command; CSV and Parquet are its `results` flattened. Keys never change
//! meaning; new keys may come. Every result repeats the keys of its point, so that a row stands
//! alone.

mod allocate;
mod prediction;
mod queue;
mod reported;

use serde::Serialize;

use crate::facet::Faceted;

pub use allocate::{AllocateResult, LoadMap, MapPoint, MaxLoad, Snapshot};
pub use prediction::{Beside, Difference, PredictedAllocation, PredictedQueue};
pub use queue::{Class, Curve, Moment, QueueResult, Times, Waits};
pub use reported::Reported;

/// The whole answer of one command.
#[derive(Debug, Clone, Serialize)]
pub struct Record<R> {
    /// Version of Evenhand.
    pub evenhand: String,
    /// The command: `allocate`, `queue` or `predict`.
    pub command: String,
    /// Master seed.
    pub seed: u64,
    /// Worker threads. They never change a result.
    pub threads: usize,
    /// One result per point, in the order asked for.
    pub results: Vec<R>,
}

impl<R: Reported> Record<R> {
    /// A title for the answer: what was done, by which policies.
    pub fn title(&self) -> String {
        let policies: Vec<&str> = self.results.iter().map(Faceted::policy).collect();
        let what = R::WHAT;
        match policies.as_slice() {
            [one] => format!("{what} by {one}"),
            several if several.len() <= 3 => format!("{what} by {}", several.join(", ")),
            several => format!("{what}: {} points compared", several.len()),
        }
    }
}

/// A mean over replications.
#[derive(Debug, Clone, Serialize)]
pub struct Estimate {
    /// Mean over replications.
    pub mean: f64,
    /// 95 % confidence interval (Student t over replications); null for one run.
    pub ci95: Option<[f64; 2]>,
}

/// Distance between users and the servers that got them, over all balls of all runs.
#[derive(Debug, Clone, Serialize)]
pub struct Distance {
    /// `m` on the globe and for places in metres, `1` for a unit square.
    pub unit: String,
    /// Mean over all balls.
    pub mean: f64,
    /// 95th percentile over all balls (relative error below 0.1 %).
    pub p95: f64,
    /// Greatest distance.
    pub max: f64,
}
