//! The processes that have a fluid limit, and its solution at given times.

use super::choices::Choices;
use super::groups::{Compare, Groups};
use super::left::Left;
use super::memory::Memory;
use super::one_plus_beta::OnePlusBeta;
use super::state::{self, State};
use super::threshold::Threshold;
use super::window::{self, Drift};
use crate::Error;

/// A way to place balls, one after another, whose fluid limit is known.
///
/// Ties are broken at random except by [`Process::Left`]. The limit does not depend on whether the
/// bins of one ball are drawn with or without replacement.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Process {
    /// The least loaded of d uniform bins (Azar, Broder, Karlin and Upfal 1999).
    Choices {
        /// d, from 1 on.
        choices: u32,
    },
    /// With probability beta the least loaded of d uniform bins, else one uniform bin (Peres,
    /// Talwar and Wieder 2010).
    OnePlusBeta {
        /// Probability of d choices.
        beta: f64,
        /// d, from 1 on.
        choices: u32,
    },
    /// One uniform bin of each of d equal blocks; ties go to the leftmost (Vöcking 2003).
    Left {
        /// d, from 1 on.
        blocks: u32,
    },
    /// The least loaded of d fresh uniform bins and the remembered one; then the least loaded of
    /// these is remembered, with the ball in (Mitzenmacher, Prabhakar and Shah 2002).
    Memory {
        /// d, from 1 on.
        choices: u32,
    },
    /// Uniform groups of contiguous bins, aligned; the least loaded bin of the lesser loaded
    /// group (Kenthapadi and Panigrahy 2006).
    Groups {
        /// Bins in a group.
        size: u32,
        /// Groups drawn for a ball.
        count: u32,
        /// What makes a group the lesser loaded.
        compare: Compare,
    },
    /// Up to d uniform draws, one after another: the first with load at most `limit`, else the
    /// least loaded of the d (Czumaj and Stemann 2001).
    Threshold {
        /// d, from 1 on.
        choices: u32,
        /// Greatest load that is taken at once.
        limit: u32,
    },
}

/// Most choices, blocks, or bins of all groups drawn.
const MOST_CHOICES: u32 = 64;

/// Most balls a bin.
const MOST_BALLS_PER_BIN: f64 = 10_000.0;

impl Process {
    /// Refuses parameters out of range.
    pub(super) fn check(&self) -> Result<(), Error> {
        let (choices, others) = match *self {
            Self::Choices { choices }
            | Self::Memory { choices }
            | Self::Threshold { choices, .. } => (choices, true),
            Self::OnePlusBeta { beta, choices } => (choices, (0.0..=1.0).contains(&beta)),
            Self::Left { blocks } => (blocks, true),
            Self::Groups { size, count, .. } => (size.saturating_mul(count), true),
        };
        if !(1..=MOST_CHOICES).contains(&choices) {
            return Err(Error::OutOfRange(format!(
                "{choices} choices: fluid limits are computed for 1 to {MOST_CHOICES}"
            )));
        }
        let message = "beta is a probability: it lies between 0 and 1";
        if others { Ok(()) } else { Err(Error::OutOfRange(message.to_owned())) }
    }

    fn drift(&self) -> Box<dyn Drift> {
        match *self {
            Self::Choices { choices } => Box::new(Choices { choices }),
            Self::OnePlusBeta { beta, choices } => Box::new(OnePlusBeta { beta, choices }),
            Self::Left { blocks } => Box::new(Left::new(blocks)),
            Self::Memory { choices } => Box::new(Memory::new(choices)),
            Self::Groups { size, count, compare } => {
                Box::new(Groups { size: size as usize, count, compare })
            }
            Self::Threshold { choices, limit } => {
                Box::new(Threshold { choices, limit: limit as usize })
            }
        }
    }
}

/// The fluid limit of `process` at each of the ascending `times` (balls per bin).
///
/// Every x_i listed is meant to be right to a relative 1e-8, or to 1e-7 below 1e-30: an error of the
/// bulk is seen in the far tail in proportion to ln x_i. This is checked against reference
/// values and closed forms for all processes that have them; down to 1e-60 against the Poisson law
/// for one choice, and against Taylor series up to 100 balls a bin for two choices, (1 + beta) and
/// thresholds. Each state says how far it is from one of thirty times the tolerance.
///
/// # Errors
/// [`Error::OutOfRange`] if a parameter is out of range, or the times do not ascend from 0 up to
/// at most 10,000; [`Error::NoConvergence`] if the integration fails.
///
/// ```
/// use evenhand_theory::fluid::{Process, solve};
/// let states = solve(Process::Choices { choices: 2 }, &[0.5, 1.0])?;
/// assert!((states[1].fraction_at_least[1] - 1.0_f64.tanh()).abs() < 1e-9);
/// assert!(states[1].relative_error < 1e-8);
/// # Ok::<(), evenhand_theory::Error>(())
/// ```
pub fn solve(process: Process, times: &[f64]) -> Result<Vec<State>, Error> {
    process.check()?;
    check_times(times)?;
    let mut drift = process.drift();
    let fine = window::integrate(drift.as_mut(), times, 3e-12)?;
    let coarse = window::integrate(drift.as_mut(), times, 1e-10)?;
    let pairs = fine.iter().zip(&coarse).zip(times);
    Ok(pairs.map(|((fine, coarse), &time)| state::state(process, time, fine, coarse)).collect())
}

fn check_times(times: &[f64]) -> Result<(), Error> {
    let ascending = times.windows(2).all(|pair| pair[0] <= pair[1]);
    let within = times.iter().all(|time| (0.0..=MOST_BALLS_PER_BIN).contains(time));
    if ascending && within {
        return Ok(());
    }
    Err(Error::OutOfRange(format!(
        "balls per bin must ascend from 0 up to at most {MOST_BALLS_PER_BIN}"
    )))
}
