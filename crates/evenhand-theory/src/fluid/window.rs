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
//! - During the start-up, levels so steep that little of what they are now remains at its end, and
//!   levels beyond a number that holds for any process. With one choice, a ball that is the i-th in
//!   its bin at the end was the j-th at T with the binomial probability of j out of i at T/end; other
//!   tails fall faster. See [`StartUp`].
//! - At T > 1, levels below 1e-20, up to two time units before an output, where tails fall doubly
//!   exponentially: x_i is about x_{i-1}^d, so that x_i^(1/4) or more comes of x_i in that time.
//!
//! Once the profile travels like a wave, whole time units are skipped (see [`Wave`]).
//!
//! Fractions below 1e-60 matter to no system of less than 2^64 bins. They are followed only where
//! tails are steep, so that they take few levels.

use super::wave::Wave;
use crate::Error;
use crate::ode::{self, Tolerance};

/// Balls a bin at which an integration starts. Its error relative to T is of this order.
const START: f64 = 1e-13;

/// A level whose shortfall from 1 is less than this is full.
const FULL: f64 = 1e-13;

/// Time units over which the window stays in place.
const SEGMENT: f64 = 1.0;

/// Levels above 1e-75 at one ball a bin, where tails fall slowest (one choice).
const LEVELS_AT_ONE: f64 = 60.0;

/// Minus the logarithm of what may be neglected, with room for rough seeds.
const LN_NEGLIGIBLE: f64 = 45.0;

/// A start-up ends when this is left of ln(end/T).
const LN_NEAR_END: f64 = 0.2;

/// Factor by which ln(end/T) falls over a segment of the start-up.
const START_UP: f64 = 1.5;

/// The ratio to the level before that a far level has at most.
const LEAST_FALL: f64 = 0.95;

/// Time units before an output from which on the far tail is followed.
const TAIL_TIME: f64 = 2.0;

/// Least fractions held to the relative tolerance: at outputs, for tails that fall doubly
/// exponentially and for others, and on the way to outputs.
pub(super) const LEAST_STEEP: f64 = 1e-290;
pub(super) const LEAST_FLAT: f64 = 1e-60;
const LEAST_ON_THE_WAY: f64 = 1e-9;

/// Levels below this multiple of the absolute tolerance are uncertain.
const SURE: f64 = 100.0;

/// The right-hand side of a fluid limit.
pub(super) trait Drift {
    /// Fractions that make up a level: blocks, or numbers of balls of a group.
    fn parts(&self) -> usize {
        1
    }

    /// Writes dx/dT. `x` holds the levels above the first `full` ones, level by level; all levels
    /// below it are 1, all levels beyond it 0.
    fn rates(&mut self, full: usize, x: &[f64], dx: &mut [f64]);

    /// Whether tails fall doubly exponentially, at all times.
    fn is_steep(&self) -> bool;

    /// Whether the tail falls doubly exponentially from here on.
    fn forgets_tail(&self, _full: usize, _x: &[f64]) -> bool {
        self.is_steep()
    }

    /// Whether the rates are the same from here on if all levels are one higher.
    fn is_shift_invariant(&self, _full: usize) -> bool {
        true
    }
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
    let least = least_at_output(drift);
    let mut window = Window { full: 0, parts: drift.parts(), x: Vec::new() };
    let mut now = 0.0;
    let mut windows = Vec::with_capacity(times.len());
    for &time in times {
        if now == 0.0 && time > 0.0 {
            let tolerance = Tolerance { relative, absolute: least * relative };
            now = window.begin(drift, time.min(1.0), tolerance)?;
        }
        window.follow(drift, now, time, relative)?;
        now = now.max(time);
        let mut output = window.clone();
        output.drop_below(least);
        windows.push(output);
    }
    Ok(windows)
}

/// The least fraction that is right at an output.
fn least_at_output(drift: &dyn Drift) -> f64 {
    if drift.is_steep() { LEAST_STEEP } else { LEAST_FLAT }
}

/// How far a start-up has come, which decides how many levels are worth following.
#[derive(Clone, Copy)]
struct StartUp {
    /// Balls a bin.
    elapsed: f64,
    /// ln(end/elapsed).
    ln_remaining: f64,
}

impl StartUp {
    /// Whether a level that grows at a relative rate is now negligible beside what it becomes.
    fn is_forgotten(self, growth: f64) -> bool {
        growth * self.elapsed * self.ln_remaining > LN_NEGLIGIBLE
    }

    /// The number j of levels of which more matter only by e^-45 to the levels at the end with one
    /// choice: the Chernoff bound of Poisson(60 elapsed/end) >= j.
    fn levels_that_matter(self) -> usize {
        let mean = LEVELS_AT_ONE * (-self.ln_remaining).exp();
        let negligible = |j: &f64| *j > mean && j * (j / mean).ln() - j + mean > LN_NEGLIGIBLE;
        (1..400).map(f64::from).find(negligible).unwrap_or(400.0) as usize
    }
}

impl Window {
    /// Levels from 1 on that are not 0.
    pub(super) fn levels(&self) -> usize {
        self.full + self.x.len() / self.parts
    }

    /// A part of a level, from level 1 on.
    pub(super) fn at(&self, level: usize, part: usize) -> f64 {
        match level.checked_sub(self.full + 1) {
            Some(above) => self.x.get(above * self.parts + part).copied().unwrap_or(0.0),
            None => 1.0,
        }
    }

