use evenhand_core::Rng;
use rand_distr::{Distribution, StandardNormal};

/// Each load is read with an independent normal error of standard deviation `sigma`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noisy {
    /// Standard deviation, in balls.
    pub sigma: f64,
}

impl Noisy {
    pub(crate) fn observe<R: Rng + ?Sized>(&self, load: f64, rng: &mut R) -> f64 {
        let error: f64 = StandardNormal.sample(rng);
        load + self.sigma * error
    }
}
