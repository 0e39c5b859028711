//! Laws of delays on a lattice of times.
//!
//! Let Z_l(x) be the fraction of servers with at least l jobs whose job in service stays longer
//! than x. In the stationary state, the equation of Aghajani, Li and Ramanan (2017) for Z is
//!
//! -Z_l'(x) = r s_l^d P(X > x) + c_l (Z_(l-1)(x) - Z_l(x)),  c_l = r P_d(s_(l-1), s_l),
//!
//! without the second term for l = 1. An arrival goes to a server with k jobs, the first of which
//! stays longer than x, with probability c_(k+1) (Z_k(x) - Z_(k+1)(x)) / r. Its wait is that time
//! and k - 1 services, its time in system one service more.
//!
//! Functions are linear between lattice points, and the service law meets them by integrals of
//! its survival function. So errors are of the square of the step, also for atoms.

use super::ages::Ages;
use super::delay::Delay;
use super::flow::dot;
use super::law::UnitLaw;

use super::stationary::Stationary;

/// Arrivals that find more jobs than all but this part of arrivals are left out.
pub(super) const NEGLIGIBLE: f64 = 1e-13;

/// Points 0, step, 2 step, ... with the service law.
pub(super) struct Lattice<'a> {
    state: &'a Stationary,
    step: f64,
    points: usize,
    /// Integrals of the survival function over the cells between points, over the step.
    cells: Vec<f64>,
    /// Probabilities of the points, last first: a value between two points is split so that the
    /// mean is kept.
    masses: Vec<f64>,
}

impl<'a> Lattice<'a> {
    pub(super) fn new(state: &'a Stationary, step: f64, points: usize) -> Self {
        let cell = |i: usize| state.law.cell(i as f64 * step, (i + 1) as f64 * step) / step;
        let cells: Vec<f64> = (0..points).map(cell).collect();
        let before = [1.0].into_iter().chain(cells.iter().copied());
        let mut masses: Vec<f64> = before.zip(&cells).map(|(before, cell)| before - cell).collect();
        masses.reverse();
        Self { state, step, points, cells, masses }
    }

    /// The tail of a delay on the lattice.
    pub(super) fn tail(&self, delay: Delay) -> Tail<'a> {
        let mut later = if self.state.choices == 1 { self.wait_of_one() } else { self.wait() };
        let mut at_once = 0.0;
        if delay == Delay::Sojourn {
            later = self.after_a_service(&later);
            at_once = 1.0 - self.state.waiting_probability;
        }
        Tail { step: self.step, later, at_once, law: &self.state.law }
    }

    /// The tail of the wait: the first service and those behind it.
    fn wait(&self) -> Vec<f64> {
        let mut tail = vec![0.0; self.points + 1];
        for first in self.first_services().iter().rev() {
            tail = self.after_a_service(&tail);
            tail.iter_mut().zip(first).for_each(|(tail, first)| *tail += first);
        }
        tail
    }

    /// The tail of the wait with one choice, where there may be very many levels, by the equation
    /// of Pollaczek and Khinchine: W(x) = Z_1(x) + r ∫ P(X > y) W(x - y) dy over y in [0, x].
    fn wait_of_one(&self) -> Vec<f64> {
        let stays = self.stays_of_one(self.fractions_beyond(1)[0]);
        let factor = self.state.load * self.step / 2.0;
        let pairs = self.cells.windows(2).map(|pair| factor * (pair[0] + pair[1]));
        let mut weights: Vec<f64> = pairs.collect();
        weights.reverse();
        let mut tail = vec![self.state.load; self.points + 1];
        for i in 1..=self.points {
            let known = dot(&weights[self.points - i..], &tail[1..i]);
            let first = factor * self.cells[i - 1] * tail[0];
            tail[i] = (stays[i] + known + first) / (1.0 - factor * self.cells[0]);
        }
        tail
    }

    /// By k from 1: the probability that an arrival finds k jobs, the first of which stays longer
    /// than each point.
    fn first_services(&self) -> Vec<Vec<f64>> {
        let (s, load) = (&self.state.fraction_at_least, self.state.load);
        if s.len() < 3 {
            // Hardly any jobs: none waits.
            return Vec::new();
        }
        let found = |fraction: f64| fraction.powi(self.state.choices as i32);
        let levels = self.state.levels_found(NEGLIGIBLE).clamp(2, s.len() - 1);
        let ends = self.fractions_beyond(levels);
        let mut stays = self.stays_of_one(ends[0]);
        let mut firsts = Vec::with_capacity(levels);
        for level in 2..=levels {
            let rate = self.state.rate_into(level);
            let next = self.stays(rate, load * found(s[level]), &stays, ends[level - 1]);
            let pairs = stays.iter().zip(&next);
            firsts.push(pairs.map(|(stay, next)| rate / load * (stay - next)).collect());
            stays = next;
        }
        firsts
    }

    /// Z_l at the last point, by l from 1 to `levels`.
    fn fractions_beyond(&self, levels: usize) -> Vec<f64> {
        let Stationary { law, choices, per_octave, .. } = self.state;
        let last = self.points as f64 * self.step;
        let ages = Ages::new(law, f64::from(*choices), *per_octave, last);
        let mut fractions = Vec::with_capacity(levels);
        self.state.for_each_level(&ages, levels, |level| fractions.push(ages.integral(level)));
        fractions
    }

    /// Z_1 on the lattice, from its last value.
    fn stays_of_one(&self, end: f64) -> Vec<f64> {
        let mut stays = vec![end; self.points + 1];
        for i in (0..self.points).rev() {
            stays[i] = stays[i + 1] + self.state.load * self.step * self.cells[i];
        }
        stays
    }

    /// Z_l on the lattice from Z_(l-1), backward from its last value.
    fn stays(&self, rate: f64, starts: f64, below: &[f64], end: f64) -> Vec<f64> {
        let turns = rate * self.step;
        let kept = (-turns).exp();
        // Means of exp(-turns u) over u in [0, 1], and with weights 1 - u and u, times turns.
        let mean = if turns > 0.0 { -(-turns).exp_m1() / turns } else { 1.0 };
        let (near, far) = match turns {
            _ if turns < 1e-4 => {
                (turns / 2.0 - turns * turns / 6.0, turns / 2.0 - turns * turns / 3.0)
            }
            _ => (1.0 - mean, mean - kept),
        };
        let mut stays = vec![end; self.points + 1];
        for i in (0..self.points).rev() {
            let moved = near * below[i] + far * below[i + 1];
            stays[i] = kept * stays[i + 1] + moved + starts * mean * self.step * self.cells[i];
        }
        stays
    }

    /// The tail of a time and one service more. Where the time is 0 it stays 0.
    fn after_a_service(&self, tail: &[f64]) -> Vec<f64> {
        let after = |i: usize| match i {
            0 => tail[0],
            _ => {
                let masses = &self.masses[self.points - i..];
                dot(masses, &tail[1..=i]) + self.cells[i - 1] * tail[0]
            }
        };
        if tail[0] == 0.0 { tail.to_vec() } else { (0..=self.points).map(after).collect() }
    }
}

