//! Terms of order 1/n: how far the mean of a finite system is from its fluid limit, and how much
//! it scatters.
//!
//! The density-dependent chain with drift f has E[x_i] = x_i + V_i/n and covariance W_ij/n up to
//! O(1/n²) (van Kampen 1961; Gast and Van Houdt 2017). With A = Df,
//!
//! - dW/dT = A W + W A' + diag(f) - f f'
//! - dV/dT = A V + (1/2) D²f : W - (1/2) A f + F
//!
//! The terms f f' and A f / 2 are there because exactly T n balls are placed, and fall away for a
//! Poisson number. F is the drift of order 1/n of bins drawn without replacement.
//!
//! Here f_i = φ(x_{i-1}) - φ(x_i), with φ(x) = (1 - β) x + β x^d.

use super::exact::Sampling;
use super::process::Process;
use crate::Error;
use crate::ode::{self, Tolerance};

/// How many balls there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberOfBalls {
    /// Exactly T n.
    Exact,
    /// A Poisson number of mean T n: the balls of a time interval.
    Poisson,
}

/// Terms of order 1/n for n bins and T n balls.
#[derive(Clone, Debug, PartialEq)]
pub struct Corrections {
    /// T, the number of balls over the number of bins.
    pub balls_per_bin: f64,
    /// x_i of the limit; index = load.
    pub fraction_at_least: Vec<f64>,
    /// V_i; index = load. The mean fraction of bins with at least i balls is x_i + V_i/n + O(1/n²).
    pub mean_correction: Vec<f64>,
    covariance: Vec<f64>,
}

impl Corrections {
    /// W_ij: the covariance of the fractions of bins with at least i and at least j balls is
    /// W_ij/n + O(1/n²). It is 0 beyond the loads listed.
    pub fn covariance(&self, i: usize, j: usize) -> f64 {
        let levels = self.fraction_at_least.len() - 1;
        let listed = |load: usize| (1..=levels).contains(&load);
        if listed(i) && listed(j) { self.covariance[(i - 1) * levels + j - 1] } else { 0.0 }
    }
}

/// Levels are followed until x_i falls below this.
const LEAST_FRACTION: f64 = 1e-25;

/// Most balls a bin: the work grows with the fourth power.
const MOST_BALLS_PER_BIN: f64 = 30.0;

/// The terms of order 1/n of d choices, or of (1 + beta), at T = `balls_per_bin`.
///
/// V and W are right to a relative 1e-8 where x_i is above 1e-15, and to an absolute 1e-23 below.
///
/// # Errors
/// [`Error::OutOfRange`] for other processes, for parameters out of range, and for more than 30
/// balls a bin; [`Error::NoConvergence`] if the integration fails.
///
/// ```
/// use evenhand_theory::fluid::{NumberOfBalls, Process, Sampling, corrections};
/// let process = Process::Choices { choices: 2 };
/// let terms = corrections(process, Sampling::Replacement, NumberOfBalls::Exact, 1.0)?;
/// assert!((terms.mean_correction[1] - 0.159925).abs() < 1e-6);
/// # Ok::<(), evenhand_theory::Error>(())
/// ```
pub fn corrections(
    process: Process,
    sampling: Sampling,
    number: NumberOfBalls,
    balls_per_bin: f64,
) -> Result<Corrections, Error> {
    process.check()?;
    let (beta, choices) = match process {
        Process::Choices { choices } => (1.0, choices),
        Process::OnePlusBeta { beta, choices } => (beta, choices),
        _ => return out_of_range("corrections of order 1/n are known for choices and (1 + beta)"),
    };
    if !(0.0..=MOST_BALLS_PER_BIN).contains(&balls_per_bin) {
        return out_of_range("corrections of order 1/n are computed for 0 to 30 balls a bin");
    }
    let limit = super::solve(process, &[balls_per_bin])?.swap_remove(0);
    let x = limit.fraction_at_least;
    let levels = x.iter().skip(1).take_while(|x| **x > LEAST_FRACTION).count();
    let mut linear_noise = LinearNoise::new(Phi { beta, choices }, sampling, number, levels);
    let solution = linear_noise.solve(balls_per_bin)?;
    let (_, v, w) = split(&solution, levels);
    Ok(Corrections {
        balls_per_bin,
        fraction_at_least: x[..=levels].to_vec(),
        mean_correction: [&[0.0], v].concat(),
        covariance: w.to_vec(),
    })
}

fn out_of_range<T>(message: &str) -> Result<T, Error> {
    Err(Error::OutOfRange(message.to_owned()))
}

/// φ(x) = (1 - β) x + β x^d: the probability that a ball lands in a bin of a set of fraction x of
/// the highest loads.
#[derive(Clone, Copy)]
struct Phi {
    beta: f64,
    choices: u32,
}

impl Phi {
    fn value(self, x: f64) -> f64 {
        (1.0 - self.beta) * x + self.beta * x.powi(self.choices as i32)
    }

