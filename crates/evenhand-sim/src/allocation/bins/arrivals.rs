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

/// Users at places.
pub(crate) enum Users {
    /// Each row of the file once, in order.
    InOrder { places: Arc<Places>, next: usize },
    /// Uniform rows of the file.
    Uniform { places: Arc<Places>, index: Index, stream: Stream },
    /// Rows of the file in proportion to their weight.
    Weighted { places: Arc<Places>, alias: Arc<WeightedAliasIndex<f64>>, stream: Stream },
    /// Points of a layout.
    Points { sampler: PointSampler, stream: Stream },
}

impl Users {
    fn row(places: &Places, row: usize) -> User {
        User { index: row as u32, point: places.points[row] }
    }
}

impl Arrivals<User> for Users {
    fn next_arrival(&mut self) -> User {
        match self {
            Self::InOrder { places, next } => {
                let row = *next;
                *next = (row + 1) % places.len();
                Self::row(places, row)
            }
            Self::Uniform { places, index, stream } => {
                Self::row(places, index.draw(stream) as usize)
            }
            Self::Weighted { places, alias, stream } => Self::row(places, alias.sample(stream)),
            Self::Points { sampler, stream } => User { index: 0, point: sampler.draw(stream) },
        }
    }
}
