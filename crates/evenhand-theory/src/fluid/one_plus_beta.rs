//! (1 + beta): with probability beta the least loaded of d bins, else one uniform bin.

use super::window::Drift;
use crate::choice_rate;

/// dx_i/dT = (1 - beta) (x_{i-1} - x_i) + beta (x_{i-1}^d - x_i^d)
/// (Peres, Talwar and Wieder 2010, for d = 2).
pub(super) struct OnePlusBeta {
    pub(super) beta: f64,
    pub(super) choices: u32,
}

impl Drift for OnePlusBeta {
    fn rates(&mut self, _: usize, x: &[f64], dx: &mut [f64]) {
        let mut below = 1.0;
        for (dx, &x) in dx.iter_mut().zip(x) {
            let rate = 1.0 - self.beta + self.beta * choice_rate(self.choices, below, x);
            *dx = (below - x) * rate;
            below = x;
        }
    }

    /// The single choices give the profile an exponential tail.
    fn is_steep(&self) -> bool {
        self.beta == 1.0 && self.choices > 1
    }
}
