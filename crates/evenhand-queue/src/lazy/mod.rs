//! The lazy engine: no event queue.
//!
//! Under first come, first served a job's departure is known when it arrives: the server's last
//! departure, or now, plus its service time. So a server is a line of departure times; the queue
//! length that a rule reads is the number of times that are still to come. No departure is ever
//! an event. The law is that of the event engine, and on the same streams every job gets the
//! same server and the same times.

mod lines;
mod pairs;
mod positions;

use evenhand_core::{Signal, Stream};
use evenhand_sim::{Control, Interrupted};

use crate::dispatch::{Batch, Front, Site};
use crate::model::Queue;
use crate::outcome::{JobRow, Outcome, Transient};
use crate::pairs::PairSampler;
use crate::plan::{End, Plan};
use crate::recorder::Recorder;
use lines::Lines;
use positions::Positions;

/// Jobs between two looks at the control.
const CHUNK: u64 = 1 << 16;
/// One job of so many shows the time at each position of a queue.
const SAMPLED: usize = 16;

pub(crate) fn run(
    queue: &Queue,
    plan: &Plan,
    replication: u64,
    control: &Control,
    observer: Option<&mut dyn FnMut(&JobRow)>,
) -> Result<Outcome, Interrupted> {
    let mut site = Site::draw(queue, replication);
    let mut front = Front::<Lines>::new(queue, plan, &mut site, replication);
    let mut lines = Lines::new(queue, site.speeds.clone());
    let mut recorder = Recorder::new(queue, plan, &site, observer);
    let mut positions = Positions::new(plan);
    for (server, size) in queue.initial_jobs(replication) {
        let service = lines.service(server, size);
        let wait = positions.admit(&mut lines.servers(), server, 0.0, service, 1);
        recorder.initial(wait + service);
    }
    let unused = Stream::from_seed(0);
    let mut run = Run { queue, recorder, positions, number: 0, at: &plan.at, unused };
    match PairSampler::of(queue, replication) {
        Some(pairs) => run.serve_pairs(pairs, &mut front, &mut lines, control)?,
        None => run.serve(&mut front, &mut lines, control)?,
    }
    let end = match plan.end {
        End::Time(end) => end,
        End::Jobs(_) => lines.now(),
    };
    Ok(run.finish(&lines, front.arrived(), end))
}

struct Run<'r, 'o> {
    queue: &'r Queue,
    recorder: Recorder<'r, 'o>,
    positions: Positions,
    /// Jobs placed so far.
    number: u64,
    /// Times at which lengths are still to be recorded.
    at: &'r [f64],
    /// For a rule that draws nothing.
    unused: Stream,
}

impl Run<'_, '_> {
    /// Serves all jobs, whatever the policy.
    fn serve(
        &mut self,
        front: &mut Front<'_, Lines>,
        lines: &mut Lines,
        control: &Control,
    ) -> Result<(), Interrupted> {
        let (mut current, mut next) = (Batch::default(), Batch::default());
        front.fill(&mut current);
        while !current.jobs.is_empty() {
            front.fill(&mut next);
            next.candidates.servers().iter().for_each(|&server| lines.prefetch(server));
            self.place(&current, front, lines);
            self.look(current.jobs.len(), control)?;
            std::mem::swap(&mut current, &mut next);
        }
        Ok(())
    }

    /// Looks at the control from time to time; `placed` jobs were placed since the last call.
    fn look(&self, placed: usize, control: &Control) -> Result<(), Interrupted> {
        if self.number % CHUNK < placed as u64 { control.advance(CHUNK) } else { Ok(()) }
    }

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
            let stands_for = stands_for(i, batch.jobs.len());
            let service = lines.service(server, job.size);
            let servers = &mut lines.servers();
            let wait = self.positions.admit(servers, server, job.arrival, service, stands_for);
            front.placed(job, candidates, choice, lines);
            self.recorder.served(number, job, server, wait, service);
        }
    }

    #[inline(always)]
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

/// How many jobs of `count` one after the other number `i` stands for: it and those up to the next
/// that is sampled, or none.
#[inline(always)]
fn stands_for(i: usize, count: usize) -> usize {
    if i.is_multiple_of(SAMPLED) { SAMPLED.min(count - i) } else { 0 }
}
