/// Number of bins with load at least `i`, for every `i`.
///
/// Counts that have reached the number of bins are kept as one number, so that the state stays
/// small when there are many balls a bin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Occupancy {
    bins: u64,
    /// Every bin has at least this load.
    full: usize,
    /// Counts of levels `full + 1, full + 2, ...`; each is below `bins` and above 0.
    partial: Vec<u64>,
}

impl Occupancy {
    /// All bins empty.
    pub(crate) fn empty(bins: u64) -> Self {
        Self { bins, full: 0, partial: Vec::new() }
    }

    pub(crate) fn bins(&self) -> u64 {
        self.bins
    }

    /// The least load of any bin.
    pub(crate) fn full(&self) -> usize {
        self.full
    }

    /// Counts of the levels above [`Occupancy::full`], decreasing.
    pub(crate) fn partial(&self) -> &[u64] {
        &self.partial
    }

    /// Number of bins with load at least `level`.
    #[inline]
    pub(crate) fn at_least(&self, level: usize) -> u64 {
        if level <= self.full {
            return self.bins;
        }
        self.partial.get(level - self.full - 1).copied().unwrap_or(0)
    }

    /// The load of the bin of rank `key` when bins are ranked by decreasing load, from 0.
    #[inline]
    pub(crate) fn load_of_rank(&self, key: u64) -> usize {
        // Few counts: a count of comparisons without branches; many: a binary search.
        let above = if self.partial.len() <= 16 {
            self.partial.iter().map(|&count| usize::from(count > key)).sum()
        } else {
            self.partial.partition_point(|&count| count > key)
        };
        self.full + above
    }

    /// Moves `balls` bins from load `level` to `level + 1`.
    #[inline]
    pub(crate) fn raise(&mut self, level: usize, balls: u64) {
        if balls == 0 {
            return;
        }
        let position = level - self.full;
        if position == self.partial.len() {
            self.partial.push(0);
        }
        self.partial[position] += balls;
        if self.partial[0] == self.bins {
            self.drop_full();
        }
    }

    /// Adds a bin of this load.
    pub(crate) fn insert_bin(&mut self, load: usize) {
        self.bins += 1;
        self.reopen(load);
        for count in self.partial.iter_mut().take(load - self.full) {
            *count += 1;
        }
        let present = self.partial.len();
        self.partial.extend((present..load - self.full).map(|_| 1));
        self.drop_full();
    }

    /// Removes a bin of this load; there is one.
    pub(crate) fn remove_bin(&mut self, load: usize) {
        self.bins -= 1;
        for count in self.partial.iter_mut().take(load - self.full) {
            *count -= 1;
        }
        while self.partial.last() == Some(&0) {
            self.partial.pop();
        }
        self.drop_full();
    }

    /// Opens full levels above `load`, before a bin of that load is added.
    fn reopen(&mut self, load: usize) {
        while self.full > load {
            self.partial.insert(0, self.bins - 1);
            self.full -= 1;
        }
    }

    fn drop_full(&mut self) {
        let full = self.partial.iter().take_while(|&&count| count == self.bins).count();
        self.partial.drain(..full);
        self.full += full;
    }

    /// All counts from level 0 to the greatest load.
    pub(crate) fn to_vec(&self) -> Vec<u64> {
        let full = std::iter::repeat_n(self.bins, self.full + 1);
        full.chain(self.partial.iter().copied()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evenhand_core::{Stream, below};

    fn counted(loads: &[usize]) -> Vec<u64> {
        let top = loads.iter().copied().max().unwrap_or(0);
        (0..=top).map(|level| loads.iter().filter(|&&l| l >= level).count() as u64).collect()
    }

    #[test]
    fn follows_explicit_bins() {
        let mut stream = Stream::from_seed(4);
        let mut loads = vec![0_usize; 7];
        let mut occupancy = Occupancy::empty(7);
        for _ in 0..3000 {
            let bin = below(&mut stream, loads.len() as u64) as usize;
            match below(&mut stream, 5) {
                0 if loads.len() > 2 => occupancy.remove_bin(loads.swap_remove(bin)),
                1 if loads.len() < 9 => {
                    loads.push(loads[bin] / 2);
                    occupancy.insert_bin(loads[loads.len() - 1]);
                }
                _ => {
                    occupancy.raise(loads[bin], 1);
                    loads[bin] += 1;
                }
            }
            assert_eq!(occupancy.to_vec(), counted(&loads));
            let mut sorted = loads.clone();
            sorted.sort_unstable_by(|a, b| b.cmp(a));
            for (rank, load) in sorted.iter().enumerate() {
                assert_eq!(occupancy.load_of_rank(rank as u64), *load);
            }
        }
    }
}
