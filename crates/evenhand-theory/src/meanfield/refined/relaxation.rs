//! How fluctuations about the fixed point relax, and the tensors at which noise balances that.

use nalgebra::{DMatrix, DVector, SymmetricEigen};

/// The drift linearised at the fixed point, A, in its eigenvectors.
///
/// A has -(g'\[k\] + 1) on the diagonal, 1 above and g'\[k\] below, so division of level k by
/// scale\[k\], with scale\[k+1\]² = g'\[k\] scale\[k\]², makes it symmetric. In that scale the
/// fluctuations of all levels are of like size, however small the tails.
pub(super) struct Relaxation {
    vectors: DMatrix<f64>,
    /// Minus the eigenvalues: all above 0.
    rates: DVector<f64>,
    scale: Vec<f64>,
}

impl Relaxation {
    /// `slopes[k - 1]` is g'(s\[k\]), for k from 1 on, all above 0.
    pub(super) fn new(slopes: &[f64]) -> Self {
        let mut scale = vec![1.0];
        for slope in &slopes[..slopes.len() - 1] {
            scale.push(scale[scale.len() - 1] * slope.sqrt());
        }
        let negative = DMatrix::from_fn(slopes.len(), slopes.len(), |i, j| match i.abs_diff(j) {
            0 => slopes[i] + 1.0,
            1 => -slopes[i.min(j)].sqrt(),
            _ => 0.0,
        });
        let SymmetricEigen { eigenvectors: vectors, eigenvalues: rates } =
            SymmetricEigen::new(negative);
        Self { vectors, rates, scale }
    }

    /// The symmetric matrix X of A X + X A' + `source` = 0.
    pub(super) fn matrix(&self, source: &DMatrix<f64>) -> DMatrix<f64> {
        let n = self.scale.len();
        let scales = |i: usize, j: usize| self.scale[i] * self.scale[j];
        let scaled = DMatrix::from_fn(n, n, |i, j| source[(i, j)] / scales(i, j));
        let mut modes = self.vectors.tr_mul(&scaled) * &self.vectors;
        for (i, j) in (0..n * n).map(|ij| (ij % n, ij / n)) {
            modes[(i, j)] /= self.rates[i] + self.rates[j];
        }
        let solved = &self.vectors * modes * self.vectors.transpose();
        DMatrix::from_fn(n, n, |i, j| solved[(i, j)] * scales(i, j))
    }

    /// The symmetric tensor X on whose three indices A acts to sum to -`source`.
    ///
    /// A tensor is a matrix here: row i, column j + n k.
    pub(super) fn tensor(&self, source: DMatrix<f64>) -> DMatrix<f64> {
        let n = self.scale.len();
        let each = |tensor: &mut DMatrix<f64>, factor: &dyn Fn(usize, usize, usize) -> f64| {
            for (column, mut entries) in tensor.column_iter_mut().enumerate() {
                let (j, k) = (column % n, column / n);
                entries.iter_mut().enumerate().for_each(|(i, entry)| *entry *= factor(i, j, k));
            }
        };
        let scale = |i: usize, j: usize, k: usize| self.scale[i] * self.scale[j] * self.scale[k];
        let mut tensor = source;
        each(&mut tensor, &|i, j, k| 1.0 / scale(i, j, k));
        tensor = on_each_index(&self.vectors.transpose(), tensor);
        each(&mut tensor, &|i, j, k| 1.0 / (self.rates[i] + self.rates[j] + self.rates[k]));
        tensor = on_each_index(&self.vectors, tensor);
        each(&mut tensor, &scale);
        tensor
    }
}

/// The tensor with `matrix` applied to each of its three indices.
fn on_each_index(matrix: &DMatrix<f64>, tensor: DMatrix<f64>) -> DMatrix<f64> {
    let n = matrix.nrows();
    (0..3).fold(tensor, |tensor, _| {
        // The transpose, read again as n rows, has its indices turned by one.
        (matrix * tensor).transpose().reshape_generic(nalgebra::Dyn(n), nalgebra::Dyn(n * n))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLOPES: [f64; 4] = [1.6, 1.2, 0.3, 0.02];

    fn drift() -> DMatrix<f64> {
        DMatrix::from_fn(4, 4, |i, j| match (i, j) {
            (i, j) if i == j => -(SLOPES[i] + 1.0),
            (i, j) if j == i + 1 => 1.0,
            (i, j) if i == j + 1 => SLOPES[j],
            _ => 0.0,
        })
    }

    #[test]
    fn matrices_balance() {
        let source = DMatrix::from_fn(4, 4, |i, j| 1.0 / (1.0 + i as f64 + j as f64));
        let x = Relaxation::new(&SLOPES).matrix(&source);
        let rest = drift() * &x + &x * drift().transpose() + source;
        assert!(rest.amax() < 1e-13, "{rest}");
    }

    #[test]
    fn tensors_balance() {
        let source = DMatrix::from_fn(4, 16, |i, jk| 1.0 / (1.0 + (i + jk % 4 + jk / 4) as f64));
        let x = Relaxation::new(&SLOPES).tensor(source.clone());
        let entry = |i: usize, j: usize, k: usize| x[(i, j + 4 * k)];
        let drift = drift();
        for (i, j, k) in (0..64).map(|ijk| (ijk % 4, ijk / 4 % 4, ijk / 16)) {
            let acts = |m: usize| {
                drift[(i, m)] * entry(m, j, k)
                    + drift[(j, m)] * entry(i, m, k)
                    + drift[(k, m)] * entry(i, j, m)
            };
            let rest = (0..4).map(acts).sum::<f64>() + source[(i, j + 4 * k)];
            assert!(rest.abs() < 1e-13, "{i} {j} {k}: {rest}");
        }
    }
}
