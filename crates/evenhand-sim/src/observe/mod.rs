//! What is measured, and how sure it is.

mod distances;
mod intervals;

pub use distances::Distances;
pub use intervals::{Mean, mean_with_interval};
