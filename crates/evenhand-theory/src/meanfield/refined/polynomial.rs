//! The rate at which jobs go to servers with at least k jobs, as a polynomial of s\[k\].

use super::Sampling;

/// A sum of terms coefficient * x^power.
#[derive(Clone, Debug)]
pub(super) struct Polynomial(Vec<(f64, u32)>);

impl Polynomial {
    /// The `order`-th derivative at `x`.
    pub(super) fn derivative(&self, order: u32, x: f64) -> f64 {
        self.0.iter().map(|&(coefficient, power)| coefficient * monomial(power, order, x)).sum()
    }

    pub(super) fn at(&self, x: f64) -> f64 {
        self.derivative(0, x)
    }
}

/// The `order`-th derivative of x^power.
fn monomial(power: u32, order: u32, x: f64) -> f64 {
    if order > power {
        return 0.0;
    }
    let factors = (power - order + 1..=power).map(f64::from).product::<f64>();
    factors * x.powi((power - order) as i32)
}

/// g + g1 / N + g2 / N², the rate per server of jobs to servers with at least k jobs.
///
/// With d draws with replacement, g(x) = load x^d, and g1 = g2 = 0. With d distinct draws of N the
/// probability that all have at least k jobs is the product over m < d of (x - m/N) / (1 - m/N).
/// With e1 and e2 the elementary symmetric sums of 0..d, so e1 = d (d-1) / 2, that is
/// x^d - e1 (x^(d-1) - x^d) / N + (e2 x^(d-2) - e1² x^(d-1) + (e1² - e2) x^d) / N² + ...
#[derive(Clone, Debug)]
pub(super) struct Arrivals {
    pub(super) limit: Polynomial,
    pub(super) first: Polynomial,
    pub(super) second: Polynomial,
}

impl Arrivals {
    /// `one` and `several` are the probabilities that a job takes its only draw and that it takes
    /// the least loaded of `d`, at least 2.
    pub(super) fn new(load: f64, one: f64, several: f64, d: u32, sampling: Sampling) -> Self {
        let limit = Polynomial(vec![(load * one, 1), (load * several, d)]);
        if sampling == Sampling::WithReplacement {
            let (first, second) = (Polynomial(vec![]), Polynomial(vec![]));
            return Self { limit, first, second };
        }
        let n = f64::from(d);
        let e1 = n * (n - 1.0) / 2.0;
        let squares = (n - 1.0) * n * (2.0 * n - 1.0) / 6.0;
        let e2 = (e1 * e1 - squares) / 2.0;
        let rate = load * several;
        let first = Polynomial(vec![(-rate * e1, d - 1), (rate * e1, d)]);
        let second = Polynomial(vec![
            (rate * e2, d - 2),
            (-rate * e1 * e1, d - 1),
            (rate * (e1 * e1 - e2), d),
        ]);
        Self { limit, first, second }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_of_a_cube() {
        let cube = Polynomial(vec![(2.0, 3)]);
        let at_two: Vec<f64> = (0..5).map(|order| cube.derivative(order, 2.0)).collect();
        assert_eq!(at_two, [16.0, 24.0, 24.0, 12.0, 0.0]);
    }

    #[test]
    fn distinct_draws_expand_their_product() {
        for (d, x, n) in [(2, 0.3, 1e4), (3, 0.7, 1e4), (5, 0.9, 1e4)] {
            let arrivals = Arrivals::new(1.0, 0.0, 1.0, d, Sampling::Distinct);
            let exact: f64 = (0..d).map(f64::from).map(|m| (x - m / n) / (1.0 - m / n)).product();
            let first = arrivals.limit.at(x) + arrivals.first.at(x) / n;
            let second = first + arrivals.second.at(x) / (n * n);
            assert!((second - exact).abs() < 1e3 / (n * n * n), "d {d}: {}", second - exact);
        }
    }
}
