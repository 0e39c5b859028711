//! Two choices between neighbours on a graph: the pair approximation.

use nalgebra::{DMatrix, DVector};

use super::inputs::check_load;
use super::supermarket::FixedPoint;
use crate::Error;

/// Profiles end at a tail below this, or are given up beyond so many levels.
const NEGLIGIBLE: f64 = 1e-16;
const FIRST_LEVELS: usize = 16;
const MOST_LEVELS: usize = 256;

/// Greatest change of a fraction at which the iteration has settled, and its most steps.
const SETTLED: f64 = 1e-14;
const MOST_STEPS: u32 = 2_000;

/// The stationary state of servers on a graph where each has `degree` neighbours.
///
/// Jobs arrive at each server at rate `load`, look at it and one uniform neighbour, and join the
/// shorter queue, or either if both are equal. With y\[i, j\] the probability that a server has i
/// jobs and a given neighbour j, the first gets jobs at rate
///
/// 2 load / degree (1 if i < j, 1/2 if i = j) + 2 load (degree - 1) / degree q\[i\],
///
/// over their edge and its other edges, with q\[i\] the probability that a neighbour has more than
/// i jobs, plus half that it has i, given i. The approximation is that the lengths at the other
/// neighbours depend on i only (Gast 2015, "The power of two choices on graphs: the
/// pair-approximation is accurate"). It is exact for degree 1, two servers that share jobs, and
/// becomes the supermarket model with two choices as the degree grows.
///
/// Solved by iteration over q; each step solves the chain of the pair by elimination of one row of
/// y after the other.
///
/// ```
/// use evenhand_theory::meanfield::pair::pair;
/// let ring = pair(2, 0.7)?;
/// assert!((ring.mean_queue_length() - 1.2553).abs() < 5e-5);
/// # Ok::<(), evenhand_theory::Error>(())
/// ```
///
/// # Errors
/// [`Error::Unstable`] if the load is 1 or more; [`Error::OutOfRange`] if the load is negative or
/// queues get longer than 256 jobs, or the degree is 0; [`Error::NoConvergence`] if the iteration
/// does not settle.
pub fn pair(degree: u32, load: f64) -> Result<FixedPoint, Error> {
    check_load(load)?;
    if degree == 0 {
        return Err(Error::OutOfRange("a server has at least one neighbour".into()));
    }
    let mut levels = FIRST_LEVELS;
    // A start that favours short queues, as choices do.
    let mut favour: Vec<f64> = (0..).map(|i| 0.5_f64.powi(i)).take(levels + 1).collect();
    loop {
        let change = settle(degree, load, &mut favour)?;
        let tails = tails(&stationary(degree, load, &favour)?);
        if tails[levels] < NEGLIGIBLE {
            return Ok(assemble(load, tails, change));
        }
        levels += levels / 2;
        if levels > MOST_LEVELS {
            let why = format!("queues get longer than {MOST_LEVELS} jobs");
            return Err(Error::OutOfRange(why));
        }
        favour.resize(levels + 1, 0.0);
    }
}

/// Iterates over `favour`, q, until it gives itself; the last change of a fraction of servers.
fn settle(degree: u32, load: f64, favour: &mut [f64]) -> Result<f64, Error> {
    let mut change = f64::INFINITY;
    for _ in 0..MOST_STEPS {
        let pairs = stationary(degree, load, favour)?;
        change = 0.0;
        for (i, favour) in favour.iter_mut().enumerate() {
            let row = pairs.row(i);
            let all: f64 = row.sum();
            if all < f64::MIN_POSITIVE {
                continue;
            }
            let longer = row.columns_range(i + 1..).sum();
            let next = (longer + 0.5 * row[i]) / all;
            change = f64::max(change, all * (next - *favour).abs());
            *favour = next;
        }
        if change < SETTLED {
            return Ok(change);
        }
    }
    let what = "the pair approximation";
    Err(Error::NoConvergence { what, steps: MOST_STEPS, change })
}

