use crate::observe::Distances;

/// What one replication left.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Balls thrown.
    pub balls: u64,
    /// Greatest load of a bin.
    pub max_load: f64,
    /// Mean load of a bin, at the end.
    pub average: f64,
    /// Number of bins without load.
    pub empty: u64,
    /// Number of bins with load at least `i`; `None` for weighted balls.
    pub at_least: Option<Vec<u64>>,
    /// Greatest load over speed, where speeds differ.
    pub max_load_per_speed: Option<f64>,
    /// Loads read.
    pub probes: f64,
    /// Distances, where there are places.
    pub distances: Option<Distances>,
    /// The profile along the way.
    pub snapshots: Vec<Snapshot>,
    /// Every bin's load, where asked for.
    pub loads: Option<Vec<f64>>,
}

impl Outcome {
    /// Greatest minus mean load.
    pub fn gap(&self) -> f64 {
        self.max_load - self.average
    }
}

/// The loads after a part of the balls.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// Balls thrown by then.
    pub balls: u64,
    /// Greatest load of a bin.
    pub max_load: f64,
    /// Mean load of a bin.
    pub average: f64,
    /// Number of bins with load at least `i`; `None` for weighted balls.
    pub at_least: Option<Vec<u64>>,
}

impl Snapshot {
    /// Greatest minus mean load.
    pub fn gap(&self) -> f64 {
        self.max_load - self.average
    }

    /// From the number of bins with load at least `i`.
    pub(crate) fn of_counts(balls: u64, at_least: Vec<u64>) -> Self {
        let total: u64 = at_least[1..].iter().sum();
        Self {
            balls,
            max_load: (at_least.len() - 1) as f64,
            average: total as f64 / at_least[0] as f64,
            at_least: Some(at_least),
        }
    }
}

/// Number of bins with load at least `i` from the number with load exactly `i`; counts of zero at
/// the end are left out.
pub(crate) fn at_least(exactly: &[u64]) -> Vec<u64> {
    let mut counts = exactly.to_vec();
    for i in (0..counts.len().saturating_sub(1)).rev() {
        counts[i] += counts[i + 1];
    }
    while counts.len() > 1 && counts.last() == Some(&0) {
        counts.pop();
    }
    counts
}
