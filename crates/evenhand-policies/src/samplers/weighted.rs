//! Servers drawn in proportion to their speed.

use std::sync::Arc;

use evenhand_core::{Candidates, Rng, Sampler, ServerId};
use rand_distr::Distribution;
use rand_distr::weighted::WeightedAliasIndex;

use super::uniform::draw_distinct;

/// `d` servers, each drawn with probability in proportion to its speed (Walker's alias method).
#[derive(Clone, Debug)]
pub struct Weighted {
    alias: Arc<WeightedAliasIndex<f64>>,
    d: u32,
    distinct: bool,
}

impl Weighted {
    /// Draws `d` servers in proportion to `speeds`, which are positive; with `distinct` one after
    /// the other among those not yet drawn.
    pub fn new(speeds: &[f64], d: u32, distinct: bool) -> Self {
        let alias = WeightedAliasIndex::new(speeds.to_vec()).expect("speeds are checked before");
        Self { alias: Arc::new(alias), d, distinct }
    }
}

impl<A> Sampler<A> for Weighted {
    type Set = Candidates;

    fn sample<R: Rng + ?Sized>(&mut self, _: &A, rng: &mut R) -> Candidates {
        let mut draw = || ServerId(self.alias.sample(rng) as u32);
        if self.distinct {
            draw_distinct(self.d, draw)
        } else {
            (0..self.d).map(|_| draw()).collect()
        }
    }
}
