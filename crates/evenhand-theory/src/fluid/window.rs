//! Integration of a fluid limit over the levels that are neither full nor empty.
//!
//! At T balls a bin the levels far below T are full (1 to double precision), those far above T
//! underflow. Only the window between them moves, so the cost of a time unit does not grow with T.
//!
//! The equations start from zero, where x_i is some power of T: each window begins with rough
//! guesses ("seeds") for the levels it adds. That does little harm, because an error made while x_i
//! was small is forgotten as x_i grows. For the same reason far tails are left out on the way, which
//! allows much longer steps:
//!
//! - At T < end, levels from j on. With one choice, a ball that is the i-th in its bin at the end
//!   was the j-th at T with the binomial probability of j out of i at T/end. Other tails fall
//!   faster. See [`levels_that_matter`].
//! - At T > 1, levels below 1e-20, up to two time units before an output, where tails fall doubly
//!   exponentially: x_i is about x_{i-1}^d, so that x_i^(1/4) or more comes of x_i in that time.

use crate::Error;
use crate::ode::{self, Tolerance};

/// Balls a bin at which an integration starts. Its error relative to T is of this order.
const START: f64 = 1e-13;

/// A level whose shortfall from 1 is less than this is full.
const FULL: f64 = 1e-13;

/// Time units over which the window stays in place.
const SEGMENT: f64 = 1.0;

/// Levels above 1e-290 at one ball a bin, where tails fall slowest (one choice).
const LEVELS_AT_ONE: f64 = 170.0;

/// Minus the logarithm of what may be neglected, with room for rough seeds.
const LN_NEGLIGIBLE: f64 = 45.0;

/// Time units before an output from which on the far tail is followed.
const TAIL_TIME: f64 = 2.0;

/// Least fraction held to the relative tolerance, at outputs and on the way to them.
const LEAST_AT_OUTPUT: f64 = 1e-290;
const LEAST_ON_THE_WAY: f64 = 1e-9;

/// The right-hand side of a fluid limit.
pub(super) trait Drift {
    /// Fractions that make up a level: blocks, or numbers of balls of a group.
    fn parts(&self) -> usize {
        1
    }

    /// Writes dx/dT. `x` holds the levels above the first `full` ones, level by level; all levels
    /// below it are 1, all levels beyond it 0.
    fn rates(&mut self, full: usize, x: &[f64], dx: &mut [f64]);

    /// Whether the tail falls doubly exponentially from here on.
    fn forgets_tail(&self, full: usize, x: &[f64]) -> bool;
}

/// The levels above the full ones.
#[derive(Clone, Debug)]
pub(super) struct Window {
    /// Levels from 1 on that are full.
    pub(super) full: usize,
    /// Fractions in a level.
    pub(super) parts: usize,
    /// The fractions, level by level.
    pub(super) x: Vec<f64>,
}

/// The windows at each of the ascending `times`.
pub(super) fn integrate(
    drift: &mut dyn Drift,
    times: &[f64],
    relative: f64,
) -> Result<Vec<Window>, Error> {
    let at_output = Tolerance { relative, absolute: LEAST_AT_OUTPUT * relative };
    let on_the_way = Tolerance { relative, absolute: LEAST_ON_THE_WAY * relative };
    let mut window = Window { full: 0, parts: drift.parts(), x: Vec::new() };
    let mut now = 0.0;
    let mut windows = Vec::with_capacity(times.len());
    for &time in times {
        if now == 0.0 && time > 0.0 {
            now = window.begin(drift, time.min(1.0), at_output)?;
        }
        while now < time {
            let until = (now + SEGMENT).min(time);
            let skips = time - until >= TAIL_TIME && drift.forgets_tail(window.full, &window.x);
            let tolerance = if skips { on_the_way } else { at_output };
            window.advance(drift, until - now, tolerance, usize::MAX)?;
            now = until;
        }
        windows.push(window.clone());
    }
    Ok(windows)
}

