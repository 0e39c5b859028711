//! Writes down what happens to each job.

use std::ops::Range;

use evenhand_core::ServerId;
use evenhand_sim::observe::{Histogram, sum};

use crate::dispatch::{Job, Site};
use crate::model::Queue;
use crate::outcome::{JobRow, Outcome};
use crate::plan::{End, Plan};
use crate::tally::Tally;

/// Parts of the run in [`Outcome::course`]: five times the batch means that warm-up detection
/// looks at.
const PARTS: usize = 500;
const METRES_PER_KM: f64 = 1000.0;

pub(crate) struct Recorder<'r, 'o> {
    plan: &'r Plan,
    site: &'r Site,
    observer: Option<&'o mut dyn FnMut(&JobRow)>,
    travel_per_distance: f64,
    pub outcome: Outcome,
    sojourns: Tally,
    waits: Tally,
    course: Course,
    /// Total overlap of sojourns with the time after the warm-up.
    area: f64,
    busy: Busy,
    /// Sojourn times of the jobs that are recorded together.
    stays: Vec<f64>,
}

impl<'r, 'o> Recorder<'r, 'o> {
    pub(crate) fn new(
        queue: &Queue,
        plan: &'r Plan,
        site: &'r Site,
        observer: Option<&'o mut dyn FnMut(&JobRow)>,
    ) -> Self {
        let distances = site.places.as_ref().map(|_| Histogram::new());
        let outcome = Outcome { distances, ..Outcome::default() };
        Self {
            plan,
            site,
            observer,
            travel_per_distance: queue.latency_per_km / METRES_PER_KM,
            outcome,
            sojourns: Tally::new(),
            waits: Tally::new(),
            course: Course::new(plan.end),
            area: 0.0,
            busy: Busy::new(queue.servers as usize, site),
            stays: Vec::new(),
        }
    }

    /// True if jobs that arrive at `time` count.
    #[inline]
    pub(crate) fn counts(&self, time: f64) -> bool {
        time >= self.plan.warm_up
    }

    /// A job that is served: number `number` (from 0) of all arrivals.
    #[inline]
    pub(crate) fn served(
        &mut self,
        number: u64,
        job: &Job,
        server: ServerId,
        wait: f64,
        service: f64,
    ) {
        let stay = wait + service;
        self.course.add(number, job.arrival, stay);
        if !self.counts(job.arrival) {
            self.area += (job.arrival + stay - self.plan.warm_up).max(0.0);
            return;
        }
        self.area += stay;
        let mut sojourn = stay;
        if let Some(distance) = self.site.distance(job.user, server) {
            let distances = self.outcome.distances.as_mut().expect("there are places");
            distances.record(distance, 1);
            sojourn += self.travel_per_distance * distance;
        }
        self.sojourns.add(sojourn);
        self.waits.add(wait);
        self.busy.add(server, service);
        if let Some(observer) = &mut self.observer {
            let (arrival, dispatcher, server) = (job.arrival, job.dispatcher, server.0);
            observer(&JobRow { arrival, dispatcher, server, wait, service, sojourn });
        }
    }

    /// As [`Recorder::served`] for jobs of one dispatcher that are served where places mean
    /// nothing and all servers are alike: number `number` and those after it, each after `probes`
    /// loads were read.
    pub(crate) fn served_alike(&mut self, number: u64, jobs: &ServedJobs<'_>, probes: u64) {
        let first = jobs.arrivals.partition_point(|&arrival| !self.counts(arrival));
        self.stays.clear();
        self.stays
            .extend(jobs.waits.iter().zip(jobs.services).map(|(wait, service)| wait + service));
        let stays = self.stays.as_slice();
        self.course.add_all(number, jobs.arrivals, stays);
        for (arrival, stay) in jobs.arrivals[..first].iter().zip(stays) {
            self.area += (arrival + stay - self.plan.warm_up).max(0.0);
        }
        let stays = &stays[first..];
        self.outcome.probes += probes * stays.len() as u64;
        self.area += sum(stays);
        self.sojourns.add_all(stays);
        self.waits.add_all(&jobs.waits[first..]);
        self.busy.add_to(0, sum(&jobs.services[first..]));
        let Some(observer) = &mut self.observer else { return };
        for i in first..jobs.arrivals.len() {
            let (arrival, server) = (jobs.arrivals[i], jobs.servers[i].0);
            let (wait, service, sojourn) = (jobs.waits[i], jobs.services[i], self.stays[i]);
            observer(&JobRow { arrival, dispatcher: 0, server, wait, service, sojourn });
        }
    }

    /// A job that is there at time 0, and departs at this time. It is counted in the queue length
    /// only.
    pub(crate) fn initial(&mut self, departure: f64) {
        self.area += (departure - self.plan.warm_up).max(0.0);
    }

    /// A job that is lost at a full server.
    pub(crate) fn lost(&mut self, job: &Job) {
        self.outcome.lost += u64::from(self.counts(job.arrival));
    }

    /// The outcome of a run that ended at time `end`. `beyond` is the total time that jobs stay
    /// after it.
    pub(crate) fn finish(mut self, servers: u64, arrived: u64, end: f64, beyond: f64) -> Outcome {
        let duration = (end - self.plan.warm_up).max(0.0);
        let server_time = servers as f64 * duration;
        let per_server_time = if server_time > 0.0 { server_time.recip() } else { 0.0 };
        self.outcome.sojourn = self.sojourns.finish();
        self.outcome.wait = self.waits.finish();
        self.outcome.arrived = arrived;
        self.outcome.duration = duration;
        self.outcome.queue_length = (self.area - beyond).max(0.0) * per_server_time;
        self.outcome.course = self.course.means();
        self.outcome.utilisation = self.busy.finish(duration);
        self.outcome
    }
}

