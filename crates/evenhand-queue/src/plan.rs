//! How long a replication runs, and what is recorded when.

/// The plan of a replication.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Jobs that arrive before this time are not counted.
    pub warm_up: f64,
    /// When arrivals stop.
    pub end: End,
    /// Times at which queue lengths are recorded, ascending.
    pub at: Vec<f64>,
}

/// When a replication ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum End {
    /// After this many arrivals, those of the warm-up included.
    Jobs(u64),
    /// At this time.
    Time(f64),
}

impl Plan {
    /// `jobs` arrivals; those before time `warm_up` are not counted.
    pub fn jobs(jobs: u64, warm_up: f64) -> Self {
        Self { warm_up, end: End::Jobs(jobs), at: Vec::new() }
    }

    /// All arrivals up to `time`; those before time `warm_up` are not counted.
    pub fn until(time: f64, warm_up: f64) -> Self {
        Self { warm_up, end: End::Time(time), at: Vec::new() }
    }
}
