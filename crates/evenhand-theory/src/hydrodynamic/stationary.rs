//! The stationary state of shortest-of-d queues with general service.
//!
//! Let N_l(a) be the density of jobs in service at age a at servers with at least l jobs, over
//! the survival function of service. In the limit of many servers with arrival rate r,
//!
//! - N_1(a) = r: every job begins service, sooner or later;
//! - N_l'(a) = r P_d(s_(l-1), s_l) (N_(l-1) - N_l): arrivals raise the servers below l;
//! - N_l(0) = r s_l^d: as many jobs leave servers with more than l jobs as find at least l;
//! - s_l = ∫ P(X > a) N_l(a) da.
//!
//! These are the hydrodynamic equations of Aghajani and Ramanan without their time derivatives,
//! and the queue of Bramson, Lu and Prabhakar summed over lengths. Given level l - 1, the last
//! line is one equation for the number s_l. Its right side grows with s_l from above 0 to below
//! s_(l-1), so it is solved level by level from s_0 = 1, without an iteration over all levels,
//! and every term is positive: small fractions keep their relative accuracy.

use evenhand_sim::Service;

use super::ages::{AgeFunction, Ages};
use super::law::UnitLaw;
use super::regime::{TailRegime, tail_regime};
use crate::{Error, choice_rate};

/// Fractions below this end the list.
const NEGLIGIBLE: f64 = 1e-24;
/// Levels at most.
const MAX_LEVELS: usize = 2_000;
/// Relative change between two grids at which the finer one is taken.
const SETTLED: f64 = 1e-13;
/// Fractions above this count for the numerical error.
const COUNTED: f64 = 1e-15;
/// Finest grid: panels for each doubling of age.
const MAX_PER_OCTAVE: u32 = 16;
/// Panels that may be solved on one grid, over all levels, before the next is left out.
const MAX_WORK: usize = 1_000_000;

/// The stationary state of a server among many that share their arrivals by the shortest of d
/// queues, served first come first served.
#[derive(Clone, Debug)]
pub struct Stationary {
    /// Arrival rate of work per server, over its speed.
    pub load: f64,
    /// Number d of servers that an arrival compares.
    pub choices: u32,
    /// Fraction of servers with at least k jobs, by k from 0; the job in service counts.
    pub fraction_at_least: Vec<f64>,
    /// Jobs per server.
    pub mean_queue: f64,
    /// Mean time from arrival to departure, in the unit of the service law.
    pub mean_sojourn: f64,
    /// Mean time from arrival to the start of service, in the unit of the service law.
    pub mean_wait: f64,
    /// Probability that an arrival finds no idle server among its choices.
    pub waiting_probability: f64,
    /// Fraction of servers with as many jobs as the last entry of `fraction_at_least`, or more.
    /// It is below 1e-24 unless the tail falls so slowly that the list was cut; the mean then
    /// holds an extrapolation of the rest (with one choice it is exact).
    pub remaining: f64,
    /// Greatest relative change of a fraction above 1e-15 when the grid of ages is refined, or the
    /// part of the mean that is extrapolated, if that is more.
    pub numerical_error: f64,
    /// Times that a level was computed, on all grids.
    pub iterations: u32,
    pub(super) law: UnitLaw,
    pub(super) mean_service: f64,
    pub(super) per_octave: u32,
}

