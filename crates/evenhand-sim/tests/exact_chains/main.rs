//! Both engines against exact laws of small systems.
//!
//! The exact law of the loads is found by going through every outcome of every ball: all tuples
//! of draws, all ties. Nothing of the product's code is used for it.
//!
//! False alarms: per policy and engine one chi-square test (at most 2e-8) and a few means at 6
//! standard errors (at most 1e-8 each, with skewness); in all below 1e-6 for each test function.

mod chains;
#[path = "../common/mod.rs"]
mod common;

use chains::*;
use common::*;

const RUNS: u64 = 40_000;

/// Standard errors that a mean may be off.
const SIGMAS: f64 = 6.0;

/// What is known exactly: P(max load = k), and E[fraction of bins with load >= i].
struct Exact {
    max_load: Vec<f64>,
    at_least: Vec<f64>,
}

impl Exact {
    fn of(chain: &Chain, balls: u32) -> Self {
        let mut exact = Self {
            max_load: vec![0.0; balls as usize + 1],
            at_least: vec![0.0; balls as usize + 1],
        };
        for (loads, p) in chain.after(balls) {
            let max_load = loads.iter().map(|bin| bin.0).max().unwrap();
            exact.max_load[max_load as usize] += p;
            for level in 0..=balls {
                let bins = loads.iter().filter(|bin| bin.0 >= level).count();
                exact.at_least[level as usize] += p * bins as f64 / loads.len() as f64;
            }
        }
        exact
    }

    /// Compares with all engines that can run the policy.
    fn check(&self, policy: &str, bins: u64, balls: u64) {
        let model = model(policy, bins, balls);
        for engine in engines(&model) {
            let outcomes: Vec<_> = replications(&model, engine, RUNS).collect();
            let counts = max_loads(outcomes.iter().cloned());
            let p = p_against_exact(&counts, &self.max_load);
            assert!(p > LEAST_P, "{policy} n={bins} m={balls} {engine:?}: max load, p = {p}");
            for (level, x) in self.at_least.iter().enumerate().skip(1) {
                // Means of rarer events than this are too skewed; the maximum load covers them.
                let rare = |x: f64| x > 1e-12 && x * bins as f64 * (RUNS as f64) < 1000.0;
                if rare(*x) || rare(1.0 - x) {
                    continue;
                }
                let seen: Mean =
                    outcomes.iter().map(|o| at_least(o, level) / bins as f64).collect();
                let off = (seen.value() - x).abs();
                assert!(
                    off <= SIGMAS * seen.standard_error() + 1e-12,
                    "{policy} n={bins} m={balls} {engine:?}: x_{level} = {seen:?}, exact {x}"
                );
            }
        }
    }
}

fn check(policy: &str, chain: &Chain, balls: u32) {
    let bins = chain.alike.iter().sum::<usize>() as u64;
    Exact::of(chain, balls).check(policy, bins, balls.into());
}

#[test]
fn choices_with_replacement() {
    for (bins, balls) in [(1, 5), (2, 7), (5, 3), (8, 8), (6, 14)] {
        check("choices(1)", &choices(bins, 1), balls);
        check("choices(2)", &choices(bins, 2), balls);
        check("choices(3)", &choices(bins, 3), balls);
    }
    check("choices(2, ties=first)", &choices(8, 2), 8);
    check("choices(5)", &choices(4, 5), 9);
}

#[test]
fn choices_without_replacement() {
    for (bins, balls) in [(3, 5), (4, 4), (8, 8), (6, 14)] {
        check("choices(2, distinct)", &distinct(bins, 2), balls);
        check("choices(3, distinct)", &distinct(bins, 3), balls);
    }
    check("choices(4, distinct)", &distinct(4, 4), 6);
}

#[test]
fn one_plus_beta_and_threshold() {
    check("one-plus-beta(0.5)", &one_plus_beta(8, 0.5, 2), 8);
    check("one-plus-beta(0.3, d=3)", &one_plus_beta(5, 0.3, 3), 11);
    check("one-plus-beta(0)", &choices(5, 1), 6);
    check("one-plus-beta(1)", &choices(5, 2), 6);
    check("threshold(2, 0)", &threshold(8, 2, 0), 8);
    check("threshold(3, 1)", &threshold(6, 3, 1), 12);
    check("threshold(4, 2)", &threshold(4, 4, 2), 10);
}

#[test]
fn always_go_left() {
    check("left(1)", &choices(5, 1), 6);
    check("left(2)", &left(&[4, 4]), 8);
    check("left(2)", &left(&[3, 4]), 14);
    check("left(2)", &left(&[1, 2]), 8);
    check("left(3)", &left(&[2, 2, 2]), 9);
    check("left(3)", &left(&[2, 3, 3]), 8);
    check("left(3)", &left(&[2, 2, 3]), 12);
    check("left(4)", &left(&[1, 1, 1, 2]), 9);
}

#[test]
fn groups_and_windows() {
    check("groups(2)", &grouped(8, aligned(8, 2), 2, total_of), 8);
    check("groups(3)", &grouped(6, aligned(6, 3), 2, total_of), 9);
    check("groups(2, count=3)", &grouped(6, aligned(6, 2), 3, total_of), 9);
    check("groups(2, compare=least)", &grouped(8, aligned(8, 2), 2, least_of), 8);
    check("groups(3, compare=least)", &grouped(6, aligned(6, 3), 2, least_of), 9);
    check("groups(2, count=3, compare=least)", &grouped(6, aligned(6, 2), 3, least_of), 9);
    check("windows(2)", &least_of_windows(7, 2), 7);
    check("windows(3)", &least_of_windows(5, 3), 8);
    check("windows(2, compare=total)", &grouped(7, windows(7, 2), 2, total_of), 7);
    check("windows(3, compare=total)", &grouped(5, windows(5, 3), 2, total_of), 8);
}

