//! The supermarket model in time.

use super::Selection;
use super::inputs::{check_profile, check_rate, check_times};
use crate::Error;
use crate::ode::{Tolerance, solve};

/// The state of infinitely many servers at some times.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Transient {
    /// Times of output, in mean service times.
    pub times: Vec<f64>,
    /// `tails[i][k]` is the fraction of servers with at least k jobs at `times[i]`;
    /// `tails[i][0]` = 1. All have the same length.
    pub tails: Vec<Vec<f64>>,
    /// Greatest difference of a tail to an integration with ten times the tolerance.
    pub error: f64,
}

impl Transient {
    /// Mean number of jobs at a server at each time, the one in service included.
    pub fn mean_queue_lengths(&self) -> Vec<f64> {
        self.tails.iter().map(|tails| tails.iter().skip(1).rev().sum()).collect()
    }
}

/// Relative error of a step, and the tail below which the error is absolute.
const RELATIVE: f64 = 1e-10;
const ABSOLUTE: f64 = 1e-25;

/// Greatest fraction of servers that may reach the last level, and levels to begin with and at most.
const NEGLIGIBLE: f64 = 1e-20;
const FIRST_LEVELS: usize = 12;
const MOST_LEVELS: usize = 1 << 17;

/// The state at each of the ascending `times`, from `initial` at time 0.
///
/// `arrival_rate` is that of jobs per server; it may be 1 or more, as the state in time exists all
/// the same. `initial[k]` is the fraction of servers with at least k jobs, with `initial[0]` = 1;
/// `&[1.0]` is an empty system. The equations are
///
/// ds\[k\]/dt = arrival_rate (phi\[k-1\] - phi\[k\]) - (s\[k\] - s\[k+1\]),
///
/// with phi\[k\] the probability that a job joins a server with at least k jobs (Vvedenskaya,
/// Dobrushin, Karpelevich 1996; Mitzenmacher 2001). The levels that are followed are
/// doubled until no fraction above 1e-20 ever reaches the last.
///
/// ```
/// use evenhand_theory::meanfield::{Selection, transient::transient};
/// let state = transient(Selection::Choices { d: 2 }, 0.9, &[1.0], &[1.0, 5.0])?;
/// assert!((state.tails[0][1] - 0.5090526).abs() < 1e-7);
/// # Ok::<(), evenhand_theory::Error>(())
/// ```
///
/// # Errors
/// [`Error::OutOfRange`] for a rate, profile, time or parameter out of range, or if queues get
/// longer than a hundred thousand jobs; [`Error::NoConvergence`] if the integration fails.
pub fn transient(
    selection: Selection,
    arrival_rate: f64,
    initial: &[f64],
    times: &[f64],
) -> Result<Transient, Error> {
    selection.check()?;
    check_rate(arrival_rate)?;
    check_profile(initial)?;
    check_times(times)?;
    let follow =
        |levels, relative| integrate(selection, arrival_rate, initial, times, levels, relative);
    let mut levels = (initial.len() - 1).max(FIRST_LEVELS);
    loop {
        let (tails, reached) = follow(levels, RELATIVE)?;
        if reached <= NEGLIGIBLE {
            let (looser, _) = follow(levels, 10.0 * RELATIVE)?;
            let error = difference(&tails, &looser);
            return Ok(Transient { times: times.to_vec(), tails, error });
        }
        levels *= 2;
        if levels > MOST_LEVELS {
            return Err(Error::OutOfRange(format!("queues get longer than {MOST_LEVELS} jobs")));
        }
    }
}

/// The tails at each time, and the greatest fraction that ever reached the last level.
fn integrate(
    selection: Selection,
    arrival_rate: f64,
    initial: &[f64],
    times: &[f64],
    levels: usize,
    relative: f64,
) -> Result<(Vec<Vec<f64>>, f64), Error> {
    let mut tails = initial.to_vec();
    tails.resize(levels + 1, 0.0);
    let mut phi = vec![0.0; levels + 1];
    let mut reached: f64 = 0.0;
    let tolerance = Tolerance { relative, absolute: ABSOLUTE };
    let drift = |_: f64, s: &[f64], ds: &mut [f64]| {
        reached = reached.max(s[levels]);
        selection.selected(s, &mut phi);
        ds[0] = 0.0;
        for k in 1..=levels {
            let longer = s.get(k + 1).copied().unwrap_or(0.0);
            ds[k] = arrival_rate * (phi[k - 1] - phi[k]) - (s[k] - longer);
        }
    };
    let states = solve(drift, 0.0, &tails, times, tolerance)?;
    Ok((states, reached))
}

fn difference(a: &[Vec<f64>], b: &[Vec<f64>]) -> f64 {
    let pairs = a.iter().flatten().zip(b.iter().flatten());
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}