impl Stationary {
    /// The stationary state for a service law, d choices and a load.
    ///
    /// That it is the limit of the stationary states of n servers is proved for decreasing hazard
    /// rates, and for small loads (Bramson, Lu and Prabhakar 2012); simulations support it elsewhere.
    ///
    /// ```
    /// use evenhand_sim::Service;
    /// use evenhand_theory::hydrodynamic::Stationary;
    ///
    /// let service = Service::parse("deterministic").unwrap();
    /// let state = Stationary::solve(&service, 2, 0.9).unwrap();
    /// assert!((state.mean_sojourn - 1.763_907_749_4).abs() < 1e-9);
    /// assert!((state.fraction_at_least[2] - 0.548_171_021).abs() < 1e-9);
    /// ```
    ///
    /// # Errors
    /// [`Error::Unstable`] at loads of 1 and more; [`Error::OutOfRange`] if the load is negative or
    /// not a number, if there are no choices, or if the mean queue is infinite (see
    /// [`tail_regime`]).
    pub fn solve(service: &Service, choices: u32, load: f64) -> Result<Self, Error> {
        check(choices, load)?;
        let regime = tail_regime(service, choices)?;
        let law = UnitLaw::new(service);
        let (levels, per_octave, numerical_error, iterations) = refine(&law, choices, load)?;
        let (mean_queue, mean_error) = match choices {
            // Pollaczek and Khinchine.
            1 => (load + load * load * (1.0 + service.scv()) / (2.0 * (1.0 - load)), 0.0),
            _ => mean_queue(&levels, &regime),
        };
        if !mean_queue.is_finite() {
            return Err(Error::OutOfRange(INFINITE_MEAN.into()));
        }
        let mean_service = service.mean();
        // In the limit of no load an arrival meets nobody.
        let mean_sojourn = if load > 0.0 { mean_queue / load } else { 1.0 } * mean_service;
        Ok(Self {
            load,
            choices,
            mean_queue,
            mean_sojourn,
            mean_wait: (mean_sojourn - mean_service).max(0.0),
            waiting_probability: load.powi(choices as i32),
            remaining: levels.last().copied().unwrap_or(0.0),
            fraction_at_least: levels,
            numerical_error: numerical_error.max(mean_error),
            iterations,
            law,
            mean_service,
            per_octave,
        })
    }

    /// Levels that matter to delays: all but `negligible` of arrivals find fewer jobs than the
    /// highest.
    pub(super) fn levels_found(&self, negligible: f64) -> usize {
        let found = |fraction: &f64| fraction.powi(self.choices as i32) > negligible;
        self.fraction_at_least.iter().take_while(|fraction| found(fraction)).count()
    }

    /// Arrivals at a server with `level` - 1 jobs, in a mean service time.
    pub(super) fn rate_into(&self, level: usize) -> f64 {
        let s = &self.fraction_at_least;
        self.load * choice_rate(self.choices, s[level - 1], s[level])
    }

    /// The functions of age N_l of levels 1 to `levels`, one after the other.
    pub(super) fn for_each_level(
        &self,
        ages: &Ages,
        levels: usize,
        mut visit: impl FnMut(&AgeFunction),
    ) {
        let mut below = ages.constant(self.load);
        let mut level = below.clone();
        visit(&below);
        for l in 2..=levels {
            let start = self.load * self.fraction_at_least[l].powi(self.choices as i32);
            ages.relax(self.rate_into(l), start, &below, &mut level);
            visit(&level);
            std::mem::swap(&mut below, &mut level);
        }
    }
}

const INFINITE_MEAN: &str = "the service law has so heavy a tail that the mean queue is infinite; \
     more choices or a bounded law make it finite";

pub(super) fn check(choices: u32, load: f64) -> Result<(), Error> {
    if choices == 0 {
        return Err(Error::OutOfRange("there must be at least one choice".into()));
    }
    if load.is_nan() || load < 0.0 {
        return Err(Error::OutOfRange(format!("the load is {load}; it must not be negative")));
    }
    if load >= 1.0 { Err(Error::Unstable { load }) } else { Ok(()) }
}

/// Solves on finer and finer grids until the fractions settle: the fractions, panels per octave,
/// greatest relative change, and levels computed.
fn refine(law: &UnitLaw, choices: u32, load: f64) -> Result<(Vec<f64>, u32, f64, u32), Error> {
    let mut coarse = Recursion::new(law, choices, load, 1).run()?;
    let mut iterations = coarse.iterations;
    let mut per_octave = 1;
    loop {
        per_octave *= 2;
        let fine = Recursion::new(law, choices, load, per_octave).run()?;
        iterations += fine.iterations;
        let change = greatest_change(&coarse.levels, &fine.levels);
        let work = fine.ages.panels() * fine.iterations as usize;
        if change <= SETTLED || per_octave >= MAX_PER_OCTAVE || work > MAX_WORK {
            return Ok((fine.levels, per_octave, change, iterations));
        }
        coarse = fine;
    }
}

