//! A histogram that is written in blocks.

use evenhand_sim::observe::Histogram;

/// Values that wait for each other.
const BLOCK: usize = 64;

/// Collects values, and counts them in a histogram a block at a time, away from what the engine
/// does between two of them. Zeros are only counted, without a branch: whether a job waits is a
/// coin flip that no processor guesses.
#[derive(Debug)]
pub(crate) struct Tally {
    histogram: Histogram,
    /// Room for a full block and one more.
    block: [f64; 2 * BLOCK],
    /// Values in the block.
    filled: usize,
    /// All values, zeros included.
    count: u64,
    /// Values in the histogram.
    written: u64,
}

impl Tally {
    pub(crate) fn new() -> Self {
        Self {
            histogram: Histogram::new(),
            block: [0.0; 2 * BLOCK],
            filled: 0,
            count: 0,
            written: 0,
        }
    }

    #[inline(always)]
    pub(crate) fn add(&mut self, value: f64) {
        self.block[self.filled % (2 * BLOCK)] = value;
        self.filled += usize::from(value != 0.0);
        self.count += 1;
        if self.filled == BLOCK {
            self.write();
        }
    }

    /// As [`Tally::add`] for each value.
    pub(crate) fn add_all(&mut self, values: &[f64]) {
        for values in values.chunks(BLOCK) {
            let mut filled = self.filled;
            for &value in values {
                self.block[filled % (2 * BLOCK)] = value;
                filled += usize::from(value != 0.0);
            }
            self.filled = filled;
            self.count += values.len() as u64;
            if filled >= BLOCK {
                self.write();
            }
        }
    }

    /// Writes a full block. However values come, the same ones are written together, so that
    /// their sum has the same bits.
    #[inline(never)]
    fn write(&mut self) {
        self.histogram.record_all(&self.block[..BLOCK]);
        self.written += BLOCK as u64;
        self.block.copy_within(BLOCK..self.filled, 0);
        self.filled -= BLOCK;
    }

    /// The histogram of all values.
    pub(crate) fn finish(mut self) -> Histogram {
        self.histogram.record_all(&self.block[..self.filled]);
        self.written += self.filled as u64;
        self.histogram.record(0.0, self.count - self.written);
        self.histogram
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tally_is_the_histogram_of_its_values() {
        for length in [0, 1, 63, 64, 65, 1000] {
            let (mut tally, mut histogram) = (Tally::new(), Histogram::new());
            for i in 0..length {
                let value = f64::from(i * 37 % 11) * 0.5;
                tally.add(value);
                histogram.record(value, 1);
            }
            assert_eq!(tally.finish(), histogram, "{length} values");
        }
    }
}
