//! Ordinary differential equations: the Runge-Kutta pair 8(5,3) of Dormand and Prince.
//!
//! Tails of limits fall doubly exponentially, and each of their levels feeds the next. So the
//! error of every component is held to a fraction of that component, which ready-made solvers
//! with one norm for all do not do.

mod dormand_prince;

use self::dormand_prince::{A, B, C, E3, E5, ORDER, STAGES};
use crate::Error;

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
                stepper.accept(&mut f, now);
            }
            let factor = (0.9 * error.max(1e-30).powf(-1.0 / f64::from(ORDER))).clamp(0.2, 6.0);
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
    of_order_5: Vec<f64>,
    of_order_3: Vec<f64>,
    stages: [Vec<f64>; STAGES],
    tolerance: Tolerance,
}

impl Stepper {
    fn new(x: &[f64], tolerance: Tolerance) -> Self {
        let of_length = || x.to_vec();
        Self {
            x: of_length(),
            tried: of_length(),
            of_order_5: of_length(),
            of_order_3: of_length(),
            stages: std::array::from_fn(|_| vec![0.0; x.len()]),
            tolerance,
        }
    }

    /// A step in which no component that matters changes by much of itself.
    fn first_step(&self) -> f64 {
        let Tolerance { relative, absolute } = self.tolerance;
        let least = absolute / relative;
        let moves = self.x.iter().zip(&self.stages[0]);
        let fastest = moves.map(|(x, dx)| dx.abs() / x.abs().max(least)).fold(0.0, f64::max);
        0.3 / fastest
    }

    /// Tries a step; the error of the worst component, 1 being the greatest allowed.
    fn attempt(&mut self, f: &mut impl FnMut(f64, &[f64], &mut [f64]), now: f64, h: f64) -> f64 {
        for stage in 1..STAGES {
            let (done, ahead) = self.stages.split_at_mut(stage);
            self.tried.copy_from_slice(&self.x);
            add(&mut self.tried, h, A[stage], done);
            f(now + C[stage] * h, &self.tried, &mut ahead[0]);
        }
        self.tried.copy_from_slice(&self.x);
        add(&mut self.tried, h, &B, &self.stages);
        self.of_order_5.fill(0.0);
        add(&mut self.of_order_5, h, &E5, &self.stages);
        self.of_order_3.fill(0.0);
        add(&mut self.of_order_3, h, &E3, &self.stages);
        self.worst_error()
    }

    /// The greatest error of a component over what it may be.
    fn worst_error(&self) -> f64 {
        let Tolerance { relative, absolute } = self.tolerance;
        let mut worst: f64 = 0.0;
        for (i, (&x, &tried)) in self.x.iter().zip(&self.tried).enumerate() {
            let scale = absolute + relative * x.abs().max(tried.abs());
            let error = combined(self.of_order_5[i] / scale, self.of_order_3[i] / scale);
            if error.is_nan() {
                return f64::NAN;
            }
            worst = worst.max(error);
        }
        worst
    }

    /// Takes the step that was tried, to the time `now`.
    fn accept(&mut self, f: &mut impl FnMut(f64, &[f64], &mut [f64]), now: f64) {
        std::mem::swap(&mut self.x, &mut self.tried);
        f(now, &self.x, &mut self.stages[0]);
    }
}

/// The error of order 8 that two errors of lower order tell of.
fn combined(of_order_5: f64, of_order_3: f64) -> f64 {
    if of_order_5 == 0.0 {
        return 0.0;
    }
    of_order_5.abs() / (1.0 + 0.01 * (of_order_3 / of_order_5).powi(2)).sqrt()
}

/// Adds h (a_1 k_1 + a_2 k_2 + ...), one term after another, so that each is one plain loop.
fn add(sum: &mut [f64], h: f64, weights: &[f64], slopes: &[Vec<f64>]) {
    for (weight, slope) in weights.iter().zip(slopes).filter(|(weight, _)| **weight != 0.0) {
        let weight = h * weight;
        for (sum, k) in sum.iter_mut().zip(slope) {
            *sum += weight * k;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sum of b_i c_i^k, and of b_i a_ij c_j^k and b_i a_ij a_jl c_l^k, are those of integrals.
    #[test]
    fn weights_meet_conditions_of_order_8() {
        let power = |k: i32| C.map(|c: f64| c.powi(k));
        let times = |a: [f64; STAGES], b: [f64; STAGES]| std::array::from_fn(|i| a[i] * b[i]);
        let integral = |values: [f64; STAGES]| -> [f64; STAGES] {
            std::array::from_fn(|i| A[i].iter().zip(values).map(|(a, value)| a * value).sum())
        };
        let sum = |values: [f64; STAGES]| B.iter().zip(values).map(|(b, v)| b * v).sum::<f64>();
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-14, "{a} {b}");
        for k in 0..8 {
            close(sum(power(k)), 1.0 / f64::from(k + 1));
            for m in 0..7 - k {
                let once = f64::from(k + 1) * f64::from(k + m + 2);
                close(sum(times(power(m), integral(power(k)))), 1.0 / once);
            }
            for m in 0..6 - k {
                let twice = f64::from(k + 1) * f64::from(k + 2) * f64::from(k + m + 3);
                close(sum(times(power(m), integral(integral(power(k))))), 1.0 / twice);
            }
        }
        for (stage, row) in A.iter().enumerate() {
            close(row.iter().sum(), C[stage]);
        }
        close(E5.iter().sum(), 0.0);
        close(E3.iter().sum(), 0.0);
    }

    /// The error of half a step is 2^-9 of that of a whole one, or less.
    #[test]
    fn one_step_is_of_order_8() {
        let mut f = |t: f64, x: &[f64], dx: &mut [f64]| dx[0] = x[0] * t.cos() - 0.1 * x[0].powi(2);
        let mut step = |h: f64| {
            let tolerance = Tolerance { relative: 1.0, absolute: 1.0 };
            let mut stepper = Stepper::new(&[1.0], tolerance);
            f(0.0, &stepper.x, &mut stepper.stages[0]);
            stepper.attempt(&mut f, 0.0, h);
            let fine = Tolerance { relative: 1e-15, absolute: 1e-17 };
            let exact = solve(&mut f, 0.0, &[1.0], &[h], fine).unwrap()[0][0];
            (stepper.tried[0] - exact).abs()
        };
        let order = (step(1.2) / step(0.6)).log2();
        assert!(order > 8.5, "{order}");
    }

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
