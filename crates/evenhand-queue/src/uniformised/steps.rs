//! Kinds of steps and their servers, drawn ahead in blocks.

use evenhand_core::{ServerId, Stream};
use rand_distr::Distribution;
use rand_distr::weighted::WeightedAliasIndex;

use crate::dispatch::Batch;
use crate::markov::Rates;
use crate::pairs::PairSampler;

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
    /// The steps as packed choices between two servers, where arrivals have two candidates.
    pairs: [u64; BLOCK],
    /// Steps taken.
    taken: usize,
    arrived: usize,
}

impl Default for Block {
    fn default() -> Self {
        Self {
            kinds: 0,
            completing: [0; BLOCK],
            batch: Batch::default(),
            pairs: [0; BLOCK],
            taken: BLOCK,
            arrived: 0,
        }
    }
}

/// Some steps of a block as choices between two servers.
pub(super) struct Pairs<'b> {
    /// Bit i is set if step i is an arrival.
    pub kinds: u64,
    /// The candidates of an arrival; twice the server of a completion. The first is in the low
    /// half.
    pub servers: &'b [u64],
}

/// Packs two servers.
#[inline(always)]
fn pack([a, b]: [ServerId; 2]) -> u64 {
    u64::from(a.0) | u64::from(b.0) << 32
}

/// The servers of [`pack`].
#[inline(always)]
pub(super) fn unpack(pair: u64) -> [ServerId; 2] {
    [ServerId(pair as u32), ServerId((pair >> 32) as u32)]
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

    /// Writes the steps as choices between two servers; `candidates` draws those of an arrival.
    ///
    /// A completion is a choice between its server and itself, so that the kind of a step, a coin
    /// that no predictor can guess, decides nothing but operands.
    #[inline]
    pub(super) fn pair_up(&mut self, candidates: &mut PairSampler) {
        for (pair, &completing) in self.pairs.iter_mut().zip(&self.completing) {
            *pair = pack([ServerId(completing); 2]);
        }
        let mut kinds = self.kinds;
        candidates.draw(kinds.count_ones() as usize, |pair| {
            self.pairs[kinds.trailing_zeros() as usize] = pack(pair);
            kinds &= kinds - 1;
        });
    }

    /// Every server of [`Block::pair_up`].
    pub(super) fn paired(&self) -> impl Iterator<Item = ServerId> {
        self.pairs.iter().flat_map(|&pair| unpack(pair))
    }

    /// The servers of the step taken last, after [`Block::pair_up`].
    pub(super) fn last_pair(&self) -> [ServerId; 2] {
        unpack(self.pairs[self.taken - 1])
    }

    /// The next `count` steps, after [`Block::pair_up`].
    pub(super) fn take_pairs(&mut self, count: usize) -> Pairs<'_> {
        let kinds = self.kinds >> self.taken;
        let kinds = if count < BLOCK { kinds & ((1 << count) - 1) } else { kinds };
        let steps = self.taken..self.taken + count;
        self.taken += count;
        self.arrived += kinds.count_ones() as usize;
        Pairs { kinds, servers: &self.pairs[steps] }
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
    /// One of so many.
    Uniform(u64),
    BySpeed(WeightedAliasIndex<f64>),
}

impl StepSource {
    pub(super) fn new(rates: &Rates, servers: u64, speeds: Option<&[f64]>, stream: Stream) -> Self {
        // 2^64 words; the conversion saturates.
        let arrival_below = (rates.arrival_share() * 2_f64.powi(64)) as u64;
        let server = match speeds {
            None => Server::Uniform(servers),
            Some(speeds) => {
                let alias = WeightedAliasIndex::new(speeds.to_vec());
                Server::BySpeed(alias.expect("speeds are positive"))
            }
        };
        Self { stream, arrival_below, server }
    }

    /// Draws kinds and completing servers of a new block; the batch is left as it is.
    pub(super) fn draw(&mut self, block: &mut Block) {
        match &self.server {
            &Server::Uniform(servers) => self.draw_uniform(servers, block),
            Server::BySpeed(alias) => {
                block.kinds = 0;
                for (step, completing) in block.completing.iter_mut().enumerate() {
                    let arrives = self.stream.next_word() < self.arrival_below;
                    block.kinds |= u64::from(arrives) << step;
                    *completing = alias.sample(&mut self.stream) as u32;
                }
            }
        }
        (block.taken, block.arrived) = (0, 0);
    }

    /// One word gives both: of its product with the number of servers the high half is the
    /// server, and the low half, what is left of the fraction, is again uniform and gives the
    /// kind. Both laws are within `servers` / 2^64 of what they should be.
    fn draw_uniform(&mut self, servers: u64, block: &mut Block) {
        let mut words = [0; BLOCK];
        self.stream.fill(&mut words);
        block.kinds = split(&words, servers, self.arrival_below, &mut block.completing);
    }
}

/// Kinds and servers of words: with vectors where the machine has them, the same everywhere.
fn split(words: &[u64; BLOCK], servers: u64, below: u64, completing: &mut [u32; BLOCK]) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx512f") {
        // SAFETY: the machine has AVX-512F.
        return unsafe { split_avx512(words, servers, below, completing) };
    }
    split_portable(words, servers, below, completing)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn split_avx512(
    words: &[u64; BLOCK],
    servers: u64,
    below: u64,
    completing: &mut [u32; BLOCK],
) -> u64 {
    split_portable(words, servers, below, completing)
}

/// Long multiplication by halves: `servers` is at most 2^32, so no sum overflows.
#[inline(always)]
fn split_portable(
    words: &[u64; BLOCK],
    servers: u64,
    below: u64,
    completing: &mut [u32; BLOCK],
) -> u64 {
    const HALF: u64 = u32::MAX as u64;
    let mut arrives = [0_u64; BLOCK];
    for step in 0..BLOCK {
        let low = (words[step] & HALF) * servers;
        let high = (words[step] >> 32) * servers + (low >> 32);
        completing[step] = (high >> 32) as u32;
        let rest = high << 32 | low & HALF;
        arrives[step] = u64::from(rest < below);
    }
    arrives.iter().enumerate().fold(0, |kinds, (step, arrives)| kinds | arrives << step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use evenhand_core::below;

    #[test]
    fn splitting_is_a_long_multiplication() {
        let mut stream = Stream::from_seed(5);
        for servers in [1, 2, 1000, 1 << 31, (1 << 32) - 1, 1 << 32] {
            let mut words = [0; BLOCK];
            stream.fill(&mut words);
            words[0] = u64::MAX;
            words[1] = 0;
            let arrival_below = below(&mut stream, u64::MAX);
            let mut completing = [0; BLOCK];
            let kinds = split(&words, servers, arrival_below, &mut completing);
            for (step, word) in words.into_iter().enumerate() {
                let product = u128::from(word) * u128::from(servers);
                assert_eq!(u64::from(completing[step]), (product >> 64) as u64, "{servers}");
                assert_eq!(kinds >> step & 1 == 1, (product as u64) < arrival_below, "{servers}");
            }
        }
    }
}
