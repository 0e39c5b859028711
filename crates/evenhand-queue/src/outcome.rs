//! What one replication measured.

use evenhand_sim::observe::Histogram;

/// What one replication measured. Times are in the unit of the service law.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Jobs that arrived, those of the warm-up included.
    pub arrived: u64,
    /// Arrivals and departures that were simulated.
    pub events: u64,
    /// Time from the end of the warm-up to the last arrival.
    pub duration: f64,
    /// Counted jobs that were lost at full servers.
    pub lost: u64,
    /// Sojourn times of the counted jobs: waiting, service, and travel where that takes time.
    pub sojourn: Histogram,
    /// Waiting times: from arrival to the start of service; under processor sharing the time
    /// beyond that of an idle server.
    pub wait: Histogram,
    /// Mean sojourn times of jobs that arrived in equal parts of the run, warm-up included.
    pub course: Vec<f64>,
    /// Time average of the number of jobs at a server, from the overlap of every job's sojourn
    /// with the counted time.
    pub queue_length: f64,
    /// Fraction of servers with at least 0, 1, 2, ... jobs, averaged over time.
    pub at_least: Vec<f64>,
    /// Loads that rules read, for counted jobs.
    pub probes: u64,
    /// Fraction of time that the servers of each speed work, the slowest first: speed and
    /// utilisation.
    pub utilisation: Vec<(f64, f64)>,
    /// Distances from user to server of the counted jobs, where there are places.
    pub distances: Option<Histogram>,
    /// Queue lengths at the times that were asked for.
    pub transient: Vec<Transient>,
}

impl Outcome {
    /// Number of counted jobs that were served.
    pub fn jobs(&self) -> u64 {
        self.sojourn.count()
    }

    /// Fraction of the counted jobs that waited.
    pub fn waited(&self) -> f64 {
        let jobs = self.wait.count().max(1) as f64;
        (self.wait.count() - self.wait.zeros()) as f64 / jobs
    }
}

/// Queue lengths at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct Transient {
    /// The time.
    pub time: f64,
    /// Number of servers with at least 0, 1, 2, ... jobs.
    pub at_least: Vec<u64>,
}

/// One counted job.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JobRow {
    /// When it arrived.
    pub arrival: f64,
    /// The dispatcher.
    pub dispatcher: u32,
    /// The server that got it.
    pub server: u32,
    /// How long it waited.
    pub wait: f64,
    /// How long its service took.
    pub service: f64,
    /// How long it stayed, travel included.
    pub sojourn: f64,
}
