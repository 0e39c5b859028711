//! How long jobs are at each position of their queue.

use evenhand_core::ServerId;

use super::lines::Servers;
use crate::plan::{End, Plan};

/// The time that jobs spend as the first, second, ... of their server.
///
/// A server with at least k jobs has exactly one job at position k. So the time that servers have
/// at least k jobs is the time that jobs spend at position k. Under first come, first served these
/// are the gaps between the departures ahead of a job.
///
/// Where the end of the run is known, the times are cut to the counted part of the run. Else all
/// the time of the jobs that arrive in it is taken: in the long run that is the same (Little's law
/// for the position), without an error at the ends.
#[derive(Debug)]
pub(super) struct Positions {
    /// Departures ahead of a job, ascending.
    ahead: Vec<f64>,
    /// Total time at each position, from position 1.
    times: Vec<f64>,
    /// Arrivals from here on are taken.
    first: f64,
    /// The part of the run that times are cut to.
    window: (f64, f64),
}

impl Positions {
    pub(super) fn new(plan: &Plan) -> Self {
        let (first, window) = match plan.end {
            End::Time(end) => (0.0, (plan.warm_up, end)),
            End::Jobs(_) => (plan.warm_up, (0.0, f64::INFINITY)),
        };
        Self { ahead: Vec::new(), times: Vec::new(), first, window }
    }

    /// Adds a job to a server, and returns how long it waits. In the sample of times at each
    /// position it stands for `stands_for` jobs; 0 for none.
    ///
    /// A systematic sample of the jobs suffices. Long queues are rare, and few jobs see their end:
    /// all of those count.
    #[inline(always)]
    pub(super) fn admit(
        &mut self,
        servers: &mut Servers<'_>,
        server: ServerId,
        arrival: f64,
        service: f64,
        stands_for: usize,
    ) -> f64 {
        let (wait, is_long) = servers.admit(server, service, arrival);
        if is_long || stands_for > 0 {
            let weight = if is_long { 1.0 } else { stands_for as f64 };
            self.take(servers, server, arrival, arrival + wait + service, weight);
        }
        wait
    }

    /// Adds the last job of a server.
    #[inline(never)]
    fn take(
        &mut self,
        servers: &Servers<'_>,
        server: ServerId,
        arrival: f64,
        departure: f64,
        weight: f64,
    ) {
        if arrival >= self.first {
            servers.departures(server, arrival, &mut self.ahead);
            self.ahead.pop();
            self.add(arrival, departure, weight);
        }
    }

    /// Adds a job that arrives and departs at these times, behind the departures in `ahead`. It
    /// stands for `weight` jobs.
    fn add(&mut self, arrival: f64, departure: f64, weight: f64) {
        let length = self.ahead.len() + 1;
        if self.times.len() < length {
            self.times.resize(length, 0.0);
        }
        let (start, end) = self.window;
        let mut since = arrival.max(start);
        for (behind, &until) in self.ahead.iter().chain([&departure]).enumerate() {
            let until = until.min(end);
            self.times[length - 1 - behind] += weight * (until - since).max(0.0);
            since = since.max(until);
        }
    }

    /// Fraction of servers with at least 0, 1, 2, ... jobs in the time `server_time` of all
    /// servers together.
    pub(super) fn at_least(&self, server_time: f64) -> Vec<f64> {
        let part = |time: &f64| time / server_time.max(f64::MIN_POSITIVE);
        let seen = self.times.iter().rposition(|&time| time > 0.0).map_or(0, |last| last + 1);
        std::iter::once(1.0).chain(self.times[..seen].iter().map(part)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_moves_up_as_those_ahead_depart() {
        let mut positions = Positions::new(&Plan::jobs(2, 0.0));
        positions.ahead = vec![2.0, 5.0];
        positions.add(1.0, 6.0, 1.0);
        positions.ahead.clear();
        positions.add(10.0, 12.0, 1.0);
        assert_eq!(positions.at_least(1.0), [1.0, 1.0 + 2.0, 3.0, 1.0]);
    }

    #[test]
    fn times_are_cut_to_the_counted_part() {
        let mut positions = Positions::new(&Plan::until(5.5, 1.5));
        positions.ahead = vec![2.0, 5.0];
        positions.add(1.0, 6.0, 2.0);
        assert_eq!(positions.at_least(1.0), [1.0, 1.0, 6.0, 1.0]);
    }
}
