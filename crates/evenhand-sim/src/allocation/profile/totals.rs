use evenhand_policies::catalogue::Groups;

use super::Profile;

/// `groups(compare=total)`: the totals of the groups are the loads of the plain process with
/// `count` choices on as many bins as there are groups.
///
/// Inside a group balls go to a least loaded bin, so loads differ by at most one and the total
/// `t` gives them: `t mod size` bins hold one ball more than the others.
pub(crate) struct GroupTotals {
    totals: Box<dyn Profile>,
    size: u64,
    candidates: f64,
}

impl GroupTotals {
    pub(crate) fn new(totals: Box<dyn Profile>, policy: &Groups) -> Self {
        let candidates = f64::from(policy.size) * f64::from(policy.count);
        Self { totals, size: policy.size.into(), candidates }
    }
}

impl Profile for GroupTotals {
    fn throw(&mut self, balls: u64) {
        self.totals.throw(balls);
    }

    fn at_least(&self) -> Vec<u64> {
        bins_from_totals(&self.totals.at_least(), self.size)
    }

    fn balls(&self) -> u64 {
        self.totals.balls()
    }

    fn probes(&self) -> f64 {
        self.balls() as f64 * self.candidates
    }
}

/// Number of bins with load at least i, from the number of groups with total at least j:
/// a group of total t has a bin number r (from 1) of load i where t >= (i - 1) size + r.
pub(super) fn bins_from_totals(groups_at_least: &[u64], size: u64) -> Vec<u64> {
    let groups = |total: u64| groups_at_least.get(total as usize).copied().unwrap_or(0);
    let bins = |load: u64| (1..=size).map(|r| groups((load - 1) * size + r)).sum::<u64>();
    let all = groups(0) * size;
    std::iter::once(all).chain((1..).map(bins).take_while(|&count| count > 0)).collect()
}
