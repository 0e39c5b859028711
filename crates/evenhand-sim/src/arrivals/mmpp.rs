use std::sync::Arc;

use evenhand_core::{Rng, unit_f64};
use evenhand_expr::{Args, Call};
use rand_distr::{Distribution, Exp1};

/// A cyclic Markov-modulated Poisson process, `mmpp(rate, sojourn, rate, sojourn, ...)`.
///
/// The process goes through its phases in order and from the last to the first. It stays in a
/// phase for an exponential time with the given mean, in the unit of time of the service times,
/// and jobs arrive meanwhile as a Poisson process. Rates are relative: they are scaled to the
/// rate wanted in the long run, sojourn times are not. `mmpp(1, 90, 10, 10)` has bursts of 10
/// units of time, ten times as dense as the time between them.
///
/// The process starts in its stationary state. Two phases make the switched Poisson process
/// (Heffes, Lucantoni 1986).
#[derive(Clone, Debug, PartialEq)]
pub struct Mmpp {
    phases: Arc<[Phase]>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Phase {
    /// Arrivals per unit of time, relative to the other phases.
    rate: f64,
    /// Mean time of a stay.
    sojourn: f64,
}

/// Largest rate and sojourn time, and the inverse of the least: products stay finite.
const MOST: f64 = 1e60;

impl Mmpp {
    /// Reads pairs of rate and sojourn time; `None` after a problem.
    pub(super) fn read(args: &mut Args<'_>) -> Option<Self> {
        let numbers: Vec<f64> = args.numbers_rest().into_iter().map(|(number, _)| number).collect();
        let pairs = numbers.as_chunks::<2>().0.iter();
        let phases: Arc<[Phase]> = pairs.map(|&[rate, sojourn]| Phase { rate, sojourn }).collect();
        let problem = if phases.len() < 2 || !numbers.len().is_multiple_of(2) {
            "`mmpp` needs two or more pairs of rate and sojourn time"
        } else if !phases.iter().all(|phase| (0.0..=MOST).contains(&phase.rate)) {
            "rates must be at least 0 and at most 1e60"
        } else if !phases.iter().any(|phase| phase.rate >= 1.0 / MOST) {
            "one of the rates must be positive"
        } else if !phases.iter().all(|phase| (1.0 / MOST..=MOST).contains(&phase.sojourn)) {
            "sojourn times must be positive and at most 1e60"
        } else {
            return Some(Self { phases });
        };
        let help = "write mmpp(rate, mean sojourn time, rate, mean sojourn time, ...)";
        args.problem(None, problem, Some(help.to_string()));
        None
    }

    pub(super) fn expression(&self) -> Call {
        self.phases
            .iter()
            .fold(Call::word("mmpp"), |call, phase| call.with(phase.rate).with(phase.sojourn))
    }

    /// Mean time from phase 0 to phase 0.
    fn cycle(&self) -> f64 {
        self.phases.iter().map(|phase| phase.sojourn).sum()
    }

    /// Time average of the relative rates.
    fn mean_rate(&self) -> f64 {
        self.phases.iter().map(|phase| phase.rate * phase.sojourn).sum::<f64>() / self.cycle()
    }

    /// Changes of phase per arrival at this rate.
    pub(super) fn changes_per_arrival(&self, rate: f64) -> f64 {
        self.phases.len() as f64 / self.cycle() / rate
    }
}

/// The state of a running process.
#[derive(Clone, Debug)]
pub(super) struct Modulation {
    /// Mean time between arrivals in each phase (infinite for none) and mean stay.
    phases: Vec<(f64, f64)>,
    /// The present phase and when it ends; `None` before the start.
    present: Option<(usize, f64)>,
}

impl Modulation {
    pub(super) fn new(mmpp: &Mmpp, rate: f64) -> Self {
        let gap_of_1 = mmpp.mean_rate() / rate;
        let phases = mmpp.phases.iter().map(|phase| (gap_of_1 / phase.rate, phase.sojourn));
        Self { phases: phases.collect(), present: None }
    }

    /// The first arrival after `time`, which is the last one (0 at the start).
    pub(super) fn next<R: Rng + ?Sized>(&mut self, mut time: f64, rng: &mut R) -> f64 {
        let (mut phase, mut end) = match self.present {
            Some(present) => present,
            None => {
                let phase = self.stationary_phase(rng);
                (phase, exponential(self.phases[phase].1, rng))
            }
        };
        loop {
            let gap = self.phases[phase].0;
            if gap.is_finite() {
                let arrival = time + exponential(gap, rng);
                if arrival <= end {
                    self.present = Some((phase, end));
                    return arrival;
                }
            }
            // What is left of an exponential time is as long as a new one.
            time = end;
            phase = (phase + 1) % self.phases.len();
            end = time + exponential(self.phases[phase].1, rng);
        }
    }

    /// A phase with probability in proportion to the time spent in it.
    fn stationary_phase<R: Rng + ?Sized>(&self, rng: &mut R) -> usize {
        let cycle: f64 = self.phases.iter().map(|(_, sojourn)| sojourn).sum();
        let mut left = unit_f64(rng) * cycle;
        for (phase, (_, sojourn)) in self.phases.iter().enumerate() {
            if left < *sojourn {
                return phase;
            }
            left -= sojourn;
        }
        self.phases.len() - 1
    }
}

fn exponential<R: Rng + ?Sized>(mean: f64, rng: &mut R) -> f64 {
    let time: f64 = Exp1.sample(rng);
    mean * time
}
