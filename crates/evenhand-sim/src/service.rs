//! Service times and ball weights: named distributions of mean 1, and samples from files.

use std::path::Path;
use std::sync::Arc;

use evenhand_core::{Rng, below, unit_f64};
use evenhand_expr::{Args, Call, Error, Problem};
use rand_distr::{Distribution, Exp1, Gamma, LogNormal, Weibull};
use statrs::function::gamma::gamma;

use crate::column::read_column;

/// A distribution of non-negative numbers, by its expression.
///
/// ```
/// use evenhand_sim::Service;
/// let service = Service::parse("lognormal(4)").unwrap();
/// assert_eq!(service.mean(), 1.0);
/// assert!(Service::parse("lognormal(-1)").is_err());
/// ```
#[derive(Clone, Debug)]
pub struct Service {
    call: Call,
    law: Law,
    /// Factor that brings the law's own mean to the mean asked for.
    scale: f64,
    mean: f64,
}

/// Laws of mean 1 (samples: of their own mean), by the parameters of their expression.
#[derive(Clone, Debug)]
enum Law {
    Exponential,
    Deterministic,
    Erlang(Gamma<f64>),
    /// Short phase with probability `p`; means of the two phases.
    Hyperexponential {
        p: f64,
        short: f64,
        long: f64,
    },
    Gamma(Gamma<f64>),
    Lognormal(LogNormal<f64>),
    Weibull(Weibull<f64>),
    Uniform {
        width: f64,
    },
    Pareto {
        alpha: f64,
    },
    BoundedPareto {
        alpha: f64,
        ratio: f64,
        least: f64,
    },
    Samples(Arc<[f64]>),
}

const NAMES: [&str; 11] = [
    "exponential",
    "deterministic",
    "erlang",
    "hyperexponential",
    "gamma",
    "lognormal",
    "weibull",
    "uniform",
    "pareto",
    "bounded-pareto",
    "samples",
];

fn parameters(name: &str) -> &'static [&'static str] {
    match name {
        "exponential" | "deterministic" => &["mean"],
        "erlang" => &["k", "mean"],
        "hyperexponential" => &["scv", "f", "mean"],
        "gamma" | "lognormal" => &["scv", "mean"],
        "weibull" => &["shape", "mean"],
        "uniform" => &["width", "mean"],
        "pareto" => &["alpha", "mean"],
        "bounded-pareto" => &["alpha", "ratio", "mean"],
        _ => &["file", "column", "scale", "mean"],
    }
}

/// Largest squared coefficient of variation: beyond it a double cannot hold the two phases apart.
const MOST_SCV: f64 = 1e6;

impl Service {
    /// Parses an expression such as `lognormal(4)`, `exponential(mean=2)` or
    /// `samples("jobs.csv", column="seconds")`. Samples are read from their file here.
    ///
    /// # Errors
    /// All problems of the expression, each with its place; or the first bad line of the file.
    pub fn parse(source: &str) -> Result<Self, Error> {
        let call = evenhand_expr::parse(source)?;
        Self::from_call(&call).map_err(|problems| Error::new(source, problems))
    }

    fn from_call(call: &Call) -> Result<Self, Vec<Problem>> {
        if !NAMES.contains(&call.name.as_str()) {
            return Err(vec![Problem::unknown("distribution", call, NAMES)]);
        }
        let mut args = call.args(parameters(&call.name));
        let law = read_law(&call.name, &mut args);
        let own_mean = law.as_ref().map_or(1.0, Law::mean);
        let given = args.span_of("mean").is_some();
        let scale = if call.name == "samples" { args.number_or("scale", 0.0.., 1.0) } else { 1.0 };
        let mean = if given { args.number("mean", 0.0..) } else { own_mean * scale };
        if own_mean == 0.0 && given {
            let message = "all samples are 0, so they cannot be scaled to a mean";
            args.problem(args.span_of("mean"), message, Some("leave out `mean`".to_string()));
        }
        args.finish()?;
        let law = law.expect("no problem was found");
        let scale = if own_mean > 0.0 { mean / own_mean } else { 1.0 };
        Ok(Self { call: call.clone(), law, scale, mean })
    }

