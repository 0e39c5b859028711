//! Always-go-left, with one profile per block of bins.
//!
//! A ball draws one bin in each block. It lands in block g at load i exactly when the blocks left
//! of g show at least i + 1, block g shows i, and the blocks right of g at least i. With x_{h,i}
//! the fraction of block h with load at least i, let
//!
//! ```text
//! T(i, g) = prod_{h < g} x_{h,i+1}  prod_{h >= g} x_{h,i}
//! ```
//!
//! be the probability that the blocks before g show at least i + 1 and the others at least i.
//! These events shrink in the lexicographic order of (i, g), and T(i, d) = T(i + 1, 0), so the
//! outcomes lie along one unit interval: (i, g) gets `T(i, g) - T(i, g + 1)`. Each T is a product
//! of increasing functions of counts. That is all that skipping asks for.

use evenhand_core::{Index, Stream};
use evenhand_policies::catalogue::Left;

use super::Profile;
use super::occupancy::Occupancy;
use super::skipping::Ladder;

fn sizes(policy: &Left, bins: u64) -> impl Iterator<Item = u64> {
    let policy = policy.clone();
    (0..u64::from(policy.d))
        .map(move |block| policy.block_start(block + 1, bins) - policy.block_start(block, bins))
}

/// The blocks' profiles.
#[derive(Debug)]
pub(crate) struct Blocks {
    blocks: Vec<Occupancy>,
    /// One over the number of bins of each block.
    bin_share: Vec<f64>,
}

impl Blocks {
    pub(crate) fn new(policy: &Left, bins: u64) -> Self {
        Self {
            blocks: sizes(policy, bins).map(Occupancy::empty).collect(),
            bin_share: sizes(policy, bins).map(|size| 1.0 / size as f64).collect(),
        }
    }

    /// x_{block, level}, the count raised by `extra`.
    #[inline]
    fn fraction(&self, block: usize, level: usize, extra: u64) -> f64 {
        let profile = &self.blocks[block];
        let count = profile.at_least(level) + extra;
        if count >= profile.bins() { 1.0 } else { count as f64 * self.bin_share[block] }
    }

    /// T(level, block), every count raised by `extra`.
    #[inline]
    fn tail(&self, level: usize, block: usize, extra: u64) -> f64 {
        let before = (0..block).map(|h| self.fraction(h, level + 1, extra));
        let others = (block..self.blocks.len()).map(|h| self.fraction(h, level, extra));
        before.chain(others).product()
    }

    /// Number of bins with load at least `i` over all blocks.
    fn sum(&self) -> Vec<u64> {
        let profiles: Vec<Vec<u64>> = self.blocks.iter().map(Occupancy::to_vec).collect();
        let levels = profiles.iter().map(Vec::len).max().unwrap_or(1);
        let count = |i: usize| profiles.iter().filter_map(|p| p.get(i)).sum();
        (0..levels).map(count).collect()
    }
}

impl Ladder for Blocks {
    /// Rung (i - bottom) d + g holds the outcomes from (i, g) on; its upper end is T(i, g + 1).
    fn thresholds(&self, extra: u64, low: &mut Vec<f64>, high: &mut Vec<f64>) {
        let d = self.blocks.len();
        for level in self.bottom().. {
            for block in 1..=d {
                let now = self.tail(level, block, 0);
                low.push(now);
                high.push(self.tail(level, block, extra));
                if now == 0.0 {
                    return;
                }
            }
        }
    }

    #[inline]
    fn threshold(&self, bottom: usize, rung: usize) -> f64 {
        let d = self.blocks.len();
        self.tail(bottom + rung / d, rung % d + 1, 0)
    }

    #[inline]
    fn land(&mut self, bottom: usize, rung: usize, balls: u64) {
        let d = self.blocks.len();
        self.blocks[rung % d].raise(bottom + rung / d, balls);
    }

    fn bottom(&self) -> usize {
        self.blocks.iter().map(Occupancy::full).min().unwrap_or(0)
    }

    fn at_least(&self) -> Vec<u64> {
        self.sum()
    }

    fn probes_per_ball(&self) -> f64 {
        probes_per_ball(self.blocks.len())
    }
}

/// A single candidate is taken without reading its load.
fn probes_per_ball(blocks: usize) -> f64 {
    if blocks == 1 { 0.0 } else { blocks as f64 }
}

/// One ball at a time: a rank in each block, the least load, ties to the left.
#[derive(Debug)]
pub(crate) struct Sequential {
    blocks: Blocks,
    ranks: Vec<Index>,
    stream: Stream,
    thrown: u64,
}

impl Sequential {
    pub(crate) fn new(policy: &Left, bins: u64, stream: Stream) -> Self {
        let ranks = sizes(policy, bins).map(Index::new).collect();
        Self { blocks: Blocks::new(policy, bins), ranks, stream, thrown: 0 }
    }
}

impl Profile for Sequential {
    fn throw(&mut self, balls: u64) {
        for _ in 0..balls {
            let (mut least, mut chosen) = (usize::MAX, 0);
            for (block, rank) in self.ranks.iter().enumerate() {
                let load = self.blocks.blocks[block].load_of_rank(rank.draw(&mut self.stream));
                if load < least {
                    (least, chosen) = (load, block);
                }
            }
            self.blocks.blocks[chosen].raise(least, 1);
        }
        self.thrown += balls;
    }

    fn at_least(&self) -> Vec<u64> {
        self.blocks.sum()
    }

    fn balls(&self) -> u64 {
        self.thrown
    }

    fn probes(&self) -> f64 {
        self.thrown as f64 * probes_per_ball(self.ranks.len())
    }
}
