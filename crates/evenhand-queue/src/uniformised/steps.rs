//! Kinds of steps and their servers, drawn ahead in blocks.

use evenhand_core::{Index, ServerId, Stream};
use rand_distr::Distribution;
use rand_distr::weighted::WeightedAliasIndex;

use crate::dispatch::Batch;
use crate::markov::Rates;

/// Steps in a block: one bit each in a word of kinds.
pub(super) const BLOCK: usize = 64;

/// Steps in their order, with what they need.
#[derive(Debug)]
pub(super) struct Block {
    /// Bit i is set if step i is an arrival.
    kinds: u64,
    /// The server that completes a job at step i, if the step is not an arrival.
    completing: [u32; BLOCK],
    /// The arrivals in their order.
    pub batch: Batch,
    /// Steps taken.
    taken: usize,
    arrived: usize,
}

impl Default for Block {
    fn default() -> Self {
        let (kinds, completing, batch) = (0, [0; BLOCK], Batch::default());
        Self { kinds, completing, batch, taken: BLOCK, arrived: 0 }
    }
}

/// Some steps of a block.
pub(super) struct Taken<'b> {
    /// Bit i is set if step i is an arrival.
    pub kinds: u64,
    /// The completing server of each step.
    pub completing: &'b [u32],
    /// The candidates of the arrivals, two each; then those of two arrivals more, or none.
    pub candidates: &'b [ServerId],
}

impl Block {
    pub(super) fn arrivals(&self) -> usize {
        self.kinds.count_ones() as usize
    }

    pub(super) fn is_over(&self) -> bool {
        self.taken == BLOCK
    }

    /// How many of `wanted` steps are left.
    pub(super) fn next_steps(&self, wanted: usize) -> usize {
        wanted.min(BLOCK - self.taken)
    }

    /// Arrivals taken.
    pub(super) fn arrived(&self) -> u64 {
        self.arrived as u64
    }

    /// Every server that a step could look at.
    pub(super) fn servers(&self) -> impl Iterator<Item = ServerId> {
        let completing = self.completing.iter().map(|&server| ServerId(server));
        completing.chain(self.batch.candidates.servers().iter().copied())
    }

    /// The next step: its server, or the number of its arrival in the batch.
    #[inline]
    pub(super) fn take_one(&mut self) -> (u32, Option<usize>) {
        let step = self.taken;
        self.taken += 1;
        if self.kinds >> step & 1 == 0 {
            return (self.completing[step], None);
        }
        self.arrived += 1;
        (0, Some(self.arrived - 1))
    }

    /// The next `count` steps, of arrivals with two candidates each.
    pub(super) fn take(&mut self, count: usize) -> Taken<'_> {
        let kinds = self.kinds >> self.taken;
        let kinds = if count < BLOCK { kinds & ((1 << count) - 1) } else { kinds };
        let first = self.arrived;
        let steps = self.taken..self.taken + count;
        self.taken += count;
        self.arrived += kinds.count_ones() as usize;
        Taken {
            kinds,
            completing: &self.completing[steps],
            candidates: &self.batch.candidates.servers()[2 * first..],
        }
    }
}

/// Draws kinds and completing servers.
#[derive(Debug)]
pub(super) struct StepSource {
    stream: Stream,
    /// A word below this makes an arrival.
    arrival_below: u64,
    server: Server,
}

#[derive(Debug)]
enum Server {
    Uniform(Index),
    BySpeed(WeightedAliasIndex<f64>),
}

impl StepSource {
    pub(super) fn new(rates: &Rates, servers: u64, speeds: Option<&[f64]>, stream: Stream) -> Self {
        // 2^64 words; the conversion saturates.
        let arrival_below = (rates.arrival_share() * 2_f64.powi(64)) as u64;
        let server = match speeds {
            None => Server::Uniform(Index::new(servers)),
            Some(speeds) => {
                let alias = WeightedAliasIndex::new(speeds.to_vec());
                Server::BySpeed(alias.expect("speeds are positive"))
            }
        };
        Self { stream, arrival_below, server }
    }

    /// Draws kinds and completing servers of a new block; the batch is left as it is.
    pub(super) fn draw(&mut self, block: &mut Block) {
        block.kinds = 0;
        for step in 0..BLOCK {
            let arrives = self.stream.next_word() < self.arrival_below;
            block.kinds |= u64::from(arrives) << step;
        }
        match &self.server {
            Server::Uniform(index) => {
                block.completing.fill_with(|| index.draw(&mut self.stream) as u32);
            }
            Server::BySpeed(alias) => {
                block.completing.fill_with(|| alias.sample(&mut self.stream) as u32);
            }
        }
        (block.taken, block.arrived) = (0, 0);
    }
}
