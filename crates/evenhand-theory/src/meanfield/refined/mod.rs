//! Refined mean fields: what N servers differ from infinitely many, to order 1/N and 1/N².
//!
//! E\[s\[k\]\] = s\[k\] + first\[k\] / N + second\[k\] / N² + O(1/N³), at rest.
//!
//! The expansion is asymptotic: it is for many servers. Where 1/N² exceeds 1/N in weight, as for 10
//! servers under a load of 0.95 and four choices, the second correction is worse than none.

mod moments;
mod polynomial;
mod relaxation;

use super::Selection;
use super::supermarket::{FixedPoint, fixed_point};
use crate::Error;
use moments::Moments;
use polynomial::Arrivals;

/// How the servers that a job sees are drawn. The limit is the same; corrections differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sampling {
    /// Each draw is of all N servers, so that two may be the same.
    WithReplacement,
    /// The d servers are distinct.
    Distinct,
}

/// The stationary state of N servers, as an expansion in 1/N.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Refined {
    /// `tails[k]` is the limit of the fraction of servers with at least k jobs; `tails[0]` = 1.
    pub tails: Vec<f64>,
    /// `first[k]` is N times the correction of order 1/N of `tails[k]`; as long as `tails`.
    pub first: Vec<f64>,
    /// `second[k]` is N² times the correction of order 1/N²; absent from [`first_order`].
    pub second: Option<Vec<f64>>,
    /// Covariance, times N, of the fractions with at least i and at least j jobs: row i - 1, column
    /// j - 1. Empty where a job sees one server, which needs no correction.
    pub covariance: Vec<Vec<f64>>,
    /// Greatest change of an entry of `first` if one level fewer is followed.
    pub error_of_first: f64,
    /// The same of `second`; 0 if it is absent.
    pub error_of_second: f64,
}

/// The expansion to order 1/N.
///
/// With W the covariance of the fluctuations, which solves the Lyapunov equation
/// A W + W A' + Q = 0, and g(s) the rate at which jobs go to servers with s\[k\] = s,
/// V\[k+1\] = g' V\[k\] + g''/2 W\[k, k\] + (the change of g by distinct draws), V\[1\] = 0
/// (Gast 2017; Gast, Van Houdt 2017, here with the flows across a level balanced).
///
/// ```
/// use evenhand_theory::meanfield::Selection;
/// use evenhand_theory::meanfield::refined::{Sampling, first_order};
/// let choices = Selection::Choices { d: 2 };
/// let state = first_order(choices, Sampling::WithReplacement, 0.9)?;
/// assert!((state.mean_queue_length(50) - 2.43238).abs() < 1e-5);
/// # Ok::<(), evenhand_theory::Error>(())
/// ```
///
/// # Errors
/// Those of [`fixed_point`]; [`Error::OutOfRange`] for a threshold or memory, whose rates are not
/// a polynomial of one level, and if tails fall so slowly that more than 400 levels matter.
pub fn first_order(selection: Selection, sampling: Sampling, load: f64) -> Result<Refined, Error> {
    expand(selection, sampling, load, Order { second: false, negligible: 1e-24, most_levels: 400 })
}

/// The expansion to order 1/N².
///
/// The moments of the fluctuations to the fourth are expanded and solved in turn, as by Gast,
/// Bortolussi, Tribastone 2018 ("Size expansions of mean field approximation"), in cumulants. For
/// distinct draws the changes of the rates are expanded with them.
///
/// ```
/// use evenhand_theory::meanfield::Selection;
/// use evenhand_theory::meanfield::refined::{Sampling, second_order};
/// let choices = Selection::Choices { d: 2 };
/// let state = second_order(choices, Sampling::WithReplacement, 0.9)?;
/// assert!((state.mean_queue_length(10) - 2.8045).abs() < 5e-5);
/// # Ok::<(), evenhand_theory::Error>(())
/// ```
///
/// # Errors
/// Those of [`first_order`], with at most 160 levels.
pub fn second_order(selection: Selection, sampling: Sampling, load: f64) -> Result<Refined, Error> {
    expand(selection, sampling, load, Order { second: true, negligible: 1e-12, most_levels: 160 })
}

impl Refined {
    /// Mean number of jobs at one of `servers` servers, to the order of the expansion.
    pub fn mean_queue_length(&self, servers: u64) -> f64 {
        self.expected_tails(servers).iter().skip(1).rev().sum()
    }

    /// The expected fraction of `servers` servers with at least k jobs, to the order of the
    /// expansion. Where the expansion fails it may be below 0 or rise with k.
    pub fn expected_tails(&self, servers: u64) -> Vec<f64> {
        let inverse = 1.0 / servers.max(1) as f64;
        let second = |k: usize| self.second.as_ref().map_or(0.0, |second| second[k]);
        let terms = self.tails.iter().zip(&self.first).enumerate();
        terms.map(|(k, (tail, first))| tail + inverse * (first + inverse * second(k))).collect()
    }
}

/// What is expanded, and how far into the tail.
struct Order {
    second: bool,
    /// Levels are followed to the first with a tail below this.
    negligible: f64,
    most_levels: usize,
}

fn expand(
    selection: Selection,
    sampling: Sampling,
    load: f64,
    order: Order,
) -> Result<Refined, Error> {
    let FixedPoint { tails, .. } = fixed_point(selection, load)?;
    let Some((one, several, d)) = selection.polynomial() else {
        let why = "corrections for N servers are known for choices and one-plus-beta only";
        return Err(Error::OutOfRange(why.into()));
    };
    if d == 1 || several == 0.0 || load == 0.0 {
        return Ok(without_correction(tails, order.second));
    }
    let levels = tails.iter().position(|&s| s < order.negligible).unwrap_or(tails.len() - 1);
    // Scales are products of tails, which must not underflow.
    let levels = if tails[levels] < 1e-200 { levels.max(2) - 1 } else { levels };
    if levels > order.most_levels {
        let why = format!("{levels} levels matter, and at most {} are solved", order.most_levels);
        return Err(Error::OutOfRange(why));
    }
    let arrivals = Arrivals::new(load, one, several, d, sampling);
    let solve = |levels| Moments::solve(&arrivals, &tails[..=levels], order.second);
    let (full, fewer) = (solve(levels), solve(levels.max(2) - 1));
    Ok(Refined {
        error_of_first: greatest_change(&full.first, &fewer.first),
        error_of_second: greatest_change(&full.second, &fewer.second),
        covariance: full.covariance.row_iter().map(|row| row.iter().copied().collect()).collect(),
        tails: tails[..full.first.len()].to_vec(),
        first: full.first,
        second: order.second.then_some(full.second),
    })
}

/// The expansion where a job sees one server: queues are independent, and the limit is exact.
fn without_correction(tails: Vec<f64>, second: bool) -> Refined {
    let none = vec![0.0; tails.len()];
    Refined {
        first: none.clone(),
        second: second.then_some(none),
        covariance: Vec::new(),
        error_of_first: 0.0,
        error_of_second: 0.0,
        tails,
    }
}

fn greatest_change(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}