/// The stationary law y of the lengths of two neighbours, given q.
///
/// Row i + 1 is row i times R\[i\], found from the longest queue down; row 0 is at rest with R\[0\].
fn stationary(degree: u32, load: f64, favour: &[f64]) -> Result<DMatrix<f64>, Error> {
    let arrivals = arrivals(degree, load, favour);
    eliminate(&arrivals).ok_or(Error::NoConvergence {
        what: "the elimination of a pair of neighbours",
        steps: favour.len() as u32,
        change: f64::INFINITY,
    })
}

fn eliminate(arrivals: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    let n = arrivals.nrows();
    let mut steps = vec![DMatrix::zeros(n, n); n];
    for i in (1..n).rev() {
        let mut step = (leaving(arrivals, i) - &steps[i]).try_inverse()?;
        for (j, mut row) in step.row_iter_mut().enumerate() {
            row *= arrivals[(i - 1, j)];
        }
        steps[i - 1] = step;
    }
    // At rest, up to a factor: the equation of one column gives way to that of the sum.
    let mut rest = (leaving(arrivals, 0) - &steps[0]).transpose();
    rest.row_mut(0).fill(1.0);
    let mut sum = DVector::zeros(n);
    sum[0] = 1.0;
    let mut row = rest.lu().solve(&sum)?.transpose();
    let mut pairs = DMatrix::zeros(n, n);
    for (i, step) in steps.iter().enumerate() {
        pairs.set_row(i, &row);
        row *= step;
    }
    let all = pairs.sum();
    Some(pairs / all)
}

/// The rate at which jobs join a server with i jobs whose neighbour has j, at row i, column j.
fn arrivals(degree: u32, load: f64, favour: &[f64]) -> DMatrix<f64> {
    let n = favour.len();
    let each = 2.0 * load / f64::from(degree);
    let others = f64::from(degree - 1);
    DMatrix::from_fn(n, n, |i, j| {
        let shared = if i < j { 1.0 } else { f64::from(u8::from(i == j)) / 2.0 };
        // The longest queue that is followed gets no more jobs.
        if i + 1 == n { 0.0 } else { each * (shared + others * favour[i]) }
    })
}

/// Minus the generator inside row i: rates out on the diagonal, minus those of the neighbour's
/// arrivals and departures beside it.
fn leaving(arrivals: &DMatrix<f64>, i: usize) -> DMatrix<f64> {
    let n = arrivals.nrows();
    let busy = |k: usize| if k > 0 { 1.0 } else { 0.0 };
    DMatrix::from_fn(n, n, |j, to| {
        if to == j {
            arrivals[(i, j)] + arrivals[(j, i)] + busy(i) + busy(j)
        } else if to == j + 1 {
            -arrivals[(j, i)]
        } else if j == to + 1 {
            -1.0
        } else {
            0.0
        }
    })
}

fn tails(pairs: &DMatrix<f64>) -> Vec<f64> {
    let mut sum = 0.0;
    let mut tails: Vec<f64> = (0..pairs.nrows())
        .rev()
        .map(|i| {
            sum += pairs.row(i).sum();
            sum
        })
        .collect();
    tails.reverse();
    tails[0] = 1.0;
    tails
}

fn assemble(load: f64, tails: Vec<f64>, change: f64) -> FixedPoint {
    // Flows across a level balance: load P(a job joins a server with at least k) = s[k+1].
    let mut selected: Vec<f64> = tails.iter().skip(1).map(|tail| tail / load).collect();
    if load == 0.0 {
        selected.fill(0.0);
    }
    selected[0] = 1.0;
    selected.push(0.0);
    // Servers are busy for the fraction of time that jobs bring: what is off is the error.
    let error = (tails[1] - load).abs() + change;
    FixedPoint { load, tails, selected, error }
}
