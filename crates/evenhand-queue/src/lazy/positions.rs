//! How long jobs are at each position of their queue.

/// The time that jobs spend as the first, second, ... of their server.
///
/// A server with at least k jobs has exactly one job at position k. So the fraction of servers
/// with at least k jobs, averaged over time, is the arrival rate per server times the mean time
/// that a job spends at position k (Little's law for the position). Under first come, first
/// served these times are the gaps between the departures ahead of the job.
#[derive(Debug, Default)]
pub(super) struct Positions {
    /// Departures ahead of a job, ascending.
    pub ahead: Vec<f64>,
    /// Total time at each position, from position 1.
    times: Vec<f64>,
    jobs: u64,
}

impl Positions {
    /// Adds a job that arrives and departs at these times, behind the departures in `ahead`.
    pub(super) fn add(&mut self, arrival: f64, departure: f64) {
        let length = self.ahead.len() + 1;
        if self.times.len() < length {
            self.times.resize(length, 0.0);
        }
        let mut since = arrival;
        for (behind, &until) in self.ahead.iter().chain([&departure]).enumerate() {
            self.times[length - 1 - behind] += until - since;
            since = until;
        }
        self.jobs += 1;
    }

    /// Fraction of servers with at least 0, 1, 2, ... jobs, where `jobs` arrive in the time
    /// `server_time` of all servers together.
    pub(super) fn at_least(&self, jobs: f64, server_time: f64) -> Vec<f64> {
        let rate = jobs / (self.jobs.max(1) as f64 * server_time.max(f64::MIN_POSITIVE));
        std::iter::once(1.0).chain(self.times.iter().map(|time| time * rate)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_moves_up_as_those_ahead_depart() {
        let mut positions = Positions { ahead: vec![2.0, 5.0], ..Positions::default() };
        positions.add(1.0, 6.0);
        positions.ahead.clear();
        positions.add(10.0, 12.0);
        assert_eq!(positions.at_least(2.0, 1.0), [1.0, 1.0 + 2.0, 3.0, 1.0]);
    }
}
