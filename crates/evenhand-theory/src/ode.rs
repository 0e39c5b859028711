//! Ordinary differential equations: the Runge-Kutta pair 5(4) of Dormand and Prince (1980).
//!
//! Tails of limits fall doubly exponentially, and each of their levels feeds the next. So the
//! error of every component is held to a fraction of that component, which ready-made solvers
//! with one norm for all do not do.

use crate::Error;

/// Nodes, weights by stage, and the difference of the two last rows (order 5 minus order 4).
const C: [f64; 7] = [0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0];
const A: [&[f64]; 7] = [
    &[],
    &[0.2],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
    &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
    &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];
const E: [f64; 7] = [
    71.0 / 57600.0,
    0.0,
    -71.0 / 16695.0,
    71.0 / 1920.0,
    -17253.0 / 339200.0,
    22.0 / 525.0,
    -1.0 / 40.0,
];

/// Steps after which an integration is given up.
const MAX_STEPS: u32 = 2_000_000;

/// How closely each step follows the solution.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tolerance {
    /// Error of a step over the component.
    pub relative: f64,
    /// Error below which a component is right, however small it is itself.
    pub absolute: f64,
}

/// The solution of dx/dt = f(t, x) from `x` at time `from`, at each of the ascending `times`.
///
/// `f` writes the derivative at its first two arguments into the third.
///
/// # Errors
/// [`Error::NoConvergence`] if the steps become too short or too many.
pub(crate) fn solve(
    mut f: impl FnMut(f64, &[f64], &mut [f64]),
    from: f64,
    x: &[f64],
    times: &[f64],
    tolerance: Tolerance,
) -> Result<Vec<Vec<f64>>, Error> {
    let mut stepper = Stepper::new(x, tolerance);
    let mut now = from;
    f(now, &stepper.x, &mut stepper.stages[0]);
    let mut step = stepper.first_step();
    let mut steps = 0;
    let mut states = Vec::with_capacity(times.len());
    for &time in times {
        while now < time {
            let last = now + 1.01 * step >= time;
            let length = if last { time - now } else { step };
            let error = stepper.attempt(&mut f, now, length);
            steps += 1;
            let too_short = now + length <= now;
            if steps > MAX_STEPS || too_short || error.is_nan() {
                return Err(Error::NoConvergence { what: "an integration", steps, change: error });
            }
            if error <= 1.0 {
                now = if last { time } else { now + length };
                stepper.accept();
            }
            let factor = (0.9 * error.max(1e-10).powf(-0.2)).clamp(0.2, 5.0);
            if error > 1.0 || !last || factor < 1.0 {
                step = length * factor;
            }
        }
        states.push(stepper.x.clone());
    }
    Ok(states)
}

struct Stepper {
    x: Vec<f64>,
    tried: Vec<f64>,
    errors: Vec<f64>,
    stages: [Vec<f64>; 7],
    tolerance: Tolerance,
}

impl Stepper {
    fn new(x: &[f64], tolerance: Tolerance) -> Self {
        let stages = std::array::from_fn(|_| vec![0.0; x.len()]);
        Self { x: x.to_vec(), tried: x.to_vec(), errors: x.to_vec(), stages, tolerance }
    }

    /// The error that a component may have.
    fn scale(&self, a: f64, b: f64) -> f64 {
        self.tolerance.absolute + self.tolerance.relative * a.abs().max(b.abs())
    }

    /// A step in which no component moves by more than a hundredth of its scale of motion.
    fn first_step(&self) -> f64 {
        let moves = self.x.iter().zip(&self.stages[0]);
        let fastest = moves.map(|(x, dx)| dx.abs() / x.abs().max(1e-3)).fold(1e-3, f64::max);
        (1e-3 / fastest).min(1e-3)
    }

    /// Tries a step; the error of the worst component, 1 being the greatest allowed.
    fn attempt(&mut self, f: &mut impl FnMut(f64, &[f64], &mut [f64]), now: f64, h: f64) -> f64 {
        for stage in 1..7 {
            let (done, ahead) = self.stages.split_at_mut(stage);
            self.tried.copy_from_slice(&self.x);
            add(&mut self.tried, h, A[stage], done);
            f(now + C[stage] * h, &self.tried, &mut ahead[0]);
        }
        self.errors.fill(0.0);
        add(&mut self.errors, h, &E, &self.stages);
        let mut worst: f64 = 0.0;
        for ((error, &x), &tried) in self.errors.iter().zip(&self.x).zip(&self.tried) {
            let ratio = error.abs() / self.scale(x, tried);
            if ratio.is_nan() {
                return f64::NAN;
            }
            worst = worst.max(ratio);
        }
        worst
    }

    /// Takes the step that was tried; its last derivative is the next one's first.
    fn accept(&mut self) {
        std::mem::swap(&mut self.x, &mut self.tried);
        self.stages.swap(0, 6);
    }
}

/// Adds h (a_1 k_1 + a_2 k_2 + ...), one term after another, so that each is one plain loop.
fn add(sum: &mut [f64], h: f64, weights: &[f64], slopes: &[Vec<f64>]) {
    for (weight, slope) in weights.iter().zip(slopes).filter(|(weight, _)| **weight != 0.0) {
        for (sum, k) in sum.iter_mut().zip(slope) {
            *sum += h * weight * k;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_a_rotation_to_the_tolerance() {
        let f = |_: f64, x: &[f64], dx: &mut [f64]| (dx[0], dx[1]) = (x[1], -x[0]);
        let tolerance = Tolerance { relative: 1e-11, absolute: 1e-13 };
        let states = solve(f, 0.0, &[0.0, 1.0], &[0.5, 3.0, 20.0], tolerance).unwrap();
        for (state, t) in states.iter().zip([0.5_f64, 3.0, 20.0]) {
            assert!((state[0] - t.sin()).abs() < 1e-9, "at {t}: {}", state[0]);
        }
    }

    #[test]
    fn an_explosion_is_an_error() {
        let f = |_: f64, x: &[f64], dx: &mut [f64]| dx[0] = x[0] * x[0];
        let tolerance = Tolerance { relative: 1e-10, absolute: 1e-12 };
        assert!(solve(f, 0.0, &[1.0], &[2.0], tolerance).is_err());
    }
}
