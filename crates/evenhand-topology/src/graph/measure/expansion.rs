use super::spectrum::Eigenvalue;

/// Whether a graph is Ramanujan, as far as the numbers tell.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Ramanujan {
    /// Whether `lambda` is at most `2 sqrt(k - 1)`; `None` if the margin is within the error of
    /// `lambda`.
    pub holds: Option<bool>,
    /// `2 sqrt(k - 1) - lambda`.
    pub margin: f64,
}

/// Compares the largest nontrivial eigenvalue of a connected `degree`-regular graph with
/// `2 sqrt(degree - 1)` (Lubotzky, Phillips, Sarnak 1988). `None` for degree 0, which has no
/// bound.
pub fn ramanujan(degree: usize, lambda: Eigenvalue) -> Option<Ramanujan> {
    let bound = 2.0 * (degree.checked_sub(1)? as f64).sqrt();
    let margin = bound - lambda.value;
    let certain = margin.abs() > lambda.error;
    Some(Ramanujan { holds: certain.then_some(margin > 0.0), margin })
}

/// Mixing rate of the non-backtracking random walk of a `degree`-regular graph whose largest
/// nontrivial eigenvalue is `lambda` in absolute value: after `t` steps the distance to the
/// uniform law is about `rate^t`.
///
/// `rho = psi(lambda / (2 sqrt(k - 1))) / sqrt(k - 1)`, with `psi(x) = x + sqrt(x^2 - 1)` for
/// `x >= 1` and `1` below (Alon, Benjamini, Lubetzky, Sodin 2007). It is 1 for `lambda = k`.
/// `None` for degrees below 3, for which the formula does not hold.
pub fn non_backtracking_mixing_rate(degree: usize, lambda: f64) -> Option<f64> {
    if degree < 3 {
        return None;
    }
    if lambda >= degree as f64 {
        return Some(1.0);
    }
    let root = ((degree - 1) as f64).sqrt();
    let x = (lambda / (2.0 * root)).max(1.0);
    Some((x + (x * x - 1.0).sqrt()) / root)
}
