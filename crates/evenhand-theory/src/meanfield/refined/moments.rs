//! The moments of the fluctuations of N servers at rest, order by order in 1/N.
//!
//! The state x jumps by 1/N up at level k at rate N (g(x\[k-1\]) - g(x\[k\])) and down at rate
//! N (x\[k\] - x\[k+1\]). Its cumulants at rest are, with s the fixed point,
//!
//! - mean: s + V/N + A/N²
//! - covariance: W/N + B/N²
//! - third: C/N²
//!
//! The mean drift of every product of fluctuations is 0. In cumulants, order by order, and with
//! the derivatives of g diagonal, these are the equations below (Gast, Bortolussi, Tribastone
//! 2018 state them for moments and any drift).

use nalgebra::DMatrix;

use super::polynomial::{Arrivals, Polynomial};
use super::relaxation::Relaxation;

/// The expansion of the moments. Indices of vectors are numbers of jobs from 0 on; those of
/// matrices, numbers of jobs less 1.
pub(super) struct Moments {
    /// V, to one level beyond those followed.
    pub(super) first: Vec<f64>,
    /// A, as long; empty if not asked for.
    pub(super) second: Vec<f64>,
    /// W.
    pub(super) covariance: DMatrix<f64>,
}

impl Moments {
    /// Follows the levels of `tails`, at least 1 beside level 0.
    pub(super) fn solve(arrivals: &Arrivals, tails: &[f64], to_second: bool) -> Self {
        let relaxation = Relaxation::new(&Rates::new(arrivals, tails).slope[1..]);
        let state = FirstOrder::solve(arrivals, tails, &relaxation);
        let second = if to_second { state.second(arrivals, &relaxation) } else { Vec::new() };
        Self { first: state.mean, second, covariance: state.covariance }
    }
}

/// Derivatives of g, by number of jobs. Level 0 does not fluctuate, so its derivatives are 0.
struct Rates {
    flow: Vec<f64>,
    slope: Vec<f64>,
    second: Vec<f64>,
    third: Vec<f64>,
    fourth: Vec<f64>,
}

impl Rates {
    fn new(arrivals: &Arrivals, tails: &[f64]) -> Self {
        let of = |order| derivatives(&arrivals.limit, order, tails);
        Self {
            flow: tails.iter().map(|&s| arrivals.limit.at(s)).collect(),
            slope: of(1),
            second: of(2),
            third: of(3),
            fourth: of(4),
        }
    }
}

fn derivatives(polynomial: &Polynomial, order: u32, tails: &[f64]) -> Vec<f64> {
    let inner = tails.iter().skip(1).map(|&s| polynomial.derivative(order, s));
    std::iter::once(0.0).chain(inner).collect()
}

/// The expansion to order 1/N.
struct FirstOrder {
    rates: Rates,
    tails: Vec<f64>,
    mean: Vec<f64>,
    covariance: DMatrix<f64>,
}

impl FirstOrder {
    fn solve(arrivals: &Arrivals, tails: &[f64], relaxation: &Relaxation) -> Self {
        let rates = Rates::new(arrivals, tails);
        let noise = |k: usize| {
            let longer = tails.get(k + 1).copied().unwrap_or(0.0);
            rates.flow[k - 1] - rates.flow[k] + tails[k] - longer
        };
        let levels = tails.len() - 1;
        let noise =
            DMatrix::from_fn(levels, levels, |i, j| if i == j { noise(i + 1) } else { 0.0 });
        let covariance = relaxation.matrix(&noise);
        let mut mean = vec![0.0; 2];
        for k in 1..=levels {
            // E[x[k+1]] = E[g(x[k])]: the flows across a level balance.
            let curved = 0.5 * rates.second[k] * covariance[(k - 1, k - 1)];
            mean.push(rates.slope[k] * mean[k] + curved + arrivals.first.at(tails[k]));
        }
        Self { rates, tails: tails.to_vec(), mean, covariance }
    }

    fn levels(&self) -> usize {
        self.tails.len() - 1
    }

