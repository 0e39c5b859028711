//! Speed of the lazy engine, as ratios inside one run.
//!
//! `cargo bench -p evenhand-queue --bench lazy` runs all rows; a word after `--` picks rows whose
//! name holds it, for example `-- 10^5`. All contenders simulate two-choice with exponential
//! service at load 0.9 and add up every job's sojourn time. Each row alternates them and compares
//! the least times, so that a machine whose speed drifts does not
//! decide.

#![allow(clippy::print_stdout, reason = "a bench prints its figures")]

mod framework;
mod heap;

use std::hint::black_box;
use std::time::Instant;

use evenhand_policies::PolicySpec;
use evenhand_queue::{Engine, Plan, Queue};
use evenhand_sim::{Control, Service};

/// Arrivals per server and unit of time; service takes 1 on average.
const LOAD: f64 = 0.9;

fn main() {
    let filter = std::env::args().skip(1).find(|arg| !arg.starts_with("--"));
    let rows: [(&str, fn()); 6] = [
        ("lazy N=10^3 against a binary heap", || against_heap(1_000, 6_000_000, 5)),
        ("lazy N=10^5 against a binary heap", || against_heap(100_000, 6_000_000, 5)),
        ("lazy N=10^6 against a binary heap", || against_heap(1_000_000, 20_000_000, 3)),
        ("lazy N=10^3 against desque", against_framework),
        ("lazy N=10^7, time and memory", large),
        ("lazy by policy and service, N=10^4", by_model),
    ];
    for (name, row) in rows {
        if filter.as_ref().is_none_or(|word| name.contains(word.as_str())) {
            println!("{name}");
            row();
        }
    }
}

/// Time of the processor that `work` takes; of the clock, where the system does not tell.
fn seconds(work: impl FnOnce()) -> f64 {
    let (start, busy) = (Instant::now(), busy_nanoseconds());
    work();
    match (busy, busy_nanoseconds()) {
        (Some(before), Some(after)) => (after - before) as f64 * 1e-9,
        _ => start.elapsed().as_secs_f64(),
    }
}

/// Keeps the compiler from leaving out the work.
fn consume(mean: f64) {
    black_box(mean);
}

/// How long this thread has been on a processor.
fn busy_nanoseconds() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
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

fn queue(policy: &str, servers: u64) -> Queue {
    Queue::new(PolicySpec::parse(policy).expect("a policy"), servers, LOAD)
}

/// Mean sojourn time of `jobs` jobs from an empty start.
fn lazy(queue: &Queue, jobs: u64) -> f64 {
    let outcome = queue.run(Engine::Lazy, &Plan::jobs(jobs, 0.0), 0, &Control::default());
    outcome.expect("nobody stops it").sojourn.mean()
}

/// Times two contenders, each with a mean sojourn time. They agree but for noise, and for the
/// jobs that are there at the end: the lazy engine counts them, the others never see them leave.
fn compare(name: &str, repetitions: usize, jobs: u64, other: impl Fn() -> f64, queue: &Queue) {
    let (theirs, ours) = (other(), lazy(queue, jobs));
    assert!((theirs / ours - 1.0).abs() < 0.15, "{name} has mean {theirs}, the engine {ours}");
    let (theirs, ours) = least(repetitions, || consume(other()), || consume(lazy(queue, jobs)));
    let per_event = 1e9 / (2 * jobs) as f64;
    println!(
        "  {name} {:.1} ns/event, lazy {:.2} ns/event: {:.2} times",
        theirs * per_event,
        ours * per_event,
        theirs / ours
    );
}

fn against_heap(servers: usize, jobs: u64, repetitions: usize) {
    let queue = queue("two-choice", servers as u64);
    compare("heap", repetitions, jobs, || heap::mean_sojourn(servers, LOAD, jobs), &queue);
}

fn against_framework() {
    let (servers, jobs) = (1_000, 4_000_000);
    let queue = queue("two-choice", servers as u64);
    compare("desque", 5, jobs, || framework::mean_sojourn(servers, LOAD, jobs), &queue);
}

fn large() {
    let queue = queue("two-choice", 10_000_000);
    let jobs = 40_000_000;
    let time = seconds(|| consume(lazy(&queue, jobs)));
    println!("  {:.1} ns/event", 1e9 * time / (2 * jobs) as f64);
    if let Some(megabytes) = peak_megabytes() {
        println!("  {megabytes} MB at most, of the whole process");
    }
}

/// Most memory that the process ever held, where the system tells.
fn peak_megabytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes >> 10)
}

fn by_model() {
    let jobs = 3_000_000;
    for (policy, service) in [
        ("one-choice", "exponential"),
        ("two-choice", "exponential"),
        ("choices(2, distinct)", "exponential"),
        ("choices(5)", "exponential"),
        ("memory(1)", "exponential"),
        ("least-work", "exponential"),
        ("idle(2)", "exponential"),
        ("walks(2, regular(4, seed=1))", "exponential"),
        ("two-choice", "deterministic"),
        ("two-choice", "erlang(2)"),
        ("two-choice", "hyperexponential(10)"),
        ("two-choice", "lognormal(4)"),
    ] {
        let mut queue = queue(policy, 10_000);
        queue.service = Service::parse(service).expect("a law");
        let (time, _) = least(3, || consume(lazy(&queue, jobs)), || ());
        println!("  {policy}, {service}: {:.2} ns/event", 1e9 * time / (2 * jobs) as f64);
    }
}
