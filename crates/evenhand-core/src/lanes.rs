//! Eight interleaved lanes of xoshiro256++ (Blackman, Vigna 2021).
//!
//! Each lane is the published generator, seeded by SplitMix64; word `8 t + l` of the stream is
//! word `t` of lane `l`. Eight independent recurrences are what a vector unit wants: the compiler
//! turns the portable loop below into vector code, and the same source compiled for AVX-512 or
//! AVX2 is taken at run time where the machine has it. The words are the same on every machine.

use std::convert::Infallible;

use rand::TryRng;

use crate::seeds::SplitMix64;

const LANES: usize = 8;
/// Words made at a time: enough to hide the dispatch, few enough to be cheap for a short run.
const BUFFER: usize = 64;

/// A reproducible stream of random words. Cloning it repeats the rest of the stream.
#[derive(Clone)]
pub struct Stream {
    state: [[u64; LANES]; 4],
    buffer: [u64; BUFFER],
    next: usize,
}

impl Stream {
    /// The stream of a 64-bit seed. Lane `l`, state word `k` is word `4 l + k` of SplitMix64.
    pub fn from_seed(seed: u64) -> Self {
        let mut words = SplitMix64::new(seed);
        let mut state = [[0; LANES]; 4];
        for lane in 0..LANES {
            for word in &mut state {
                word[lane] = words.next_word();
            }
        }
        Self { state, buffer: [0; BUFFER], next: BUFFER }
    }

    /// The next 64 uniform bits.
    #[inline(always)]
    pub fn next_word(&mut self) -> u64 {
        if self.next == BUFFER {
            self.refill();
        }
        let word = self.buffer[self.next & (BUFFER - 1)];
        self.next += 1;
        word
    }

    /// The next words, as many as `words` holds.
    pub fn fill(&mut self, mut words: &mut [u64]) {
        while !words.is_empty() {
            if self.next == BUFFER {
                self.refill();
            }
            let (now, later) = words.split_at_mut(words.len().min(BUFFER - self.next));
            now.copy_from_slice(&self.buffer[self.next..self.next + now.len()]);
            self.next += now.len();
            words = later;
        }
    }

    #[inline(never)]
    fn refill(&mut self) {
        self.next = 0;
        #[cfg(target_arch = "x86_64")]
        {
            if std::is_x86_feature_detected!("avx512f") {
                // SAFETY: the machine has AVX-512F.
                return unsafe { refill_avx512(&mut self.state, &mut self.buffer) };
            }
            if std::is_x86_feature_detected!("avx2") {
                // SAFETY: the machine has AVX2.
                return unsafe { refill_avx2(&mut self.state, &mut self.buffer) };
            }
        }
        refill_portable(&mut self.state, &mut self.buffer);
    }
}

impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stream").finish_non_exhaustive()
    }
}

impl TryRng for Stream {
    type Error = Infallible;

    #[inline(always)]
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.next_word() >> 32) as u32)
    }

    #[inline(always)]
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.next_word())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.next_word().to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

#[inline(always)]
fn refill_portable(state: &mut [[u64; LANES]; 4], buffer: &mut [u64; BUFFER]) {
    let [mut s0, mut s1, mut s2, mut s3] = *state;
    for out in buffer.as_chunks_mut::<LANES>().0 {
        for l in 0..LANES {
            out[l] = s0[l].wrapping_add(s3[l]).rotate_left(23).wrapping_add(s0[l]);
            let t = s1[l] << 17;
            s2[l] ^= s0[l];
            s3[l] ^= s1[l];
            s1[l] ^= s2[l];
            s0[l] ^= s3[l];
            s2[l] ^= t;
            s3[l] = s3[l].rotate_left(45);
        }
    }
    *state = [s0, s1, s2, s3];
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn refill_avx512(state: &mut [[u64; LANES]; 4], buffer: &mut [u64; BUFFER]) {
    refill_portable(state, buffer);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn refill_avx2(state: &mut [[u64; LANES]; 4], buffer: &mut [u64; BUFFER]) {
    refill_portable(state, buffer);
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    fn reference_lanes(seed: u64) -> Vec<Xoshiro256PlusPlus> {
        let mut words = SplitMix64::new(seed);
        (0..LANES)
            .map(|_| {
                let mut bytes = [0; 32];
                for chunk in bytes.chunks_mut(8) {
                    chunk.copy_from_slice(&words.next_word().to_le_bytes());
                }
                Xoshiro256PlusPlus::from_seed(bytes)
            })
            .collect()
    }

    #[test]
    fn each_lane_is_the_published_generator() {
        for seed in [0, 1, 42, u64::MAX] {
            let mut lanes = reference_lanes(seed);
            let mut stream = Stream::from_seed(seed);
            for word in 0..10 * BUFFER {
                assert_eq!(stream.next_word(), lanes[word % LANES].next_u64(), "word {word}");
            }
        }
    }

    #[test]
    fn portable_code_gives_the_words_of_the_vector_code() {
        let mut stream = Stream::from_seed(9);
        let (mut state, mut buffer) = (stream.state, [0; BUFFER]);
        for _ in 0..5 {
            refill_portable(&mut state, &mut buffer);
            for word in buffer {
                assert_eq!(word, stream.next_word());
            }
        }
    }

    #[test]
    fn many_words_at_once_are_the_next_words() {
        let (mut one, mut many) = (Stream::from_seed(3), Stream::from_seed(3));
        for count in [0, 1, 63, 64, 65, 200] {
            let mut words = vec![0; count];
            many.fill(&mut words);
            assert!(words.iter().all(|&word| word == one.next_word()), "{count}");
        }
    }

    #[test]
    fn golden_words() {
        let mut stream = Stream::from_seed(1);
        let first: Vec<u64> = (0..4).map(|_| stream.next_word()).collect();
        let far = (4..1000).map(|_| stream.next_word()).last().unwrap();
        assert_eq!(first, GOLDEN_FIRST);
        assert_eq!(far, GOLDEN_1000TH);
    }

    const GOLDEN_FIRST: [u64; 4] = [
        14_971_601_782_005_023_387,
        7_326_487_388_593_424_192,
        16_049_773_278_942_742_430,
        5_003_324_768_619_461_262,
    ];
    const GOLDEN_1000TH: u64 = 14_765_200_935_041_090_915;
}
