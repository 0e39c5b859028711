//! From a model to what theory says of it.
//!
//! [`queue`] and [`allocation`] take the models that are simulated, find the theory that covers
//! them, and give its numbers by the names that results of runs have, with the theorem behind them
//! and whether its hypotheses hold.

mod allocation;
mod graphs;
mod numbers;
mod queue;
mod theorem;

use serde::Serialize;

use graphs::{degree, walkers_mix};

pub use allocation::{AllocationPrediction, allocation};
pub use numbers::{
    Computed, LoadMoment, LoadNumbers, MaxLoad, Mean, QueueMoment, QueueNumbers, Times, Waits,
};
pub use queue::{QueuePrediction, queue};
pub use theorem::Theorem;

/// Why there is no prediction.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Unpredicted {
    /// No theory here covers the model.
    #[error("no theory for {0}")]
    NoTheory(String),
    /// The theory has no answer for these numbers.
    #[error(transparent)]
    Failed(#[from] crate::Error),
}

/// A finite system, by a correction of the limit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Refined<T> {
    /// Number of servers or bins.
    pub size: u64,
    /// The corrected numbers.
    #[serde(flatten)]
    pub numbers: T,
    /// Order of the last term: 1 for 1/n, 2 for 1/n².
    pub order: u32,
    /// Where the correction is from.
    pub source: String,
}
