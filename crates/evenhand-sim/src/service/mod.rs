//! Service times and ball weights: named distributions of mean 1, and samples from files.
//!
//! - `law.rs`: the laws, their moments and their draws
//! - `survival.rs`: their survival functions and hazard rates
//! - `samples.rs`: numbers from a file as a law
//! - `read.rs`: from an expression to a law

mod law;
mod read;
mod samples;
mod survival;

use evenhand_core::Rng;
use evenhand_expr::{Call, Error, Problem};
use rand_distr::{Distribution, Exp1};

use law::Law;

/// How the hazard rate of a law (its density over its survival function) moves with age.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hazard {
    /// It does not: the law is exponential.
    Constant,
    /// It never rises, so the longer a job has been served, the longer it still takes.
    Decreasing,
    /// It never falls.
    Increasing,
    /// It rises and falls.
    Neither,
}

/// A distribution of non-negative numbers, by its expression.
///
/// ```
/// use evenhand_sim::Service;
/// let service = Service::parse("lognormal(4, mean=2)").unwrap();
/// assert_eq!((service.mean(), service.scv(), service.second_moment()), (2.0, 4.0, 20.0));
/// assert!(Service::parse("lognormal(-1)").is_err());
/// ```
#[derive(Clone, Debug)]
pub struct Service {
    expression: Call,
    law: Law,
    /// Factor that brings the law's own mean to the mean asked for.
    scale: f64,
    mean: f64,
}

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

    /// Reads a parsed expression, such as one that stands inside another.
    ///
    /// # Errors
    /// All problems of the call, each with its place.
    pub fn from_call(call: &Call) -> Result<Self, Vec<Problem>> {
        read::read(call)
    }

    /// The canonical expression.
    pub fn expression(&self) -> &Call {
        &self.expression
    }

    /// The mean, in the units of the expression. It is positive and finite.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The mean of squares; infinite for `pareto(alpha)` with alpha of at most 2.
    pub fn second_moment(&self) -> f64 {
        self.mean * self.mean * (1.0 + self.law.scv())
    }

    /// The squared coefficient of variation: variance over squared mean. Infinite where the
    /// second moment is.
    pub fn scv(&self) -> f64 {
        self.law.scv()
    }

    /// True unless the variance is infinite.
    pub fn has_finite_variance(&self) -> bool {
        self.law.scv().is_finite()
    }

    /// The exponent a of a tail P(X > x) ~ x^-a, where the tail is a power of x.
    pub fn tail_index(&self) -> Option<f64> {
        match self.law {
            Law::Pareto { alpha } => Some(alpha),
            _ => None,
        }
    }

    /// True if the law is exponential, whatever its name: `erlang(1)` is.
    pub fn is_exponential(&self) -> bool {
        match self.law {
            Law::Exponential => true,
            Law::Erlang { k, .. } => k == 1.0,
            Law::Hyperexponential { scv, .. } | Law::Gamma { scv, .. } => scv == 1.0,
            Law::Weibull { shape, .. } => shape == 1.0,
            _ => false,
        }
    }

    /// The greatest possible value; `None` if there is no bound.
    pub fn max(&self) -> Option<f64> {
        self.law.max().map(|max| max * self.scale)
    }

    /// P(X > x), in the units of the expression: right-continuous, and of good relative accuracy
    /// however small it is.
    ///
    /// ```
    /// let service = evenhand_sim::Service::parse("uniform(1, mean=2)").unwrap();
    /// assert_eq!(service.survival(3.0), 0.25);
    /// ```
    pub fn survival(&self, x: f64) -> f64 {
        self.law.survival(x / self.scale)
    }

    /// The points above 0 at which the survival function is not smooth, ascending: atoms, kinks
    /// and ends of the support. Samples have one at each distinct value.
    pub fn breaks(&self) -> Vec<f64> {
        let breaks = self.law.breaks().into_iter().map(|x| x * self.scale);
        breaks.filter(|&x| x > 0.0).collect()
    }

    /// Values with their probabilities, ascending, if the law has no density: a constant or
    /// samples. `None` for the others.
    pub fn atoms(&self) -> Option<Vec<(f64, f64)>> {
        let atoms = self.law.atoms()?.into_iter();
        Some(atoms.map(|(value, probability)| (value * self.scale, probability)).collect())
    }

    /// How the hazard rate moves with age, as is known of the law: samples count as neither unless
    /// all are equal.
    pub fn hazard(&self) -> Hazard {
        self.law.hazard()
    }

    /// True if E exp(cX) is finite for some c > 0: the tail falls at least exponentially.
    pub fn has_light_tail(&self) -> bool {
        self.law.has_light_tail()
    }

    /// Number of samples, for `samples`.
    pub fn samples(&self) -> Option<u64> {
        match &self.law {
            Law::Samples(samples) => Some(samples.len()),
            _ => None,
        }
    }

    /// How many of the samples are 0.
    pub fn zeros(&self) -> u64 {
        match &self.law {
            Law::Samples(samples) => samples.zeros,
            _ => 0,
        }
    }

    /// Draws `count` numbers and appends them to `values`.
    pub fn sample_all<R: Rng + ?Sized>(&self, count: usize, rng: &mut R, values: &mut Vec<f64>) {
        match self.law {
            Law::Exponential => values.extend((0..count).map(|_| {
                let value: f64 = Exp1.sample(rng);
                self.scale * value
            })),
            _ => values.extend((0..count).map(|_| self.sample(rng))),
        }
    }

    /// Draws one number.
    #[inline]
    pub fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        self.scale * self.law.sample(rng)
    }
}

impl std::fmt::Display for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.expression.fmt(f)
    }
}
