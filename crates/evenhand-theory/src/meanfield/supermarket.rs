//! The supermarket model at rest: fixed points, and the law of the time of a job.

use super::Selection;
use super::inputs::{check_load, check_quantile};
use super::law::{bisect, poisson_mixture, quantile};
use super::selection::{draws, power, within};
use crate::Error;
use crate::memory_chain::ratio;

/// The stationary state of infinitely many servers of speed 1.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FixedPoint {
    /// Arrivals per server and mean service time.
    pub load: f64,
    /// `tails[k]` is the fraction of servers with at least k jobs; `tails[0]` = 1. There are at
    /// least 17 entries, and enough for the last to be negligible: below 1e-60 from
    /// [`fixed_point`], below 1e-16 from [`pair`](super::pair::pair).
    pub tails: Vec<f64>,
    /// `selected[k]` is the probability that an arriving job joins a server with at least k jobs.
    pub selected: Vec<f64>,
    /// Estimate of the greatest error of a tail: the rounding of each step of the recursion, or
    /// what an iteration leaves.
    pub error: f64,
}

/// The tail at which a profile ends, and the levels that it has at least and at most.
const NEGLIGIBLE: f64 = 1e-60;
const LEAST_LEVELS: usize = 16;
const MOST_LEVELS: usize = 10_000_000;

/// The stationary state under `selection` with `load` jobs per server and mean service time.
///
/// Flows up and down balance across each level: s\[k+1\] = load phi\[k\], with phi\[k\] the
/// probability that a job joins a server with at least k jobs. For d choices that is the closed
/// form s\[k\] = load^((d^k - 1)/(d - 1)); where phi\[k\] depends on lower levels only, a recursion;
/// for a threshold, an equation in one unknown, s\[limit+1\].
///
/// Vvedenskaya, Dobrushin, Karpelevich 1996; Mitzenmacher 2001.
///
/// ```
/// use evenhand_theory::meanfield::{Selection, supermarket::fixed_point};
/// let state = fixed_point(Selection::Choices { d: 2 }, 0.9)?;
/// assert!((state.tails[2] - 0.729).abs() < 1e-14);
/// assert!((state.mean_sojourn() - 2.614057).abs() < 1e-6);
/// # Ok::<(), evenhand_theory::Error>(())
/// ```
///
/// # Errors
/// [`Error::Unstable`] if the load is 1 or more; [`Error::OutOfRange`] if the load is negative or
/// so near 1 that profiles have more than ten million levels, or a parameter is out of range.
pub fn fixed_point(selection: Selection, load: f64) -> Result<FixedPoint, Error> {
    selection.check()?;
    check_load(load)?;
    let tails = tails(selection, load)?;
    let mut selected = vec![0.0; tails.len()];
    selection.selected(&tails, &mut selected);
    let error = rounding(selection, &tails);
    Ok(FixedPoint { load, tails, selected, error })
}

impl FixedPoint {
    /// Mean number of jobs at a server, the one in service included.
    pub fn mean_queue_length(&self) -> f64 {
        self.tails.iter().skip(1).rev().sum()
    }

    /// Mean time of a job in the system, by Little's law.
    pub fn mean_sojourn(&self) -> f64 {
        self.selected.iter().rev().sum()
    }

    /// Mean time of a job before its service.
    pub fn mean_wait(&self) -> f64 {
        self.selected.iter().skip(1).rev().sum()
    }

    /// Probability that a job waits.
    pub fn waiting_probability(&self) -> f64 {
        self.selected[1]
    }

    /// Probability that a job is in the system for longer than `time`.
    ///
    /// A job that finds k jobs stays for k + 1 services of rate 1, so this is the sum over k of
    /// phi\[k\] e^(-time) time^k / k! (Hellemans, Van Houdt 2018).
    pub fn sojourn_above(&self, time: f64) -> f64 {
        poisson_mixture(&self.selected, time)
    }

    /// Probability that a job waits for longer than `time`.
    pub fn wait_above(&self, time: f64) -> f64 {
        poisson_mixture(&self.selected[1..], time)
    }

