//! All servers with their jobs, and what dispatchers see of them.

use std::sync::Arc;

use evenhand_core::{ServerId, Signal};
use evenhand_topology::buffer::Buffer;

use super::fifo::Fifo;
use super::index::among;
use super::ps::{Arrived, Ps};
use super::server::Server;
use super::view::{Shown, View};
use super::wheel::{Near, Wheel};
use crate::dispatch::Job;
use crate::model::{Discipline, Queue};

/// All servers at one moment.
#[derive(Debug)]
pub(super) struct Fleet {
    servers: Buffer<Server>,
    jobs: Jobs,
    wheel: Wheel,
    view: View,
    /// Jobs at all servers.
    total: u64,
    now: f64,
}

/// The jobs, as the discipline keeps them.
#[derive(Debug)]
enum Jobs {
    Fifo(Fifo),
    Ps(Ps),
}

impl Jobs {
    #[inline(always)]
    fn prefetch(&self, place: u32) {
        match self {
            Self::Fifo(jobs) => jobs.prefetch(place),
            Self::Ps(jobs) => jobs.prefetch(place),
        }
    }

    #[inline(always)]
    fn prefetch_next(&self, place: u32) {
        match self {
            Self::Fifo(jobs) => jobs.prefetch_next(place),
            Self::Ps(jobs) => jobs.prefetch_next(place),
        }
    }
}

/// Where a server is in memory.
#[inline(always)]
fn at(servers: &[Server], server: ServerId) -> *const Server {
    servers.as_ptr().wrapping_add(server.index())
}

/// A job that has left its server.
pub(super) struct Departed {
    pub server: ServerId,
    pub time: f64,
    /// Number of jobs at the server, this one included.
    pub length: u32,
    /// The job, where its times were not known before.
    pub arrived: Option<Arrived>,
}

impl Fleet {
    /// Empty servers. `known` has the servers that each dispatcher knows; nothing if all know
    /// all.
    pub(super) fn new(queue: &Queue, speeds: Option<&[f64]>, known: Vec<Arc<[ServerId]>>) -> Self {
        let count = queue.servers as usize;
        let mut servers = Buffer::filled(count, Server::idle(1.0));
        if let Some(speeds) = speeds {
            servers.iter_mut().zip(speeds).for_each(|(server, &speed)| server.speed = speed);
        }
        let jobs = match queue.discipline {
            Discipline::Fifo => Jobs::Fifo(Fifo::new()),
            Discipline::Ps => Jobs::Ps(Ps::new()),
        };
        let rate = queue.rate.or_else(|| queue.arrivals.rate()).unwrap_or(count as f64);
        Self {
            servers,
            jobs,
            wheel: Wheel::new(count, rate.recip()),
            view: View::new(queue, speeds, known),
            total: 0,
            now: 0.0,
        }
    }

    pub(super) fn now(&self) -> f64 {
        self.now
    }

    #[inline]
    pub(super) fn advance(&mut self, now: f64) {
        self.now = now;
    }

    /// Number of jobs at a server.
    #[inline(always)]
    pub(super) fn length(&self, server: ServerId) -> u32 {
        self.servers[server.index()].length
    }

    /// Shows the loads to a dispatcher.
    #[inline]
    pub(super) fn look_as(&mut self, dispatcher: u32) {
        self.view.viewer = dispatcher;
    }

    /// Time of a refresh of the loads shown that is due at `now` or before.
    #[inline]
    pub(super) fn refresh_due(&self, now: f64) -> Option<f64> {
        self.view.refresh_due(now)
    }

    /// Shows the loads of now, at `time`.
    pub(super) fn refresh(&mut self, time: f64) {
        self.view.refresh(time, |server| self.servers[server.index()].length);
    }

    /// Adds a job. Returns how long it waits and is served, where that is known now.
    #[inline]
    pub(super) fn admit(&mut self, server: ServerId, arrived: Arrived) -> Option<(f64, f64)> {
        let Job { size, dispatcher, .. } = arrived.job;
        let at = &mut self.servers[server.index()];
        self.total += 1;
        self.view.up(server, at.length, dispatcher);
        let times = at.add_work(self.now, size);
        let (due, times) = match &mut self.jobs {
            Jobs::Fifo(jobs) => (jobs.admit(at, dispatcher), Some(times)),
            Jobs::Ps(jobs) => (Some(jobs.admit(at, self.now, arrived)), None),
        };
        if let Some(due) = due {
            self.wheel.set(server.0, due);
        }
        times
    }

