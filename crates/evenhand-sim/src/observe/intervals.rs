use statrs::distribution::{ContinuousCDF, StudentsT};

/// A mean over independent replications, with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Student's interval; `None` for fewer than two replications.
    pub ci95: Option<[f64; 2]>,
}

/// The mean of independent values, with Student's 95 % confidence interval.
///
/// ```
/// use evenhand_sim::observe::mean_with_interval;
/// let mean = mean_with_interval(&[1.0, 2.0, 3.0]);
/// assert_eq!(mean.mean, 2.0);
/// let [low, high] = mean.ci95.unwrap();
/// assert!((high - low - 2.0 * 4.302653 / 3_f64.sqrt()).abs() < 1e-5);
/// ```
///
/// # Panics
/// If there is no value.
pub fn mean_with_interval(values: &[f64]) -> Mean {
    assert!(!values.is_empty(), "a mean needs a value");
    let n = values.len() as f64;
    // Relative to the first value, so that equal values have exactly that mean.
    let mean = values[0] + values.iter().map(|x| x - values[0]).sum::<f64>() / n;
    if values.len() < 2 {
        return Mean { mean, ci95: None };
    }
    let variance = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let t = StudentsT::new(0.0, 1.0, n - 1.0).expect("at least one degree of freedom");
    let half = t.inverse_cdf(0.975) * (variance / n).sqrt();
    Mean { mean, ci95: Some([mean - half, mean + half]) }
}
