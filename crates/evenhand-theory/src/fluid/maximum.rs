//! The law of the maximum load of finitely many bins.
//!
//! With e_k the expected number of bins with more than k balls, and these bins nearly independent
//! as long as they are few among the many with k balls, P(max <= k) is about exp(-e_k).

use super::corrections::{NumberOfBalls, corrections};
use super::exact::{Sampling, exact_law, profiles};
use super::process::{Process, solve};
use super::state::State;
use crate::Error;

/// How a law of the maximum load was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The Markov chain on load profiles: no approximation.
    Exact,
    /// P(max <= k) = exp(-(n x_{k+1} + V_{k+1})), with the term of order 1/n.
    Refined,
    /// P(max <= k) = exp(-n x_{k+1}), with the fluid limit alone. Groups are counted in place of
    /// bins, since bins of one group exceed k together.
    Naive,
}

/// The law of the maximum load.
#[derive(Clone, Debug, PartialEq)]
pub struct MaximumLoad {
    /// The load k of the first probability listed.
    pub first_load: usize,
    /// P(max = k) for k = `first_load`, `first_load` + 1, ... . Loads beyond either end have less
    /// than 1e-12 together.
    pub probability: Vec<f64>,
    /// E of the maximum load.
    pub mean: f64,
    /// How it was found.
    pub method: Method,
}

/// Probability that may be left out at either end.
const LEFT_OUT: f64 = 1e-12;

/// Profiles up to which the chain takes less than about a second.
const FEW_PROFILES: f64 = 5_000.0;

/// Most balls a bin for which the refined law is worth its time.
const REFINED_BALLS_PER_BIN: f64 = 10.0;

/// The law of the maximum load of `balls` balls in `bins` bins, by the best method at hand.
///
/// That is the exact chain for few balls and bins; else the refined law for d choices and
/// (1 + beta); else the naive law. The two last are good to a few per cent of 1 - P(max <= k)
/// where the bins with exactly k balls are many.
///
/// # Errors
/// As [`maximum_load_by`].
///
/// ```
/// use evenhand_theory::fluid::{Process, Sampling, maximum_load};
/// let process = Process::Choices { choices: 2 };
/// let law = maximum_load(process, Sampling::Replacement, 4096, 4096)?;
/// assert_eq!(law.first_load, 3);
/// assert!((law.probability[0] - 0.975).abs() < 0.005);
/// # Ok::<(), evenhand_theory::Error>(())
/// ```
pub fn maximum_load(
    process: Process,
    sampling: Sampling,
    bins: u64,
    balls: u64,
) -> Result<MaximumLoad, Error> {
    let refinable = matches!(process, Process::Choices { .. } | Process::OnePlusBeta { .. });
    let chain = refinable || matches!(process, Process::Threshold { .. });
    let few =
        bins <= 10_000 && balls <= 10_000 && profiles(bins as u32, balls as u32) <= FEW_PROFILES;
    let method = if chain && few {
        Method::Exact
    } else if refinable && balls as f64 <= REFINED_BALLS_PER_BIN * bins as f64 {
        Method::Refined
    } else {
        Method::Naive
    };
    maximum_load_by(method, process, sampling, bins, balls)
}

/// The law of the maximum load of `balls` balls in `bins` bins by a given method.
///
/// The naive law does not depend on `sampling`.
///
/// # Errors
/// [`Error::OutOfRange`] if there are no bins, if parameters are out of range, or if the method
/// does not know the process or the size; [`Error::NoConvergence`] if an integration fails.
pub fn maximum_load_by(
    method: Method,
    process: Process,
    sampling: Sampling,
    bins: u64,
    balls: u64,
) -> Result<MaximumLoad, Error> {
    process.check()?;
    if bins == 0 {
        return Err(Error::OutOfRange("there are no bins".to_owned()));
    }
    let balls_per_bin = balls as f64 / bins as f64;
    let n = bins as f64;
    match method {
        Method::Exact => exact(process, sampling, bins, balls),
        Method::Naive => {
            let state = solve(process, &[balls_per_bin])?.swap_remove(0);
            Ok(law_of(&expected_above(process, &state, n), method))
        }
        Method::Refined => {
            let terms = corrections(process, sampling, NumberOfBalls::Exact, balls_per_bin)?;
            let pairs = terms.fraction_at_least.iter().zip(&terms.mean_correction).skip(1);
            let above: Vec<f64> = pairs.map(|(x, v)| n * x + v).collect();
            Ok(law_of(&descending(above), method))
        }
    }
}

fn exact(
    process: Process,
    sampling: Sampling,
    bins: u64,
    balls: u64,
) -> Result<MaximumLoad, Error> {
    let (Ok(bins), Ok(balls)) = (bins.try_into(), balls.try_into()) else {
        let message = "the exact law is computed for few balls in few bins";
        return Err(Error::OutOfRange(message.to_owned()));
    };
    let law = exact_law(process, sampling, bins, balls)?.maximum_load;
    let mean = law.iter().enumerate().map(|(k, p)| k as f64 * p).sum();
    Ok(trimmed(law, mean, Method::Exact))
}

/// Expected number of bins, or groups, with a bin of more than k balls; index = k.
fn expected_above(process: Process, state: &State, bins: f64) -> Vec<f64> {
    match process {
        Process::Groups { size, .. } => {
            let size = size as usize;
            let fractions = state.groups.iter().skip(1).step_by(size);
            fractions.map(|y| bins / size as f64 * y).collect()
        }
        _ => state.fraction_at_least.iter().skip(1).map(|x| bins * x).collect(),
    }
}

/// The same numbers, raised where they are less than a later one: the expansion in 1/n may be off
/// where it is about to vanish, but a law must not have negative probabilities.
fn descending(mut above: Vec<f64>) -> Vec<f64> {
    let mut least: f64 = 0.0;
    for number in above.iter_mut().rev() {
        least = least.max(*number);
        *number = least;
    }
    above
}

/// P(max <= k) = exp(-e_k) from the e_k, without differences of nearby numbers.
fn law_of(above: &[f64], method: Method) -> MaximumLoad {
    let mut law = Vec::with_capacity(above.len() + 1);
    let mut before = f64::INFINITY;
    for &number in above.iter().chain([&0.0]) {
        law.push((-number).exp() * -(number - before).exp_m1());
        before = number;
    }
    let mean = above.iter().map(|number| -(-number).exp_m1()).sum();
    trimmed(law, mean, method)
}

fn trimmed(law: Vec<f64>, mean: f64, method: Method) -> MaximumLoad {
    let first_load = left_out(law.iter());
    let last = law.len() - 1 - left_out(law.iter().rev());
    MaximumLoad { first_load, probability: law[first_load..=last].to_vec(), mean, method }
}

/// How many of the first probabilities are negligible together.
fn left_out<'a>(law: impl Iterator<Item = &'a f64>) -> usize {
    let sums = law.scan(0.0, |sum, p| {
        *sum += p;
        Some(*sum)
    });
    sums.take_while(|sum| *sum < LEFT_OUT / 2.0).count()
}
