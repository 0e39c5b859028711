//! The event engine: arrivals and departures in order of time.
//!
//! It runs any model. Every busy server has one next departure, and a calendar queue holds them;
//! a departure at the time of an arrival goes first. Loads are those that the dispatcher of a
//! job sees.
//!
//! - `wheel.rs`: the next departures, in order of time
//! - `fleet.rs`: the servers; `server.rs`: one of them
//! - `fifo.rs`, `ps.rs`: the jobs under each discipline; `slab.rs`: where they are kept
//! - `view.rs`: what dispatchers see; `local.rs`, `stale.rs`: where that is not the truth
//! - `index.rs`: servers by number of jobs
//! - `areas.rs`: time averages

mod areas;
mod fifo;
mod fleet;
mod index;
mod local;
mod ps;
mod server;
mod slab;
mod stale;
mod view;
mod wheel;

use evenhand_core::{ServerId, Signal};
use evenhand_sim::{Control, Interrupted};

use crate::dispatch::{Batch, Front, Job, NOBODY, Site};
use crate::model::Queue;
use crate::outcome::{JobRow, Outcome, Transient};
use crate::plan::{End, Plan};
use crate::recorder::Recorder;
use areas::Areas;
use fleet::{Departed, Fleet};
use ps::Arrived;

/// Jobs ahead at which the jobs of candidates come from memory.
const AHEAD: usize = 4;

/// Events between two looks at the control.
const CHUNK: u64 = 1 << 16;

pub(crate) fn run(
    queue: &Queue,
    plan: &Plan,
    replication: u64,
    control: &Control,
    observer: Option<&mut dyn FnMut(&JobRow)>,
) -> Result<Outcome, Interrupted> {
    let mut site = Site::draw(queue, replication);
    let mut front = Front::<Fleet>::new(queue, plan, &mut site, replication);
    let mut run = Run {
        queue,
        recorder: Recorder::new(queue, plan, &site, observer),
        fleet: Fleet::new(queue, site.speeds.as_deref(), front.known()),
        areas: Areas::new(queue.servers, plan.warm_up),
        number: 0,
        events: 0,
        at: &plan.at,
    };
    run.start(replication);
    let mut looked = (0, 0);
    let (mut current, mut next) = (Batch::default(), Batch::default());
    front.fill(&mut current);
    while !current.jobs.is_empty() {
        front.fill(&mut next);
        next.candidates.servers().iter().for_each(|&server| run.fleet.prefetch(server));
        run.place(&current, &next, &mut front);
        std::mem::swap(&mut current, &mut next);
        if run.events - looked.0 >= CHUNK {
            control.advance(run.number - looked.1)?;
            looked = (run.events, run.number);
        }
    }
    let end = match plan.end {
        End::Time(end) => end,
        End::Jobs(_) => run.fleet.now(),
    };
    Ok(run.finish(front.arrived(), end))
}

struct Run<'r, 'o> {
    queue: &'r Queue,
    recorder: Recorder<'r, 'o>,
    fleet: Fleet,
    areas: Areas,
    /// Jobs placed so far.
    number: u64,
    /// Arrivals and departures so far.
    events: u64,
    /// Times at which lengths are still to be recorded.
    at: &'r [f64],
}

impl Run<'_, '_> {
    /// The jobs that are there at time 0.
    fn start(&mut self, replication: u64) {
        for (server, size) in self.queue.initial_jobs(replication) {
            self.admit(server, Arrived { number: 0, job: Job::initial(size) });
        }
        self.fleet.refresh(0.0);
    }

    /// Carries out the arrivals of a batch; `next` is the one after it.
    fn place(&mut self, batch: &Batch, next: &Batch, front: &mut Front<'_, Fleet>) {
        let count = batch.jobs.len();
        for (i, job) in batch.jobs.iter().enumerate() {
            let ahead = i + AHEAD;
            let (of, ahead) = if ahead < count { (batch, ahead) } else { (next, ahead - count) };
            if ahead < of.jobs.len() {
                let soon = of.candidates.get(ahead).iter();
                soon.for_each(|&server| self.fleet.prefetch_jobs(server));
            }
            self.advance(job.arrival);
            self.events += 1;
            self.fleet.look_as(job.dispatcher);
            let candidates = batch.candidates.get(i);
            let Some(choice) = &front.choose(job, candidates, &self.fleet) else {
                unreachable!("every server is eligible")
            };
            let server = choice.server;
            if self.recorder.counts(job.arrival) {
                self.recorder.outcome.probes += u64::from(choice.probes);
            }
            let number = self.number;
            self.number += 1;
            if self.queue.buffer.is_some_and(|buffer| self.fleet.length(server) >= buffer) {
                self.recorder.lost(job);
                continue;
            }
            if let Some((wait, service)) = self.admit(server, Arrived { number, job: *job }) {
                self.recorder.served(number, job, server, wait, service);
            }
            // A job without work is gone before anybody looks.
            self.depart_until(job.arrival);
            front.placed(job, candidates, choice, &self.fleet);
        }
    }

    fn admit(&mut self, server: ServerId, arrived: Arrived) -> Option<(f64, f64)> {
        let times = self.fleet.admit(server, arrived);
        self.areas.up(self.fleet.length(server), self.fleet.now());
        times
    }

    /// Lets everything happen that does before an arrival at `now`.
    fn advance(&mut self, now: f64) {
        if let Some(time) = self.fleet.refresh_due(now) {
            self.record_until(time);
            self.depart_until(time);
            self.fleet.refresh(time);
        }
        self.record_until(now);
        self.depart_until(now);
        self.fleet.advance(now);
    }

    #[inline]
    fn depart_until(&mut self, limit: f64) {
        while let Some(departed) = self.fleet.depart_until(limit) {
            let Departed { server, time, length, arrived } = departed;
            self.events += 1;
            self.areas.down(length, time);
            if let Some(arrived) = arrived {
                self.served(server, time, &arrived);
            }
        }
    }

    /// A job whose times were not known on arrival.
    fn served(&mut self, server: ServerId, time: f64, arrived: &Arrived) {
        let Arrived { number, job } = arrived;
        if job.dispatcher == NOBODY {
            return;
        }
        let service = job.size / self.fleet.speed(server);
        let wait = time - job.arrival - service;
        // A job that was alone has a rounding error here.
        let resolution = 8.0 * f64::EPSILON * time;
        let wait = if wait > resolution { wait } else { 0.0 };
        self.recorder.served(*number, job, server, wait, service);
    }

    fn record_until(&mut self, now: f64) {
        while let Some((&time, rest)) = self.at.split_first() {
            if time > now {
                return;
            }
            self.depart_until(time);
            let at_least = self.areas.at_least();
            self.recorder.outcome.transient.push(Transient { time, at_least });
            self.at = rest;
        }
    }

    fn finish(mut self, arrived: u64, end: f64) -> Outcome {
        self.record_until(end);
        self.depart_until(end);
        let at_least = self.areas.average(end);
        let events = self.events;
        // Jobs that are still there are not left out, they are the long ones; without arrivals
        // they leave a little early.
        self.depart_until(f64::INFINITY);
        let mut outcome = self.recorder.finish(self.queue.servers, arrived, end, 0.0);
        outcome.queue_length = at_least.iter().skip(1).sum();
        outcome.at_least = at_least;
        outcome.events = events;
        outcome
    }
}
