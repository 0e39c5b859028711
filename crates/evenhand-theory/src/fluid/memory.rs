//! Memory: the least loaded of d fresh bins and the one bin remembered from the ball before.

use super::window::Drift;
use crate::memory_chain::remembered;

/// dx_i/dT = q_{i-1} x_{i-1}^d - q_i x_i^d (Mitzenmacher, Prabhakar and Shah 2002).
///
/// q_i is the probability that the remembered bin has at least i balls: the stationary law of a
/// Markov chain that runs n times as fast as the x_i, and so sees them at rest.
pub(super) struct Memory {
    choices: u32,
    x: Vec<f64>,
    q: Vec<f64>,
}

impl Memory {
    pub(super) fn new(choices: u32) -> Self {
        Self { choices, x: Vec::new(), q: Vec::new() }
    }
}

impl Drift for Memory {
    fn rates(&mut self, _: usize, x: &[f64], dx: &mut [f64]) {
        self.x.clear();
        self.x.push(1.0);
        self.x.extend(x.iter().map(|x| x.clamp(0.0, 1.0)));
        self.q.resize(self.x.len(), 0.0);
        remembered(&self.x, self.choices, &mut self.q);
        let landing_above = |i: usize| self.q[i] * self.x[i].powi(self.choices as i32);
        for (i, dx) in dx.iter_mut().enumerate() {
            *dx = landing_above(i) - landing_above(i + 1);
        }
    }

    fn is_steep(&self) -> bool {
        true
    }
}