/// The number j of levels of which more matter only by e^-45 to the levels at the end, when the
/// fraction `passed` of the time has passed: the Chernoff bound of Poisson(170 passed) >= j.
fn levels_that_matter(passed: f64) -> usize {
    let mean = LEVELS_AT_ONE * passed;
    let negligible = |j: &f64| j * (j / mean).ln() - j + mean > LN_NEGLIGIBLE;
    (1..400).map(f64::from).find(|j| *j > mean && negligible(j)).unwrap_or(400.0) as usize
}

impl Window {
    /// Goes from zero to a quarter of `end` at least; returns the time reached.
    fn begin(
        &mut self,
        drift: &mut dyn Drift,
        end: f64,
        tolerance: Tolerance,
    ) -> Result<f64, Error> {
        let mut now = START * end;
        self.seed(drift, now, tolerance.absolute, 1);
        while 4.0 * now < end {
            self.advance(drift, 3.0 * now, tolerance, levels_that_matter(4.0 * now / end))?;
            now *= 4.0;
        }
        Ok(now)
    }

    /// Follows the equation for `duration`, with the levels that it reaches, `most` at most.
    fn advance(
        &mut self,
        drift: &mut dyn Drift,
        duration: f64,
        tolerance: Tolerance,
        most: usize,
    ) -> Result<(), Error> {
        self.drop_full();
        self.seed(drift, 0.0, tolerance.absolute, most);
        loop {
            let rates = |_: f64, x: &[f64], dx: &mut [f64]| drift.rates(self.full, x, dx);
            let x = ode::solve(rates, 0.0, &self.x, &[duration], tolerance)?.swap_remove(0);
            let capped = x.len() / self.parts >= most;
            if capped || x[x.len() - self.parts] <= tolerance.absolute {
                self.x = x;
                self.drop_below(tolerance.absolute);
                return Ok(());
            }
            self.x.resize((2 * self.x.len()).min(most.saturating_mul(self.parts)), 0.0);
        }
    }

    /// Drops the lowest levels while they are full. What they lack to 1 goes to the next level, so
    /// that no ball is lost.
    fn drop_full(&mut self) {
        let parts = self.parts;
        let full = |level: &[f64]| level.iter().all(|x| 1.0 - x < FULL);
        let levels = self.x.chunks(parts).take_while(|level| full(level)).count();
        for part in 0..parts {
            let column = self.x.iter().skip(part).step_by(parts).take(levels);
            let lacks: f64 = column.map(|x| 1.0 - x).sum();
            if let Some(next) = self.x.get_mut(levels * parts + part) {
                *next -= lacks;
            }
        }
        self.x.drain(..levels * parts);
        self.full += levels;
    }

    /// Drops the highest levels that are too small to have been followed.
    fn drop_below(&mut self, least: f64) {
        let followed = |level: &&[f64]| level.iter().any(|&x| x > least);
        let levels = self.x.chunks(self.parts).take_while(followed).count();
        self.x.truncate(levels * self.parts);
    }

    /// Adds levels until they fall below `least`, up to `most`.
    ///
    /// A fraction that grows at the relative rate r is (dx_i/dT) / r. The rate of a new one follows
    /// from those of the two before it. The very first is dx/dT times the time `elapsed`.
    fn seed(&mut self, drift: &mut dyn Drift, elapsed: f64, least: f64, most: usize) {
        self.x.truncate(most.saturating_mul(self.parts));
        let mut rates = vec![0.0; self.x.len()];
        drift.rates(self.full, &self.x, &mut rates);
        let rate_of_growth = |(rate, x): (&f64, &f64)| if *x > 0.0 { rate / x } else { 0.0 };
        let mut growth: Vec<f64> = rates.iter().zip(&self.x).map(rate_of_growth).collect();
        while self.x.len() / self.parts < most {
            let first = self.x.len();
            self.x.resize(first + self.parts, 0.0);
            rates.resize(first + self.parts, 0.0);
            for i in first..self.x.len() {
                drift.rates(self.full, &self.x, &mut rates);
                growth.push(match *growth {
                    [] => 1.0 / elapsed,
                    [one] => 2.0 * one,
                    [.., before, last] => last + (last - before).abs(),
                });
                if growth[i] > 0.0 {
                    self.x[i] = (rates[i] / growth[i]).clamp(0.0, 1.0);
                }
            }
            if self.x[first] <= least {
                return;
            }
        }
    }
}
