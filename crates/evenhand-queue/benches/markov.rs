//! Speed of the engines of Markov chains, as ratios inside one run.
//!
//! `cargo bench -p evenhand-queue --bench markov` runs all rows; a word after `--` picks rows
//! whose name holds it. Each row alternates the two contenders and compares the least times, so
//! that a machine whose speed drifts does not decide. An event is an arrival or a departure.

#![allow(clippy::print_stdout, reason = "a bench prints its figures")]

use std::hint::black_box;
use std::time::Instant;

use evenhand_core::{Index, Stream};
use evenhand_policies::PolicySpec;
use evenhand_queue::{Engine, Initial, Plan, Queue};
use evenhand_sim::Control;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

const LOAD: f64 = 0.9;

fn main() {
    let filter = std::env::args().skip(1).find(|arg| !arg.starts_with("--"));
    let rows: [(&str, fn()); 5] = [
        ("uniformised two-choice n=10^3 against the idiomatic loop", || {
            against_idiomatic(1_000, 200.0, 101);
        }),
        ("uniformised two-choice n=10^6 against the idiomatic loop", || {
            against_idiomatic(1_000_000, 1.0, 25);
        }),
        ("profile two-choice n=2^26 against single steps", profile_against_sequential),
        ("profile two-choice by number of servers", profile_by_servers),
        ("uniformised by policy, n=10^5", by_policy),
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

/// The fixed point of two choices: servers with at least k jobs are a fraction `load^(2^k - 1)`.
fn fixed_point() -> Vec<f64> {
    (1..10).map(|k| LOAD.powf(2_f64.powi(k) - 1.0)).collect()
}

/// A queue that starts near stationarity.
fn stationary(policy: &str, servers: u64) -> Queue {
    let policy = PolicySpec::parse(policy).expect("a policy");
    let initial = Initial::Profile(fixed_point());
    Queue { initial, ..Queue::new(policy, servers, LOAD) }
}

/// Runs until `time`, and returns the number of events.
fn run(queue: &Queue, engine: Engine, time: f64) -> u64 {
    let plan = Plan::until(time, 0.0);
    let outcome = queue.run(engine, &plan, 0, &Control::default()).expect("nobody stops it");
    black_box(outcome).events
}

/// What one writes first: a vector of lengths, an exponential clock, two random indices, an if;
/// a completion at a uniform server.
fn idiomatic(servers: usize, time: f64) -> f64 {
    let mut rng = SmallRng::seed_from_u64(1);
    let mut lengths = vec![0_u32; servers];
    for fraction in fixed_point() {
        let count = (fraction * servers as f64).round() as usize;
        lengths[..count].iter_mut().for_each(|length| *length += 1);
    }
    let mut jobs: u64 = lengths.iter().map(|&length| u64::from(length)).sum();
    let rate = (1.0 + LOAD) * servers as f64;
    let arrival_share = LOAD / (1.0 + LOAD);
    let (mut now, mut area) = (0.0, 0.0);
    loop {
        let gap = -(1.0 - rng.random::<f64>()).ln() / rate;
        if now + gap > time {
            return (area + jobs as f64 * (time - now)) / (time * servers as f64);
        }
        area += jobs as f64 * gap;
        now += gap;
        if rng.random::<f64>() < arrival_share {
            let i = rng.random_range(0..servers);
            let j = rng.random_range(0..servers);
            if lengths[i] <= lengths[j] {
                lengths[i] += 1;
            } else {
                lengths[j] += 1;
            }
            jobs += 1;
        } else {
            let i = rng.random_range(0..servers);
            if lengths[i] > 0 {
                lengths[i] -= 1;
                jobs -= 1;
            }
        }
    }
}

fn against_idiomatic(servers: u64, time: f64, repetitions: usize) {
    let queue = stationary("two-choice", servers);
    let events = run(&queue, Engine::Uniformised, time);
    let (naive, ours) = least(
        repetitions,
        || _ = black_box(idiomatic(servers as usize, time)),
        || _ = run(&queue, Engine::Uniformised, time),
    );
    let per_event = 1e9 / events as f64;
    println!(
        "  idiomatic {:.2} ns/event, uniformised {:.2} ns/event: {:.2} times",
        naive * per_event,
        ours * per_event,
        naive / ours
    );
}

/// Single steps of the profile: a dozen counts, a scan for the level. Nothing is measured.
fn sequential(servers: u64, steps: u64) -> Vec<u64> {
    let mut stream = Stream::from_seed(1);
    let rank = Index::new(servers);
    let mut counts = vec![0; 64];
    for (count, fraction) in counts.iter_mut().zip(fixed_point()) {
        *count = (fraction * servers as f64).round() as u64;
    }
    let arrival_below = (LOAD / (1.0 + LOAD) * 2_f64.powi(64)) as u64;
    let level = |counts: &[u64], rank: u64| counts.iter().take_while(|&&c| c > rank).count();
    for _ in 0..steps {
        if stream.next_word() < arrival_below {
            let key = rank.draw(&mut stream).max(rank.draw(&mut stream));
            let length = level(&counts, key);
            counts[length] += 1;
        } else {
            let length = level(&counts, rank.draw(&mut stream));
            if length > 0 {
                counts[length - 1] -= 1;
            }
        }
    }
    counts
}

fn profile_against_sequential() {
    let servers = 1 << 26;
    let queue = stationary("two-choice", servers);
    let steps = 20_000_000;
    let time = 4.0;
    let events = run(&queue, Engine::Profile, time);
    let (slow, fast) = least(
        5,
        || drop(black_box(sequential(servers, steps))),
        || _ = run(&queue, Engine::Profile, time),
    );
    // Per step of the chain, completions at idle servers included, on both sides.
    let slow = slow * 1e9 / steps as f64;
    let fast = fast * 1e9 / (time * (1.0 + LOAD) * servers as f64);
    println!(
        "  single steps {slow:.2} ns, skipping {fast:.3} ns: {:.1} times ({events} events)",
        slow / fast
    );
}

fn profile_by_servers() {
    for servers in
        [1_000, 10_000, 1 << 14, 1 << 15, 1 << 16, 1 << 18, 1 << 22, 1 << 30, 1_000_000_000_000]
    {
        let queue = stationary("two-choice", servers);
        let time = (2e7 / servers as f64).clamp(0.02, 1e4);
        let least = (0..3).map(|_| {
            let mut events = 0;
            let time = seconds(|| events = run(&queue, Engine::Profile, time));
            time * 1e9 / events as f64
        });
        let least = least.fold(f64::INFINITY, f64::min);
        println!("  n={servers}: {least:.5} ns/event");
    }
}

fn by_policy() {
    for policy in [
        "one-choice",
        "two-choice",
        "choices(2, distinct)",
        "choices(3)",
        "left(2)",
        "one-plus-beta(0.5)",
        "memory(1)",
        "threshold(3, 1)",
        "walks(2, regular(4))",
    ] {
        let queue = stationary(policy, 100_000);
        let least = (0..5).map(|_| {
            let mut events = 0;
            let time = seconds(|| events = run(&queue, Engine::Uniformised, 20.0));
            time * 1e9 / events as f64
        });
        println!("  {policy}: {:.1} ns/event", least.fold(f64::INFINITY, f64::min));
    }
}
