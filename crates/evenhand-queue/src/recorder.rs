//! Writes down what happens to each job.

use evenhand_core::ServerId;
use evenhand_sim::observe::Histogram;

use crate::dispatch::{Job, Site};
use crate::model::Queue;
use crate::outcome::{JobRow, Outcome};
use crate::plan::{End, Plan};

/// Parts of the run in [`Outcome::course`]: five times the batch means that warm-up detection
/// looks at.
const PARTS: usize = 500;
const METRES_PER_KM: f64 = 1000.0;

pub(crate) struct Recorder<'r> {
    plan: &'r Plan,
    site: &'r Site,
    observer: &'r mut dyn FnMut(&JobRow),
    travel_per_distance: f64,
    pub outcome: Outcome,
    /// Sum and number of sojourn times in each part of the run.
    course: Vec<(f64, u64)>,
    /// Total overlap of sojourns with the time after the warm-up.
    area: f64,
    busy: Busy,
}

impl<'r> Recorder<'r> {
    pub(crate) fn new(
        queue: &Queue,
        plan: &'r Plan,
        site: &'r Site,
        observer: &'r mut dyn FnMut(&JobRow),
    ) -> Self {
        let mut outcome = Outcome::default();
        outcome.distances = site.places.as_ref().map(|_| Histogram::new());
        Self {
            plan,
            site,
            observer,
            travel_per_distance: queue.latency_per_km / METRES_PER_KM,
            outcome,
            course: vec![(0.0, 0); PARTS],
            area: 0.0,
            busy: Busy::new(queue.servers as usize, site),
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
        let part = self.part(number, job.arrival);
        let (sum, jobs) = &mut self.course[part];
        *sum += stay;
        *jobs += 1;
        let warm_up = self.plan.warm_up;
        self.area += (job.arrival + stay - job.arrival.max(warm_up)).max(0.0);
        if !self.counts(job.arrival) {
            return;
        }
        let mut sojourn = stay;
        if let Some(distance) = self.site.distance(job.user, server) {
            let distances = self.outcome.distances.as_mut().expect("there are places");
            distances.record(distance, 1);
            sojourn += self.travel_per_distance * distance;
        }
        self.outcome.sojourn.record(sojourn, 1);
        self.outcome.wait.record(wait, 1);
        self.busy.add(server, service);
        let (arrival, dispatcher) = (job.arrival, job.dispatcher);
        (self.observer)(&JobRow { arrival, dispatcher, server: server.0, wait, service, sojourn });
    }

    /// A job that is lost at a full server.
    pub(crate) fn lost(&mut self, job: &Job) {
        self.outcome.lost += u64::from(self.counts(job.arrival));
    }

    fn part(&self, number: u64, time: f64) -> usize {
        let fraction = match self.plan.end {
            // Signed numbers are converted in one instruction.
            End::Jobs(jobs) => number as i64 as f64 / jobs as i64 as f64,
            End::Time(end) => time / end,
        };
        ((fraction * PARTS as f64) as usize).min(PARTS - 1)
    }

    /// The outcome of a run that ended at time `end`. `beyond` is the total time that jobs stay
    /// after it.
    pub(crate) fn finish(mut self, servers: u64, arrived: u64, end: f64, beyond: f64) -> Outcome {
        let duration = (end - self.plan.warm_up).max(0.0);
        let server_time = servers as f64 * duration;
        let per_server_time = if server_time > 0.0 { server_time.recip() } else { 0.0 };
        self.outcome.arrived = arrived;
        self.outcome.duration = duration;
        self.outcome.queue_length = (self.area - beyond).max(0.0) * per_server_time;
        let mean = |&(sum, jobs): &(f64, u64)| (jobs > 0).then(|| sum / jobs as f64);
        self.outcome.course = self.course.iter().filter_map(mean).collect();
        self.outcome.utilisation = self.busy.finish(duration);
        self.outcome
    }
}

/// Work done by the servers of each speed.
struct Busy {
    /// Class of each server; empty if all are equal.
    class: Vec<u32>,
    /// Speed, servers and working time of each class.
    classes: Vec<(f64, u64, f64)>,
}

/// Beyond this many different speeds they are one class each no more, but all together.
const MOST_CLASSES: usize = 64;

impl Busy {
    fn new(servers: usize, site: &Site) -> Self {
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
        let class = self.class.get(server.index()).map_or(0, |&class| class as usize);
        self.classes[class].2 += service;
    }

    fn finish(&self, duration: f64) -> Vec<(f64, f64)> {
        let time = |servers: u64| servers as f64 * duration;
        let part = |servers, busy: f64| if duration > 0.0 { busy / time(servers) } else { 0.0 };
        self.classes.iter().map(|&(speed, servers, busy)| (speed, part(servers, busy))).collect()
    }
}
