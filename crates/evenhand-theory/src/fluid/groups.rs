//! Aligned groups of contiguous bins: the least loaded bin of the lesser loaded group.

use super::window::Drift;
use crate::choice_rate;

/// How the groups drawn are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    /// By the number of balls in the group.
    Total,
    /// By the load of the least loaded bin of the group, with ties at random.
    Least,
}

/// Kenthapadi and Panigrahy 2006, with `count` groups of `size` bins drawn.
///
/// Loads in a group differ by at most one, so the number of balls j of a group determines it. With
/// y_j the fraction of groups with at least j balls, in g = size time units for each ball a bin:
///
/// - total: dy_j/dT = g (y_{j-1}^c - y_j^c), c choices among groups
/// - least: dy_j/dT = g (y_{j-1} - y_j) P_c(a, b), where a and b are the fractions of groups whose
///   least loaded bin has at least, or more than, floor((j-1)/g) balls
///
/// Bins: x_i = (1/g) sum_{r=1..g} y_{(i-1)g+r}. Level i of the window holds these g fractions.
pub(super) struct Groups {
    pub(super) size: usize,
    pub(super) count: u32,
    pub(super) compare: Compare,
}

impl Drift for Groups {
    fn parts(&self) -> usize {
        self.size
    }

    fn rates(&mut self, _: usize, y: &[f64], dy: &mut [f64]) {
        let (mut below, mut level_below) = (1.0, 1.0);
        for (dy, y) in dy.chunks_mut(self.size).zip(y.chunks(self.size)) {
            let level = y[self.size - 1];
            for (dy, &y) in dy.iter_mut().zip(y) {
                let rate = match self.compare {
                    Compare::Total => choice_rate(self.count, below, y),
                    Compare::Least => choice_rate(self.count, level_below, level),
                };
                *dy = self.size as f64 * (below - y) * rate;
                below = y;
            }
            level_below = level;
        }
    }

    fn is_steep(&self) -> bool {
        self.count > 1
    }
}
