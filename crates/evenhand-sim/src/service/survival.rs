//! Survival functions of the laws, and what theory asks of them besides.

// The erfc of statrs is off by 1e-10 around 0.5.
use libm::erfc;
use statrs::function::gamma::{gamma_ur, ln_gamma};

use super::Hazard;
use super::law::Law;

/// Shapes above this are followed by the expansion for large shapes.
const LARGE_SHAPE: f64 = 1e4;

impl Law {
    /// P(X > x), before scaling.
    pub(super) fn survival(&self, x: f64) -> f64 {
        match *self {
            _ if x < 0.0 => 1.0,
            _ if x == f64::INFINITY => 0.0,
            Self::Exponential => (-x).exp(),
            Self::Deterministic => below(x, 1.0),
            Self::Erlang { k, .. } => gamma_survival(k, k * x),
            Self::Hyperexponential { p, short, long, .. } => {
                // The means of the two phases sum to 1: no cancellation where p is close to 1.
                let q = (1.0 - p * short) / long;
                p * (-x / short).exp() + q * (-x / long).exp()
            }
            Self::Gamma { scv, .. } => gamma_survival(1.0 / scv, x / scv),
            Self::Lognormal { scv, .. } => {
                let sigma2 = scv.ln_1p();
                if sigma2 == 0.0 { below(x, 1.0) } else { lognormal_survival(sigma2, x) }
            }
            Self::Weibull { shape, scale, .. } => (-(x / scale).powf(shape)).exp(),
            Self::Uniform { width: 0.0 } => below(x, 1.0),
            Self::Uniform { width } => ((1.0 + width - x) / (2.0 * width)).clamp(0.0, 1.0),
            Self::Pareto { alpha } => ((alpha - 1.0) / alpha / x).min(1.0).powf(alpha),
            Self::BoundedPareto { alpha, ratio, least, cut } => {
                bounded_pareto_survival(alpha, ratio, x / least) / cut
            }
            Self::Samples(ref samples) => samples.above(x) as f64 / samples.len() as f64,
        }
    }

    /// Points above 0 at which the survival function is not smooth, ascending, before scaling.
    pub(super) fn breaks(&self) -> Vec<f64> {
        match *self {
            Self::Uniform { width } if width > 0.0 => vec![1.0 - width, 1.0 + width],
            Self::Pareto { alpha } => vec![(alpha - 1.0) / alpha],
            Self::BoundedPareto { ratio, least, .. } => vec![least, ratio * least],
            _ => self.atoms().unwrap_or_default().into_iter().map(|(value, _)| value).collect(),
        }
    }

    /// Values with their probabilities, ascending, before scaling; `None` if the law has a density.
    pub(super) fn atoms(&self) -> Option<Vec<(f64, f64)>> {
        match self {
            Self::Samples(samples) => Some(samples.atoms()),
            _ => (self.scv() == 0.0).then(|| vec![(1.0, 1.0)]),
        }
    }

    pub(super) fn hazard(&self) -> Hazard {
        let by_shape = |shape: f64| match shape {
            _ if shape == 1.0 => Hazard::Constant,
            _ if shape < 1.0 => Hazard::Decreasing,
            _ => Hazard::Increasing,
        };
        match *self {
            _ if self.scv() == 0.0 => Hazard::Increasing,
            Self::Exponential => Hazard::Constant,
            Self::Deterministic | Self::Uniform { .. } => Hazard::Increasing,
            Self::Erlang { k, .. } => by_shape(k),
            Self::Hyperexponential { scv, .. } | Self::Gamma { scv, .. } => by_shape(1.0 / scv),
            Self::Weibull { shape, .. } => by_shape(shape),
            Self::Lognormal { .. }
            | Self::Pareto { .. }
            | Self::BoundedPareto { .. }
            | Self::Samples(_) => Hazard::Neither,
        }
    }

    /// True if E exp(cX) is finite for some c > 0.
    pub(super) fn has_light_tail(&self) -> bool {
        match *self {
            Self::Lognormal { scv, .. } => scv == 0.0,
            Self::Weibull { shape, .. } => shape >= 1.0,
            Self::Pareto { .. } => false,
            _ => true,
        }
    }
}

/// 1 if x < bound, else 0.
fn below(x: f64, bound: f64) -> f64 {
    if x < bound { 1.0 } else { 0.0 }
}

/// P(X > x) for ln X normal with variance `sigma2` and E X = 1.
fn lognormal_survival(sigma2: f64, x: f64) -> f64 {
    erfc((x.ln() + sigma2 / 2.0) / (2.0 * sigma2).sqrt()) / 2.0
}

