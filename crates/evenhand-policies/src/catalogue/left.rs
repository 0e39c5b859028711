use evenhand_core::{Candidates, Index, IndexPair, Rng, Sampler, ServerId};
use evenhand_expr::{Args, Call};

use super::{MOST_CHOICES, load_nanoseconds};
use crate::definition::{Definition, Info, Issue, Setting, Visit, World};
use crate::rules::{Ties, visit_ordered};

/// Bins stand in `d` blocks, left to right; one uniform bin of each block is a candidate; the
/// least loaded gets the ball, and a tie goes to the leftmost block. Always-go-left.
///
/// Vöcking 2003.
#[derive(Clone, Debug, PartialEq)]
pub struct Left {
    /// Number of blocks and of candidates.
    pub d: u32,
}

impl Left {
    /// First bin of block `block` of `d` blocks over `bins` bins; sizes differ by at most 1.
    pub fn block_start(&self, block: u64, bins: u64) -> u64 {
        (u128::from(block) * u128::from(bins) / u128::from(self.d)) as u64
    }
}

impl Definition for Left {
    const INFO: &'static [Info] = &[Info {
        name: "left",
        syntax: "left(d)",
        meaning: "one uniform bin in each of d contiguous blocks; the least loaded, ties to the leftmost block (always-go-left)",
        source: "Vöcking 2003",
    }];
    const PARAMETERS: &'static [&'static str] = &["d"];

    fn read(_: &str, args: &mut Args<'_>) -> Self {
        Self { d: args.integer("d", 1..=MOST_CHOICES) as u32 }
    }

    fn expression(&self) -> Call {
        Call::word("left").with(u64::from(self.d))
    }

    fn check(&self, setting: &Setting) -> Vec<Issue> {
        if u64::from(self.d) <= setting.bins {
            return Vec::new();
        }
        vec![Issue::of(
            "d",
            format!("{} blocks need at least {} bins, there are {}", self.d, self.d, setting.bins),
            "use fewer blocks or more bins",
        )]
    }

    fn visit<V: Visit>(&self, world: World<'_>, visitor: V) -> V::Out {
        if self.d == 2 {
            visit_ordered(TwoBlocks::new(self, world.bins), Ties::First, world.comparison, visitor)
        } else {
            visit_ordered(Blocks::new(self, world.bins), Ties::First, world.comparison, visitor)
        }
    }

    fn nanoseconds_per_ball(&self, bins: u64) -> f64 {
        f64::from(self.d) * (1.0 + load_nanoseconds(bins))
    }
}

/// One uniform bin in each of two blocks, from one random word.
#[derive(Clone, Debug)]
struct TwoBlocks {
    pair: IndexPair,
    second: u32,
}

impl TwoBlocks {
    fn new(left: &Left, bins: u64) -> Self {
        let second = left.block_start(1, bins);
        Self { pair: IndexPair::new(second, bins - second), second: second as u32 }
    }
}

impl<A> Sampler<A> for TwoBlocks {
    type Set = [ServerId; 2];

    #[inline(always)]
    fn sample<R: Rng + ?Sized>(&mut self, _: &A, rng: &mut R) -> [ServerId; 2] {
        let (i, j) = self.pair.draw(rng);
        [ServerId(i), ServerId(self.second + j)]
    }
}

/// One uniform bin in each block, left to right.
#[derive(Clone, Debug)]
struct Blocks {
    blocks: Vec<(u64, Index)>,
}

impl Blocks {
    fn new(left: &Left, bins: u64) -> Self {
        let start = |block| left.block_start(block, bins);
        let block = |b: u64| (start(b), Index::new(start(b + 1) - start(b)));
        Self { blocks: (0..u64::from(left.d)).map(block).collect() }
    }
}

impl<A> Sampler<A> for Blocks {
    type Set = Candidates;

    fn sample<R: Rng + ?Sized>(&mut self, _: &A, rng: &mut R) -> Candidates {
        let mut blocks = self.blocks.iter();
        Candidates::from_fn(self.blocks.len(), || {
            let (start, index) = blocks.next().expect("one draw per block");
            ServerId((start + index.draw(rng)) as u32)
        })
    }
}