#[test]
fn with_memory() {
    for (bins, balls) in [(1, 4), (2, 6), (5, 9), (8, 8)] {
        check("memory(1)", &memory(bins, 1, 1), balls);
    }
    check("memory(2)", &memory(6, 2, 1), 9);
    check("memory(3)", &memory(4, 3, 1), 8);
    check("memory(1, m=2)", &memory(6, 1, 2), 8);
    check("memory(2, m=2)", &memory(5, 2, 2), 8);
    check("memory(2, m=3)", &memory(2, 2, 3), 6);
}

#[test]
fn around_the_average() {
    check("thinning", &thinning(8), 8);
    check("thinning", &thinning(5), 13);
    check("twinning", &twinning(8, 8), 8);
    check("twinning", &twinning(5, 14), 14);
    check("packing", &packing(8, 8), 8);
    check("packing", &packing(5, 17), 17);
}

/// Policy, bins, balls, least maximum load, P(max load) from there on, fractions from level 1 on.
type Known = (&'static str, u64, u64, usize, &'static [f64], [f64; 4]);

/// Known values, computed once by a program of another author in another language (exact chains
/// on partitions, double precision): P(max load = k) from the least k on, then E[fraction of bins
/// with load >= i] for i = 1..=4.
#[test]
fn independent_computation() {
    let known: [Known; 6] = [
        (
            "choices(1)",
            16,
            16,
            1,
            &[
                1.1342267125513672e-06,
                0.1948411775023282,
                0.5740020227024689,
                0.1940818891730102,
                0.03265706960555004,
                0.004004861696589659,
                0.00038145823657090294,
            ],
            [0.6439258695482075, 0.2641134637329619, 0.07420726082533881, 0.015125331031856062],
        ),
        (
            "choices(2)",
            8,
            8,
            1,
            &[0.0371663409168832, 0.9066416972700608, 0.05546279135160148, 0.0007225547863072279],
            [0.7828570274786841, 0.2099339617432463, 0.0071170258561039645, 9.11529309917114e-05],
        ),
        (
            "choices(2)",
            16,
            16,
            1,
            &[0.0003866360154283716, 0.879060158787428, 0.11953327570482221, 0.0010135939900102412],
            [0.7718887420190198, 0.22010590515829695, 0.007941137791078414, 6.381697999591904e-05],
        ),
        (
            "choices(2, distinct)",
            16,
            16,
            1,
            &[0.0005254016704663138, 0.9292183844853564, 0.07023850016671797, 1.77132393208e-05],
            [0.7797807857326479, 0.2156523567624875, 0.004565744206588717, 1.1132707892233965e-06],
        ),
        (
            "choices(3)",
            8,
            16,
            2,
            &[0.10104225217170912, 0.8916224795173552, 0.007324197748189429, 1.105510385169e-05],
            [0.9929790515220664, 0.8367358686544251, 0.16936172471768118, 0.0009219692366073238],
        ),
        (
            "one-plus-beta(0.5)",
            16,
            16,
            1,
            &[
                2.9508422982560625e-05,
                0.4822079415318728,
                0.45495058571551417,
                0.05799271777002762,
                0.004533577673386447,
                0.00027227712527315385,
            ],
            [0.7096304131391639, 0.24662078277177188, 0.03945367148530889, 0.00397506992715995],
        ),
    ];
    for (policy, bins, balls, first, max_load, at_least) in known {
        let max_load = [vec![0.0; first], max_load.to_vec()].concat();
        let at_least = [vec![1.0], at_least.to_vec()].concat();
        Exact { max_load, at_least }.check(policy, bins, balls);
    }
}

/// The chains of this file against that other program's values, to rounding.
#[test]
fn chains_agree_with_the_independent_computation() {
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
    let two = Exact::of(&choices(8, 2), 8);
    close(two.max_load[2], 0.9066416972700608);
    close(two.at_least[3], 0.0071170258561039645);
    let three = Exact::of(&choices(8, 3), 16);
    close(three.max_load[3], 0.8916224795173552);
    close(three.at_least[2], 0.8367358686544251);
}

/// With and without replacement are two laws, and the engines tell them apart at n = 4.
#[test]
fn replacement_matters() {
    let (with, without) = (Exact::of(&choices(4, 2), 4), Exact::of(&distinct(4, 2), 4));
    assert!((with.at_least[1] - without.at_least[1]).abs() > 0.01);
    for (policy, own, other) in
        [("choices(2)", &with, &without), ("choices(2, distinct)", &without, &with)]
    {
        own.check(policy, 4, 4);
        let model = model(policy, 4, 4);
        for engine in engines(&model) {
            let empty: Mean =
                replications(&model, engine, RUNS).map(|o| at_least(&o, 1) / 4.0).collect();
            let off = (empty.value() - other.at_least[1]).abs() / empty.standard_error();
            assert!(off > 2.0 * SIGMAS, "{policy} {engine:?}: {off} standard errors");
        }
    }
}