fn greatest_change(coarse: &[f64], fine: &[f64]) -> f64 {
    let counted = coarse.iter().zip(fine).filter(|(_, fine)| **fine > COUNTED);
    counted.map(|(coarse, fine)| (coarse / fine - 1.0).abs()).fold(0.0, f64::max)
}

/// Mean queue, and the part of it that is not certain.
fn mean_queue(levels: &[f64], regime: &TailRegime) -> (f64, f64) {
    let sum: f64 = levels[1..].iter().rev().sum();
    let last = levels.len() - 1;
    let remaining = levels[last];
    if remaining <= NEGLIGIBLE {
        return (sum, 0.0);
    }
    let rest = match regime {
        // The sum of k^-exponent beyond the last level.
        TailRegime::PowerLaw { exponent } if *exponent <= 1.0 => return (f64::INFINITY, 0.0),
        TailRegime::PowerLaw { exponent } => remaining * last as f64 / (exponent - 1.0),
        _ => {
            let ratio = remaining / levels[last - 1];
            remaining * ratio / (1.0 - ratio)
        }
    };
    (sum + rest, rest / (sum + rest))
}

/// The levels one after the other, on one grid of ages.
struct Recursion {
    ages: Ages,
    choices: u32,
    load: f64,
    /// N of the level below, and of the level that is being solved.
    below: AgeFunction,
    level: AgeFunction,
    /// Fractions so far.
    levels: Vec<f64>,
    iterations: u32,
}

impl Recursion {
    fn new(law: &UnitLaw, choices: u32, load: f64, per_octave: u32) -> Self {
        let ages = Ages::new(law, f64::from(choices), per_octave, 0.0);
        let below = ages.constant(load);
        let levels = vec![1.0, load];
        Self { level: below.clone(), below, ages, choices, load, levels, iterations: 0 }
    }

    fn run(mut self) -> Result<Self, Error> {
        let mut fraction = self.load;
        while fraction > NEGLIGIBLE && self.levels.len() <= MAX_LEVELS {
            fraction = self.next_level(fraction)?;
            std::mem::swap(&mut self.below, &mut self.level);
            self.levels.push(fraction);
        }
        Ok(self)
    }

    /// The right side of the equation for the fraction, and N at that fraction.
    fn image(&mut self, before: f64, fraction: f64) -> f64 {
        self.iterations += 1;
        let rate = self.load * choice_rate(self.choices, before, fraction);
        let start = self.load * fraction.powi(self.choices as i32);
        self.ages.relax(rate, start, &self.below, &mut self.level);
        self.ages.integral(&self.level)
    }

    /// Solves the equation for the fraction after `before`: secants inside a bracket.
    ///
    /// As the right side grows with the fraction, its values at 0 and so on rise to the least
    /// solution; secants leap there.
    fn next_level(&mut self, before: f64) -> Result<f64, Error> {
        let (mut low, mut high) = (0.0, before);
        let (mut last, mut last_excess) = (0.0, self.image(before, 0.0));
        let mut fraction = last_excess;
        for _ in 0..100 {
            let excess = self.image(before, fraction) - fraction;
            if excess > 0.0 {
                low = fraction
            } else {
                high = fraction
            }
            let secant = fraction - excess * (fraction - last) / (excess - last_excess);
            if excess.abs() <= 2.0 * f64::EPSILON * fraction || high - low <= f64::EPSILON * high {
                return Ok(fraction);
            }
            (last, last_excess) = (fraction, excess);
            fraction = if low < secant && secant < high { secant } else { (low + high) / 2.0 };
        }
        let change = last_excess.abs() / last;
        Err(Error::NoConvergence { what: "a level of the stationary state", steps: 100, change })
    }
}
