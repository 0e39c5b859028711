//! Functions of the age of a job in service, on panels that grow with age.
//!
//! All functions of age that the fixed point needs are solutions of y' = c (f - y) with constant
//! c. They are smooth whatever the service law is; the law only weighs them. So a panel holds a
//! function as a Legendre series, and the law as its moments against the polynomials.

use super::law::UnitLaw;
use super::legendre::{Series, TERMS};

/// Ages end where age times survival falls below this.
const NEGLIGIBLE: f64 = 1e-60;
/// Greatest age, in mean service times.
const MAX_AGE: f64 = 1e30;

/// A function of age: one series a panel.
pub(super) type AgeFunction = Vec<Series>;

/// An interval of ages with the service law on it.
struct Panel {
    length: f64,
    /// Integrals of the survival function times each polynomial.
    moments: Series,
}

/// The ages from 0 to where no job is left.
pub(super) struct Ages {
    panels: Vec<Panel>,
}

impl Ages {
    /// `per_octave` panels for each doubling of age, after some that reach 1 / `fastest_rate`.
    ///
    /// The law is that of the time from `shift` on: weights are P(X > shift + age).
    pub(super) fn new(law: &UnitLaw, fastest_rate: f64, per_octave: u32, shift: f64) -> Self {
        let ends = panel_ends(law, fastest_rate, per_octave);
        let starts = [0.0].into_iter().chain(ends.iter().copied());
        let panel = |(start, &end): (f64, &f64)| Panel {
            length: end - start,
            moments: law.moments(shift, start, end),
        };
        Self { panels: starts.zip(&ends).map(panel).collect() }
    }

    /// Number of panels.
    pub(super) fn panels(&self) -> usize {
        self.panels.len()
    }

    pub(super) fn constant(&self, value: f64) -> AgeFunction {
        let mut series = [0.0; TERMS];
        series[0] = value;
        vec![series; self.panels.len()]
    }

    /// The integral of a function times the survival function.
    pub(super) fn integral(&self, function: &AgeFunction) -> f64 {
        let panels = self.panels.iter().zip(function);
        panels.map(|(panel, series)| dot(&panel.moments, series)).sum()
    }

    /// The solution of y' = rate (target - y), y(0) = start, into `solution`.
    pub(super) fn relax(
        &self,
        rate: f64,
        start: f64,
        target: &AgeFunction,
        solution: &mut AgeFunction,
    ) {
        let mut value = start;
        for ((panel, target), solution) in self.panels.iter().zip(target).zip(solution) {
            relax_panel(rate * panel.length / 2.0, value, target, solution);
            value = solution.iter().sum();
        }
    }
}

fn dot(a: &Series, b: &Series) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Ends of the panels, ascending.
fn panel_ends(law: &UnitLaw, fastest_rate: f64, per_octave: u32) -> Vec<f64> {
    let first = 1.0 / fastest_rate;
    let equal = (1..=per_octave).map(|i| first * f64::from(i) / f64::from(per_octave));
    let mut ends: Vec<f64> = equal.collect();
    let mut octave = first;
    while octave < MAX_AGE && octave * law.survival(octave) > NEGLIGIBLE {
        for i in 1..=per_octave {
            ends.push(octave * (f64::from(i) / f64::from(per_octave)).exp2());
        }
        octave *= 2.0;
    }
    ends
}

/// Solves y = start + c ∫ (target - y) for the series of y, c being rate times half the length.
///
/// The integral from -1 of a series g has the coefficients g_(k-1)/(2k-1) - g_(k+1)/(2k+3), so
/// the system is tridiagonal. Its off-diagonals have opposite signs: elimination adds, and never
/// subtracts, in the pivots.
fn relax_panel(c: f64, start: f64, target: &Series, y: &mut Series) {
    const BELOW: [f64; TERMS] = reciprocals(-1);
    const ABOVE: [f64; TERMS] = reciprocals(3);
    let mut upper = [0.0; TERMS];
    let mut pivot = 1.0 / (1.0 + c);
    upper[0] = c * ABOVE[0] * pivot;
    y[0] = (start + c * (target[0] - target[1] * ABOVE[0])) * pivot;
    for k in 1..TERMS {
        let after = if k + 1 < TERMS { target[k + 1] * ABOVE[k] } else { 0.0 };
        let lower = c * BELOW[k];
        pivot = 1.0 / (1.0 + lower * upper[k - 1]);
        upper[k] = c * ABOVE[k] * pivot;
        y[k] = (lower * (target[k - 1] - y[k - 1]) - c * after) * pivot;
    }
    for k in (0..TERMS - 1).rev() {
        y[k] += upper[k] * y[k + 1];
    }
}

/// 1 / (2k + offset).
const fn reciprocals(offset: i32) -> [f64; TERMS] {
    let mut values = [0.0; TERMS];
    let mut k = 0;
    while k < TERMS {
        values[k] = 1.0 / (2 * k as i32 + offset) as f64;
        k += 1;
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use evenhand_sim::Service;

    fn ages(law: &str, per_octave: u32, shift: f64) -> Ages {
        let service = Service::parse(law).unwrap();
        Ages::new(&UnitLaw::new(&service), 2.0, per_octave, shift)
    }

    /// The survival function itself integrates to the mean, whatever its shape.
    #[test]
    fn moments_of_order_zero_sum_to_the_mean() {
        for law in [
            "exponential",
            "deterministic(mean=3)",
            "erlang(100)",
            "erlang(1000000)",
            "gamma(0.00000001)",
            "gamma(20)",
            "weibull(0.2)",
            "weibull(900)",
            "lognormal(10)",
            "uniform(0.3)",
            "bounded-pareto(1.1, 1e6)",
            "hyperexponential(100)",
        ] {
            let ages = ages(law, 1, 0.0);
            let mean = ages.integral(&ages.constant(1.0));
            let tolerance = if law.contains("00000") { 1e-8 } else { 1e-12 };
            assert!((mean - 1.0).abs() < tolerance, "{law}: {mean:e}");
        }
    }

    /// Two relaxations at rates 2 and 1/2 after exponential service: E exp(-cX) = 1/(1+c).
    #[test]
    fn relaxations_have_their_laplace_transforms() {
        let ages = ages("exponential", 1, 0.0);
        let (mut fast, mut slow) = (ages.constant(0.0), ages.constant(0.0));
        ages.relax(2.0, 1.0, &ages.constant(0.0), &mut fast);
        assert!((ages.integral(&fast) - 1.0 / 3.0).abs() < 1e-15);
        ages.relax(0.5, 0.0, &fast, &mut slow);
        // 0.5 / (0.5 + p) / (2 + p) at p = 1.
        assert!((ages.integral(&slow) - 1.0 / 9.0).abs() < 1e-15);
    }

    #[test]
    fn a_shift_leaves_the_rest_of_the_law() {
        let ages = ages("uniform(1)", 1, 0.5);
        assert!((ages.integral(&ages.constant(1.0)) - 0.75_f64.powi(2)).abs() < 1e-15);
    }
}
