//! What the statistical tests share: running replications, and comparing with what is known.
//!
//! All seeds are fixed, so a test that passes once passes always; the false-alarm rates say how
//! likely it was to fail at the first run of correct code.

// Each test file is a crate of its own and uses a part of this.
#![allow(dead_code)]

use evenhand_policies::PolicySpec;
use evenhand_sim::{Allocation, Control, Engine, Outcome};
use statrs::distribution::{ChiSquared, ContinuousCDF};

/// The least probability of a chi-square statistic that passes. With the least cells below, the
/// skewness of counts raises the false-alarm rate from 1e-9 to at most 2e-8.
pub(crate) const LEAST_P: f64 = 1e-9;

/// Least expected count of a cell; smaller ones are merged with their neighbours.
const LEAST_CELL: f64 = 200.0;

/// A model with this policy expression.
pub(crate) fn model(policy: &str, bins: u64, balls: u64) -> Allocation {
    Allocation::new(PolicySpec::parse(policy).expect("a policy"), bins, balls)
}

/// The engines that can run the model.
pub(crate) fn engines(model: &Allocation) -> Vec<Engine> {
    let all = [Engine::Bins, Engine::Profile];
    all.into_iter().filter(|&engine| model.unsupported(engine).is_none()).collect()
}

/// Replications from number 0 on.
pub(crate) fn replications(
    model: &Allocation,
    engine: Engine,
    count: u64,
) -> impl Iterator<Item = Outcome> {
    assert_eq!(model.check(), [], "{}", model.policy);
    let control = Control::default();
    (0..count).map(move |number| model.run(engine, number, &control).expect("nobody stops it"))
}

/// Number of bins with load at least `level`, of unit balls.
pub(crate) fn at_least(outcome: &Outcome, level: usize) -> f64 {
    let counts = outcome.at_least.as_ref().expect("unit balls");
    counts.get(level).copied().unwrap_or(0) as f64
}

/// Number of replications with each maximum load.
pub(crate) fn max_loads(outcomes: impl Iterator<Item = Outcome>) -> Vec<f64> {
    let mut counts = Vec::new();
    for outcome in outcomes {
        count(&mut counts, outcome.max_load as usize);
    }
    counts
}

/// Counts one more `value`.
pub(crate) fn count(counts: &mut Vec<f64>, value: usize) {
    if counts.len() <= value {
        counts.resize(value + 1, 0.0);
    }
    counts[value] += 1.0;
}

/// A mean and its standard error.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mean {
    n: f64,
    sum: f64,
    squares: f64,
}

impl Mean {
    /// Adds one observation.
    pub(crate) fn add(&mut self, x: f64) {
        self.n += 1.0;
        self.sum += x;
        self.squares += x * x;
    }

    /// The mean.
    pub(crate) fn value(&self) -> f64 {
        self.sum / self.n
    }

    /// Standard error of the mean, from the sample.
    pub(crate) fn standard_error(&self) -> f64 {
        let variance = (self.squares - self.sum * self.value()) / (self.n - 1.0);
        (variance.max(0.0) / self.n).sqrt()
    }
}

impl FromIterator<f64> for Mean {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        let mut mean = Self::default();
        values.into_iter().for_each(|x| mean.add(x));
        mean
    }
}

/// Probability of a chi-square statistic at least as great.
fn chi_square_p(statistic: f64, cells: usize) -> f64 {
    if cells < 2 {
        return 1.0;
    }
    let law = ChiSquared::new((cells - 1) as f64).expect("at least one degree of freedom");
    law.sf(statistic)
}

/// Merges neighbouring cells of pairs until the second entry of each is large enough.
fn merged(cells: impl Iterator<Item = (f64, f64)>) -> Vec<(f64, f64)> {
    let mut merged: Vec<(f64, f64)> = Vec::new();
    let mut open = (0.0, 0.0);
    for (first, second) in cells {
        open = (open.0 + first, open.1 + second);
        if open.1 >= LEAST_CELL {
            merged.push(open);
            open = (0.0, 0.0);
        }
    }
    match merged.last_mut() {
        Some(last) => *last = (last.0 + open.0, last.1 + open.1),
        None => merged.push(open),
    }
    merged
}

/// Chi-square test of counts against the exact probabilities of the values 0, 1, 2, ...
pub(crate) fn p_against_exact(counts: &[f64], probabilities: &[f64]) -> f64 {
    let draws: f64 = counts.iter().sum();
    let at = |values: &[f64], i: usize| values.get(i).copied().unwrap_or(0.0);
    let values = counts.len().max(probabilities.len());
    let cells = merged((0..values).map(|i| (at(counts, i), draws * at(probabilities, i))));
    let statistic = cells.iter().map(|(seen, expected)| (seen - expected).powi(2) / expected).sum();
    chi_square_p(statistic, cells.len())
}

/// Chi-square test that two samples of counts have one law.
pub(crate) fn p_of_two_samples(a: &[f64], b: &[f64]) -> f64 {
    let (size_a, size_b): (f64, f64) = (a.iter().sum(), b.iter().sum());
    let at = |values: &[f64], i: usize| values.get(i).copied().unwrap_or(0.0);
    let values = a.len().max(b.len());
    let cells = merged((0..values).map(|i| (at(a, i), at(a, i) + at(b, i))));
    let ratio = (size_b / size_a).sqrt();
    let statistic =
        cells.iter().map(|(a, both)| (ratio * a - (both - a) / ratio).powi(2) / both).sum();
    chi_square_p(statistic, cells.len())
}
