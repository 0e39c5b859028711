//! The rate at which d choices find servers of one length.

/// P_d(a, b) = (a^d - b^d) / (a - b), as the sum of a^m b^(d-1-m) over m = 0..d-1.
///
/// With `a` the fraction of servers with at least k jobs and `b` that with more than k, it is the
/// factor by which d uniform choices raise or lower the arrival rate of a server with k jobs. The
/// sum has no subtraction, so it keeps its relative accuracy where a and b are close or tiny.
///
/// ```
/// use evenhand_theory::choice_rate;
/// assert_eq!(choice_rate(2, 0.75, 0.5), 1.25);
/// assert_eq!(choice_rate(1, 0.75, 0.5), 1.0);
/// ```
#[inline]
pub fn choice_rate(d: u32, a: f64, b: f64) -> f64 {
    // The sum for two choices, which is the same without its loop.
    if d == 2 {
        return a + b;
    }
    let (mut sum, mut power) = (0.0, 1.0);
    for _ in 0..d {
        sum = sum * a + power;
        power *= b;
    }
    sum
}
