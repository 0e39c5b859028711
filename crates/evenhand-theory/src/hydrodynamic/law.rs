//! A service law in units of its mean, as its survival function under integrals.
//!
//! Theory never needs the density or the hazard rate of a law: integrals of its survival function
//! against smooth functions are enough, and exist for atoms, kinks and unbounded densities alike.

use evenhand_sim::Service;

use super::legendre::{GAUSS, Series, TERMS, integrals};

/// Error of an integral over a panel, over the integral itself.
const TOLERANCE: f64 = 1e-14;
/// Parts of a panel at most: rounding in a survival function can keep parts from settling.
const MAX_PARTS: u32 = 3_000;
/// Halvings at most, which reach the singularity at 0 of any law that can be written.
const MAX_DEPTH: u32 = 120;

/// A service law scaled to mean 1.
#[derive(Clone, Debug)]
pub(super) enum UnitLaw {
    /// Values, ascending; probability of each; probability of it or a greater one.
    Atoms { values: Vec<f64>, probabilities: Vec<f64>, at_least: Vec<f64> },
    /// A law with a density between the breaks.
    Smooth { service: Box<Service>, mean: f64, breaks: Vec<f64> },
}

impl UnitLaw {
    pub(super) fn new(service: &Service) -> Self {
        let mean = service.mean();
        let Some(atoms) = service.atoms() else {
            let breaks = service.breaks().iter().map(|x| x / mean).collect();
            return Self::Smooth { service: Box::new(service.clone()), mean, breaks };
        };
        let (values, probabilities): (Vec<f64>, Vec<f64>) =
            atoms.into_iter().map(|(value, probability)| (value / mean, probability)).unzip();
        let mut at_least = probabilities.clone();
        for i in (1..at_least.len()).rev() {
            at_least[i - 1] += at_least[i];
        }
        Self::Atoms { values, probabilities, at_least }
    }

    /// P(X > x).
    pub(super) fn survival(&self, x: f64) -> f64 {
        match self {
            Self::Atoms { values, at_least, .. } => {
                let above = values.partition_point(|&value| value <= x);
                at_least.get(above).copied().unwrap_or(0.0)
            }
            Self::Smooth { service, mean, .. } => service.survival(x * mean),
        }
    }

    /// The least value above 0 that has a probability of its own.
    pub(super) fn least_atom(&self) -> Option<f64> {
        match self {
            Self::Atoms { values, .. } => values.iter().copied().find(|&value| value > 0.0),
            Self::Smooth { .. } => None,
        }
    }

    /// The integral of the survival function over a short interval [a, b].
    pub(super) fn cell(&self, a: f64, b: f64) -> f64 {
        match self {
            // All laws are analytic between 0 and their breaks.
            Self::Smooth { breaks, .. } if a > 0.0 && !breaks.iter().any(|&x| a < x && x < b) => {
                let half = (b - a) / 2.0;
                let terms = GAUSS
                    .iter()
                    .map(|(x, weight, _)| weight * half * self.survival(a + half * (x + 1.0)));
                terms.sum()
            }
            Self::Atoms { values, probabilities, at_least } => {
                let first = values.partition_point(|&value| value <= a);
                let beyond = values.partition_point(|&value| value < b);
                let inside = values[first..beyond].iter().zip(&probabilities[first..beyond]);
                let parts: f64 = inside.map(|(value, probability)| (value - a) * probability).sum();
                parts + at_least.get(beyond).copied().unwrap_or(0.0) * (b - a)
            }
            Self::Smooth { .. } => self.moments(0.0, a, b)[0],
        }
    }

    /// The integrals of P(X > shift + u) P_k(u) over u in [a, b], with the Legendre polynomials
    /// stretched to [a, b].
    pub(super) fn moments(&self, shift: f64, a: f64, b: f64) -> Series {
        match self {
            Self::Atoms { .. } => self.moments_of_atoms(shift, a, b),
            Self::Smooth { breaks, .. } => {
                let mut moments = [0.0; TERMS];
                let inside = breaks.iter().map(|x| x - shift).filter(|&x| a < x && x < b);
                let mut start = a;
                for end in inside.chain([b]) {
                    let part = Quadrature::new(self, shift, a, b).over(start, end);
                    add(&mut moments, &part, 1.0);
                    start = end;
                }
                moments
            }
        }
    }

    /// Each atom adds the integrals of the polynomials up to it.
    fn moments_of_atoms(&self, shift: f64, a: f64, b: f64) -> Series {
        let Self::Atoms { values, probabilities, at_least } = self else { unreachable!() };
        let first = values.partition_point(|&value| value - shift <= a);
        let beyond = values.partition_point(|&value| value - shift < b);
        let mut moments = [0.0; TERMS];
        moments[0] = at_least.get(beyond).copied().unwrap_or(0.0) * (b - a);
        for i in first..beyond {
            let x = 2.0 * (values[i] - shift - a) / (b - a) - 1.0;
            add(&mut moments, &integrals(x), probabilities[i] * (b - a) / 2.0);
        }
        moments
    }
}

fn add(sum: &mut Series, part: &Series, factor: f64) {
    sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += factor * part);
}

/// Quadrature by halves until the halves agree with the whole.
struct Quadrature<'a> {
    law: &'a UnitLaw,
    shift: f64,
    /// The panel to which the polynomials are stretched.
    start: f64,
    length: f64,
    parts: u32,
}

impl<'a> Quadrature<'a> {
    fn new(law: &'a UnitLaw, shift: f64, a: f64, b: f64) -> Self {
        Self { law, shift, start: a, length: b - a, parts: 0 }
    }

    fn over(&mut self, from: f64, to: f64) -> Series {
        let whole = self.gauss(from, to);
        let middle = from + (to - from) / 2.0;
        let halves = self.gauss(from, middle)[0] + self.gauss(middle, to)[0];
        self.refine(from, to, whole, TOLERANCE * halves.max(whole[0]), 0)
    }

    fn refine(&mut self, from: f64, to: f64, whole: Series, error: f64, depth: u32) -> Series {
        let middle = from + (to - from) / 2.0;
        let (left, right) = (self.gauss(from, middle), self.gauss(middle, to));
        let mut both = left;
        add(&mut both, &right, 1.0);
        let change = whole.iter().zip(&both).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        self.parts += 1;
        if change <= error || self.parts > MAX_PARTS || depth > MAX_DEPTH {
            return both;
        }
        both = self.refine(from, middle, left, error, depth + 1);
        add(&mut both, &self.refine(middle, to, right, error, depth + 1), 1.0);
        both
    }

    fn gauss(&self, from: f64, to: f64) -> Series {
        let half = (to - from) / 2.0;
        let mut sums = [0.0; TERMS];
        let whole_panel = from == self.start && to - from == self.length;
        for (node, weight, polynomials) in GAUSS.iter() {
            let u = from + half * (node + 1.0);
            let value = weight * half * self.law.survival(self.shift + u);
            if value == 0.0 {
                continue;
            }
            if whole_panel {
                add(&mut sums, polynomials, value);
            } else {
                let x = 2.0 * (u - self.start) / self.length - 1.0;
                add(&mut sums, &super::legendre::polynomials(x), value);
            }
        }
        sums
    }
}
