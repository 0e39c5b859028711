//! Exact uniform integers from random words.

use crate::Rng;

/// A uniform integer in `0..n`, exact (Lemire 2019).
///
/// # Panics
/// If `n` is 0.
#[inline]
pub fn below<R: Rng + ?Sized>(rng: &mut R, n: u64) -> u64 {
    assert!(n > 0, "no integer lies in an empty range");
    loop {
        let product = u128::from(rng.next_u64()) * u128::from(n);
        // The low half decides whether this word belongs to an over-full cell; the costly
        // remainder is only taken when the word could.
        if product as u64 >= n || product as u64 >= n.wrapping_neg() % n {
            return (product >> 64) as u64;
        }
    }
}

/// A uniform real in `[0, 1)` with 53 random bits.
#[inline(always)]
pub fn unit_f64<R: Rng + ?Sized>(rng: &mut R) -> f64 {
    (rng.next_u64() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
}

/// Uniform indices in `0..n`, exact, with the rejection bound computed once.
#[derive(Clone, Copy, Debug)]
pub struct Index {
    n: u64,
    reject_below: u64,
}

impl Index {
    /// Indices in `0..n`.
    ///
    /// # Panics
    /// If `n` is 0.
    pub fn new(n: u64) -> Self {
        assert!(n > 0, "no index lies in an empty range");
        Self { n, reject_below: n.wrapping_neg() % n }
    }

    /// The next index.
    #[inline(always)]
    pub fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> u64 {
        loop {
            let product = u128::from(rng.next_u64()) * u128::from(self.n);
            if product as u64 >= self.reject_below {
                return (product >> 64) as u64;
            }
        }
    }
}

/// Two independent uniform indices, in `0..first` and `0..second`, from one random word.
///
/// The batched dice of Brackett-Rozinsky and Lemire (2024): the fraction left by the first index
/// is itself uniform and gives the second; one rejection test makes the pair exact.
#[derive(Clone, Copy, Debug)]
pub struct IndexPair {
    first: u64,
    second: u64,
    reject_below: u64,
}

impl IndexPair {
    /// Pairs in `0..first` x `0..second`.
    ///
    /// # Panics
    /// If a range is empty or longer than 2^32.
    pub fn new(first: u64, second: u64) -> Self {
        const LONGEST: u64 = 1 << 32;
        assert!((1..=LONGEST).contains(&first) && (1..=LONGEST).contains(&second));
        // 2^64 pairs need no rejection; their number wraps to 0.
        let pairs = first.wrapping_mul(second);
        let reject_below = if pairs == 0 { 0 } else { pairs.wrapping_neg() % pairs };
        Self { first, second, reject_below }
    }

    /// The next pair.
    #[inline(always)]
    pub fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> (u32, u32) {
        loop {
            let a = u128::from(rng.next_u64()) * u128::from(self.first);
            let b = u128::from(a as u64) * u128::from(self.second);
            if b as u64 >= self.reject_below {
                return ((a >> 64) as u32, (b >> 64) as u32);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stream;
    use rand::TryRng;
    use std::convert::Infallible;

    /// Words in a fixed order, to enumerate a scaled-down generator by hand.
    struct Words(Vec<u64>);
    impl TryRng for Words {
        type Error = Infallible;
        fn try_next_u32(&mut self) -> Result<u32, Infallible> {
            unreachable!("indices use whole words")
        }
        fn try_next_u64(&mut self) -> Result<u64, Infallible> {
            Ok(self.0.remove(0))
        }
        fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Infallible> {
            unreachable!("indices use whole words")
        }
    }

    #[test]
    fn rejects_exactly_the_words_of_over_full_cells() {
        // 2^64 mod 3 = 1: exactly one word (0, whose product has low half 0 < 1) is rejected.
        let mut words = Words(vec![0, u64::MAX]);
        assert_eq!(Index::new(3).draw(&mut words), 2);
        assert!(words.0.is_empty());
        let mut words = Words(vec![0, u64::MAX]);
        assert_eq!(below(&mut words, 3), 2);
        // 2^64 mod 9 = 7: word 0 is rejected for a pair of threes.
        let mut words = Words(vec![0, u64::MAX]);
        assert_eq!(IndexPair::new(3, 3).draw(&mut words), (2, 2));
        assert!(words.0.is_empty());
    }

    #[test]
    fn the_longest_range_needs_no_rejection() {
        let mut words = Words(vec![0, u64::MAX]);
        let pair = IndexPair::new(1 << 32, 1 << 32);
        assert_eq!(pair.draw(&mut words), (0, 0));
        assert_eq!(pair.draw(&mut words), (u32::MAX, u32::MAX));
    }

    /// Chi-square of 10^6 pairs over the 7 x 5 cells, 34 degrees of freedom. A false alarm has
    /// probability below 1e-7 (chi-square quantile 99.3).
    #[test]
    fn pairs_are_uniform_and_independent() {
        let mut stream = Stream::from_seed(11);
        let pair = IndexPair::new(7, 5);
        let mut counts = [[0_f64; 5]; 7];
        let draws = 1_000_000;
        for _ in 0..draws {
            let (i, j) = pair.draw(&mut stream);
            counts[i as usize][j as usize] += 1.0;
        }
        let expected = f64::from(draws) / 35.0;
        let chi2: f64 = counts.iter().flatten().map(|c| (c - expected).powi(2) / expected).sum();
        assert!(chi2 < 99.3, "chi-square {chi2}");
    }
}