    /// The time that a job is in the system for at most, with `probability`.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] unless 0 < `probability` < 1.
    pub fn sojourn_quantile(&self, probability: f64) -> Result<f64, Error> {
        check_quantile(probability)?;
        quantile(|time| self.sojourn_above(time), 1.0 - probability)
    }

    /// The time that a job waits for at most, with `probability`; 0 if so many do not wait.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] unless 0 < `probability` < 1.
    pub fn wait_quantile(&self, probability: f64) -> Result<f64, Error> {
        check_quantile(probability)?;
        quantile(|time| self.wait_above(time), 1.0 - probability)
    }
}

fn tails(selection: Selection, load: f64) -> Result<Vec<f64>, Error> {
    match selection {
        Selection::Choices { d } => {
            let mut exponent = 1.0;
            unfold(|_| {
                let tail = load.powf(exponent);
                exponent = f64::from(d) * exponent + 1.0;
                tail
            })
        }
        Selection::OnePlusBeta { beta, d } => {
            unfold(|s| load * ((1.0 - beta) * s + beta * power(s, d)))
        }
        Selection::Threshold { d, limit } => {
            let within = within(limit);
            let above = first_above(d, within, load);
            let (next_within, mut level) = (next_within(load, d, above), 0);
            unfold(|s| {
                level += 1;
                if level > within { load * power(s, d) } else { next_within(s) }
            })
        }
        Selection::Memory { d } => {
            let (mut q, mut before) = (1.0, 1.0);
            unfold(|s| {
                q *= ratio(d, before, s);
                before = s;
                load * q * power(s, d)
            })
        }
    }
}

/// Tails from 1 on, each from the one before, to the first that is negligible.
fn unfold(mut next: impl FnMut(f64) -> f64) -> Result<Vec<f64>, Error> {
    let (mut tails, mut last) = (vec![1.0], 1.0);
    while last >= NEGLIGIBLE || tails.len() <= LEAST_LEVELS {
        if tails.len() > MOST_LEVELS {
            return Err(Error::OutOfRange("the load is too near 1: queues are too long".into()));
        }
        last = next(last);
        tails.push(last);
    }
    Ok(tails)
}

/// s\[k+1\] as a function of s\[k\], for k within the limit, with `above` = s\[limit+1\].
fn next_within(load: f64, d: u32, above: f64) -> impl Fn(f64) -> f64 {
    let (rate, all) = (draws(d, above), power(above, d));
    move |tail| load * (rate * (tail - above) + all)
}

/// s\[limit+1\] of a threshold: the value from which the levels up to the limit lead to itself.
fn first_above(d: u32, within: usize, load: f64) -> f64 {
    // A threshold does no worse than one draw, whose tails are load^k.
    let highest = load.powf(within as f64);
    if highest < NEGLIGIBLE {
        return 0.0;
    }
    let too_low = |above: f64| {
        let next = next_within(load, d, above);
        (0..within).fold(1.0, |s, _| next(s)) > above
    };
    bisect(too_low, 0.0, highest)
}

/// Rounding errors of the tails: each level passes on the relative error of the one before it, as
/// many times as the relative slope of phi.
fn rounding(selection: Selection, tails: &[f64]) -> f64 {
    let growth = |k: usize| match selection {
        Selection::Choices { .. } => 0.0,
        Selection::OnePlusBeta { beta, d } => {
            let several = beta * power(tails[k], d);
            let all = (1.0 - beta) * tails[k] + several;
            if all > 0.0 { 1.0 + f64::from(d - 1) * several / all } else { f64::from(d) }
        }
        // Up to the limit the error is that of the root.
        Selection::Threshold { limit, .. } if k < within(limit) => 1.0,
        Selection::Threshold { d, .. } => f64::from(d),
        Selection::Memory { d } => f64::from(d + 1),
    };
    let mut relative = 0.0;
    tails.iter().enumerate().skip(1).fold(0.0, |worst: f64, (k, tail)| {
        relative = growth(k - 1) * relative + 2.0 * f64::EPSILON;
        worst.max(tail * relative.min(1.0))
    })
}