/// What happened to some jobs, in order of arrival.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ServedJobs<'j> {
    pub arrivals: &'j [f64],
    pub services: &'j [f64],
    pub servers: &'j [ServerId],
    pub waits: &'j [f64],
}

/// Sojourn times in equal parts of the run: of its jobs, or of its time.
struct Course {
    end: End,
    /// Sum and number of each part.
    parts: Vec<(f64, u64)>,
    /// The part of the last job, and from where to where it goes.
    current: usize,
    bounds: Range<f64>,
}

impl Course {
    fn new(end: End) -> Self {
        let mut course = Self { end, parts: vec![(0.0, 0); PARTS], current: 0, bounds: 0.0..0.0 };
        course.bounds = course.bounds_of(0);
        course
    }

    /// Where a part begins and ends, in jobs or in time. The last one has no end.
    fn bounds_of(&self, part: usize) -> Range<f64> {
        let total = match self.end {
            End::Jobs(jobs) => jobs as f64,
            End::Time(end) => end,
        };
        let bound = |part: usize| total * part as f64 / PARTS as f64;
        bound(part)..if part + 1 == PARTS { f64::INFINITY } else { bound(part + 1) }
    }

    #[inline]
    fn add(&mut self, number: u64, arrival: f64, stay: f64) {
        let at = match self.end {
            // Signed numbers are converted in one instruction.
            End::Jobs(_) => number as i64 as f64,
            End::Time(_) => arrival,
        };
        if !self.bounds.contains(&at) {
            self.seek(at);
        }
        let (sum, jobs) = &mut self.parts[self.current];
        *sum += stay;
        *jobs += 1;
    }

    /// Jobs `number` and later ones.
    fn add_all(&mut self, number: u64, arrivals: &[f64], stays: &[f64]) {
        let mut added = 0;
        while added < stays.len() {
            self.add(number + added as u64, arrivals[added], stays[added]);
            added += 1;
            // The others of this part need no look at its bounds.
            let end = self.bounds.end;
            let inside = match self.end {
                End::Jobs(_) => (end - (number + added as u64) as f64).ceil().max(0.0) as usize,
                End::Time(_) => arrivals[added..].partition_point(|&arrival| arrival < end),
            };
            let part = added..stays.len().min(added.saturating_add(inside));
            let (total, jobs) = &mut self.parts[self.current];
            *total += sum(&stays[part.clone()]);
            *jobs += part.len() as u64;
            added = part.end;
        }
    }

    #[cold]
    fn seek(&mut self, at: f64) {
        while at < self.bounds.start {
            self.current -= 1;
            self.bounds = self.bounds_of(self.current);
        }
        while at >= self.bounds.end {
            self.current += 1;
            self.bounds = self.bounds_of(self.current);
        }
    }

    /// Mean of each part that has jobs.
    fn means(&self) -> Vec<f64> {
        let mean = |&(sum, jobs): &(f64, u64)| (jobs > 0).then(|| sum / jobs as f64);
        self.parts.iter().filter_map(mean).collect()
    }
}

/// Work done by the servers of each speed.
pub(crate) struct Busy {
    /// Class of each server; empty if all are equal.
    class: Vec<u32>,
    /// Speed, servers and working time of each class.
    classes: Vec<(f64, u64, f64)>,
}

/// Beyond this many different speeds they are one class each no more, but all together.
const MOST_CLASSES: usize = 64;

impl Busy {
    pub(crate) fn new(servers: usize, site: &Site) -> Self {
        let all = |speed| Self { class: Vec::new(), classes: vec![(speed, servers as u64, 0.0)] };
        let Some(speeds) = &site.speeds else { return all(1.0) };
        let mut distinct = speeds.to_vec();
        distinct.sort_by(f64::total_cmp);
        distinct.dedup();
        if distinct.len() > MOST_CLASSES {
            return all(speeds.iter().sum::<f64>() / servers as f64);
        }
        let of = |speed: &f64| distinct.partition_point(|other| other < speed) as u32;
        let class: Vec<u32> = speeds.iter().map(of).collect();
        let mut classes: Vec<_> = distinct.iter().map(|&speed| (speed, 0, 0.0)).collect();
        class.iter().for_each(|&class| classes[class as usize].1 += 1);
        Self { class, classes }
    }

    #[inline]
    fn add(&mut self, server: ServerId, service: f64) {
        let class = self.class_of(server);
        self.add_to(class, service);
    }

    /// Number of classes.
    pub(crate) fn classes(&self) -> usize {
        self.classes.len()
    }

    /// Class of a server, from 0.
    #[inline]
    pub(crate) fn class_of(&self, server: ServerId) -> usize {
        self.class.get(server.index()).map_or(0, |&class| class as usize)
    }

    /// Adds working time of a class.
    #[inline]
    pub(crate) fn add_to(&mut self, class: usize, time: f64) {
        self.classes[class].2 += time;
    }

    pub(crate) fn finish(&self, duration: f64) -> Vec<(f64, f64)> {
        let time = |servers: u64| servers as f64 * duration;
        let part = |servers, busy: f64| if duration > 0.0 { busy / time(servers) } else { 0.0 };
        self.classes.iter().map(|&(speed, servers, busy)| (speed, part(servers, busy))).collect()
    }
}
