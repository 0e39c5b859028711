//! What one replication measured.

use evenhand_sim::observe::Histogram;

use crate::erlang_mixture::ErlangMixture;

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
    /// Where the times of jobs are.
    pub job_times: JobTimes,
    /// Sojourn times of the counted jobs: waiting, service, and travel where that takes time.
    /// Empty unless they are recorded.
    pub sojourn: Histogram,
    /// Waiting times: from arrival to the start of service; under processor sharing the time
    /// beyond that of an idle server. Empty unless they are recorded.
    pub wait: Histogram,
    /// Counted jobs that joined a server with 0, 1, 2, ... jobs, from engines that follow queue
    /// lengths.
    pub met: Option<Vec<u64>>,
    /// Mean sojourn times of jobs that arrived in equal parts of the run, warm-up included; by
    /// Little's law where they are not recorded.
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
        self.met.as_ref().map_or_else(|| self.sojourn.count(), |met| met.iter().sum())
    }

    /// Fraction of the counted jobs that waited: under processor sharing, that met another job.
    pub fn waited(&self) -> f64 {
        let at_once = match &self.met {
            Some(met) => met.first().copied().unwrap_or(0),
            None => self.wait.zeros(),
        };
        (self.jobs() - at_once) as f64 / self.jobs().max(1) as f64
    }

    /// Mean sojourn time by Little's law: job time over jobs, both of the counted time. `None`
    /// without jobs.
    pub fn sojourn_by_little(&self, servers: u64) -> Option<f64> {
        let jobs = self.jobs();
        (jobs > 0).then(|| self.queue_length * self.duration * servers as f64 / jobs as f64)
    }

    /// The law of sojourn times, where it follows from the lengths that jobs met.
    pub fn sojourn_law(&self) -> Option<ErlangMixture> {
        self.law(ErlangMixture::of_sojourn)
    }

    /// The law of waiting times, where it follows from the lengths that jobs met.
    pub fn wait_law(&self) -> Option<ErlangMixture> {
        self.law(ErlangMixture::of_wait)
    }

    fn law(&self, of: fn(&[u64], f64) -> Option<ErlangMixture>) -> Option<ErlangMixture> {
        match (&self.job_times, &self.met) {
            (&JobTimes::Erlang { mean_service }, Some(met)) => of(met, mean_service),
            _ => None,
        }
    }
}

/// Where the times of jobs are.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum JobTimes {
    /// In [`Outcome::sojourn`] and [`Outcome::wait`].
    #[default]
    Recorded,
    /// Exponential servers of one speed, first come, first served: a job that met k jobs stays
    /// for k + 1 service times of this mean. See [`Outcome::sojourn_law`].
    Erlang {
        /// Mean service time.
        mean_service: f64,
    },
    /// Not known; the mean sojourn time follows from Little's law.
    Unknown {
        /// Why.
        reason: &'static str,
    },
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
