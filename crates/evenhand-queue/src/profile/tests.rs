//! The skipping form at few servers, against single steps: the law of every count at a time, of
//! two counts together, and of averages over steps.
//!
//! Each case makes up to a dozen two-sample tests at probability 1e-9: a false alarm is below
//! 1e-6 for each test function.

use evenhand_core::Streams;
use evenhand_sim::Keys;
use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::sequential::Sequential;
use super::skipping::Skipping;
use super::{Form, Source};
use crate::markov::{Steps, Tally};

const LEAST_P: f64 = 1e-9;
const LEAST_CELL: f64 = 150.0;

/// What a run ends with: counts, and averages over steps.
struct End {
    counts: Vec<u64>,
    averages: Vec<f64>,
}

#[derive(Clone, Copy)]
struct Case {
    servers: u64,
    keys: fn(u64) -> Keys,
    load: f64,
    buffer: Option<u32>,
    steps: u64,
    runs: u64,
}

impl Case {
    fn source(&self, seed: u64) -> Source {
        let streams = Streams::from_seed(seed);
        Source {
            keys: (self.keys)(self.servers),
            servers: self.servers,
            buffer: self.buffer,
            arrival_share: self.load / (1.0 + self.load),
            steps: streams.rule.clone(),
            policy: Streams { sample: streams.sample.clone(), rule: streams.sample },
        }
    }

    fn ends<F: Form>(&self, form: impl Fn(Source) -> F, seed: u64) -> Vec<End> {
        (0..self.runs).map(|run| self.end(&mut form(self.source(seed + run)))).collect()
    }

    /// From empty, in three pieces, as a run with records on the way.
    fn end(&self, form: &mut impl Form) -> End {
        let mut tally = Tally::new(vec![self.servers]);
        tally.start_counting();
        for _ in 0..3 {
            let mut left = self.steps / 3;
            while left > 0 {
                left -= form.go(Steps { steps: left, arrivals: u64::MAX }, &mut tally).steps;
            }
        }
        let averages = tally.averages(1.0, 1.0);
        End { counts: tally.at_least().to_vec(), averages }
    }

    fn check(&self) {
        self.check_with(Skipping::new);
    }

    fn check_with(&self, skipping: impl Fn(Source) -> Skipping) {
        let fast = self.ends(skipping, 1);
        let slow = self.ends(Sequential::new, 1 << 40);
        let levels = fast.iter().chain(&slow).map(|end| end.counts.len()).max().unwrap();
        let count = |end: &End, level: usize| end.counts.get(level).map_or(0, |&c| c as i64);
        for level in 1..levels {
            same_law(&fast, &slow, &format!("count {level}"), |end| count(end, level));
            same_law(&fast, &slow, &format!("counts {level} + next"), |end| {
                count(end, level) + count(end, level + 1)
            });
            same_mean(&fast, &slow, &format!("average {level}"), |end| {
                end.averages.get(level).copied().unwrap_or(0.0)
            });
        }
        let mean = fast.iter().map(|end| count(end, 1)).sum::<i64>() / self.runs as i64;
        let next = fast.iter().map(|end| count(end, 2)).sum::<i64>() / self.runs as i64;
        same_law(&fast, &slow, "counts 1 and 2", |end| {
            (count(end, 1) - mean) * (count(end, 2) - next)
        });
    }
}

/// Two-sample chi-square of a statistic; neighbouring values are merged to cells.
fn same_law(a: &[End], b: &[End], what: &str, statistic: impl Fn(&End) -> i64) {
    let mut values: Vec<(i64, bool)> = Vec::new();
    values.extend(a.iter().map(|end| (statistic(end), true)));
    values.extend(b.iter().map(|end| (statistic(end), false)));
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

/// Means within 6.2 standard errors (1e-9), and variances within 8 of theirs: the average of
/// expectations has a variance that is less by a share of order 1 / (steps per gap).
fn same_mean(a: &[End], b: &[End], what: &str, statistic: impl Fn(&End) -> f64) {
    let moments = |ends: &[End]| {
        let n = ends.len() as f64;
        let mean = ends.iter().map(&statistic).sum::<f64>() / n;
        let central = |k| ends.iter().map(|end| (statistic(end) - mean).powi(k)).sum::<f64>() / n;
        (mean, central(2), (central(4) - central(2).powi(2)) / n)
    };
    let ((mean_a, var_a, error_a), (mean_b, var_b, error_b)) = (moments(a), moments(b));
    let error = ((var_a + var_b) / a.len() as f64).sqrt();
    assert!((mean_a - mean_b).abs() <= 6.2 * error, "{what}: {mean_a} {mean_b} +- {error}");
    let error = (error_a + error_b).sqrt();
    assert!((var_a - var_b).abs() <= 8.0 * error, "{what}: variances {var_a} {var_b} +- {error}");
}

#[test]
fn two_choices() {
    let keys = |servers| Keys::of(&policy("two-choice"), servers).unwrap();
    Case { servers: 1000, keys, load: 0.9, buffer: None, steps: 9_000, runs: 4_000 }.check();
}

#[test]
fn distinct_choices_and_many_servers() {
    let keys = |servers| Keys::of(&policy("choices(3, distinct)"), servers).unwrap();
    Case { servers: 10_000, keys, load: 0.95, buffer: None, steps: 15_000, runs: 4_000 }.check();
}

/// Counts rise fast from empty: what a horizon assumes of its steps shows most.
#[test]
fn a_short_time_from_empty() {
    let keys = |servers| Keys::of(&policy("two-choice"), servers).unwrap();
    Case { servers: 10_000, keys, load: 0.9, buffer: None, steps: 900, runs: 8_000 }.check();
    let keys = |servers| Keys::of(&policy("one-choice"), servers).unwrap();
    Case { servers: 1_000, keys, load: 4.0, buffer: None, steps: 600, runs: 30_000 }.check();
}

/// Budgets that do not even hold the mean: horizons end early, in the middle of a gap.
#[test]
fn exceeded_budgets() {
    let keys = |servers| Keys::of(&policy("two-choice"), servers).unwrap();
    let case = Case { servers: 500, keys, load: 0.9, buffer: None, steps: 4_500, runs: 4_000 };
    case.check_with(|source| Skipping::with_slack(source, Some(-0.5)));
}

/// Horizons as long as the whole system.
#[test]
fn few_servers() {
    let keys = |servers| Keys::of(&policy("one-plus-beta(0.5)"), servers).unwrap();
    Case { servers: 50, keys, load: 0.9, buffer: None, steps: 2_000, runs: 4_000 }.check();
}

#[test]
fn full_servers_lose_jobs() {
    let keys = |servers| Keys::of(&policy("one-choice"), servers).unwrap();
    Case { servers: 300, keys, load: 1.5, buffer: Some(3), steps: 3_000, runs: 4_000 }.check();
}

fn policy(source: &str) -> evenhand_policies::PolicySpec {
    evenhand_policies::PolicySpec::parse(source).unwrap()
}
