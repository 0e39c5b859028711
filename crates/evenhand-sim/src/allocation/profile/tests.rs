//! The skipping form at few bins, against one ball at a time: the law of every level, of the
//! maximum load, and of two levels together.
//!
//! Each case makes up to a dozen two-sample chi-square tests at probability 1e-9 over cells of at
//! least 200; with the skewness of counts a false alarm is below 2e-8 each, below 1e-6 for each
//! test function.

use evenhand_core::Streams;
use evenhand_policies::catalogue::Left;
use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::keys::{Keys, Levels};
use super::skipping::{Ladder, Skipping};
use super::{Profile, block, left};

const RUNS: u64 = 20_000;
const LEAST_P: f64 = 1e-9;
const LEAST_CELL: f64 = 200.0;

/// Profiles after so many balls, of many runs.
fn profiles<P: Profile>(start: impl Fn(Streams) -> P, seed: u64, balls: u64) -> Vec<Vec<u64>> {
    (0..RUNS)
        .map(|run| {
            let mut process = start(Streams::from_seed(seed + run));
            // In pieces, as an engine that records on the way does.
            process.throw(balls / 3);
            process.throw(balls - balls / 3);
            assert_eq!(process.balls(), balls);
            process.at_least()
        })
        .collect()
}

fn skipping<L: Ladder>(ladder: L, bins: u64, streams: Streams) -> Skipping<L> {
    Skipping::new(ladder, bins, streams.sample)
}

fn count(profile: &[u64], level: usize) -> i64 {
    profile.get(level).map_or(0, |&count| count as i64)
}

/// Two-sample chi-square of a statistic of profiles; neighbouring values are merged to cells.
fn assert_one_law(a: &[Vec<u64>], b: &[Vec<u64>], what: &str, statistic: impl Fn(&[u64]) -> i64) {
    let mut values: Vec<(i64, bool)> = Vec::new();
    values.extend(a.iter().map(|profile| (statistic(profile), true)));
    values.extend(b.iter().map(|profile| (statistic(profile), false)));
    values.sort_unstable();
    let mut cells: Vec<(f64, f64)> = Vec::new();
    let mut open = (0.0, 0.0);
    for same in values.chunk_by(|x, y| x.0 == y.0) {
        let of_a = same.iter().filter(|value| value.1).count() as f64;
        open = (open.0 + of_a, open.1 + same.len() as f64 - of_a);
        if open.0 + open.1 >= LEAST_CELL {
            cells.push(std::mem::take(&mut open));
        }
    }
    match cells.last_mut() {
        Some(last) => *last = (last.0 + open.0, last.1 + open.1),
        None => return,
    }
    if cells.len() < 2 {
        return;
    }
    let chi2 = cells.iter().map(|(a, b)| (a - b).powi(2) / (a + b)).sum();
    let law = ChiSquared::new((cells.len() - 1) as f64).unwrap();
    let p = law.sf(chi2);
    assert!(p > LEAST_P, "{what}: chi-square {chi2} over {} cells, p = {p}", cells.len());
}

fn assert_same_law(a: &[Vec<u64>], b: &[Vec<u64>], what: &str) {
    let levels = a.iter().chain(b).map(Vec::len).max().unwrap();
    for level in 1..levels {
        assert_one_law(a, b, &format!("{what}, level {level}"), |p| count(p, level));
    }
    assert_one_law(a, b, &format!("{what}, maximum load"), |p| p.len() as i64);
    // Joint: the product of deviations of two levels shows a wrong correlation between them.
    let mean = |level: usize| a.iter().map(|p| count(p, level)).sum::<i64>() / RUNS as i64;
    for level in 1..levels - 1 {
        let (low, high) = (mean(level), mean(level + 1));
        assert_one_law(a, b, &format!("{what}, levels {level} and {}", level + 1), |p| {
            (count(p, level) - low) * (count(p, level + 1) - high)
        });
        assert_one_law(a, b, &format!("{what}, levels {level} + {}", level + 1), |p| {
            count(p, level) + count(p, level + 1)
        });
    }
}

fn balls_of(bins: u64) -> [u64; 3] {
    [bins / 2, bins, 4 * bins]
}

fn check_keys(bins: u64, keys: &Keys) {
    for balls in balls_of(bins) {
        let fast = |s| skipping(Levels::new(keys.clone(), bins), bins, s);
        let slow = |s| block::Blocks::new(keys.clone(), bins, s);
        let (fast, slow) = (profiles(fast, 1, balls), profiles(slow, 1 << 40, balls));
        assert_same_law(&fast, &slow, &format!("{keys:?}, {balls} balls"));
    }
}

fn check_left(bins: u64, d: u32) {
    let policy = Left { d };
    for balls in balls_of(bins) {
        let fast = |s| skipping(left::Blocks::new(&policy, bins), bins, s);
        let slow = |s: Streams| left::Sequential::new(&policy, bins, s.sample);
        let (fast, slow) = (profiles(fast, 1, balls), profiles(slow, 1 << 40, balls));
        assert_same_law(&fast, &slow, &format!("left({d}), {bins} bins, {balls} balls"));
    }
}

#[test]
fn independent_choices() {
    for d in [1, 2, 3] {
        check_keys(200, &Keys::independent(200, d));
    }
    check_keys(1001, &Keys::independent(1001, 2));
}

#[test]
fn distinct_choices() {
    for d in [2, 3] {
        check_keys(30, &Keys::distinct(30, d));
        check_keys(200, &Keys::distinct(200, d));
    }
}

#[test]
fn one_plus_beta() {
    check_keys(300, &Keys::coin(300, 2, 0.5));
    check_keys(300, &Keys::coin(300, 3, 0.2));
}

#[test]
fn always_go_left() {
    check_left(200, 2);
    check_left(201, 2);
    check_left(301, 3);
}

/// Horizons as long as the whole system, and one bin.
#[test]
fn very_few_bins() {
    for bins in [1, 2, 3, 10] {
        check_keys(bins, &Keys::independent(bins, 2));
    }
    check_left(2, 2);
    check_left(3, 2);
    check_left(7, 3);
}

/// Many balls a bin: levels fill up under the horizon.
#[test]
fn heavily_loaded() {
    let keys = Keys::independent(50, 2);
    let balls = 2500;
    let fast = profiles(|s| skipping(Levels::new(keys.clone(), 50), 50, s), 1, balls);
    let slow = profiles(|s| block::Blocks::new(keys.clone(), 50, s), 1 << 40, balls);
    assert_same_law(&fast, &slow, "two choices, 50 balls a bin");
}