/// The tail of a delay.
pub(super) struct Tail<'a> {
    step: f64,
    /// The part of jobs that wait, at the lattice points.
    later: Vec<f64>,
    /// Probability that the delay is a service alone.
    at_once: f64,
    law: &'a UnitLaw,
}

impl Tail<'_> {
    /// The tail on this lattice without the error of the square of the step, from one of half the
    /// step (Richardson).
    pub(super) fn extrapolate(&self, fine: &Self) -> Self {
        let pairs = self.later.iter().zip(fine.later.iter().step_by(2));
        let later = pairs.map(|(coarse, fine)| fine + (fine - coarse) / 3.0).collect();
        Tail { later, ..*self }
    }

    /// The probability of more than `time`, which is on the lattice.
    pub(super) fn at(&self, time: f64) -> f64 {
        let alone = if self.at_once > 0.0 { self.law.survival(time) } else { 0.0 };
        (self.interpolate(time / self.step) + self.at_once * alone).clamp(0.0, 1.0)
    }

    /// Cubic interpolation through the four nearest points.
    fn interpolate(&self, index: f64) -> f64 {
        let last = self.later.len() - 1;
        let first = (index.floor() as usize).saturating_sub(1).min(last - 3);
        let x = index - first as f64;
        let [a, b, c, d] = std::array::from_fn(|i| self.later[first + i]);
        let (x1, x2, x3) = (x - 1.0, x - 2.0, x - 3.0);
        -a * x1 * x2 * x3 / 6.0 + b * x * x2 * x3 / 2.0 - c * x * x1 * x3 / 2.0
            + d * x * x1 * x2 / 6.0
    }

    /// The least time that is exceeded with at most probability `beyond`, by bisection.
    pub(super) fn quantile(&self, beyond: f64) -> f64 {
        let (mut low, mut high) = (0.0, (self.later.len() - 1) as f64 * self.step);
        while high - low > 1e-14 * high {
            let middle = (low + high) / 2.0;
            if middle <= low || middle >= high {
                break;
            }
            if self.at(middle) > beyond { low = middle } else { high = middle }
        }
        high
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evenhand_sim::Service;

    /// The integral of a tail is the mean by Little's law, which the lattice does not know.
    #[test]
    fn tails_integrate_to_the_means() {
        for law in ["deterministic", "erlang(2)", "lognormal(1)", "uniform(0.5)", "gamma(3)"] {
            for choices in [1, 2] {
                let service = Service::parse(law).unwrap();
                let state = Stationary::solve(&service, choices, 0.6).unwrap();
                let end = state.delay_quantile(Delay::Wait, 1.0 - 1e-9).unwrap().value.ceil();
                let mean = |points: usize| {
                    let step = end / points as f64;
                    let tail = Lattice::new(&state, step, points).tail(Delay::Wait).later;
                    step * (tail.iter().sum::<f64>() - (tail[0] + tail[points]) / 2.0)
                };
                let points = 32 * end as usize;
                let (coarse, fine) = (mean(points), mean(2 * points));
                let ratio = (fine + (fine - coarse) / 3.0) / state.mean_wait;
                assert!((ratio - 1.0).abs() < 1e-5, "{law}, {choices} choices: ratio {ratio}");
            }
        }
    }
}
