//! The top eigenpair of a symmetric tridiagonal matrix, by bisection and inverse iteration.

/// Entries are 0 or much larger than this; its square can be divided by.
const TINY: f64 = 1e-100;

/// A symmetric tridiagonal matrix.
#[derive(Clone, Debug, Default)]
pub(super) struct Tridiagonal {
    pub(super) diagonal: Vec<f64>,
    /// `beside[i]` couples `i` and `i + 1`. It may be longer than needed.
    pub(super) beside: Vec<f64>,
}

impl Tridiagonal {
    /// The matrix with its sign changed: its top is the bottom of this one, with signs of every
    /// other component of the eigenvector changed.
    pub(super) fn negated(&self) -> Self {
        let diagonal = self.diagonal.iter().map(|x| -x).collect();
        Self { diagonal, beside: self.beside.clone() }
    }

    /// A number barely above the largest eigenvalue, and the unit eigenvector.
    pub(super) fn top(&self) -> (f64, Vec<f64>) {
        let above = self.just_above();
        let size = self.diagonal.len();
        let mut x = vec![1.0 / (size as f64).sqrt(); size];
        for _ in 0..3 {
            self.solve_shifted(above, &mut x);
            let length = x.iter().map(|x| x * x).sum::<f64>().sqrt();
            x.iter_mut().for_each(|x| *x /= length);
        }
        (above, x)
    }

    /// Bisects between a lower and an upper bound down to rounding.
    fn just_above(&self) -> f64 {
        let beside = |i: usize| self.beside.get(i).copied().unwrap_or(0.0).abs();
        let last = self.diagonal.len() - 1;
        let rows = self.diagonal.iter().enumerate().map(|(i, &x)| {
            x + if i > 0 { beside(i - 1) } else { 0.0 } + if i < last { beside(i) } else { 0.0 }
        });
        let greatest = |x: f64, y: f64| x.max(y);
        let mut high = rows.fold(f64::NEG_INFINITY, greatest);
        let mut low = self.diagonal.iter().copied().fold(f64::NEG_INFINITY, greatest);
        let scale = high.abs().max(low.abs()).max(TINY);
        high += 4.0 * f64::EPSILON * scale;
        while high - low > 4.0 * f64::EPSILON * scale {
            let middle = 0.5 * (low + high);
            if self.all_below(middle) { high = middle } else { low = middle }
        }
        high
    }

    /// Whether all eigenvalues are below `shift`: all pivots of `shift - T` are positive.
    fn all_below(&self, shift: f64) -> bool {
        let mut pivot = shift - self.diagonal[0];
        for (x, beside) in self.diagonal[1..].iter().zip(&self.beside) {
            if pivot <= 0.0 {
                return false;
            }
            pivot = shift - x - beside * beside / pivot;
        }
        pivot > 0.0
    }

    /// Solves `(shift - T) x = rhs` in place, without exchanging rows: the matrix is positive
    /// definite, up to rounding, for a shift above all eigenvalues.
    fn solve_shifted(&self, shift: f64, x: &mut [f64]) {
        let size = x.len();
        let least = f64::EPSILON * shift.abs().max(TINY);
        let mut pivots = Vec::with_capacity(size);
        let mut pivot = shift - self.diagonal[0];
        for i in 0..size {
            if i > 0 {
                let factor = -self.beside[i - 1] / pivot;
                pivot = shift - self.diagonal[i] + factor * self.beside[i - 1];
                x[i] -= factor * x[i - 1];
            }
            if pivot < least {
                pivot = least;
            }
            pivots.push(pivot);
        }
        for i in (0..size).rev() {
            if i + 1 < size {
                x[i] += self.beside[i] * x[i + 1];
            }
            x[i] /= pivots[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The path has eigenvalues `2 cos(pi j / (m + 1))`.
    #[test]
    fn finds_the_top_of_a_path() {
        for size in [1_usize, 2, 3, 10, 500] {
            let path = Tridiagonal { diagonal: vec![0.0; size], beside: vec![1.0; size - 1] };
            let expected = 2.0 * (std::f64::consts::PI / (size as f64 + 1.0)).cos();
            for matrix in [path.clone(), path.negated()] {
                let (top, vector) = matrix.top();
                assert!((top - expected).abs() < 1e-14, "{size}: {top} {expected}");
                for i in 0..size {
                    let sum = if i > 0 { vector[i - 1] } else { 0.0 }
                        + vector.get(i + 1).copied().unwrap_or(0.0);
                    assert!((sum - top * vector[i]).abs() < 1e-13);
                }
            }
        }
    }
}