    /// The mean, in the units of the expression.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// Draws one number.
    pub fn sample<R: Rng>(&self, rng: &mut R) -> f64 {
        self.scale * self.law.sample(rng)
    }
}

impl std::fmt::Display for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.call.fmt(f)
    }
}

/// Reads a law; `None` after a problem of the file.
fn read_law(name: &str, args: &mut Args<'_>) -> Option<Law> {
    let positive = (f64::MIN_POSITIVE)..=MOST_SCV;
    Some(match name {
        "exponential" => Law::Exponential,
        "deterministic" => Law::Deterministic,
        "erlang" => {
            let k = args.integer("k", 1..=1_000_000) as f64;
            Law::Erlang(Gamma::new(k, 1.0 / k).expect("k is positive"))
        }
        "hyperexponential" => {
            hyperexponential(args.number("scv", 1.0..=MOST_SCV), read_share(args))
        }
        "gamma" => {
            let scv = args.number("scv", positive);
            Law::Gamma(Gamma::new(1.0 / scv, scv).expect("scv is positive"))
        }
        "lognormal" => {
            let sigma2 = args.number("scv", 0.0..=MOST_SCV).ln_1p();
            Law::Lognormal(LogNormal::new(-sigma2 / 2.0, sigma2.sqrt()).expect("finite"))
        }
        "weibull" => {
            let shape = args.number("shape", 0.05..=1_000.0);
            let scale = 1.0 / gamma(1.0 + 1.0 / shape);
            Law::Weibull(Weibull::new(scale, shape).expect("shape is positive"))
        }
        "uniform" => Law::Uniform { width: args.number("width", 0.0..=1.0) },
        "pareto" => {
            let alpha = args.number("alpha", 0.0..);
            if alpha <= 1.0 {
                let help = "the mean is finite only for alpha above 1; see bounded-pareto";
                args.problem(args.span_of("alpha"), "`alpha` must be above 1", Some(help.into()));
            }
            Law::Pareto { alpha }
        }
        "bounded-pareto" => {
            bounded_pareto(args.number("alpha", 0.01..=100.0), args.number("ratio", 1.000_001..))
        }
        _ => Law::Samples(read_samples(args)?),
    })
}

fn read_share(args: &mut Args<'_>) -> f64 {
    let share = args.number_or("f", 0.0..=1.0, 0.5);
    if share == 0.0 || share == 1.0 {
        let help = "f is the share of work in the short phase; 0.5 gives balanced means";
        args.problem(args.span_of("f"), "`f` must be between 0 and 1", Some(help.into()));
    }
    share
}

/// Two phases with a share `f` of the work in the short one (Hellemans, thesis).
fn hyperexponential(scv: f64, f: f64) -> Law {
    let g = 1.0 - f;
    let root = ((scv - 1.0) * (scv - 1.0 + 8.0 * f * g)).sqrt();
    let fast = (scv + 4.0 * f - 1.0 + root) / (2.0 * f * (scv + 1.0));
    let slow = (scv + 4.0 * g - 1.0 - root) / (2.0 * g * (scv + 1.0));
    Law::Hyperexponential { p: fast * f, short: 1.0 / fast, long: 1.0 / slow }
}

/// Pareto on [L, ratio L], with L for mean 1.
fn bounded_pareto(alpha: f64, ratio: f64) -> Law {
    let kept = 1.0 - ratio.powf(-alpha);
    let mean_over_least = if alpha == 1.0 {
        ratio.ln() / kept
    } else {
        alpha / (alpha - 1.0) * (1.0 - ratio.powf(1.0 - alpha)) / kept
    };
    Law::BoundedPareto { alpha, ratio, least: 1.0 / mean_over_least }
}

fn read_samples(args: &mut Args<'_>) -> Option<Arc<[f64]>> {
    let path = args.text("file");
    let column = args.text_or_none("column");
    if path.is_empty() {
        return None;
    }
    match read_column(Path::new(&path), column.as_deref()) {
        Ok(samples) => Some(samples.into()),
        Err(error) => {
            args.problem(args.span_of("file"), error.to_string(), None);
            None
        }
    }
}

