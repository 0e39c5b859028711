//! Policies on graphs: maximum loads computed by independent programs or published, and the exact
//! law on a cycle of four.
//!
//! Percentages are compared by a two-sample chi-square test at probability 1e-9 (at most 2e-8
//! with the skewness of counts), means within 6 combined standard errors (from 30 runs or more of
//! a maximum that takes two or three values: below 1e-7 each). False alarms: below 1e-6 for each
//! test function.

mod common;

use std::collections::BTreeMap;

use common::*;
use evenhand_sim::Engine;

const SIGMAS: f64 = 6.0;

fn maxima(policy: &str, bins: u64, balls: u64, runs: u64) -> Vec<f64> {
    let model = model(policy, bins, balls);
    replications(&model, Engine::Bins, runs).map(|outcome| outcome.max_load).collect()
}

/// Compares a mean maximum load with another one of this standard error.
#[track_caller]
fn check_mean(policy: &str, bins: u64, balls: u64, runs: u64, expected: f64, error: f64) {
    let mean: Mean = maxima(policy, bins, balls, runs).into_iter().collect();
    let bound = SIGMAS * mean.standard_error().hypot(error);
    let off = (mean.value() - expected).abs();
    assert!(off < bound, "{policy} n={bins} m={balls}: {mean:?}, expected {expected}");
}

/// n balls on the ends of random edges of graphs of 2^12 to 2^16 vertices: independent simulation,
/// with 1.3 times the half-width of its 95 % interval.
#[test]
fn edges_of_large_graphs() {
    for (graph, log2_bins, runs, expected, half_width) in [
        ("ring", 14, 150, 4.129, 0.027_76),
        ("ring", 16, 60, 4.4, 0.063_64),
        ("torus", 14, 150, 3.934, 0.023_81),
        ("torus", 16, 60, 4.027_5, 0.021_36),
        ("hypercube", 14, 150, 3.331, 0.038_44),
        ("hypercube", 16, 60, 3.725, 0.057_46),
        ("complete", 12, 300, 3.026, 0.009_57),
        ("complete", 14, 150, 3.095, 0.024_14),
        ("complete", 16, 60, 3.317_5, 0.059_88),
        ("regular(4)", 12, 150, 3.462_5, 0.029_03),
        ("regular(4)", 14, 30, 3.913, 0.024_88),
        ("regular(4)", 16, 30, 4.05, 0.029_73),
        ("regular(10)", 12, 100, 3.148, 0.020_74),
        ("regular(10)", 14, 30, 3.438, 0.040_66),
        ("regular(10)", 16, 30, 3.895, 0.041_63),
    ] {
        let (policy, bins) = (format!("edges({graph})"), 1 << log2_bins);
        // 30 runs that all agree would have no error.
        let error = f64::hypot(half_width / 1.3 / 1.96, 0.5 / 30.0);
        check_mean(&policy, bins, bins, runs, expected, error);
    }
}

/// Percentages of runs with each maximum load: independent simulation of 50,000, 20,000 and 1,000
/// runs with 2^8, 2^12 and 2^16 bins.
#[test]
fn percentages_of_edges_of_the_cycle_and_the_torus() {
    type Row = (&'static str, u32, f64, u64, &'static [(usize, f64)]);
    let rows: [Row; 6] = [
        ("ring", 8, 5e4, 20_000, &[(2, 0.61), (3, 86.29), (4, 12.93), (5, 0.16)]),
        ("ring", 12, 2e4, 1_500, &[(3, 9.08), (4, 87.57), (5, 3.31), (6, 0.04)]),
        ("ring", 16, 1e3, 150, &[(4, 60.0), (5, 39.0), (6, 1.0)]),
        ("torus", 8, 5e4, 20_000, &[(2, 2.79), (3, 93.66), (4, 3.54), (5, 0.01)]),
        ("torus", 12, 2e4, 1_500, &[(3, 52.38), (4, 47.42), (5, 0.20)]),
        ("torus", 16, 1e3, 150, &[(4, 97.4), (5, 2.6)]),
    ];
    for (graph, log2_bins, their_runs, runs, percent) in rows {
        let bins = 1 << log2_bins;
        let mut theirs = Vec::new();
        for &(load, percent) in percent {
            theirs.resize(load + 1, 0.0);
            theirs[load] = (percent / 100.0 * their_runs).round();
        }
        let model = model(&format!("edges({graph})"), bins, bins);
        let ours = max_loads(replications(&model, Engine::Bins, runs));
        let p = p_of_two_samples(&ours, &theirs);
        assert!(p > LEAST_P, "{graph} n=2^{log2_bins}: p = {p}, {ours:?} against {theirs:?}");
    }
}

/// Mean maximum loads on random regular graphs and without a graph, from the same source. Their
/// maxima take two or three values, so that their standard deviation is at most 0.6; the digits
/// left out are within a standard error of these runs.
#[test]
fn means_of_edges_of_random_regular_graphs() {
    let sizes = [(8, 5e4, 1_000), (12, 2e4, 100), (16, 1e3, 30)];
    for (graph, means) in [
        ("regular(3)", [3.047, 3.676, 4.07]),
        ("regular(4)", [3.012, 3.446, 4.02]),
        ("regular(8)", [2.953, 3.191, 3.95]),
        ("regular(16)", [2.921, 3.080, 3.76]),
        ("complete", [2.893, 3.024, 3.300]),
    ] {
        for ((log2_bins, their_runs, runs), expected) in sizes.into_iter().zip(means) {
            let error = 0.6 / f64::sqrt(their_runs);
            let bins = 1 << log2_bins;
            check_mean(&format!("edges({graph})"), bins, bins, runs, expected, error);
        }
    }
}

