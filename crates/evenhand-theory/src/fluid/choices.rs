//! d choices: the least loaded of d bins.

use super::window::Drift;
use crate::choice_rate;

/// dx_i/dT = x_{i-1}^d - x_i^d (Mitzenmacher 1996; Azar, Broder, Karlin and Upfal 1999).
pub(super) struct Choices {
    pub(super) choices: u32,
}

impl Drift for Choices {
    fn rates(&mut self, _: usize, x: &[f64], dx: &mut [f64]) {
        let mut below = 1.0;
        for (dx, &x) in dx.iter_mut().zip(x) {
            *dx = (below - x) * choice_rate(self.choices, below, x);
            below = x;
        }
    }

    fn is_steep(&self) -> bool {
        self.choices > 1
    }
}
