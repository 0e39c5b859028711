//! The exact law of few balls in few bins, as a Markov chain on load profiles.
//!
//! For processes that treat all bins alike, the counts c_i of bins with at least i balls are a
//! Markov chain: a ball that lands in a bin with i - 1 balls raises c_i by one. There are as many
//! profiles as partitions of the number of balls into at most n parts.

use std::collections::BTreeMap;

use super::process::Process;
use crate::{Error, choice_rate};

/// How the bins of one ball are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sampling {
    /// Independently: a bin may be drawn twice.
    Replacement,
    /// All different.
    Distinct,
}

/// The exact law after m balls in n bins.
#[derive(Clone, Debug, PartialEq)]
pub struct ExactLaw {
    /// P(maximum load = k); index = k.
    pub maximum_load: Vec<f64>,
    /// E of the fraction of bins with at least i balls; index = i.
    pub fraction_at_least: Vec<f64>,
}

/// Most profiles at one time; the time needed is about that of as many map entries for each ball.
const MOST_PROFILES: f64 = 50_000.0;

/// Counts of bins with at least 1, 2, ... balls, up to the maximum load.
type Profile = Vec<u32>;

/// The exact law of `balls` balls in `bins` bins, for d choices, (1 + beta) and thresholds.
///
/// The probabilities are sums of products of positive terms: each has a relative error of about
/// 1e-13.
///
/// # Errors
/// [`Error::OutOfRange`] for other processes, parameters out of range, fewer bins than distinct
/// choices, or more than 50,000 profiles (n = m = 41 is the last square case within).
///
/// ```
/// use evenhand_theory::fluid::{Process, Sampling, exact_law};
/// let law = exact_law(Process::Choices { choices: 2 }, Sampling::Replacement, 8, 8)?;
/// assert!((law.maximum_load[2] - 0.9066416972700608).abs() < 1e-13);
/// # Ok::<(), evenhand_theory::Error>(())
/// ```
pub fn exact_law(
    process: Process,
    sampling: Sampling,
    bins: u32,
    balls: u32,
) -> Result<ExactLaw, Error> {
    let step = Step::new(process, sampling, bins)?;
    if profiles(bins, balls) > MOST_PROFILES {
        let message = format!("{balls} balls in {bins} bins have too many load profiles");
        return Err(Error::OutOfRange(message));
    }
    let mut law = BTreeMap::from([(Profile::new(), 1.0)]);
    for _ in 0..balls {
        law = step.next(&law);
    }
    Ok(summary(&law, bins))
}

/// Number of partitions of `balls` into at most `bins` parts, or infinity if it is beyond reach.
pub(super) fn profiles(bins: u32, balls: u32) -> f64 {
    if u64::from(bins.min(balls)) * u64::from(balls) > 1_000_000 {
        return f64::INFINITY;
    }
    let mut partitions = vec![0.0; balls as usize + 1];
    partitions[0] = 1.0;
    for part in 1..=bins.min(balls) as usize {
        for total in part..=balls as usize {
            partitions[total] += partitions[total - part];
        }
    }
    partitions[balls as usize]
}

fn summary(law: &BTreeMap<Profile, f64>, bins: u32) -> ExactLaw {
    let highest = law.keys().map(Vec::len).max().unwrap_or(0);
    let mut maximum_load = vec![0.0; highest + 1];
    let mut fraction_at_least = vec![0.0; highest + 1];
    for (profile, probability) in law {
        maximum_load[profile.len()] += probability;
        for (fraction, &count) in fraction_at_least[1..].iter_mut().zip(profile) {
            *fraction += probability * f64::from(count) / f64::from(bins);
        }
    }
    fraction_at_least[0] = 1.0;
    ExactLaw { maximum_load, fraction_at_least }
}

/// One ball.
struct Step {
    process: Process,
    sampling: Sampling,
    bins: u32,
}

impl Step {
    fn new(process: Process, sampling: Sampling, bins: u32) -> Result<Self, Error> {
        process.check()?;
        let choices = match process {
            Process::Choices { choices }
            | Process::OnePlusBeta { choices, .. }
            | Process::Threshold { choices, .. } => choices,
            _ => {
                let message = "the exact law is known for choices, (1 + beta) and thresholds";
                return Err(Error::OutOfRange(message.to_owned()));
            }
        };
        if bins == 0 || (sampling == Sampling::Distinct && bins < choices) {
            let message = format!("{choices} distinct bins cannot be drawn from {bins}");
            return Err(Error::OutOfRange(message));
        }
        Ok(Self { process, sampling, bins })
    }

    fn next(&self, law: &BTreeMap<Profile, f64>) -> BTreeMap<Profile, f64> {
        let mut next = BTreeMap::new();
        for (profile, probability) in law {
            for load in 0..=profile.len() {
                let landing = self.landing(profile, load);
                if landing > 0.0 {
                    let mut reached = profile.clone();
                    match reached.get_mut(load) {
                        Some(count) => *count += 1,
                        None => reached.push(1),
                    }
                    *next.entry(reached).or_insert(0.0) += probability * landing;
                }
            }
        }
        next
    }

    /// Probability that the ball lands in a bin with `load` balls.
    fn landing(&self, profile: &[u32], load: usize) -> f64 {
        let count = |i: usize| match i {
            0 => self.bins,
            i => profile.get(i - 1).copied().unwrap_or(0),
        };
        let (least, more) = (count(load), count(load + 1));
        match self.process {
            Process::OnePlusBeta { beta, choices } => {
                (1.0 - beta) * self.all(1, least, more) + beta * self.all(choices, least, more)
            }
            Process::Threshold { choices, limit } if load <= limit as usize => {
                let rejected = count(limit as usize + 1);
                self.first_within(choices, rejected, least - more)
            }
            Process::Choices { choices } | Process::Threshold { choices, .. } => {
                self.all(choices, least, more)
            }
            _ => 0.0,
        }
    }

    /// Probability that all d bins are among the `least` first, but not all among the `more` first.
    ///
    /// For distinct bins C(a, d) - C(b, d) is the sum of C(c, d - 1) over b <= c < a.
    fn all(&self, d: u32, least: u32, more: u32) -> f64 {
        let n = f64::from(self.bins);
        match self.sampling {
            Sampling::Replacement => {
                let (a, b) = (f64::from(least) / n, f64::from(more) / n);
                f64::from(least - more) / n * choice_rate(d, a, b)
            }
            Sampling::Distinct => {
                let ways: f64 = (more..least).map(|c| self.among(d - 1, c, 1)).sum();
                ways * f64::from(d) / n
            }
        }
    }

    /// Probability that a draw within the limit comes, and is one of `wanted` bins.
    fn first_within(&self, d: u32, rejected: u32, wanted: u32) -> f64 {
        let draws = (0..d).map(|before| {
            let left = match self.sampling {
                Sampling::Replacement => self.bins,
                Sampling::Distinct => self.bins - before,
            };
            self.among(before, rejected, 0) / f64::from(left)
        });
        f64::from(wanted) * draws.sum::<f64>()
    }

    /// Probability that `d` bins drawn from all but `taken` are among `set` of those.
    fn among(&self, d: u32, set: u32, taken: u32) -> f64 {
        let factor = |drawn: u32| match self.sampling {
            Sampling::Replacement => f64::from(set) / f64::from(self.bins),
            Sampling::Distinct => {
                f64::from(set.saturating_sub(drawn)) / f64::from(self.bins - taken - drawn)
            }
        };
        (0..d).map(factor).product()
    }
}