    /// Goes from zero to near `end`; returns the time reached.
    fn begin(
        &mut self,
        drift: &mut dyn Drift,
        end: f64,
        tolerance: Tolerance,
    ) -> Result<f64, Error> {
        let mut now = START * end;
        let mut ln_remaining = -START.ln();
        while ln_remaining > LN_NEAR_END {
            ln_remaining /= START_UP;
            let next = end * (-ln_remaining).exp();
            let start_up = StartUp { elapsed: now, ln_remaining: ln_remaining * START_UP };
            self.advance(drift, next - now, tolerance, Some(start_up))?;
            now = next;
        }
        Ok(now)
    }

    /// Goes from the time `now` to `time`, segment by segment.
    fn follow(
        &mut self,
        drift: &mut dyn Drift,
        mut now: f64,
        time: f64,
        relative: f64,
    ) -> Result<(), Error> {
        let mut wave = Wave::new();
        while now < time {
            let until = (now + SEGMENT).min(time);
            let skips = time - until >= TAIL_TIME && drift.forgets_tail(self.full, &self.x);
            let least = if skips { LEAST_ON_THE_WAY } else { least_at_output(drift) };
            let before = self.clone();
            let tolerance = Tolerance { relative, absolute: least * relative };
            self.advance(drift, until - now, tolerance, None)?;
            now = until;
            let units = (time - now - TAIL_TIME - SEGMENT).floor();
            let settled = wave.is_settled(&before, self, least);
            if units >= 1.0 && settled && drift.is_shift_invariant(self.full) {
                self.full += units as usize;
                now += units;
            }
        }
        Ok(())
    }

    /// Follows the equation for `duration`, with the levels that it reaches and that matter.
    fn advance(
        &mut self,
        drift: &mut dyn Drift,
        duration: f64,
        tolerance: Tolerance,
        start_up: Option<StartUp>,
    ) -> Result<(), Error> {
        self.drop_full();
        let all = self.seed(drift, tolerance.absolute, start_up);
        let mut spare = if all { 1 + self.x.len() / self.parts / 16 } else { 0 };
        loop {
            self.x.resize(self.x.len() + spare * self.parts, 0.0);
            let rates = |_: f64, x: &[f64], dx: &mut [f64]| drift.rates(self.full, x, dx);
            let x = ode::solve(rates, 0.0, &self.x, &[duration], tolerance)?.swap_remove(0);
            if !all || x[x.len() - self.parts] <= tolerance.absolute {
                self.x = x;
                self.drop_below(SURE * tolerance.absolute);
                return Ok(());
            }
            spare = 1 + self.x.len() / self.parts / 4;
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

    /// Drops the highest levels of which all parts are too small.
    fn drop_below(&mut self, least: f64) {
        let kept = |level: &&[f64]| level.iter().any(|&x| x > least);
        let levels = self.x.chunks(self.parts).take_while(kept).count();
        self.x.truncate(levels * self.parts);
    }

    /// The greatest value of fraction i, from those of the two levels before: tails fall faster and
    /// faster.
    fn greatest_next(&self, i: usize) -> f64 {
        let before = |levels: usize| i.checked_sub(levels * self.parts).map_or(1.0, |i| self.x[i]);
        let ratio = if before(2) > 0.0 { before(1) / before(2) } else { 0.0 };
        before(1) * if self.x.len() > 2 * self.parts { ratio.min(LEAST_FALL) } else { 1.0 }
    }

    /// Adds levels until they fall below `least`, or matter no more; whether the former.
    ///
    /// A fraction that grows at the relative rate r is (dx_i/dT) / r. The rate of a new one follows
    /// from those of the two before it.
    fn seed(&mut self, drift: &mut dyn Drift, least: f64, start_up: Option<StartUp>) -> bool {
        let parts = self.parts;
        let first_growth = start_up.map_or(0.0, |start_up| 1.0 / start_up.elapsed);
        let most = start_up.map_or(usize::MAX, StartUp::levels_that_matter);
        let mut rates = vec![0.0; self.x.len()];
        drift.rates(self.full, &self.x, &mut rates);
        let rate_of_growth = |(rate, x): (&f64, &f64)| if *x > 0.0 { rate / x } else { 0.0 };
        let mut growth: Vec<f64> = rates.iter().zip(&self.x).map(rate_of_growth).collect();
        loop {
            let first = self.x.len();
            let next = next_growth(&growth, first_growth);
            let forgotten = |start_up: StartUp| drift.is_steep() && start_up.is_forgotten(next);
            if first / parts >= most || (first > 0 && start_up.is_some_and(forgotten)) {
                return false;
            }
            self.x.resize(first + parts, 0.0);
            rates.resize(first + parts, 0.0);
            for i in first..first + parts {
                drift.rates(self.full, &self.x, &mut rates);
                growth.push(next_growth(&growth, first_growth));
                if growth[i] > 0.0 {
                    self.x[i] = (rates[i] / growth[i]).clamp(0.0, self.greatest_next(i));
                }
            }
            if self.x[first] <= least {
                return true;
            }
        }
    }
}

/// The rate of growth that continues a sequence of them.
fn next_growth(growth: &[f64], first: f64) -> f64 {
    match *growth {
        [] => first,
        [one] => 2.0 * one,
        [.., before, last] => last + (last - before).abs(),
    }
}
