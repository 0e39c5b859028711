//! The load of the one remembered server, for policies with memory.
//!
//! Jobs change the remembered server n times as fast as they change the fractions of servers, so
//! in the limit its load M is a Markov chain at rest while the fractions stand still.

/// Writes q[i] = P(M >= i) for a memory of one server and `d` fresh uniform choices.
///
/// `x[i]` is the fraction of servers with load at least i, with x\[0\] = 1; `q` is as long as `x`,
/// and loads beyond are absent. A job joins the least loaded of the fresh servers and the
/// remembered one; the least loaded of them after that is remembered; ties are random
/// (Mitzenmacher, Prabhakar, Shah 2002).
///
/// M rises by one at most, and only if all fresh loads are above it: i to i + 1 with probability
/// x[i+1]^d. From any load above i it falls to i or below with one and the same probability,
/// c = 1 - x[i+1]^d - d (x[i] - x[i+1]) x[i+1]^(d-1): unless all fresh loads are above i, or only
/// one is i and the job makes it i + 1. So the flow across the cut of i and i + 1 balances if
/// (q[i] - q[i+1]) x[i+1]^d = c q[i+1].
///
/// With d = 1 no load of 0 is ever remembered again, so q\[1\] = 1 even where x\[1\] = 0: the limit
/// from above.
pub(crate) fn remembered(x: &[f64], d: u32, q: &mut [f64]) {
    q[0] = 1.0;
    for i in 1..x.len() {
        q[i] = q[i - 1] * ratio(d, x[i - 1], x[i]);
    }
}

/// q[i+1] / q[i], from `a` = x[i] and `b` = x[i+1].
pub(crate) fn ratio(d: u32, a: f64, b: f64) -> f64 {
    if d == 1 {
        // 1 - (a - b), kept apart from zero; 0/0 is the limit for b to 0.
        let below = (1.0 - a).max(0.0);
        return if below + b > 0.0 { b / (below + b) } else { 1.0 };
    }
    let fresh = b.powi(d as i32 - 1);
    fresh * b / (1.0 - f64::from(d) * (a - b) * fresh)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps of the chain as the policy states them, row by row, from the law of the least load.
    fn transitions(x: &[f64], d: i32) -> Vec<Vec<f64>> {
        let tail = |i: usize| x.get(i).copied().unwrap_or(0.0);
        let n = x.len();
        let mut p = vec![vec![0.0; n + 1]; n];
        for (j, row) in p.iter_mut().enumerate() {
            row[j + 1] += tail(j + 1).powi(d);
            row[j] += tail(j).powi(d) - tail(j + 1).powi(d);
            for i in 0..j {
                let one = f64::from(d) * (tail(i) - tail(i + 1)) * tail(i + 1).powi(d - 1);
                row[i + 1] += one;
                row[i] += tail(i).powi(d) - tail(i + 1).powi(d) - one;
            }
        }
        p
    }

    #[test]
    fn the_law_is_at_rest_under_the_steps() {
        for (d, x) in [
            (1, vec![1.0, 0.6, 0.3, 0.05, 1e-4]),
            (2, vec![1.0, 0.8, 0.25, 0.001]),
            (3, vec![1.0, 1.0, 0.9, 0.5, 0.1]),
        ] {
            let mut q = vec![0.0; x.len()];
            remembered(&x, d, &mut q);
            let p = transitions(&x, d as i32);
            let exactly = |i: usize| q[i] - q.get(i + 1).copied().unwrap_or(0.0);
            let after = |to: usize| -> f64 {
                p.iter().enumerate().map(|(from, row)| exactly(from) * row[to]).sum()
            };
            for (load, after) in (0..x.len()).map(after).enumerate() {
                let off = after - exactly(load);
                assert!(off.abs() < 1e-15, "d {d}, load {load}");
            }
        }
    }

    #[test]
    fn limits_are_not_nan() {
        let mut q = [0.0; 3];
        remembered(&[1.0, 0.0, 0.0], 1, &mut q);
        assert_eq!(q, [1.0, 1.0, 0.0]);
        remembered(&[1.0, 0.0, 0.0], 2, &mut q);
        assert_eq!(q, [1.0, 0.0, 0.0]);
        remembered(&[1.0, 1.0, 1.0], 2, &mut q);
        assert_eq!(q, [1.0, 1.0, 1.0]);
    }
}
