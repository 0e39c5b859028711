use std::sync::Arc;

use evenhand_core::{Index, Stream};
use evenhand_policies::User;
use evenhand_topology::space::{Places, PointSampler};
use rand_distr::Distribution;
use rand_distr::weighted::WeightedAliasIndex;

/// Who arrives.
pub(crate) trait Arrivals<A> {
    /// The next arrival. Blocks are drawn ahead, so there may be more calls than balls.
    fn next_arrival(&mut self) -> A;
}

/// Balls without a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bare;

impl Arrivals<()> for Bare {
    #[inline(always)]
    fn next_arrival(&mut self) {}
}

/// Users at places, one after the other.
#[derive(Debug)]
pub struct Users(Source);

#[derive(Debug)]
enum Source {
    /// Each row of the file once, in order.
    InOrder { places: Arc<Places>, next: usize },
    /// Uniform rows of the file.
    Uniform { places: Arc<Places>, index: Index, stream: Stream },
    /// Rows of the file in proportion to their weight.
    Weighted { places: Arc<Places>, alias: WeightedAliasIndex<f64>, stream: Stream },
    /// Points of a layout.
    Points { sampler: PointSampler, stream: Stream },
}

impl Users {
    /// Each place once, in order, and again from the start.
    pub(crate) fn in_order(places: Arc<Places>) -> Self {
        Self(Source::InOrder { places, next: 0 })
    }

    /// Random places: uniform, or in proportion to their weights.
    pub(crate) fn rows(places: Arc<Places>, stream: Stream) -> Self {
        Self(match &places.weights {
            None => Source::Uniform { index: Index::new(places.len() as u64), places, stream },
            Some(weights) => {
                let alias = WeightedAliasIndex::new(weights.clone())
                    .expect("weights were checked when they were read");
                Source::Weighted { places, alias, stream }
            }
        })
    }

    /// Points of a layout.
    pub(crate) fn points(sampler: PointSampler, stream: Stream) -> Self {
        Self(Source::Points { sampler, stream })
    }

    /// The next user.
    pub fn draw(&mut self) -> User {
        let at =
            |places: &Places, row: usize| User { index: row as u32, point: places.points[row] };
        match &mut self.0 {
            Source::InOrder { places, next } => {
                let row = *next;
                *next = (row + 1) % places.len();
                at(places, row)
            }
            Source::Uniform { places, index, stream } => at(places, index.draw(stream) as usize),
            Source::Weighted { places, alias, stream } => at(places, alias.sample(stream)),
            Source::Points { sampler, stream } => User { index: 0, point: sampler.draw(stream) },
        }
    }
}

impl Arrivals<User> for Users {
    fn next_arrival(&mut self) -> User {
        self.draw()
    }
}