/// Small graphs, with the half-widths of 95 % intervals: V. Kasandor, dissertation, University of
/// Cambridge, "graphical two-choice" with the greedy strategy. The torus of 4 x 4 is the hypercube.
#[test]
fn published_means_on_small_graphs() {
    for (graph, bins, balls, expected, half_width) in [
        ("ring", 4, 25, 7.04, 0.03),
        ("hypercube", 4, 25, 7.04, 0.03),
        ("complete", 4, 25, 7.17, 0.06),
        ("ring", 16, 50, 4.74, 0.08),
        ("hypercube", 16, 50, 4.47, 0.11),
        ("torus", 16, 50, 4.47, 0.11),
        ("complete", 16, 50, 4.39, 0.07),
        ("ring", 32, 32, 2.46, 0.10),
        ("hypercube", 32, 32, 2.34, 0.09),
        ("complete", 32, 32, 2.26, 0.06),
    ] {
        let policy = format!("edges({graph})");
        check_mean(&policy, bins, balls, 2_000, expected, half_width / 1.96);
    }
}

/// Loads of the four bins of a cycle, and in how many of the 8^balls equally likely courses
/// (an edge and a side for each ball) they come about.
type Courses = BTreeMap<[u32; 4], u128>;

/// From these loads on, every ball goes to the less loaded end of an edge, ties to its side.
fn after(start: [u32; 4], balls: u32) -> Courses {
    let mut courses = Courses::from([(start, 1)]);
    for _ in 0..balls {
        let mut next = Courses::new();
        for (loads, count) in courses {
            for (edge, side) in (0..4).flat_map(|edge| [(edge, 0), (edge, 1)]) {
                let ends = [edge, (edge + 1) % 4];
                let [first, second] = ends.map(|end: usize| loads[end]);
                let chosen = match first.cmp(&second) {
                    std::cmp::Ordering::Less => ends[0],
                    std::cmp::Ordering::Greater => ends[1],
                    std::cmp::Ordering::Equal => ends[side],
                };
                let mut after = loads;
                after[chosen] += 1;
                *next.entry(after).or_default() += count;
            }
        }
        courses = next;
    }
    courses
}

fn greatest(loads: [u32; 4]) -> u32 {
    loads.into_iter().max().unwrap_or(0)
}

/// Courses with each maximum load, of 8^balls.
fn courses_with_maximum(courses: &Courses) -> BTreeMap<u32, u128> {
    let mut with = BTreeMap::new();
    for (&loads, count) in courses {
        *with.entry(greatest(loads)).or_default() += count;
    }
    with
}

/// The law of the maximum load.
fn law(balls: u32) -> Vec<f64> {
    let all = 8_f64.powi(balls as i32);
    let with = courses_with_maximum(&after([0; 4], balls));
    (0..=balls).map(|load| with.get(&load).map_or(0.0, |&count| count as f64 / all)).collect()
}

/// Two balls of three on neighbours happen with 3/4, and then the third meets a tie of the two
/// with 1/4: a maximum of 2 with 3/16. With (2, 0, 1, 0), a ball for the second or third bin and
/// two more to come, the greedy choice (the second bin) is not the best one.
#[test]
fn the_exact_law_on_a_cycle_of_four() {
    let with = courses_with_maximum(&after([0; 4], 2));
    assert_eq!(with, BTreeMap::from([(1, 64)]));
    let with = courses_with_maximum(&after([0; 4], 3));
    assert_eq!(with, BTreeMap::from([(1, 512 * 13 / 16), (2, 512 * 3 / 16)]));
    let sixty_fourths = |start| -> u128 {
        after(start, 2).iter().map(|(&loads, count)| u128::from(greatest(loads)) * count).sum()
    };
    assert_eq!(sixty_fourths([2, 0, 2, 0]), 128);
    assert_eq!(sixty_fourths([2, 1, 1, 0]), 134);
    for balls in [3, 4, 6, 8, 12, 25] {
        let exact = law(balls);
        for policy in ["edges(ring)", "edges(hypercube)", "edges(circulant(1))"] {
            let model = model(policy, 4, balls.into());
            let counts = max_loads(replications(&model, Engine::Bins, 40_000));
            let p = p_against_exact(&counts, &exact);
            assert!(p > LEAST_P, "{policy} m={balls}: p = {p}, {counts:?}, exact {exact:?}");
        }
    }
    // The published mean of 25 balls, with its standard error.
    let mean: f64 = law(25).iter().enumerate().map(|(load, p)| load as f64 * p).sum();
    assert!((mean - 7.04).abs() < SIGMAS * 0.03 / 1.96, "{mean}");
}

/// On random regular graphs non-backtracking walkers give the maximum load of free choice (Tang,
/// Subramanian 2019), within the errors of 150 runs and 0.02 for the size of the graph. One
/// walker that may turn back visits some vertex log n times, and one that may not, as often as one
/// free choice (Alon, Benjamini, Lubetzky, Sodin 2007).
#[test]
fn walkers_against_free_choice() {
    let mean = |policy: &str| -> Mean { maxima(policy, 4096, 4096, 150).into_iter().collect() };
    for d in [2, 3] {
        let free = mean(&format!("choices({d})"));
        for k in [3, 16] {
            let walkers = mean(&format!("walks({d}, regular({k}))"));
            let bound = SIGMAS * walkers.standard_error().hypot(free.standard_error()) + 0.02;
            let off = (walkers.value() - free.value()).abs();
            assert!(off < bound, "d={d} k={k}: {walkers:?} {free:?}");
        }
    }
    let simple = mean("walks(1, regular(4), step=simple)");
    assert!(simple.value() > mean("walks(1, regular(4))").value() + 3.0, "{simple:?}");
}
