//! A threshold: up to d bins drawn one after another, the first with load at most a limit.

use super::window::Drift;
use crate::ode::{self, Tolerance};
use crate::{Error, choice_rate};

/// Adaptive probing after Czumaj and Stemann 2001; the equation is derived here.
///
/// A draw is rejected with probability r = x_{limit+1}. Draw m + 1 takes place if the m before it
/// were rejected, so a ball lands in a bin with exactly j <= limit balls with probability
/// (x_j - x_{j+1}) (1 + r + ... + r^{d-1}). If all d draws are rejected the least loaded is taken,
/// as with d choices. Hence
///
/// - dx_i/dT = (x_{i-1} - x_i) (1 + r + ... + r^{d-1}) for i <= limit + 1
/// - dx_i/dT = x_{i-1}^d - x_i^d for i > limit + 1
pub(super) struct Threshold {
    pub(super) choices: u32,
    pub(super) limit: usize,
}

impl Threshold {
    /// r, the fraction of bins above the limit, in a window above `full` levels.
    fn rejected(&self, full: usize, x: &[f64]) -> f64 {
        let level = self.limit + 1;
        if level <= full { 1.0 } else { x.get(level - full - 1).copied().unwrap_or(0.0) }
    }
}

impl Drift for Threshold {
    fn rates(&mut self, full: usize, x: &[f64], dx: &mut [f64]) {
        let draws = choice_rate(self.choices, 1.0, self.rejected(full, x));
        let mut below = 1.0;
        for (i, (dx, &x)) in dx.iter_mut().zip(x).enumerate() {
            let within = full + i < self.limit + 1;
            let rate = if within { draws } else { choice_rate(self.choices, below, x) };
            *dx = (below - x) * rate;
            below = x;
        }
    }

    /// Up to the limit the tail is that of one choice.
    fn is_steep(&self) -> bool {
        false
    }

    fn forgets_tail(&self, full: usize, x: &[f64]) -> bool {
        self.choices > 1 && self.rejected(full, x) > 1e-3
    }

    fn is_shift_invariant(&self, full: usize) -> bool {
        full > self.limit
    }
}

/// Mean number of bins drawn for a ball, over the first T balls a bin, of `threshold(d, limit)`.
///
/// The mean over time of 1 + r + ... + r^{d-1}, where r(T) is the fraction of bins with more than
/// `limit` balls. Relative accuracy 1e-9.
///
/// # Errors
/// [`Error::OutOfRange`] if `choices` is 0, `limit` exceeds 10,000 or `balls_per_bin` is not
/// positive and finite.
///
/// ```
/// use evenhand_theory::fluid::probes_per_ball;
/// let probes = probes_per_ball(2, 0, 1.0)?;
/// // r = x_1 = tanh T, so the mean is 1 + ln cosh T / T.
/// assert!((probes - (1.0 + 1.0_f64.cosh().ln())).abs() < 1e-9);
/// # Ok::<(), evenhand_theory::Error>(())
/// ```
pub fn probes_per_ball(choices: u32, limit: u32, balls_per_bin: f64) -> Result<f64, Error> {
    let range = "probes need d from 1 on, a limit up to 10000 and a positive number of balls a bin";
    if choices == 0 || limit > 10_000 || !(balls_per_bin > 0.0 && balls_per_bin.is_finite()) {
        return Err(Error::OutOfRange(range.to_owned()));
    }
    let levels = limit as usize + 1;
    let mut threshold = Threshold { choices, limit: limit as usize };
    let drift = |_: f64, x: &[f64], dx: &mut [f64]| {
        threshold.rates(0, &x[..levels], &mut dx[..levels]);
        dx[levels] = choice_rate(choices, 1.0, x[levels - 1]);
    };
    let tolerance = Tolerance { relative: 1e-11, absolute: 1e-14 };
    let states = ode::solve(drift, 0.0, &vec![0.0; levels + 1], &[balls_per_bin], tolerance)?;
    Ok(states[0][levels] / balls_per_bin)
}
