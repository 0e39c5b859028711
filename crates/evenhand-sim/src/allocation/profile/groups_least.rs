use evenhand_core::{Index, Stream, below};
use evenhand_policies::catalogue::Groups;

use super::Profile;
use super::occupancy::Occupancy;
use super::totals::bins_from_totals;

/// `groups(compare=least)`, one ball at a time, on the totals of the groups.
///
/// Inside a group loads differ by at most one, so a group of total t has least load t / size.
/// Groups of equal least load are equally likely winners, whatever their totals: the ball draws
/// the class by the greatest rank, then a uniform group of the class.
#[derive(Debug)]
pub(crate) struct Sequential {
    totals: Occupancy,
    rank: Index,
    size: u64,
    count: u32,
    stream: Stream,
    thrown: u64,
}

impl Sequential {
    pub(crate) fn new(policy: &Groups, groups: u64, stream: Stream) -> Self {
        Self {
            totals: Occupancy::empty(groups),
            rank: Index::new(groups),
            size: policy.size.into(),
            count: policy.count,
            stream,
            thrown: 0,
        }
    }

    fn place(&mut self) {
        let ranks = (0..self.count).map(|_| self.rank.draw(&mut self.stream));
        let greatest = ranks.max().unwrap_or(0);
        let least_load = self.totals.load_of_rank(greatest) as u64 / self.size;
        // Ranks of the class: from the groups of greater least load to those of at least this.
        let first = self.totals.at_least(((least_load + 1) * self.size) as usize);
        let end = self.totals.at_least((least_load * self.size) as usize);
        let winner = first + below(&mut self.stream, end - first);
        self.totals.raise(self.totals.load_of_rank(winner), 1);
    }
}

impl Profile for Sequential {
    fn throw(&mut self, balls: u64) {
        (0..balls).for_each(|_| self.place());
        self.thrown += balls;
    }

    fn at_least(&self) -> Vec<u64> {
        bins_from_totals(&self.totals.to_vec(), self.size)
    }

    fn balls(&self) -> u64 {
        self.thrown
    }

    fn probes(&self) -> f64 {
        self.thrown as f64 * f64::from(self.count) * self.size as f64
    }
}
