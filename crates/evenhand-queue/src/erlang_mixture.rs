//! Job times from queue lengths.

use statrs::function::gamma::checked_gamma_ur;

/// The time of a random number of exponential stages.
///
/// Where all servers are exponential with one mean and serve first come, first served, a job that
/// meets k jobs at its server waits for k services (what is left of the one in progress is again
/// exponential) and stays for k + 1. So the lengths met on arrival give the exact law of both.
///
/// ```
/// use evenhand_queue::ErlangMixture;
/// // Half of the jobs meet nobody, half meet one job; a service takes 2.
/// let wait = ErlangMixture::of_wait(&[5, 5], 2.0).unwrap();
/// assert_eq!((wait.mean(), wait.at_most(0.0), wait.quantile(0.5)), (1.0, 0.5, 0.0));
/// let sojourn = ErlangMixture::of_sojourn(&[5, 5], 2.0).unwrap();
/// assert_eq!(sojourn.mean(), 3.0);
/// assert!((sojourn.at_most(sojourn.quantile(0.99)) - 0.99).abs() < 1e-12);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ErlangMixture {
    /// Probability of 0, 1, 2, ... stages.
    stages: Vec<f64>,
    mean_stage: f64,
}

impl ErlangMixture {
    /// Waiting times of jobs of which `met[k]` joined a server with k jobs. Times are in the unit
    /// of `mean_service`. `None` without jobs, or if the mean is not positive and finite.
    pub fn of_wait(met: &[u64], mean_service: f64) -> Option<Self> {
        Self::new(met.iter(), mean_service)
    }

    /// Sojourn times of these jobs: a stage more.
    pub fn of_sojourn(met: &[u64], mean_service: f64) -> Option<Self> {
        Self::new([0].iter().chain(met), mean_service)
    }

    fn new<'m>(counts: impl Iterator<Item = &'m u64> + Clone, mean_stage: f64) -> Option<Self> {
        let jobs: u64 = counts.clone().sum();
        if jobs == 0 || !(mean_stage > 0.0 && mean_stage.is_finite()) {
            return None;
        }
        let stages = counts.map(|&count| count as f64 / jobs as f64).collect();
        Some(Self { stages, mean_stage })
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        let stages = self.stages.iter().enumerate();
        self.mean_stage * stages.map(|(k, share)| k as f64 * share).sum::<f64>()
    }

    /// Probability of a time above `time`. 1 for a negative time.
    pub fn above(&self, time: f64) -> f64 {
        if time < 0.0 {
            return 1.0;
        }
        let x = time / self.mean_stage;
        let stages = self.stages.iter().enumerate().filter(|(_, share)| **share > 0.0);
        stages.map(|(k, share)| share * erlang_above(k, x)).sum::<f64>().min(1.0)
    }

    /// Probability of a time of at most `time`.
    pub fn at_most(&self, time: f64) -> f64 {
        1.0 - self.above(time)
    }

    /// The least time that is not exceeded with probability `q`. Infinite for a `q` of 1 or more,
    /// where there is a stage.
    pub fn quantile(&self, q: f64) -> f64 {
        let above = 1.0 - q.clamp(0.0, 1.0);
        if self.above(0.0) <= above {
            return 0.0;
        }
        if above <= 0.0 {
            return f64::INFINITY;
        }
        let (mut low, mut high) = (0.0, self.mean_stage);
        while self.above(high) > above {
            (low, high) = (high, 2.0 * high);
        }
        loop {
            let middle = f64::midpoint(low, high);
            if middle <= low || middle >= high {
                return high;
            }
            if self.above(middle) > above { low = middle } else { high = middle }
        }
    }
}

/// Probability that `stages` stages of mean 1 take more than `x`: the regularized upper
/// incomplete gamma function Q(stages, x).
fn erlang_above(stages: usize, x: f64) -> f64 {
    if stages == 0 {
        return 0.0;
    }
    if x == 0.0 {
        return 1.0;
    }
    checked_gamma_ur(stages as f64, x).expect("there are stages, and x is positive")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn geometric_stages_are_exponential() {
        // M/M/1: a job meets k jobs with probability (1 - r) r^k, and stays an exponential time
        // of mean 1 / (1 - r).
        let load: f64 = 0.5;
        let met: Vec<u64> = (0..60).map(|k| 1 << (60 - k)).collect();
        let sojourn = ErlangMixture::of_sojourn(&met, 1.0).unwrap();
        let mean = 1.0 / (1.0 - load);
        assert!((sojourn.mean() - mean).abs() < 1e-12);
        for time in [0.1, 1.0, 5.0, 20.0] {
            assert!((sojourn.above(time) / (-time / mean).exp() - 1.0).abs() < 1e-11, "{time}");
        }
        for q in [0.1_f64, 0.5, 0.9, 0.99, 0.999] {
            let exact = -mean * (1.0 - q).ln();
            assert!((sojourn.quantile(q) / exact - 1.0).abs() < 1e-10, "{q}");
        }
        let wait = ErlangMixture::of_wait(&met, 1.0).unwrap();
        assert!((wait.above(0.0) - load).abs() < 1e-12);
        assert!((wait.mean() - (mean - 1.0)).abs() < 1e-12);
        assert_eq!(wait.quantile(0.4), 0.0);
    }

    #[test]
    fn extremes_have_values() {
        assert_eq!(ErlangMixture::of_wait(&[], 1.0), None);
        assert_eq!(ErlangMixture::of_wait(&[0, 0], 1.0), None);
        assert_eq!(ErlangMixture::of_wait(&[3], f64::NAN), None);
        let idle = ErlangMixture::of_wait(&[3], 1.0).unwrap();
        assert_eq!((idle.mean(), idle.quantile(1.0), idle.above(0.0)), (0.0, 0.0, 0.0));
        let long = ErlangMixture::of_sojourn(&vec![1; 5000], 1e-3).unwrap();
        let median = long.quantile(0.5);
        assert!((median / 2.5 - 1.0).abs() < 0.01, "{median}");
        assert_eq!(long.quantile(1.0), f64::INFINITY);
        assert_eq!((long.above(-1.0), long.above(1e9)), (1.0, 0.0));
    }
}
