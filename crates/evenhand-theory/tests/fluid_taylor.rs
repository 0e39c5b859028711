//! Fluid limits against Taylor series in time, of high order: another method, without error control,
//! window or start-up.

use evenhand_theory::fluid::{Process, State, solve};

/// Order and step of a series. The least distance to a singularity is about 1, so that the terms
/// left out are of relative order (1/16)^40.
const ORDER: usize = 40;
const STEPS_PER_BALL: u32 = 16;

/// Coefficients of t^0, t^1, ...
type Series = Vec<f64>;

/// The rates of order k in time of all levels, from the series of the x_i to order k.
///
/// `x[0]` is that of level 0, the constant 1.
type Rates<'a> = &'a dyn Fn(&[Series], usize) -> Vec<f64>;

/// Coefficient k of a product.
fn product(a: &Series, b: &Series, k: usize) -> f64 {
    (0..=k).map(|i| a[i] * b[k - i]).sum()
}

/// x_i at the time `balls`, by level from 0 on.
fn taylor(rates: Rates, levels: usize, balls: u32) -> Vec<f64> {
    let mut x = vec![0.0; levels + 1];
    x[0] = 1.0;
    let step = 1.0 / f64::from(STEPS_PER_BALL);
    for _ in 0..balls * STEPS_PER_BALL {
        let mut series: Vec<Series> = x.iter().map(|&x| vec![x]).collect();
        for k in 0..ORDER {
            let rates = rates(&series, k);
            for (series, rate) in series.iter_mut().zip(rates) {
                series.push(rate / (k + 1) as f64);
            }
        }
        let value = |series: &Series| series.iter().rev().fold(0.0, |sum, c| sum * step + c);
        x = series.iter().map(value).collect();
    }
    x
}

/// (x_{i-1} - x_i) (factor + weight (x_{i-1} + x_i)), with x_{i-1} + x_i the rate of two choices.
fn level(x: &[Series], i: usize, k: usize, factor: &Series, weight: f64) -> f64 {
    let fall: Series = (0..=k).map(|m| x[i - 1][m] - x[i][m]).collect();
    let sum: Series = (0..=k).map(|m| factor[m] + weight * (x[i - 1][m] + x[i][m])).collect();
    product(&fall, &sum, k)
}

fn constant(value: f64) -> Series {
    let mut series = vec![0.0; ORDER + 1];
    series[0] = value;
    series
}

fn one_plus_beta(beta: f64, levels: usize, balls: u32) -> Vec<f64> {
    let single = constant(1.0 - beta);
    let rates = |x: &[Series], k: usize| -> Vec<f64> {
        let rate = |i: usize| if i == 0 { 0.0 } else { level(x, i, k, &single, beta) };
        (0..x.len()).map(rate).collect()
    };
    taylor(&rates, levels, balls)
}

/// Two draws: 1 + x_{limit+1} of them up to the limit, two choices above it.
fn threshold(limit: usize, levels: usize, balls: u32) -> Vec<f64> {
    let rates = |x: &[Series], k: usize| -> Vec<f64> {
        let mut draws = x[limit + 1].clone();
        draws[0] += 1.0;
        let none = constant(0.0);
        let rate = |i: usize| match i {
            0 => 0.0,
            i if i <= limit + 1 => level(x, i, k, &draws, 0.0),
            i => level(x, i, k, &none, 1.0),
        };
        (0..x.len()).map(rate).collect()
    };
    taylor(&rates, levels, balls)
}

fn agree(process: Process, balls: u32, taylor: &[f64], least: f64) {
    let State { fraction_at_least: x, relative_error, .. } =
        solve(process, &[f64::from(balls)]).unwrap().swap_remove(0);
    let mut compared = 0;
    for (i, &expected) in taylor.iter().enumerate().filter(|(_, x)| **x > least) {
        let off = (x[i] / expected - 1.0).abs();
        assert!(off < 1e-8, "{process:?} at {balls}: x_{i} {:e} {expected:e} {off:e}", x[i]);
        compared += 1;
    }
    assert!(compared > 3 && taylor[taylor.len() - 1] <= least, "{process:?}: {compared} levels");
    assert!(relative_error < 1e-7, "{process:?}: {relative_error:e}");
}

#[test]
fn one_plus_beta_down_to_the_least_fraction() {
    for beta in [0.1, 0.5, 0.9] {
        let process = Process::OnePlusBeta { beta, choices: 2 };
        agree(process, 1, &one_plus_beta(beta, 60, 1), 1.1e-60);
        agree(process, 5, &one_plus_beta(beta, 90, 5), 1.1e-60);
    }
}

#[test]
fn one_plus_beta_after_many_balls() {
    let process = Process::OnePlusBeta { beta: 0.5, choices: 2 };
    agree(process, 100, &one_plus_beta(0.5, 220, 100), 1.1e-60);
}

#[test]
fn thresholds_down_to_the_least_fraction() {
    for limit in [0, 3] {
        let process = Process::Threshold { choices: 2, limit: limit as u32 };
        agree(process, 1, &threshold(limit, 20, 1), 1.1e-60);
        agree(process, 100, &threshold(limit, 115, 100), 1.1e-60);
    }
}

#[test]
fn two_choices_settle_into_the_wave_of_the_series() {
    let two = Process::Choices { choices: 2 };
    agree(two, 1, &one_plus_beta(1.0, 12, 1), 1.1e-60);
    agree(two, 100, &one_plus_beta(1.0, 115, 100), 1.1e-60);
}
