//! The laws of waiting time and of time in system in the stationary state.

use super::lattice::{Lattice, NEGLIGIBLE, Tail};
use super::stationary::Stationary;
use crate::Error;

/// Points of the lattice that finds the range.
const ROUGH: f64 = 256.0;
/// Points of the coarsest and of the finest lattice that find the number.
const COARSEST: usize = 512;
const FINEST: usize = 10_000;
/// Points of a picture.
const CURVE: usize = 1000;
/// Products that the finest lattice may cost.
const MAX_WORK: f64 = 4e9;
/// Relative error at which a number is good.
const ACCURACY: f64 = 3e-6;
/// Quantiles beyond this many mean service times are out of reach.
const FARTHEST: f64 = 1e12;

/// Which time of a job is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delay {
    /// From its arrival to the start of its service.
    Wait,
    /// From its arrival to its departure.
    Sojourn,
}

/// A number with an estimate of its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// Estimated absolute error.
    pub error: f64,
}

impl Stationary {
    /// The probability that a delay is longer than `time`, in the unit of the service law.
    ///
    /// ```
    /// use evenhand_sim::Service;
    /// use evenhand_theory::hydrodynamic::{Delay, Stationary};
    ///
    /// let service = Service::parse("exponential").unwrap();
    /// let state = Stationary::solve(&service, 2, 0.9).unwrap();
    /// let tail = state.delay_tail(Delay::Sojourn, 8.790_970_205).unwrap();
    /// assert!((tail.value - 0.01).abs() < 1e-7);
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if the time is negative or not finite.
    pub fn delay_tail(&self, delay: Delay, time: f64) -> Result<Estimate, Error> {
        if !(time >= 0.0 && time.is_finite()) {
            return Err(Error::OutOfRange(format!("the time is {time}; it must not be negative")));
        }
        let time = time / self.mean_service;
        let tail = self.on_finer_lattices(delay, time, |tail| tail.at(time));
        Ok(Estimate { error: tail.error + self.found_beyond(), ..tail })
    }

    /// The time that a delay exceeds with probability 1 - `probability`, in the unit of the
    /// service law: the median for 0.5, the 99th percentile for 0.99.
    ///
    /// ```
    /// use evenhand_sim::Service;
    /// use evenhand_theory::hydrodynamic::{Delay, Stationary};
    ///
    /// let service = Service::parse("deterministic").unwrap();
    /// let state = Stationary::solve(&service, 2, 0.8).unwrap();
    /// let p99 = state.delay_quantile(Delay::Sojourn, 0.99).unwrap();
    /// assert!((p99.value - 2.827_459_7).abs() < 1e-5);
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if the probability is not between 0 and 1, or so close to 1 that
    /// the quantile is out of reach, also as the list of levels was cut (see `remaining`).
    pub fn delay_quantile(&self, delay: Delay, probability: f64) -> Result<Estimate, Error> {
        if !(0.0 < probability && probability < 1.0) {
            return Err(Error::OutOfRange(format!(
                "the probability of a quantile is {probability}; it must be between 0 and 1"
            )));
        }
        let beyond = 1.0 - probability;
        if delay == Delay::Wait && self.waiting_probability <= beyond {
            return Ok(Estimate { value: 0.0, error: 0.0 });
        }
        let rough = self.rough_quantile(delay, beyond)?;
        let quantile = |tail: &Tail| tail.quantile(beyond);
        let Estimate { value, error } = self.on_finer_lattices(delay, 1.1 * rough, quantile);
        Ok(Estimate { value: value * self.mean_service, error: error * self.mean_service })
    }

    /// The law of a delay for a picture: times, in the unit of the service law, and the
    /// probabilities of longer delays, down to `least`. Each is good to about a thousandth.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if `least` is not between 0 and 1, or so small that it is out of
    /// reach.
    pub fn delay_curve(&self, delay: Delay, least: f64) -> Result<Vec<(f64, f64)>, Error> {
        if !(0.0 < least && least < 1.0) {
            return Err(Error::OutOfRange(format!("the least probability of a curve is {least}")));
        }
        let range = self.rough_quantile(delay, least)?.max(1e-2);
        let tail = Lattice::new(self, range / CURVE as f64, CURVE).tail(delay);
        let time = |i: usize| range * i as f64 / CURVE as f64;
        Ok((0..CURVE).map(|i| (time(i) * self.mean_service, tail.at(time(i)))).collect())
    }

    /// A quantile, in mean service times, to a few digits.
    fn rough_quantile(&self, delay: Delay, beyond: f64) -> Result<f64, Error> {
        if self.found_beyond() > 1e-6 * beyond {
            return Err(Error::OutOfRange(format!(
                "the tail of the queue is too heavy for the quantile {}: {:e} of \
                 arrivals find more jobs than are followed",
                1.0 - beyond,
                self.found_beyond()
            )));
        }
        let mut range = 4.0;
        while Lattice::new(self, range / ROUGH, ROUGH as usize).tail(delay).at(range) >= beyond {
            range *= 2.0;
            if range > FARTHEST {
                return Err(Error::OutOfRange(format!("the quantile {} is too far", 1.0 - beyond)));
            }
        }
        Ok(Lattice::new(self, range / ROUGH, ROUGH as usize).tail(delay).quantile(beyond))
    }

    /// Part of arrivals whose wait is not known as their level is not. With one choice, waits are
    /// found without levels.
    fn found_beyond(&self) -> f64 {
        if self.choices == 1 { 0.0 } else { self.remaining.powi(self.choices as i32) }
    }

    /// A number of the tail on [0, range], by lattices of half the step each, extrapolated.
    fn on_finer_lattices(
        &self,
        delay: Delay,
        range: f64,
        number: impl Fn(&Tail) -> f64,
    ) -> Estimate {
        let levels = if self.choices == 1 { 1 } else { self.levels_found(NEGLIGIBLE) } as f64;
        let range = range.max(1e-2);
        let mut step = range / COARSEST as f64;
        if let Some(atom) = self.law.least_atom().filter(|&atom| atom > step) {
            // Multiples of the least atom are on the lattice.
            step = atom / (atom / step).ceil();
        }
        let mut points = (range / step).ceil() as usize;
        let mut coarse = Lattice::new(self, step, points).tail(delay);
        loop {
            (step, points) = (step / 2.0, points * 2);
            let fine = Lattice::new(self, step, points).tail(delay);
            let (value, plain) = (number(&coarse.extrapolate(&fine)), number(&fine));
            let error = (value - plain).abs();
            let work = levels * (2 * points).pow(2) as f64;
            if error <= ACCURACY * value.abs() || 2 * points > FINEST || work > MAX_WORK {
                return Estimate { value, error };
            }
            coarse = fine;
        }
    }
}
