//! Laws of the time of a job: mixtures of Erlang laws, and their quantiles.

use statrs::function::gamma::ln_gamma;

use crate::Error;

/// The sum over n of weights\[n\] e^(-t) t^n / n!.
///
/// A job that waits for n services of rate 1 has a time above t with the probability that a
/// Poisson number of mean t is at most n - 1. If it waits for more than n services with
/// probability weights\[n\], then its time is above t with the probability that is this sum.
pub(super) fn poisson_mixture(weights: &[f64], t: f64) -> f64 {
    if t <= 0.0 {
        return weights.first().copied().unwrap_or(0.0);
    }
    // From the likeliest number both ways, as the first term may underflow.
    let mode = (t.floor() as usize).min(weights.len().saturating_sub(1));
    let likeliest = (mode as f64 * t.ln() - t - ln_gamma(mode as f64 + 1.0)).exp();
    let (below, from) = weights.split_at(mode);
    let mut term = likeliest;
    let up = from.iter().enumerate().map(|(i, weight)| {
        let here = term;
        term *= t / (mode + i + 1) as f64;
        weight * here
    });
    let up: f64 = up.sum();
    let mut term = likeliest;
    let down = below.iter().enumerate().rev().map(|(n, weight)| {
        term *= (n + 1) as f64 / t;
        weight * term
    });
    up + down.sum::<f64>()
}

/// The time at which `above`, a falling function from a time on, equals `tail`; 0 if it starts no
/// higher.
///
/// # Errors
/// [`Error::NoConvergence`] if it never falls to `tail`.
pub(super) fn quantile(above: impl Fn(f64) -> f64, tail: f64) -> Result<f64, Error> {
    if above(0.0) <= tail {
        return Ok(0.0);
    }
    let (mut low, mut high) = (0.0, 1.0);
    while above(high) > tail {
        (low, high) = (high, 2.0 * high);
        if high > 1e18 {
            let what = "the bracket of a quantile";
            return Err(Error::NoConvergence { what, steps: 60, change: high });
        }
    }
    Ok(bisect(|t| above(t) > tail, low, high))
}

/// The point of (`low`, `high`), both at least 0, at which `left` turns from true to false.
pub(super) fn bisect(left: impl Fn(f64) -> bool, mut low: f64, mut high: f64) -> f64 {
    loop {
        let middle = low + 0.5 * (high - low);
        if middle <= low || middle >= high {
            return high;
        }
        if left(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn geometric_weights_give_an_exponential_law() {
        let weights: Vec<f64> = (0..8000).map(|n| 0.99_f64.powi(n)).collect();
        for t in [0.0_f64, 0.3, 1.0, 17.5, 900.0, 2500.0] {
            let (law, exact) = (poisson_mixture(&weights, t), (-0.01 * t).exp());
            assert!((law / exact - 1.0).abs() < 1e-11, "at {t}: {law} {exact}");
        }
    }

    #[test]
    fn quantiles_invert() {
        let t = quantile(|t| 0.5 * (-t).exp(), 0.001).unwrap();
        assert!((t - 500.0_f64.ln()).abs() < 1e-14);
        assert_eq!(quantile(|t| 0.5 * (-t).exp(), 0.7).unwrap(), 0.0);
        assert!(quantile(|_| 1.0, 0.5).is_err());
    }
}
