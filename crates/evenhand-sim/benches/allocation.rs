//! Speed of the allocation engines, as ratios inside one run.
//!
//! `cargo bench -p evenhand-sim` runs all rows; a word after `--` picks rows whose name holds it,
//! for example `cargo bench -p evenhand-sim -- 2^20`. Each row alternates the two contenders and
//! compares the least times, so that a machine whose speed drifts does not decide.

#![allow(clippy::print_stdout, reason = "a bench prints its figures")]

use std::hint::black_box;
use std::time::Instant;

use evenhand_core::Stream;
use evenhand_policies::PolicySpec;
use evenhand_sim::{Allocation, Control, Engine};
use evenhand_topology::buffer::Buffer;
use evenhand_topology::graph::GraphSpec;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

fn main() {
    let filter = std::env::args().skip(1).find(|arg| !arg.starts_with("--"));
    let rows: [(&str, fn()); 14] = [
        ("bins two-choice n=2^20 against the idiomatic loop", || against_idiomatic(20, 1, 21)),
        ("bins two-choice n=2^24 against the idiomatic loop", || against_idiomatic(24, 1, 7)),
        ("bins two-choice n=2^28 against the idiomatic loop", || against_idiomatic(28, 1, 3)),
        ("bins two-choice n=2^24 against the read-modify-write bound", || against_bound(24, 9)),
        ("bins two-choice n=2^28 against the read-modify-write bound", || against_bound(28, 3)),
        ("profile two-choice n=2^24 against bins", profile_against_bins),
        ("profile two-choice n=2^30", || profile_time(1 << 30, 9)),
        ("profile two-choice n=10^12", || profile_time(1_000_000_000_000, 3)),
        ("two threads against one, 8 replications n=2^20", || threads(20, 8)),
        ("two threads against one, 8 replications n=2^22", || threads(22, 8)),
        ("graph edges(regular(8)) n=2^24 against the naive loop", edges_regular),
        ("graph edges(hypercube) n=2^24 against the naive loop", edges_hypercube),
        ("graph walks(2, regular(8)) n=2^24, 8 replications against naive walks", walks),
        ("bins by policy, n=2^20", by_policy),
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

fn allocation(policy: &str, bins: u64, balls: u64) -> Allocation {
    Allocation::new(PolicySpec::parse(policy).expect("a policy"), bins, balls)
}

fn run(model: &Allocation, engine: Engine) {
    black_box(model.run(engine, 0, &Control::default()).expect("nobody stops it"));
}

/// What one writes first: a vector of loads, two random indices, an if.
fn idiomatic(bins: usize, balls: u64) -> Vec<u64> {
    let mut rng = SmallRng::seed_from_u64(1);
    let mut loads = vec![0_u32; bins];
    for _ in 0..balls {
        let i = rng.random_range(0..bins);
        let j = rng.random_range(0..bins);
        if loads[i] <= loads[j] {
            loads[i] += 1;
        } else {
            loads[j] += 1;
        }
    }
    let mut counts = vec![0; 64];
    loads.iter().for_each(|&load| counts[load as usize] += 1);
    counts
}

fn against_idiomatic(log2_bins: u32, balls_per_bin: u64, repetitions: usize) {
    let bins = 1_u64 << log2_bins;
    let balls = bins * balls_per_bin;
    let model = allocation("two-choice", bins, balls);
    let (naive, ours) = least(
        repetitions,
        || drop(black_box(idiomatic(bins as usize, balls))),
        || run(&model, Engine::Bins),
    );
    let per_ball = 1e9 / balls as f64;
    println!(
        "  idiomatic {:.2} ns/ball, bins engine {:.2} ns/ball: {:.2} times",
        naive * per_ball,
        ours * per_ball,
        naive / ours
    );
}

/// Reads one random byte and increments another, for each pair of indices, with the same
/// look-ahead: what the memory allows, without any decision.
fn read_modify_write(loads: &mut [u8], balls: u64, stream: &mut Stream) -> u64 {
    const BLOCK: usize = 16;
    let bins = loads.len() as u64;
    let mut sum = 0;
    let draw = |stream: &mut Stream, loads: &[u8]| -> [(usize, usize); BLOCK] {
        std::array::from_fn(|_| {
            let word = u128::from(stream.next_word()) * u128::from(bins);
            let (i, rest) = ((word >> 64) as usize, word as u64);
            let j = ((u128::from(rest) * u128::from(bins)) >> 64) as usize;
            prefetch(&loads[i]);
            prefetch(&loads[j]);
            (i, j)
        })
    };
    let mut block = draw(stream, loads);
    for _ in 0..balls / BLOCK as u64 {
        let next = draw(stream, loads);
        for (i, j) in block {
            loads[i] = loads[i].wrapping_add(1);
            sum += u64::from(loads[j]);
        }
        block = next;
    }
    sum
}

fn prefetch(byte: &u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch has no effect but on caches.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(byte).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = byte;
}

fn against_bound(log2_bins: u32, repetitions: usize) {
    let bins = 1_u64 << log2_bins;
    let model = allocation("two-choice", bins, bins);
    let mut table = Buffer::<u8>::zeroed(bins as usize);
    let mut stream = Stream::from_seed(1);
    let (bound, ours) = least(
        repetitions,
        || {
            // The engine also clears its table and counts the loads.
            table.fill(0);
            black_box(read_modify_write(&mut table, bins, &mut stream));
            black_box(table.iter().map(|&load| u64::from(load)).sum::<u64>());
        },
        || run(&model, Engine::Bins),
    );
    let per_ball = 1e9 / bins as f64;
    println!(
        "  bound {:.2} ns/ball, bins engine {:.2} ns/ball: {:.2} times the bound",
        bound * per_ball,
        ours * per_ball,
        ours / bound
    );
}

fn profile_against_bins() {
    let model = allocation("two-choice", 1 << 24, 1 << 24);
    let (bins, profile) = least(9, || run(&model, Engine::Bins), || run(&model, Engine::Profile));
    println!(
        "  bins {:.1} ms, profile {:.2} ms: {:.0} times",
        bins * 1e3,
        profile * 1e3,
        bins / profile
    );
}

fn profile_time(bins: u64, repetitions: usize) {
    for policy in ["two-choice", "choices(3)", "one-plus-beta(0.5)", "left(2)"] {
        let model = allocation(policy, bins, bins);
        let time = (0..repetitions)
            .map(|_| seconds(|| run(&model, Engine::Profile)))
            .fold(f64::INFINITY, f64::min);
        println!("  {policy}: {:.1} ms", time * 1e3);
    }
}

const GRAPH_BINS: u64 = 1 << 24;
const REGULAR: &str = "regular(8, seed=1)";

/// The graph of the rows, as one stores it first: random, 8-regular, the same for both contenders.
fn regular_graph() -> Vec<u32> {
    let spec = GraphSpec::parse(REGULAR).expect("a graph");
    let graph = spec.build(GRAPH_BINS, None, &mut Stream::from_seed(1)).expect("it exists");
    graph.arc_ends().to_vec()
}

/// Puts a ball on the less loaded of two bins, as one writes it first.
fn place(loads: &mut [u32], i: usize, j: usize) {
    if loads[i] <= loads[j] {
        loads[i] += 1;
    } else {
        loads[j] += 1;
    }
}

/// A random vertex, a random neighbour of it.
fn naive_edges(neighbour: impl Fn(usize, &mut SmallRng) -> usize) {
    let mut rng = SmallRng::seed_from_u64(1);
    let mut loads = vec![0_u32; GRAPH_BINS as usize];
    for _ in 0..GRAPH_BINS {
        let i = rng.random_range(0..GRAPH_BINS as usize);
        let j = neighbour(i, &mut rng);
        place(&mut loads, i, j);
    }
    black_box(loads);
}

fn compare(repetitions: usize, balls: u64, naive: impl FnMut(), ours: impl FnMut()) {
    let (naive, ours) = least(repetitions, naive, ours);
    let per_ball = 1e9 / balls as f64;
    let times = naive / ours;
    println!(
        "  naive {:.1} ns/ball, ours {:.1} ns/ball: {times:.2} times",
        naive * per_ball,
        ours * per_ball
    );
}

fn edges_regular() {
    let graph = regular_graph();
    let model = allocation(&format!("edges({REGULAR})"), GRAPH_BINS, GRAPH_BINS);
    // The first run builds the graph.
    run(&model, Engine::Bins);
    let neighbour =
        |i: usize, rng: &mut SmallRng| graph[8 * i + rng.random_range(0..8_usize)] as usize;
    compare(3, GRAPH_BINS, || naive_edges(neighbour), || run(&model, Engine::Bins));
}

fn edges_hypercube() {
    let model = allocation("edges(hypercube)", GRAPH_BINS, GRAPH_BINS);
    let neighbour = |i: usize, rng: &mut SmallRng| i ^ (1 << rng.random_range(0..24));
    compare(5, GRAPH_BINS, || naive_edges(neighbour), || run(&model, Engine::Bins));
}

/// Two walkers, one replication: at each step a uniform neighbour other than the last vertex.
fn naive_walks(graph: &[u32]) {
    let mut rng = SmallRng::seed_from_u64(1);
    let mut loads = vec![0_u32; GRAPH_BINS as usize];
    let mut walkers = [(0, u32::MAX), (GRAPH_BINS as u32 / 2, u32::MAX)];
    for _ in 0..GRAPH_BINS {
        place(&mut loads, walkers[0].0 as usize, walkers[1].0 as usize);
        for (at, from) in &mut walkers {
            let next = loop {
                let next = graph[8 * *at as usize + rng.random_range(0..8_usize)];
                if next != *from {
                    break next;
                }
            };
            (*at, *from) = (next, *at);
        }
    }
    black_box(loads);
}

fn walks() {
    let graph = regular_graph();
    let model = allocation(&format!("walks(2, {REGULAR})"), GRAPH_BINS, GRAPH_BINS);
    let control = Control::default();
    black_box(model.run(Engine::Bins, 0, &control).expect("nobody stops it"));
    let ours = || drop(black_box(model.run_together(Engine::Bins, 0..8, &control)));
    compare(1, 8 * GRAPH_BINS, || (0..8).for_each(|_| naive_walks(&graph)), ours);
}

fn threads(log2_bins: u32, replications: u64) {
    let model = allocation("two-choice", 1 << log2_bins, 1 << log2_bins);
    let work = |threads: u64| {
        std::thread::scope(|scope| {
            for thread in 0..threads {
                let model = &model;
                scope.spawn(move || {
                    for replication in (thread..replications).step_by(threads as usize) {
                        let outcome = model.run(Engine::Bins, replication, &Control::default());
                        black_box(outcome.expect("nobody stops it"));
                    }
                });
            }
        });
    };
    let (one, two) = least(5, || work(1), || work(2));
    println!("  one {:.1} ms, two {:.1} ms: {:.2} times", one * 1e3, two * 1e3, one / two);
}

fn by_policy() {
    for policy in [
        "one-choice",
        "two-choice",
        "choices(2, distinct)",
        "choices(3)",
        "choices(8)",
        "left(2)",
        "left(3)",
        "one-plus-beta(0.5)",
        "memory(1)",
        "threshold(3, 1)",
        "groups(2)",
        "windows(2)",
        "thinning",
        "ring(2)",
        "all",
    ] {
        let model = allocation(policy, 1 << 20, 1 << 20);
        let time =
            (0..5).map(|_| seconds(|| run(&model, Engine::Bins))).fold(f64::INFINITY, f64::min);
        println!("  {policy}: {:.1} ns/ball", time * 1e9 / f64::from(1 << 20));
    }
}
