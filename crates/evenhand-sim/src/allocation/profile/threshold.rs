use evenhand_core::{Index, Stream};
use evenhand_policies::catalogue::Threshold;

use super::Profile;
use super::occupancy::Occupancy;

/// `threshold(d, limit)`, one ball at a time: ranks are drawn until one has load at most `limit`.
///
/// The chance to land at or above a level falls when bins move over the limit (a rejected draw
/// gets another chance), so thresholds are not increasing in the counts and skipping does not
/// apply.
#[derive(Debug)]
pub(crate) struct Sequential {
    occupancy: Occupancy,
    rank: Index,
    d: u32,
    limit: f64,
    stream: Stream,
    thrown: u64,
    probes: u64,
}

impl Sequential {
    pub(crate) fn new(policy: &Threshold, bins: u64, stream: Stream) -> Self {
        Self {
            occupancy: Occupancy::empty(bins),
            rank: Index::new(bins),
            d: policy.d,
            limit: policy.limit,
            stream,
            thrown: 0,
            probes: 0,
        }
    }

    fn place(&mut self) {
        let mut least = usize::MAX;
        for _ in 0..self.d {
            self.probes += 1;
            let load = self.occupancy.load_of_rank(self.rank.draw(&mut self.stream));
            least = least.min(load);
            if load as f64 <= self.limit {
                least = load;
                break;
            }
        }
        self.occupancy.raise(least, 1);
    }
}

impl Profile for Sequential {
    fn throw(&mut self, balls: u64) {
        (0..balls).for_each(|_| self.place());
        self.thrown += balls;
    }

    fn at_least(&self) -> Vec<u64> {
        self.occupancy.to_vec()
    }

    fn balls(&self) -> u64 {
        self.thrown
    }

    fn probes(&self) -> f64 {
        self.probes as f64
    }
}