/// P(X > x) times 1 - ratio^-alpha for the Pareto law on [1, ratio].
fn bounded_pareto_survival(alpha: f64, ratio: f64, x: f64) -> f64 {
    let x = x.clamp(1.0, ratio);
    let logarithm = alpha * (ratio / x).ln();
    if logarithm < 1.0 {
        // Close to the greatest value, where the difference would cancel.
        ratio.powf(-alpha) * logarithm.exp_m1()
    } else {
        x.powf(-alpha) - ratio.powf(-alpha)
    }
}

/// The regularised upper incomplete gamma function Q(shape, x).
fn gamma_survival(shape: f64, x: f64) -> f64 {
    if x <= 0.0 {
        1.0
    } else if shape > LARGE_SHAPE {
        large_shape(shape, x)
    } else if shape < 1.0 && x < 1.0 {
        small_shape(shape, x)
    } else {
        gamma_ur(shape, x)
    }
}

/// Q(a, x) for a < 1 and x < 1, where 1 - P would cancel: P is x^a / Γ(1+a) times
/// 1 + a sum of (-x)^n / (n! (a+n)) (Abramowitz & Stegun 6.5.29).
fn small_shape(a: f64, x: f64) -> f64 {
    let logarithm = a * x.ln() - ln_gamma(1.0 + a);
    let (mut term, mut sum) = (1.0, 0.0);
    for n in 1..25 {
        term *= -x / f64::from(n);
        sum += term / (a + f64::from(n));
    }
    -logarithm.exp_m1() - logarithm.exp() * a * sum
}

/// Q(a, x) for large a (Temme 1979; NIST Handbook 8.12.4 with c_0, and c_1 at the middle). The error
/// is below 1e-10, and relative to 1e-6 in the tail.
fn large_shape(a: f64, x: f64) -> f64 {
    let excess = x / a - 1.0;
    let half_square = excess - excess.ln_1p();
    let eta = (2.0 * half_square).sqrt().copysign(excess);
    // 1/(x/a - 1) - 1/eta tends to -1/3.
    let c0 =
        if excess.abs() < 1e-4 { -1.0 / 3.0 + excess / 12.0 } else { 1.0 / excess - 1.0 / eta };
    let density = (-a * half_square).exp() / (2.0 * std::f64::consts::PI * a).sqrt();
    (erfc(eta * (a / 2.0).sqrt()) / 2.0 + density * (c0 - 1.0 / 540.0 / a)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gamma_keeps_its_relative_accuracy_at_small_shapes() {
        // Q(a, x) = a E1(x) + O(a^2), and E1(1/2) = 0.559773594776160812.
        let q = small_shape(1e-9, 0.5) / 1e-9;
        assert!((q - 0.559_773_594_776_160_8).abs() < 1e-6, "{q}");
        // Both ways agree where both are good.
        for (a, x) in [(0.5, 0.3), (0.9, 0.99), (0.1, 0.01)] {
            assert!((small_shape(a, x) / gamma_ur(a, x) - 1.0).abs() < 1e-12, "Q({a}, {x})");
        }
    }

    #[test]
    fn gamma_with_a_large_shape_meets_the_continued_fraction() {
        for deviation in [-3.0, -0.5, 0.0, 0.001, 1.0, 4.0, 20.0] {
            let a = LARGE_SHAPE;
            let x = a + deviation * a.sqrt();
            let (ours, exact) = (large_shape(a, x), gamma_ur(a, x));
            assert!((ours - exact).abs() < 1e-10, "{deviation} deviations: {ours}, not {exact}");
            assert!(
                (ours / exact - 1.0).abs() < 1e-6,
                "{deviation} deviations: {ours}, not {exact}"
            );
        }
    }

    #[test]
    fn a_bounded_pareto_law_is_exact_at_its_end() {
        let law = Law::bounded_pareto(1.5, 1e3);
        let max = law.max().unwrap();
        assert_eq!(law.survival(max), 0.0);
        // The density there is alpha R^-alpha / (R L (1 - R^-alpha)).
        let slope = law.survival(max * (1.0 - 1e-9)) / 1e-9;
        let exact = 1.5 * 1e3_f64.powf(-1.5) / (1.0 - 1e3_f64.powf(-1.5));
        assert!((slope / exact - 1.0).abs() < 1e-6, "{slope}, not {exact}");
    }
}