impl Law {
    fn mean(&self) -> f64 {
        match self {
            Self::Samples(samples) => samples.iter().sum::<f64>() / samples.len() as f64,
            _ => 1.0,
        }
    }

    fn sample<R: Rng>(&self, rng: &mut R) -> f64 {
        match self {
            Self::Exponential => Exp1.sample(rng),
            Self::Deterministic => 1.0,
            Self::Erlang(law) | Self::Gamma(law) => law.sample(rng),
            Self::Hyperexponential { p, short, long } => {
                let mean = if unit_f64(rng) < *p { short } else { long };
                let time: f64 = Exp1.sample(rng);
                mean * time
            }
            Self::Lognormal(law) => law.sample(rng),
            Self::Weibull(law) => law.sample(rng),
            Self::Uniform { width } => 1.0 + width * (2.0 * unit_f64(rng) - 1.0),
            Self::Pareto { alpha } => {
                let least = (alpha - 1.0) / alpha;
                least * (1.0 - unit_f64(rng)).powf(-1.0 / alpha)
            }
            Self::BoundedPareto { alpha, ratio, least } => {
                let cut = 1.0 - ratio.powf(-alpha);
                least * (1.0 - unit_f64(rng) * cut).powf(-1.0 / alpha)
            }
            Self::Samples(samples) => samples[below(rng, samples.len() as u64) as usize],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evenhand_core::Stream;

    /// Mean and squared coefficient of variation of 10^6 draws within 6 standard errors (false
    /// alarm below 1e-8 each) of the exact values; fourth moments are finite for these laws.
    #[test]
    fn laws_have_their_moments() {
        for (source, scv) in [
            ("exponential", 1.0),
            ("deterministic", 0.0),
            ("erlang(4)", 0.25),
            ("hyperexponential(3)", 3.0),
            ("hyperexponential(3, f=0.25)", 3.0),
            ("gamma(0.5)", 0.5),
            ("lognormal(0.5)", 0.5),
            ("weibull(2)", 4.0 / std::f64::consts::PI - 1.0),
            ("uniform(1)", 1.0 / 3.0),
            ("pareto(6)", 1.0 / 24.0),
        ] {
            let service = Service::parse(source).unwrap();
            let mut stream = Stream::from_seed(12);
            let draws: Vec<f64> = (0..1_000_000).map(|_| service.sample(&mut stream)).collect();
            let n = draws.len() as f64;
            let mean = draws.iter().sum::<f64>() / n;
            let squares: Vec<f64> = draws.iter().map(|x| (x - 1.0).powi(2)).collect();
            let variance = squares.iter().sum::<f64>() / n;
            let spread = squares.iter().map(|s| (s - variance).powi(2)).sum::<f64>() / n;
            assert!((mean - 1.0).abs() <= 6.0 * (scv / n).sqrt() + 1e-12, "{source}: mean {mean}");
            assert!(
                (variance - scv).abs() <= 6.0 * (spread / n).sqrt() + 1e-12,
                "{source}: {variance}"
            );
        }
    }

    #[test]
    fn a_mean_scales_the_law() {
        let service = Service::parse("bounded-pareto(1.5, 1000, mean=3)").unwrap();
        assert_eq!(service.mean(), 3.0);
        let mut stream = Stream::from_seed(12);
        let mean = (0..1_000_000).map(|_| service.sample(&mut stream)).sum::<f64>() / 1e6;
        assert!((mean - 3.0).abs() < 0.2, "{mean}");
    }

    #[test]
    fn problems_are_named() {
        let error = Service::parse("lognornal(4)").unwrap_err().to_string();
        assert!(error.contains("did you mean `lognormal`?"), "{error}");
        let error = Service::parse("pareto(0.9)").unwrap_err().to_string();
        assert!(error.contains("above 1"), "{error}");
        let error = Service::parse("samples(\"no such file\")").unwrap_err().to_string();
        assert!(error.contains("no such file"), "{error}");
    }
}
