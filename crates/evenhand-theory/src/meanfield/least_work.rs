//! The server with the least work, instead of the least jobs: LL(d).

use statrs::function::gamma::digamma;

use super::inputs::{check_choices, check_load, check_quantile};
use crate::Error;

/// The stationary state in which each job joins the server with the least work of `d` draws.
///
/// Work is exponential with mean 1, and servers have speed 1. With F the probability that a server
/// has more than w of work, its flows balance if dF/dw = load F^d - F, which has a closed form
/// (Hellemans, Van Houdt 2018, "On the power-of-d-choices with least loaded server selection").
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeastWork {
    load: f64,
    d: f64,
}

/// The stationary state with `load` arrivals per server and mean service time.
///
/// ```
/// use evenhand_theory::meanfield::least_work::least_work;
/// let state = least_work(2, 0.9)?;
/// assert!((state.mean_sojourn() - 2.050285).abs() < 1e-6);
/// assert!((state.sojourn_above(0.0) - 1.0).abs() < 1e-15);
/// # Ok::<(), evenhand_theory::Error>(())
/// ```
///
/// # Errors
/// [`Error::Unstable`] if the load is 1 or more; [`Error::OutOfRange`] if it is negative, or `d`
/// is 0.
pub fn least_work(d: u32, load: f64) -> Result<LeastWork, Error> {
    check_choices(d)?;
    check_load(load)?;
    Ok(LeastWork { load, d: f64::from(d) })
}

impl LeastWork {
    /// Probability that a job waits: load^d.
    pub fn waiting_probability(&self) -> f64 {
        self.load.powf(self.d)
    }

    /// Probability that a server has more than `work` to do.
    pub fn work_above(&self, work: f64) -> f64 {
        self.load * self.sojourn_above(work)
    }

    /// Probability that a job waits for longer than `time`: that of d servers with so much work.
    pub fn wait_above(&self, time: f64) -> f64 {
        self.work_above(time).powf(self.d)
    }

    /// Probability that a job is in the system for longer than `time`:
    /// (load^d + (1 - load^d) e^((d-1) time))^(-1/(d-1)).
    pub fn sojourn_above(&self, time: f64) -> f64 {
        let (time, more) = (time.max(0.0), self.d - 1.0);
        if more == 0.0 {
            return (-(1.0 - self.load) * time).exp();
        }
        // Over e^(time), which may overflow: 1 - load^d (1 - e^(-(d-1) time)).
        let rest = self.waiting_probability() * (-more * time).exp_m1();
        (-time - rest.ln_1p() / more).exp()
    }

    /// The time that a job is in the system for at most, with `probability`.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] unless 0 < `probability` < 1.
    pub fn sojourn_quantile(&self, probability: f64) -> Result<f64, Error> {
        check_quantile(probability)?;
        Ok(self.sojourn_of(1.0 - probability))
    }

    /// The time that a job waits for at most, with `probability`; 0 if so many do not wait.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] unless 0 < `probability` < 1.
    pub fn wait_quantile(&self, probability: f64) -> Result<f64, Error> {
        check_quantile(probability)?;
        let tail = 1.0 - probability;
        if tail >= self.waiting_probability() {
            return Ok(0.0);
        }
        Ok(self.sojourn_of(tail.powf(1.0 / self.d) / self.load))
    }

    /// The time above which a job is with probability `tail`, at most 1.
    fn sojourn_of(&self, tail: f64) -> f64 {
        let more = self.d - 1.0;
        if more == 0.0 {
            return -tail.ln() / (1.0 - self.load);
        }
        let waits = self.waiting_probability();
        let sum = (-waits * tail.powf(more)).ln_1p() - (-waits).ln_1p();
        (sum / more - tail.ln()).max(0.0)
    }

    /// Mean time of a job in the system: the sum over n of load^(d n) / (1 + n (d - 1)).
    ///
    /// Exact but for rounding: a relative error of some 1e-15.
    pub fn mean_sojourn(&self) -> f64 {
        if self.d == 1.0 {
            return 1.0 / (1.0 - self.load);
        }
        let idle = -(self.d * self.load.ln()).exp_m1();
        if idle > 0.5 { self.series(1.0 - idle) } else { self.series_near_1(idle) }
    }

    /// Mean time of a job before its service.
    pub fn mean_wait(&self) -> f64 {
        self.mean_sojourn() - 1.0
    }

    /// Mean number of jobs at a server, by Little's law.
    pub fn mean_queue_length(&self) -> f64 {
        self.load * self.mean_sojourn()
    }

    fn series(&self, waits: f64) -> f64 {
        let terms = (0..64).map(|n| waits.powi(n) / (1.0 + f64::from(n) * (self.d - 1.0)));
        terms.rev().sum()
    }

    /// The same sum, F(1, b; 1 + b; 1 - idle) with b = 1/(d-1), in powers of `idle`
    /// (Abramowitz, Stegun 1964, 15.3.10).
    fn series_near_1(&self, idle: f64) -> f64 {
        let b = 1.0 / (self.d - 1.0);
        let (mut sum, mut coefficient) = (0.0, b);
        for n in 0..64 {
            let n = f64::from(n);
            sum += coefficient * (digamma(n + 1.0) - digamma(b + n) - idle.ln());
            coefficient *= (b + n) / (n + 1.0) * idle;
        }
        sum
    }
}
