//! What is measured, and how sure it is.
//!
//! - `histogram.rs`: counts of times and distances, with quantiles
//! - `intervals.rs`: means over replications, with Student's interval
//! - `precision.rs`: how many replications are enough
//! - `warm_up.rs`: from where on a run is stationary

mod histogram;
mod intervals;
mod precision;
mod warm_up;

pub use histogram::{Histogram, sum};
pub use intervals::{Mean, mean_with_interval};
pub use precision::enough;
pub use warm_up::mser5;

/// Distances between users and the servers that got them, one value a ball.
pub type Distances = Histogram;
