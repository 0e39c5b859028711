//! The uniformised engine: exponential service, a queue length for each server, no event queue.
//!
//! Each step is an arrival, or a server that completes a job if it has one; the server is drawn
//! in proportion to speed. Neither kinds nor servers depend on queue lengths, so both are drawn
//! ahead in blocks and are on the way from memory while the block before is carried out, strictly
//! in order (`steps.rs`). Lengths are bytes until one comes near 255 (`lengths.rs`). Times are
//! those of `markov`.

mod lengths;
mod pairs;
mod steps;
mod working;

use evenhand_core::{Role, Stream};
use evenhand_sim::observe::Histogram;
use evenhand_sim::{Control, Interrupted};

use crate::dispatch::{Front, SOME_JOB, Site};
use crate::markov::{self, Chain, Rates, STRETCH, Steps, Tally};
use crate::model::{Initial, Queue};
use crate::outcome::Outcome;
use crate::pairs::PairSampler;
use crate::plan::Plan;
use lengths::Lengths;
use pairs::least_of_pairs;
use steps::{BLOCK, Block, StepSource};
use working::Working;

/// So many bytes stay in the cache by themselves.
const CACHED_SERVERS: u64 = 1 << 15;

pub(crate) fn run(
    queue: &Queue,
    plan: &Plan,
    replication: u64,
    control: &Control,
) -> Result<Outcome, Interrupted> {
    let mut site = Site::draw(queue, replication);
    let front = Front::new(queue, plan, &mut site, replication);
    let mut working = site.speeds.as_ref().map(|_| Working::new(queue.servers, &site));
    let at_least = starting_counts(queue);
    let lengths = Lengths::new(queue, site.speeds.clone(), &at_least);
    if let (Some(working), Some(&busy)) = (&mut working, at_least.get(1)) {
        working.start(busy);
    }
    let stream = queue.world_seed(replication).stream(Role::Departures);
    let mut rates = Rates::of(queue);
    if let Some(speeds) = &site.speeds {
        rates = rates.with_speeds(speeds);
    }
    let mut servers = Servers {
        queue,
        site: &site,
        front,
        source: StepSource::new(&rates, queue.servers, site.speeds.as_deref(), stream),
        lengths,
        working,
        current: Box::default(),
        next: Box::default(),
        probes: 0,
        distances: site.places.as_ref().map(|_| Histogram::new()),
        pairs: PairSampler::of(queue, replication),
        unused: Stream::from_seed(0),
    };
    servers.draw_next();
    servers.draw_next();
    let tally = Tally::new(at_least);
    markov::run(queue, plan, replication, control, rates, tally, &mut servers)
}

/// Number of servers with at least 0, 1, 2, ... jobs at time 0.
pub(crate) fn starting_counts(queue: &Queue) -> Vec<u64> {
    let mut counts = vec![queue.servers];
    if let Initial::Profile(profile) = &queue.initial {
        let servers = queue.servers as f64;
        counts.extend(profile.iter().map(|&fraction| (fraction * servers).round() as u64));
        counts[1..].sort_unstable_by(|a, b| b.cmp(a));
    }
    counts
}

/// Servers with their queue lengths, and the steps to come.
struct Servers<'r> {
    queue: &'r Queue,
    site: &'r Site,
    front: Front<'r, Lengths>,
    source: StepSource,
    lengths: Lengths,
    /// Where servers have speeds: which work.
    working: Option<Working>,
    current: Box<Block>,
    next: Box<Block>,
    probes: u64,
    distances: Option<Histogram>,
    /// Where a job joins the shorter of two queues that are drawn alike.
    pairs: Option<PairSampler>,
    /// For a rule that draws nothing.
    unused: Stream,
}

