//! Legendre polynomials on [-1, 1], and functions as sums of them.

use std::sync::LazyLock;

/// Number of polynomials that stand for a function on a panel: degrees 0 to 16.
pub(super) const TERMS: usize = 17;

/// A function on a panel, by its Legendre coefficients.
pub(super) type Series = [f64; TERMS];

/// Number of nodes of the quadrature.
pub(super) const NODES: usize = 24;

/// Nodes and weights of Gauss-Legendre quadrature on [-1, 1], with the polynomials at each node.
pub(super) static GAUSS: LazyLock<[(f64, f64, Series); NODES]> =
    LazyLock::new(|| std::array::from_fn(gauss_node));

/// P_0(x), ..., P_16(x), by the three-term recurrence.
pub(super) fn polynomials(x: f64) -> Series {
    let mut values = [1.0; TERMS];
    values[1] = x;
    for k in 2..TERMS {
        values[k] = next(k, x, values[k - 1], values[k - 2]);
    }
    values
}

/// The integrals of P_0, ..., P_16 over [-1, x]: (P_(k+1) - P_(k-1)) / (2k + 1), and x + 1.
pub(super) fn integrals(x: f64) -> Series {
    let values = polynomials(x);
    let beyond = next(TERMS, x, values[TERMS - 1], values[TERMS - 2]);
    std::array::from_fn(|k| match k {
        0 => x + 1.0,
        _ => {
            let above = values.get(k + 1).copied().unwrap_or(beyond);
            (above - values[k - 1]) / (2 * k + 1) as f64
        }
    })
}

/// P_k from the two before it.
fn next(k: usize, x: f64, last: f64, before: f64) -> f64 {
    let k = k as f64;
    ((2.0 * k - 1.0) * x * last - (k - 1.0) * before) / k
}

/// The node of rank `index`, by Newton's method on P_24.
fn gauss_node(index: usize) -> (f64, f64, Series) {
    let n = NODES as f64;
    let mut x = -(std::f64::consts::PI * (index as f64 + 0.75) / (n + 0.5)).cos();
    let mut slope = 1.0;
    for _ in 0..50 {
        let (mut before, mut last) = (1.0, x);
        for k in 2..=NODES {
            (before, last) = (last, next(k, x, last, before));
        }
        slope = n * (x * last - before) / (x * x - 1.0);
        let step = last / slope;
        x -= step;
        if step.abs() < 1e-16 {
            break;
        }
    }
    (x, 2.0 / ((1.0 - x * x) * slope * slope), polynomials(x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quadrature_is_exact_for_products_of_polynomials() {
        for i in 0..TERMS {
            for j in 0..TERMS {
                let sum: f64 = GAUSS.iter().map(|(_, weight, p)| weight * p[i] * p[j]).sum();
                let exact = if i == j { 2.0 / (2 * i + 1) as f64 } else { 0.0 };
                assert!((sum - exact).abs() < 1e-14, "({i}, {j}): {sum}");
            }
        }
    }

    #[test]
    fn integrals_end_at_zero_but_for_the_constant() {
        let ends = integrals(1.0);
        assert_eq!(ends[0], 2.0);
        assert!(ends[1..].iter().all(|end| end.abs() < 1e-15));
        assert!((integrals(0.5)[1] - (0.25 - 1.0) / 2.0).abs() < 1e-16);
    }
}
