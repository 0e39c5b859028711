//! A list of places with what is known about them.

use super::{Metric, Point};

/// Places in a fixed order: servers, or users.
#[derive(Clone, Debug, PartialEq)]
pub struct Places {
    /// The places; a server's number is its position here.
    pub points: Vec<Point>,
    /// Their names, one each, where the source has a name column.
    pub names: Option<Vec<String>>,
    /// The metric that the coordinates are meant for.
    pub metric: Metric,
    /// Weights, one each, finite and at least 0 with a positive sum, where a
    /// weight column was asked for.
    pub weights: Option<Vec<f64>>,
    /// Number of invalid rows that were left out.
    pub skipped: u64,
    /// Where the places come from: a file name, or the layout that drew them.
    pub source: String,
}

impl Places {
    /// Places without names and weights.
    pub fn new(points: Vec<Point>, metric: Metric, source: impl Into<String>) -> Self {
        Places { points, names: None, metric, weights: None, skipped: 0, source: source.into() }
    }

    /// Number of places.
    #[must_use]
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Whether there is no place at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }
}
