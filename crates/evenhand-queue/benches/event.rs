//! Speed of the event engine, as ratios inside one run.
//!
//! `cargo bench -p evenhand-queue --bench event` runs all rows; a word after `--` picks rows
//! whose name holds it. Each row alternates the two contenders and compares the least times, so
//! that a machine whose speed drifts does not decide.

#![allow(clippy::print_stdout, reason = "a bench prints its figures")]

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::hint::black_box;
use std::time::Instant;

use evenhand_core::Stream;
use evenhand_policies::PolicySpec;
use evenhand_queue::{Discipline, Engine, Plan, Queue};
use evenhand_sim::Control;
use rand::RngExt;
use rand_distr::{Distribution, Exp1};

const LOAD: f64 = 0.9;

fn main() {
    let filter = std::env::args().skip(1).find(|arg| !arg.starts_with("--"));
    let rows: [(&str, fn()); 4] = [
        ("ps two-choice n=10^3", || sharing(1_000, 1_000_000)),
        ("ps two-choice n=10^5", || sharing(100_000, 2_000_000)),
        ("ps two-choice n=10^6", || sharing(1_000_000, 8_000_000)),
        ("fifo two-choice n=10^5", || by_engine(100_000, 2_000_000)),
    ];
    for (name, row) in rows {
        if filter.as_ref().is_none_or(|word| name.contains(word.as_str())) {
            println!("{name}");
            row();
        }
    }
}

fn seconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

/// Least times of two contenders over alternating repetitions.
fn least(repetitions: usize, mut a: impl FnMut(), mut b: impl FnMut()) -> (f64, f64) {
    let mut times = (f64::INFINITY, f64::INFINITY);
    for _ in 0..repetitions {
        times.0 = times.0.min(seconds(&mut a));
        times.1 = times.1.min(seconds(&mut b));
    }
    times
}

fn queue(servers: u64, discipline: Discipline) -> Queue {
    let policy = PolicySpec::parse("two-choice").expect("a policy");
    let mut queue = Queue::new(policy, servers, LOAD);
    queue.discipline = discipline;
    queue
}

fn run(queue: &Queue, engine: Engine, jobs: u64) -> f64 {
    let outcome = queue.run(engine, &Plan::jobs(jobs, 0.0), 0, &Control::default());
    black_box(outcome.expect("nobody stops it")).sojourn.mean()
}

/// Processor sharing against the loop that one writes first.
fn sharing(servers: u64, jobs: u64) {
    let queue = queue(servers, Discipline::Ps);
    let (mut theirs, mut ours) = (0.0, 0.0);
    let (naive, engine) = least(
        3,
        || theirs = naive(servers as usize, jobs),
        || ours = run(&queue, Engine::Event, jobs),
    );
    let per_event = 0.5e9 / jobs as f64;
    println!(
        "  heap {:.1} ns/event (mean sojourn {theirs:.3}), event engine {:.1} ns/event ({ours:.3}): {:.2} times",
        naive * per_event,
        engine * per_event,
        naive / engine
    );
}

/// What the order of events costs where it could be done without.
fn by_engine(servers: u64, jobs: u64) {
    let queue = queue(servers, Discipline::Fifo);
    let (lazy, event) =
        least(3, || _ = run(&queue, Engine::Lazy, jobs), || _ = run(&queue, Engine::Event, jobs));
    let per_event = 0.5e9 / jobs as f64;
    println!("  lazy {:.1} ns/event, event {:.1} ns/event", lazy * per_event, event * per_event);
}

/// A departure that was planned; out of date if the server has changed since.
#[derive(PartialEq)]
struct Planned {
    time: f64,
    server: usize,
    version: u32,
}

impl Eq for Planned {}

impl PartialOrd for Planned {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Planned {
    fn cmp(&self, other: &Self) -> Ordering {
        self.time.total_cmp(&other.time)
    }
}

/// A server: the remaining size and the arrival of each job.
#[derive(Clone, Default)]
struct Naive {
    jobs: Vec<(f64, f64)>,
    updated: f64,
    version: u32,
}

impl Naive {
    fn work_until(&mut self, now: f64) {
        let share = (now - self.updated) / self.jobs.len() as f64;
        self.jobs.iter_mut().for_each(|(remaining, _)| *remaining -= share);
        self.updated = now;
    }

    fn next(&self) -> Option<(usize, f64)> {
        let jobs = self.jobs.iter().enumerate();
        let (job, (remaining, _)) = jobs.min_by(|a, b| a.1.0.total_cmp(&b.1.0))?;
        Some((job, self.updated + remaining.max(0.0) * self.jobs.len() as f64))
    }
}

fn plan(heap: &mut BinaryHeap<Reverse<Planned>>, servers: &mut [Naive], server: usize) {
    let at = &mut servers[server];
    at.version += 1;
    if let Some((_, time)) = at.next() {
        heap.push(Reverse(Planned { time, server, version: at.version }));
    }
}

/// The loop that one writes first. Returns the mean sojourn time.
fn naive(n: usize, jobs: u64) -> f64 {
    let mut stream = Stream::from_seed(1);
    let mut servers = vec![Naive::default(); n];
    let mut heap = BinaryHeap::new();
    let (mut arrival, mut total, mut left) = (0.0, 0.0, 0_u64);
    for _ in 0..jobs {
        let gap: f64 = Exp1.sample(&mut stream);
        arrival += gap / (LOAD * n as f64);
        while heap.peek().is_some_and(|Reverse(first): &Reverse<Planned>| first.time <= arrival) {
            let Reverse(Planned { time, server, version }) = heap.pop().expect("it was seen");
            if servers[server].version != version {
                continue;
            }
            servers[server].work_until(time);
            let (job, _) = servers[server].next().expect("a departure is of a job");
            let (_, arrived) = servers[server].jobs.swap_remove(job);
            total += time - arrived;
            left += 1;
            plan(&mut heap, &mut servers, server);
        }
        let (i, j) = (stream.random_range(0..n), stream.random_range(0..n));
        let server = if servers[j].jobs.len() < servers[i].jobs.len() { j } else { i };
        if !servers[server].jobs.is_empty() {
            servers[server].work_until(arrival);
        }
        servers[server].updated = arrival;
        servers[server].jobs.push((Exp1.sample(&mut stream), arrival));
        plan(&mut heap, &mut servers, server);
    }
    total / left as f64
}
