//! The lazy engine: no event queue.
//!
//! Under first come, first served a job's departure is known when it arrives: the server's last
//! departure, or now, plus its service time. So a server is a line of departure times; the queue
//! length that a rule reads is the number of times that are still to come. No departure is ever
//! an event. The law is that of the event engine, and on the same streams every job gets the
//! same server and the same times.

mod lines;
mod positions;

use evenhand_core::Signal;
use evenhand_sim::{Control, Interrupted};

use crate::dispatch::{Batch, Front, Site};
use crate::model::Queue;
use crate::outcome::{JobRow, Outcome, Transient};
use crate::plan::{End, Plan};
use crate::recorder::Recorder;
use lines::Lines;
use positions::Positions;

/// Jobs between two looks at the control.
const CHUNK: u64 = 1 << 16;

pub(crate) fn run(
    queue: &Queue,
    plan: &Plan,
    replication: u64,
    control: &Control,
    observer: &mut dyn FnMut(&JobRow),
) -> Result<Outcome, Interrupted> {
    let mut site = Site::draw(queue, replication);
    let mut front = Front::<Lines>::new(queue, plan, &mut site, replication);
    let mut lines = Lines::new(queue, site.speeds.clone());
    let mut recorder = Recorder::new(queue, plan, &site, observer);
    let mut positions = Positions::new(plan);
    for (server, size) in queue.initial_jobs(replication) {
        let (wait, service, _) = lines.admit(server, size);
        recorder.initial(wait + service);
        if wait + service > 0.0 {
            lines.departures(server, &mut positions.ahead);
            positions.ahead.pop();
            positions.add(0.0, wait + service, 1.0);
        }
    }
    let mut run = Run { queue, recorder, positions, number: 0, at: &plan.at };
    let (mut current, mut next) = (Batch::default(), Batch::default());
    front.fill(&mut current);
    while !current.jobs.is_empty() {
        front.fill(&mut next);
        next.candidates.servers().iter().for_each(|&server| lines.prefetch(server));
        run.place(&current, &mut front, &mut lines);
        std::mem::swap(&mut current, &mut next);
        if run.number % CHUNK < current.jobs.len() as u64 {
            control.advance(CHUNK)?;
        }
    }
    let end = match plan.end {
        End::Time(end) => end,
        End::Jobs(_) => lines.now(),
    };
    Ok(run.finish(&lines, front.arrived(), end))
}

struct Run<'r> {
    queue: &'r Queue,
    recorder: Recorder<'r>,
    positions: Positions,
    /// Jobs placed so far.
    number: u64,
    /// Times at which lengths are still to be recorded.
    at: &'r [f64],
}

impl Run<'_> {
    fn place(&mut self, batch: &Batch, front: &mut Front<'_, Lines>, lines: &mut Lines) {
        for (i, job) in batch.jobs.iter().enumerate() {
            self.record_until(job.arrival, lines);
            lines.advance(job.arrival);
            let candidates = batch.candidates.get(i);
            // By reference: to move what was just written in parts stalls until it is in the cache.
            let Some(choice) = &front.choose(job, candidates, lines) else {
                unreachable!("every server is eligible")
            };
            let server = choice.server;
            if self.recorder.counts(job.arrival) {
                self.recorder.outcome.probes += u64::from(choice.probes);
            }
            let number = self.number;
            self.number += 1;
            if self.queue.buffer.is_some_and(|buffer| lines.length(server) >= buffer) {
                self.recorder.lost(job);
                continue;
            }
            // A systematic sample of the jobs suffices for the time at each position. Long queues
            // are rare, and few jobs see their end: all of those count.
            let sampled = i == 0 && self.positions.takes(job.arrival);
            if sampled {
                lines.departures(server, &mut self.positions.ahead);
            }
            let (wait, service, is_long) = lines.admit(server, job.size);
            let departure = job.arrival + wait + service;
            if is_long && self.positions.takes(job.arrival) {
                lines.departures(server, &mut self.positions.ahead);
                self.positions.ahead.pop();
                self.positions.add(job.arrival, departure, 1.0);
            } else if sampled {
                self.positions.add(job.arrival, departure, batch.jobs.len() as f64);
            }
            front.placed(job, candidates, choice, lines);
            self.recorder.served(number, job, server, wait, service);
        }
    }

    fn record_until(&mut self, now: f64, lines: &Lines) {
        while let Some((&time, rest)) = self.at.split_first() {
            if time > now {
                return;
            }
            let at_least = lines.at_least(time);
            self.recorder.outcome.transient.push(Transient { time, at_least });
            self.at = rest;
        }
    }

    fn finish(mut self, lines: &Lines, arrived: u64, end: f64) -> Outcome {
        self.record_until(end, lines);
        let servers = self.queue.servers;
        let mut outcome = self.recorder.finish(servers, arrived, end, lines.beyond(end));
        let server_time = servers as f64 * outcome.duration;
        outcome.at_least = self.positions.at_least(server_time);
        outcome.events = 2 * arrived;
        outcome
    }
}