impl Chain for Servers<'_> {
    fn go(&mut self, most: Steps, tally: &mut Tally) -> Steps {
        // Every step could be an arrival.
        let steps = most.steps.min(most.arrivals).min(STRETCH);
        let mut taken = Steps::default();
        while taken.steps < steps {
            if self.current.is_over() {
                self.draw_next();
            }
            let wanted = (steps - taken.steps).min(BLOCK as u64) as usize;
            let now = self.current.next_steps(wanted);
            let remaining = steps - taken.steps;
            taken.arrivals += self.carry_out(now, remaining, tally);
            taken.steps += now as u64;
        }
        tally.close(steps);
        if let Some(working) = &mut self.working {
            working.close(steps, tally.counts());
        }
        taken
    }

    fn finish(&mut self, outcome: &mut Outcome) {
        outcome.probes = self.probes;
        outcome.distances = self.distances.take();
        if let Some(working) = self.working.take() {
            outcome.utilisation = working.finish(outcome.duration);
        }
    }
}

impl Servers<'_> {
    /// Draws a block, and lets its queues come from memory.
    fn draw_next(&mut self) {
        std::mem::swap(&mut self.current, &mut self.next);
        self.source.draw(&mut self.next);
        if let Some(pairs) = &mut self.pairs {
            self.next.pair_up(pairs);
            if self.queue.servers > CACHED_SERVERS {
                self.next.paired().for_each(|server| self.lengths.fetch(server));
            }
            return;
        }
        self.front.fill_untimed(self.next.arrivals(), &mut self.next.batch);
        self.next.servers().for_each(|server| self.lengths.fetch(server));
    }

    /// Carries out the next `count` steps of the current block; `remaining` steps of the stretch
    /// are to be taken, these included. Returns the number of arrivals among them.
    fn carry_out(&mut self, count: usize, remaining: u64, tally: &mut Tally) -> u64 {
        let before = self.current.arrived();
        if self.pairs.is_some()
            && let Some(lengths) = self.lengths.narrow(count as u32, || tally.longest())
        {
            let steps = self.current.take_pairs(count);
            least_of_pairs(lengths, &steps, remaining, tally.narrow_cells(), &mut self.unused);
            let arrived = self.current.arrived() - before;
            self.probes += if tally.counts() { 2 * arrived } else { 0 };
            return arrived;
        }
        for remaining in (remaining - count as u64..remaining).rev() {
            match self.current.take_one() {
                (server, None) => self.depart(server, remaining, tally),
                (_, Some(job)) => self.arrive(job, remaining, tally),
            }
        }
        self.current.arrived() - before
    }

    fn depart(&mut self, server: u32, remaining: u64, tally: &mut Tally) {
        let length = self.lengths.get(server);
        if length == 0 {
            return;
        }
        self.lengths.lower(server);
        tally.leaves(length, remaining);
        if length == 1
            && let Some(working) = &mut self.working
        {
            working.stops(server, remaining);
        }
    }

    fn arrive(&mut self, number: usize, remaining: u64, tally: &mut Tally) {
        let pair;
        let (job, candidates) = if self.pairs.is_some() {
            pair = self.current.last_pair();
            (&SOME_JOB, pair.as_slice())
        } else {
            let batch = &self.current.batch;
            (&batch.jobs[number], batch.candidates.get(number))
        };
        let Some(choice) = &self.front.choose(job, candidates, &self.lengths) else {
            unreachable!("every server is eligible")
        };
        let counts = tally.counts();
        self.probes += if counts { u64::from(choice.probes) } else { 0 };
        let server = choice.server;
        let length = self.lengths.get(server.0);
        if self.queue.buffer.is_some_and(|buffer| length >= buffer) {
            tally.loses(1);
            return;
        }
        self.lengths.raise(server.0);
        tally.joins(length, remaining);
        if length == 0
            && let Some(working) = &mut self.working
        {
            working.starts(server.0, remaining);
        }
        self.front.placed(job, candidates, choice, &self.lengths);
        if counts
            && let Some(distances) = &mut self.distances
            && let Some(distance) = self.site.distance(job.user, server)
        {
            distances.record(distance, 1);
        }
    }
}
