//! The state in time by the partial differential equation of Aghajani, Li and Ramanan.

use evenhand_sim::Service;

use super::law::UnitLaw;
use crate::{Error, choice_rate};

/// Levels that are followed. Fractions with more jobs are below rounding at loads below 1 and
/// moderate times; with one choice they are not.
const LEVELS: usize = 12;
/// Passes of a step, each of which gains an order in its length.
const PASSES: u32 = 4;

/// The fraction of servers with at least k jobs at `time`, by k from 0 to 12, if all are idle at
/// time 0. Time is in the unit of the service law.
///
/// Let Z_l(t, x) be the fraction of servers with at least l jobs whose job in service stays
/// longer than x. Then (Aghajani, Li and Ramanan 2017)
///
/// ```text
/// dZ_1/dt - dZ_1/dx = P(X > x) (D_2 + r (1 - S_1^d))
/// dZ_l/dt - dZ_l/dx = P(X > x) D_(l+1) + r P_d(S_(l-1), S_l) (Z_(l-1) - Z_l),  l > 1
/// S_l = Z_l(t, 0),  D_l = -dZ_l/dx (t, 0)
/// ```
///
/// It is solved along x + t = constant by trapezoids; errors are of the square of the step for
/// laws with a smooth density. [`super::Transient`] is faster, and takes every law; this shares
/// nothing with it but the service law, so that the two can be compared.
///
/// ```
/// use evenhand_sim::Service;
/// use evenhand_theory::hydrodynamic::solve_by_stays;
///
/// let service = Service::parse("erlang(4)").unwrap();
/// let fractions = solve_by_stays(&service, 2, 0.9, 1.0, 200).unwrap();
/// assert!((fractions[1] - 0.610_1).abs() < 1e-3);
/// ```
///
/// # Errors
/// [`Error::OutOfRange`] if there are no choices, fewer than 4 steps, or if the load or the time is
/// negative or not finite.
pub fn solve_by_stays(
    service: &Service,
    choices: u32,
    load: f64,
    time: f64,
    steps: usize,
) -> Result<Vec<f64>, Error> {
    let possible = |x: f64| x >= 0.0 && x.is_finite();
    if choices == 0 || steps < 4 || !possible(load) || !possible(time) {
        return Err(Error::OutOfRange(
            "there must be a choice, 4 steps, and a load and a time that are not negative".into(),
        ));
    }
    let law = UnitLaw::new(service);
    let step = time / service.mean() / steps as f64;
    // Points beyond the time that is left cannot be felt at x = 0; two more are for slopes.
    let survival: Vec<f64> = (0..=steps + 2).map(|i| law.survival(i as f64 * step)).collect();
    let mut grid = Grid { survival, choices, load, step, stays: vec![Vec::new(); LEVELS] };
    grid.stays.iter_mut().for_each(|stays| stays.resize(steps + 3, 0.0));
    for _ in 0..if step > 0.0 { steps } else { 0 } {
        grid.advance();
    }
    Ok([1.0].into_iter().chain(grid.stays.iter().map(|stays| stays[0])).collect())
}

struct Grid {
    survival: Vec<f64>,
    choices: u32,
    load: f64,
    step: f64,
    /// Z_l at 0, step, 2 step, ..., by l from 1.
    stays: Vec<Vec<f64>>,
}

/// Right sides of the equation at one time, by level from 1: flow of jobs that start, and rate of
/// arrivals.
type Flows = Vec<(f64, f64)>;

impl Grid {
    /// The right sides in a state.
    fn flows(&self, stays: &[Vec<f64>]) -> Flows {
        let fraction = |level: usize| if level == 0 { 1.0 } else { stays[level - 1][0] };
        // Slope at 0 to order 2.
        let departures = |level: usize| {
            stays
                .get(level - 1)
                .map_or(0.0, |z| (3.0 * z[0] - 4.0 * z[1] + z[2]) / (2.0 * self.step))
        };
        let flow = |level: usize| match level {
            1 => {
                let idle = 1.0 - fraction(1).powi(self.choices as i32);
                (departures(2) + self.load * idle, 0.0)
            }
            _ => {
                let rate = choice_rate(self.choices, fraction(level - 1), fraction(level));
                (departures(level + 1), self.load * rate)
            }
        };
        (1..=LEVELS).map(flow).collect()
    }

    /// The right side of one level at one point.
    fn slope(&self, stays: &[Vec<f64>], flows: &Flows, level: usize, i: usize) -> f64 {
        let (starts, rate) = flows[level];
        let below = if level == 0 { 0.0 } else { stays[level - 1][i] - stays[level][i] };
        starts * self.survival[i] + rate * below
    }

    fn advance(&mut self) {
        let points = self.stays[0].len();
        let flows = self.flows(&self.stays);
        let start: Vec<Vec<f64>> = (0..LEVELS)
            .map(|level| {
                let moved = |i| {
                    self.stays[level][i]
                        + self.step / 2.0 * self.slope(&self.stays, &flows, level, i)
                };
                (1..points).map(moved).collect()
            })
            .collect();
        let mut next: Vec<Vec<f64>> = self.stays.iter().map(|stays| stays[1..].to_vec()).collect();
        for _ in 0..PASSES {
            let flows = self.flows(&next);
            for level in 0..LEVELS {
                for i in 0..points - 1 {
                    let slope = self.slope(&next, &flows, level, i);
                    next[level][i] = start[level][i] + self.step / 2.0 * slope;
                }
            }
        }
        self.stays = next;
    }
}
