use super::mean_with_interval;

/// The least number of replications, taken in order from the first, whose mean is known to
/// within `relative`: half of the 95 % confidence interval over the absolute mean is below it.
/// `None` if there are not enough values yet; `relative` must be positive.
///
/// The answer depends on the order of the values alone, not on how many lie behind the prefix:
/// replications may run on any number of threads, and what is finished beyond the prefix is left
/// out. Equal values are precise. A mean of 0 of different values never is.
///
/// Stopping as soon as the interval is narrow favours prefixes that are narrow by chance, so such
/// intervals cover the true mean less often than 95 % (Chow, Robbins 1965: the loss vanishes as
/// `relative` goes to 0). Most of it comes from very few replications, so `min_runs` should be at
/// least 10; then intervals of normal values cover in 93 to 95 % of all cases. At least
/// two replications are always needed.
///
/// ```
/// use evenhand_sim::observe::enough;
/// let values = [2.0, 2.2, 1.9, 2.1, 2.0, 2.0];
/// assert_eq!(enough(&values, 0.1, 2), Some(5));
/// assert_eq!(enough(&values, 0.1, 6), Some(6));
/// assert_eq!(enough(&values, 0.01, 2), None);
/// ```
pub fn enough(values: &[f64], relative: f64, min_runs: usize) -> Option<usize> {
    // Welford's running mean and sum of squares.
    let (mut mean, mut squares) = (0.0, 0.0);
    for (index, value) in values.iter().enumerate() {
        let count = index + 1;
        let change = value - mean;
        mean += change / count as f64;
        squares += change * (value - mean);
        if count < min_runs.max(2) {
            continue;
        }
        // Student's interval is wider than the normal one: most prefixes fail this cheap test.
        let error = (squares / (index * count) as f64).sqrt();
        let may_be_precise = NORMAL_975 * error <= relative * mean.abs() * ROUNDING;
        if may_be_precise && is_precise(&values[..count], relative) {
            return Some(count);
        }
    }
    None
}

/// A little below the 97.5 % point of the normal law.
const NORMAL_975: f64 = 1.959;
/// Leaves the last digits to the exact test.
const ROUNDING: f64 = 1.0 + 1e-9;

fn is_precise(values: &[f64], relative: f64) -> bool {
    let mean = mean_with_interval(values);
    mean.ci95.is_some_and(|[low, high]| {
        let half = (high - low) / 2.0;
        half == 0.0 || half < relative * mean.mean.abs()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use evenhand_core::Stream;
    use rand_distr::{Distribution, StandardNormal};

    /// What `enough` says, without its shortcut.
    fn slowly(values: &[f64], relative: f64, min_runs: usize) -> Option<usize> {
        (min_runs.max(2)..=values.len()).find(|&count| is_precise(&values[..count], relative))
    }

    fn normal(stream: &mut Stream, spread: f64) -> f64 {
        let error: f64 = StandardNormal.sample(stream);
        1.0 + spread * error
    }

    #[test]
    fn the_shortcut_changes_nothing() {
        let mut stream = Stream::from_seed(3);
        for round in 0..200 {
            let values: Vec<f64> = (0..60).map(|_| normal(&mut stream, 0.3)).collect();
            for (relative, min_runs) in [(0.5, 0), (0.1, 2), (0.1, 10), (0.05, 10), (1e-3, 2)] {
                let answer = enough(&values, relative, min_runs);
                assert_eq!(answer, slowly(&values, relative, min_runs), "round {round}");
                // Only the prefix counts.
                if let Some(count) = answer {
                    assert_eq!(enough(&values[..count], relative, min_runs), answer);
                    assert_eq!(enough(&values[..count - 1], relative, min_runs), None);
                }
            }
        }
    }

    #[test]
    fn special_values() {
        assert_eq!(enough(&[], 0.1, 10), None);
        assert_eq!(enough(&[3.0], 0.1, 1), None);
        assert_eq!(enough(&[3.0; 12], 0.1, 10), Some(10));
        assert_eq!(enough(&[0.1; 12], 0.1, 10), Some(10));
        assert_eq!(enough(&[0.0; 12], 0.1, 3), Some(3));
        assert_eq!(enough(&[1.0, -1.0, 1.0, -1.0], 0.1, 2), None);
        assert_eq!(enough(&[-2.0, -2.01, -1.99], 0.1, 2), Some(2));
        assert_eq!(enough(&[1.0, f64::NAN, 1.0, 1.0], 0.1, 2), None);
        assert_eq!(enough(&[1.0, f64::INFINITY, 1.0, 1.0], 0.1, 2), None);
    }

    /// The coverage that the documentation states, over 10^4 stopped sequences at three
    /// precisions. The standard error is 0.0025; the bounds are 6 of it from 0.93 and 0.95.
    #[test]
    fn coverage_with_ten_runs_at_least() {
        let mut stream = Stream::from_seed(4);
        for relative in [0.2, 0.1, 0.05] {
            let mut covered = 0;
            for _ in 0..10_000 {
                let values: Vec<f64> = (0..400).map(|_| normal(&mut stream, 0.3)).collect();
                let count = enough(&values, relative, 10).expect("400 values are enough");
                let [low, high] = mean_with_interval(&values[..count]).ci95.expect("an interval");
                covered += u32::from(low <= 1.0 && 1.0 <= high);
            }
            let coverage = f64::from(covered) / 1e4;
            assert!((0.915..0.965).contains(&coverage), "{relative}: {coverage}");
        }
    }
}
