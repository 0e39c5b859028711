//! Balls counted in blocks, where their order cannot matter.
//!
//! During a block of 64 balls each count grows by less than 64. A key outside `[s_i, s_i + 64)`
//! for every i therefore lands on the same level whatever the other balls of the block do, and
//! such keys are counted per level with a vector comparison. Only a block with a key inside one of
//! these intervals is replayed ball by ball. The counts are bit for bit the sequential ones.

use evenhand_core::Streams;

use super::Profile;
use super::keys::Keys;
use super::occupancy::Occupancy;

const BLOCK: usize = 64;

/// With more levels than this in motion, counting levels costs more than placing balls.
const MOST_LEVELS: usize = 12;

/// The block form of a keyed policy.
#[derive(Debug)]
pub(crate) struct Blocks {
    keys: Keys,
    streams: Streams,
    occupancy: Occupancy,
    thrown: u64,
}

impl Blocks {
    pub(crate) fn new(keys: Keys, bins: u64, streams: Streams) -> Self {
        Self { keys, streams, occupancy: Occupancy::empty(bins), thrown: 0 }
    }

    fn throw_block(&mut self) {
        let mut keys = [0_u32; BLOCK];
        keys.fill_with(|| self.keys.draw(&mut self.streams) as u32);
        match count_below(&keys, self.occupancy.partial()) {
            Some(below) => self.land(&below[..=self.occupancy.partial().len()]),
            None => keys.iter().for_each(|&key| place(&mut self.occupancy, key.into())),
        }
    }

    /// `below[i]` keys land on level `full + i` or above.
    fn land(&mut self, below: &[u64]) {
        let full = self.occupancy.full();
        for (i, &here) in below.iter().enumerate() {
            let above = below.get(i + 1).copied().unwrap_or(0);
            self.occupancy.raise(full + i, here - above);
        }
    }
}

/// Number of keys below each count (first of all: all keys), or `None` if a key is so near a
/// count that the order of the balls could matter.
fn count_below(keys: &[u32; BLOCK], counts: &[u64]) -> Option<[u64; MOST_LEVELS + 1]> {
    if counts.len() >= MOST_LEVELS {
        return None;
    }
    let mut below = [0; MOST_LEVELS + 1];
    below[0] = BLOCK as u64;
    let mut near = 0;
    // The level above the greatest load has count 0: keys below 64 are near it.
    for (i, count) in counts.iter().map(|&count| count as u32).chain([0]).enumerate() {
        let mut here = 0_u32;
        for &key in keys {
            here += u32::from(key < count);
            near |= u32::from(key.wrapping_sub(count) < BLOCK as u32);
        }
        below[i + 1] = here.into();
    }
    (near == 0).then_some(below)
}

#[inline]
fn place(occupancy: &mut Occupancy, key: u64) {
    occupancy.raise(occupancy.load_of_rank(key), 1);
}

impl Profile for Blocks {
    fn throw(&mut self, balls: u64) {
        for _ in 0..balls / BLOCK as u64 {
            self.throw_block();
        }
        for _ in 0..balls % BLOCK as u64 {
            place(&mut self.occupancy, self.keys.draw(&mut self.streams));
        }
        self.thrown += balls;
    }

    fn at_least(&self) -> Vec<u64> {
        self.occupancy.to_vec()
    }

    fn balls(&self) -> u64 {
        self.thrown
    }

    fn probes(&self) -> f64 {
        self.thrown as f64 * self.keys.probes_per_ball()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sequential(keys: &Keys, bins: u64, mut streams: Streams, balls: u64) -> Vec<u64> {
        let mut occupancy = Occupancy::empty(bins);
        for _ in 0..balls {
            place(&mut occupancy, keys.draw(&mut streams));
        }
        occupancy.to_vec()
    }

    #[test]
    fn is_bit_identical_to_one_ball_at_a_time() {
        for bins in [1, 2, 3, 100, 1009, 65_536, 1_000_003] {
            for keys in [
                Keys::independent(bins, 1),
                Keys::independent(bins, 2),
                Keys::independent(bins, 5),
                Keys::coin(bins, 2, 0.5),
                Keys::distinct(bins, 2.min(bins as u32)),
            ] {
                for balls in [bins / 2, bins, 3 * bins + 17] {
                    let streams = Streams::from_seed(bins + balls);
                    let mut blocks = Blocks::new(keys.clone(), bins, streams.clone());
                    blocks.throw(balls);
                    let expected = sequential(&keys, bins, streams, balls);
                    assert_eq!(blocks.at_least(), expected, "{keys:?}, {balls} balls");
                }
            }
        }
    }
}