    fn slope(self, x: f64) -> f64 {
        let d = f64::from(self.choices);
        1.0 - self.beta + self.beta * d * x.powi(self.choices as i32 - 1)
    }

    fn curvature(self, x: f64) -> f64 {
        let d = f64::from(self.choices);
        let power = if self.choices < 2 { 0.0 } else { x.powi(self.choices as i32 - 2) };
        self.beta * d * (d - 1.0) * power
    }

    /// The change of order 1/n of φ when the d bins are distinct: -β C(d,2) (x^{d-1} - x^d).
    fn distinct(self, x: f64) -> f64 {
        let d = f64::from(self.choices);
        let pairs = d * (d - 1.0) / 2.0;
        -self.beta * pairs * x.powi(self.choices as i32 - 1) * (1.0 - x)
    }
}

/// The equations of x, V and W side by side: x and V have one entry a level, W one a pair.
struct LinearNoise {
    phi: Phi,
    sampling: Sampling,
    number: NumberOfBalls,
    levels: usize,
    drift: Vec<f64>,
    /// 1 - f, without the subtraction that would leave but rounding errors of f_1 at small T.
    rest: Vec<f64>,
    slope: Vec<f64>,
}

/// x, V and W by rows.
fn split(state: &[f64], levels: usize) -> (&[f64], &[f64], &[f64]) {
    let (x, rest) = state.split_at(levels);
    let (v, w) = rest.split_at(levels);
    (x, v, w)
}

impl LinearNoise {
    fn new(phi: Phi, sampling: Sampling, number: NumberOfBalls, levels: usize) -> Self {
        let [drift, rest, slope] = std::array::from_fn(|_| vec![0.0; levels]);
        Self { phi, sampling, number, levels, drift, rest, slope }
    }

    fn solve(&mut self, balls_per_bin: f64) -> Result<Vec<f64>, Error> {
        let start = vec![0.0; self.levels * (self.levels + 2)];
        let tolerance = Tolerance { relative: 1e-10, absolute: 1e-25 };
        let rates = |_: f64, state: &[f64], rates: &mut [f64]| self.rates(state, rates);
        Ok(ode::solve(rates, 0.0, &start, &[balls_per_bin], tolerance)?.swap_remove(0))
    }

    fn rates(&mut self, state: &[f64], rates: &mut [f64]) {
        let (x, v, w) = split(state, self.levels);
        let (dx, rest) = rates.split_at_mut(self.levels);
        let (dv, dw) = rest.split_at_mut(self.levels);
        let mut below = 1.0;
        for (i, &x) in x.iter().enumerate() {
            self.slope[i] = self.phi.slope(x);
            let above = self.phi.value(x);
            self.drift[i] = below - above;
            self.rest[i] = 1.0 - below + above;
            below = above;
        }
        dx.copy_from_slice(&self.drift);
        self.mean_rates(x, v, w, dv);
        self.covariance_rates(w, dw);
    }

    /// dV/dT = A V + (1/2) D²f : W - (1/2) A f + F. Each term is that of level i - 1 less that of
    /// level i, because f is.
    fn mean_rates(&self, x: &[f64], v: &[f64], w: &[f64], dv: &mut [f64]) {
        let mut below = match self.sampling {
            Sampling::Replacement => 0.0,
            Sampling::Distinct => self.phi.distinct(1.0),
        };
        for i in 0..self.levels {
            let mut term = self.slope[i] * v[i];
            term += 0.5 * self.phi.curvature(x[i]) * w[i * self.levels + i];
            if self.number == NumberOfBalls::Exact {
                term -= 0.5 * self.slope[i] * self.drift[i];
            }
            if self.sampling == Sampling::Distinct {
                term += self.phi.distinct(x[i]);
            }
            dv[i] = below - term;
            below = term;
        }
    }

    /// dW/dT = A W + W A' + diag(f) - f f', with (A W)_ij = φ'_{i-1} W_{i-1,j} - φ'_i W_ij.
    fn covariance_rates(&self, w: &[f64], dw: &mut [f64]) {
        let n = self.levels;
        let term = |i: usize, j: usize| self.slope[i] * w[i * n + j];
        for i in 0..n {
            for j in 0..=i {
                let above_i = if i > 0 { term(i - 1, j) } else { 0.0 };
                let above_j = if j > 0 { term(j - 1, i) } else { 0.0 };
                let mut rate = above_i - term(i, j) + above_j - term(j, i);
                rate += match self.number {
                    NumberOfBalls::Poisson if i == j => self.drift[i],
                    NumberOfBalls::Poisson => 0.0,
                    NumberOfBalls::Exact if i == j => self.drift[i] * self.rest[i],
                    NumberOfBalls::Exact => -self.drift[i] * self.drift[j],
                };
                dw[i * n + j] = rate;
                dw[j * n + i] = rate;
            }
        }
    }
}