    /// The next departure up to `limit`, carried out.
    #[inline]
    pub(super) fn depart_until(&mut self, limit: f64) -> Option<Departed> {
        let (servers, jobs) = (&self.servers, &self.jobs);
        let soon = |near, server| {
            let server = ServerId(server);
            match near {
                Near::Server => evenhand_core::prefetch(at(servers, server)),
                Near::Job => jobs.prefetch(servers[server.index()].first),
                Near::NextJob => jobs.prefetch_next(servers[server.index()].first),
            }
        };
        let (time, server) = self.wheel.earliest_until(limit, soon)?;
        let server = ServerId(server);
        let at = &mut self.servers[server.index()];
        let length = at.length;
        let (dispatcher, arrived, due) = match &mut self.jobs {
            Jobs::Fifo(jobs) => {
                let (dispatcher, due) = jobs.depart(at);
                (dispatcher, None, due)
            }
            Jobs::Ps(jobs) => {
                let (arrived, due) = jobs.depart(at, time);
                (arrived.job.dispatcher, Some(arrived), due)
            }
        };
        match due {
            Some(due) => self.wheel.set(server.0, due),
            None => self.wheel.remove(server.0),
        }
        self.total -= 1;
        self.view.down(server, length, dispatcher);
        Some(Departed { server, time, length, arrived })
    }

    /// Asks the memory system for what changes where a server gets a job; the server is read.
    #[inline]
    pub(super) fn prefetch_jobs(&self, server: ServerId) {
        if !self.wheel.is_large() {
            return;
        }
        self.jobs.prefetch(self.servers[server.index()].first);
        self.wheel.prefetch_neighbours(server.0);
    }

    /// Speed of a server.
    #[inline]
    pub(super) fn speed(&self, server: ServerId) -> f64 {
        self.servers[server.index()].speed
    }

    /// The least loaded of these servers, uniform among equals given 64 uniform bits.
    fn least_of(&self, servers: &[ServerId], word: u64) -> Option<ServerId> {
        let loads = || servers.iter().map(|&server| self.load(server));
        let least = loads().fold(f64::INFINITY, f64::min);
        let tied = || servers.iter().zip(loads()).filter(|&(_, load)| load == least);
        tied().nth(among(word, tied().count())).map(|(&server, _)| server)
    }
}

impl Signal for Fleet {
    type Load = f64;

    #[inline]
    fn load(&self, server: ServerId) -> f64 {
        let at = || &self.servers[server.index()];
        match &self.view.shown {
            Shown::Length => f64::from(at().length),
            Shown::Work => (at().free - self.now).max(0.0),
            Shown::PerSpeed { after } => (f64::from(at().length) + after) / at().speed,
            Shown::Local(local) => f64::from(local.count(server, self.view.viewer)),
            Shown::Stale(stale) => f64::from(stale.length(server)),
        }
    }

    /// Mean number of jobs at a server, as the viewer sees them.
    fn average(&self) -> Option<f64> {
        Some(match &self.view.shown {
            Shown::Local(local) => local.average(self.view.viewer),
            Shown::Stale(stale) => stale.average(),
            _ => self.total as f64 / self.servers.len() as f64,
        })
    }

    #[inline(always)]
    fn prefetch(&self, server: ServerId) {
        evenhand_core::prefetch(at(&self.servers, server));
        self.wheel.prefetch(server.0);
    }

    /// Of the servers that the viewer knows: a rule that looks at all servers never numbers them
    /// itself.
    fn least_loaded(&self, word: u64) -> Option<ServerId> {
        match self.view.known() {
            Some(known) => self.least_of(known, word),
            None => self.view.least_of_all(word),
        }
    }
}

#[cfg(test)]
mod tests {
    use evenhand_policies::PolicySpec;

    use super::*;

    /// Unfinished work is that of all jobs, whatever the order in which they are served.
    #[test]
    fn work_is_what_remains_of_all_jobs() {
        for discipline in [Discipline::Fifo, Discipline::Ps] {
            let policy = PolicySpec::parse("two-choice").unwrap();
            let queue = Queue { discipline, ..Queue::new(policy, 2, 0.5) };
            let mut fleet = Fleet::new(&queue, Some(&[1.0, 2.0]), Vec::new());
            fleet.view.shown = Shown::Work;
            for size in [3.0, 5.0] {
                fleet.admit(ServerId(1), Arrived { number: 0, job: Job::initial(size) });
            }
            let mut work = |now| {
                while fleet.depart_until(now).is_some() {}
                fleet.advance(now);
                [fleet.load(ServerId(0)), fleet.load(ServerId(1))]
            };
            assert_eq!(work(0.0), [0.0, 4.0]);
            assert_eq!(work(3.5), [0.0, 0.5]);
            assert_eq!(work(9.0), [0.0, 0.0]);
        }
    }
}