    /// W\[i, j\] by numbers of jobs; 0 for level 0 and beyond the last.
    fn w(&self, i: usize, j: usize) -> f64 {
        let inside = |k: usize| (1..=self.levels()).contains(&k);
        if inside(i) && inside(j) { self.covariance[(i - 1, j - 1)] } else { 0.0 }
    }

    /// How the noise of level i changes with the state, along the direction `along`.
    fn noise_along(&self, i: usize, along: impl Fn(usize) -> f64) -> f64 {
        let slope = &self.rates.slope;
        let arriving = slope[i - 1] * along(i - 1) - slope[i] * along(i);
        arriving + along(i) - along(i + 1)
    }

    /// C: the sources of the third cumulant are the curvature of the drift, and noise that grows
    /// with the state.
    fn third(&self, relaxation: &Relaxation) -> DMatrix<f64> {
        let n = self.levels();
        let curved = |i, j, k| self.rates.second[k] * self.w(i, k) * self.w(j, k);
        let noise = DMatrix::from_fn(n, n, |i, k| self.noise_along(i + 1, |m| self.w(m, k + 1)));
        let part = |i: usize, j: usize, k: usize| {
            let drift = curved(i, j, k - 1) - curved(i, j, k);
            drift + if i == j { noise[(i - 1, k - 1)] } else { 0.0 }
        };
        relaxation.tensor(DMatrix::from_fn(n, n * n, |i, jk| {
            let (i, j, k) = (i + 1, jk % n + 1, jk / n + 1);
            part(i, j, k) + part(j, k, i) + part(k, i, j)
        }))
    }

    /// B, from C.
    fn covariance_of_second(
        &self,
        arrivals: &Arrivals,
        third: &DMatrix<f64>,
        relaxation: &Relaxation,
    ) -> DMatrix<f64> {
        let n = self.levels();
        let change = derivatives(&arrivals.first, 1, &self.tails);
        let pull = |i: usize, j: usize| {
            if j == 0 {
                return 0.0;
            }
            let slope = self.rates.second[j] * self.mean[j]
                + 0.5 * self.rates.third[j] * self.w(j, j)
                + change[j];
            let skew = third[(i - 1, (j - 1) * (n + 1))];
            0.5 * self.rates.second[j] * skew + slope * self.w(i, j)
        };
        let curved = |k: usize| 0.5 * self.rates.second[k] * self.w(k, k);
        let change = |k: usize| arrivals.first.at(self.tails[k]);
        let noise = |i: usize| {
            let along = self.noise_along(i, |k| if k > n { 0.0 } else { self.mean[k] });
            along + curved(i - 1) - curved(i) + change(i - 1) - change(i)
        };
        let drift = DMatrix::from_fn(n, n, |i, j| pull(i + 1, j) - pull(i + 1, j + 1));
        let mut source = &drift + drift.transpose();
        (0..n).for_each(|i| source[(i, i)] += noise(i + 1));
        relaxation.matrix(&source)
    }

    /// A: the flows across a level balance, E\[x\[k+1\]\] = E\[g(x\[k\])\], to order 1/N².
    fn second(&self, arrivals: &Arrivals, relaxation: &Relaxation) -> Vec<f64> {
        let third = self.third(relaxation);
        let covariance = self.covariance_of_second(arrivals, &third, relaxation);
        let mut second = vec![0.0; 2];
        for k in 1..=self.levels() {
            let (v, w) = (self.mean[k], self.w(k, k));
            let skew = third[(k - 1, (k - 1) * (self.levels() + 1))];
            let limit = self.rates.slope[k] * second[k]
                + self.rates.second[k] / 2.0 * (covariance[(k - 1, k - 1)] + v * v)
                + self.rates.third[k] / 6.0 * (skew + 3.0 * w * v)
                + self.rates.fourth[k] / 24.0 * (3.0 * w * w);
            let s = self.tails[k];
            let change = arrivals.first.derivative(1, s) * v
                + arrivals.first.derivative(2, s) / 2.0 * w
                + arrivals.second.at(s);
            second.push(limit + change);
        }
        second
    }
}
