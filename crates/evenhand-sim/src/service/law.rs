use evenhand_core::{Rng, unit_f64};
use rand_distr::{Distribution, Exp1, Gamma, LogNormal, Weibull};
use statrs::function::gamma::gamma;

use super::samples::Samples;

/// Laws of mean 1 (samples: of their own mean), by the parameters of their expression.
#[derive(Clone, Debug)]
pub(super) enum Law {
    Exponential,
    Deterministic,
    Erlang {
        k: f64,
        law: Gamma<f64>,
    },
    /// Short phase with probability `p`; means of the two phases.
    Hyperexponential {
        scv: f64,
        p: f64,
        short: f64,
        long: f64,
    },
    Gamma {
        scv: f64,
        law: Gamma<f64>,
    },
    Lognormal {
        scv: f64,
        law: LogNormal<f64>,
    },
    Weibull {
        shape: f64,
        scale: f64,
        law: Weibull<f64>,
    },
    Uniform {
        width: f64,
    },
    Pareto {
        alpha: f64,
    },
    /// On [least, ratio x least].
    BoundedPareto {
        alpha: f64,
        ratio: f64,
        least: f64,
        /// Probability of the Pareto law without a bound on this range.
        cut: f64,
    },
    Samples(Samples),
}

impl Law {
    pub(super) fn erlang(k: f64) -> Self {
        Self::Erlang { k, law: Gamma::new(k, 1.0 / k).expect("k is positive") }
    }

    /// Two phases with a share `f` of the work in the short one (Hellemans, thesis).
    pub(super) fn hyperexponential(scv: f64, f: f64) -> Self {
        let g = 1.0 - f;
        let root = ((scv - 1.0) * (scv - 1.0 + 8.0 * f * g)).sqrt();
        let fast = (scv + 4.0 * f - 1.0 + root) / (2.0 * f * (scv + 1.0));
        let slow = (scv + 4.0 * g - 1.0 - root) / (2.0 * g * (scv + 1.0));
        Self::Hyperexponential { scv, p: fast * f, short: 1.0 / fast, long: 1.0 / slow }
    }

    pub(super) fn gamma(scv: f64) -> Self {
        Self::Gamma { scv, law: Gamma::new(1.0 / scv, scv).expect("scv is positive") }
    }

    pub(super) fn lognormal(scv: f64) -> Self {
        let sigma2 = scv.ln_1p();
        let law = LogNormal::new(-sigma2 / 2.0, sigma2.sqrt()).expect("both are finite");
        Self::Lognormal { scv, law }
    }

    pub(super) fn weibull(shape: f64) -> Self {
        let scale = 1.0 / gamma(1.0 + 1.0 / shape);
        Self::Weibull { shape, scale, law: Weibull::new(scale, shape).expect("shape is positive") }
    }

    /// Pareto on [L, ratio L], with L for mean 1.
    pub(super) fn bounded_pareto(alpha: f64, ratio: f64) -> Self {
        let least = 1.0 / bounded_pareto_moment(alpha, ratio, 1.0);
        Self::BoundedPareto { alpha, ratio, least, cut: 1.0 - ratio.powf(-alpha) }
    }

    /// The mean before scaling.
    pub(super) fn mean(&self) -> f64 {
        match self {
            Self::Samples(samples) => samples.mean,
            _ => 1.0,
        }
    }

    /// Squared coefficient of variation: variance over squared mean. Infinite for a Pareto law
    /// with alpha of at most 2.
    pub(super) fn scv(&self) -> f64 {
        match *self {
            Self::Exponential => 1.0,
            Self::Deterministic => 0.0,
            Self::Erlang { k, .. } => 1.0 / k,
            Self::Hyperexponential { scv, .. }
            | Self::Gamma { scv, .. }
            | Self::Lognormal { scv, .. } => scv,
            Self::Weibull { shape, .. } => {
                let square = gamma(1.0 + 2.0 / shape) / gamma(1.0 + 1.0 / shape).powi(2);
                (square - 1.0).max(0.0)
            }
            Self::Uniform { width } => width * width / 3.0,
            Self::Pareto { alpha } if alpha <= 2.0 => f64::INFINITY,
            Self::Pareto { alpha } => 1.0 / alpha / (alpha - 2.0),
            Self::BoundedPareto { alpha, ratio, least, .. } => {
                let square = least * least * bounded_pareto_moment(alpha, ratio, 2.0);
                (square - 1.0).max(0.0)
            }
            Self::Samples(ref samples) => samples.scv,
        }
    }

    /// Least upper bound of the values, before scaling.
    pub(super) fn max(&self) -> Option<f64> {
        match *self {
            Self::Deterministic => Some(1.0),
            Self::Uniform { width } => Some(1.0 + width),
            Self::BoundedPareto { ratio, least, .. } => Some(ratio * least),
            Self::Samples(ref samples) => Some(samples.max),
            _ => None,
        }
    }

    #[inline]
    pub(super) fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        match self {
            Self::Exponential => Exp1.sample(rng),
            Self::Deterministic => 1.0,
            Self::Erlang { law, .. } | Self::Gamma { law, .. } => law.sample(rng),
            Self::Hyperexponential { p, short, long, .. } => {
                let mean = if unit_f64(rng) < *p { short } else { long };
                let time: f64 = Exp1.sample(rng);
                mean * time
            }
            Self::Lognormal { law, .. } => law.sample(rng),
            Self::Weibull { law, .. } => law.sample(rng),
            Self::Uniform { width } => 1.0 + width * (2.0 * unit_f64(rng) - 1.0),
            Self::Pareto { alpha } => {
                let least = (alpha - 1.0) / alpha;
                least * (1.0 - unit_f64(rng)).powf(-1.0 / alpha)
            }
            Self::BoundedPareto { alpha, least, cut, .. } => {
                least * (1.0 - unit_f64(rng) * cut).powf(-1.0 / alpha)
            }
            Self::Samples(samples) => samples.draw(rng),
        }
    }
}

/// Moment of order `order` of the Pareto law on [1, ratio].
fn bounded_pareto_moment(alpha: f64, ratio: f64, order: f64) -> f64 {
    let excess = order - alpha;
    // The integral of x^(excess - 1) from 1 to ratio, without cancellation near excess 0.
    let integral = if excess == 0.0 { ratio.ln() } else { (excess * ratio.ln()).exp_m1() / excess };
    alpha * integral / -(-alpha * ratio.ln()).exp_m1()
}
