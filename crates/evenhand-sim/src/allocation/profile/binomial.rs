use evenhand_core::{Rng, unit_f64};
use rand_distr::{Binomial, Distribution};

/// Below this mean the set-up of the general sampler costs more than walking the distribution.
const WALK_BELOW_MEAN: f64 = 12.0;

/// A binomial number: successes among `trials` of probability `p`.
///
/// Small means walk the distribution function from 0 (inversion); large ones go to the rejection
/// sampler of rand_distr (BTPE; Kachitvichyanukul, Schmeiser 1988).
#[inline]
pub fn binomial<R: Rng>(trials: u64, p: f64, rng: &mut R) -> u64 {
    if p >= 1.0 || trials == 0 {
        return trials;
    }
    if p > 0.5 {
        return trials - binomial(trials, 1.0 - p, rng);
    }
    if trials as f64 * p < WALK_BELOW_MEAN {
        return walk(trials, p, rng);
    }
    Binomial::new(trials, p).expect("p lies in [0, 1]").sample(rng)
}

/// Inversion: subtracts P(X = 0), P(X = 1), ... from a uniform number.
fn walk<R: Rng>(trials: u64, p: f64, rng: &mut R) -> u64 {
    let odds = p / (1.0 - p);
    let first = (trials as f64 * (-p).ln_1p()).exp();
    // With mean below 12 a value above 110 has probability below 1e-60: a uniform number that
    // gets there has lost its digits, and is drawn again.
    loop {
        let mut u = unit_f64(rng);
        let mut probability = first;
        for x in 0..=110.min(trials) {
            if u < probability {
                return x;
            }
            u -= probability;
            probability *= odds * (trials - x) as f64 / (x + 1) as f64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evenhand_core::Stream;
    use statrs::distribution::{Binomial as Exact, Discrete};

    /// Chi-square over the values with at least 20 expected draws; the bound is the mean plus 8
    /// standard deviations of the statistic, a false alarm below 1e-6 each.
    #[test]
    fn follows_the_exact_distribution() {
        let mut stream = Stream::from_seed(8);
        for (trials, p) in
            [(1, 0.3), (10, 0.2), (1000, 0.002), (1_000_000, 5e-6), (40, 0.9), (200, 0.4)]
        {
            let exact = Exact::new(p, trials).unwrap();
            let draws = 200_000;
            let mut counts = std::collections::HashMap::<u64, f64>::new();
            for _ in 0..draws {
                *counts.entry(binomial(trials, p, &mut stream)).or_default() += 1.0;
            }
            let (mut chi2, mut cells) = (0.0, 0.0);
            for value in 0..=trials.min(300) {
                let expected = exact.pmf(value) * f64::from(draws);
                if expected >= 20.0 {
                    let count = counts.get(&value).copied().unwrap_or(0.0);
                    chi2 += (count - expected).powi(2) / expected;
                    cells += 1.0;
                }
            }
            assert!(
                chi2 < cells + 8.0 * (2.0_f64 * cells).sqrt(),
                "{trials} {p}: {chi2} of {cells}"
            );
        }
    }
}
