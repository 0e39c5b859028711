//! A histogram that is written in blocks.

use evenhand_sim::observe::Histogram;

/// Values written at a time.
const BLOCK: usize = 64;

/// Collects values, and counts them in a histogram a block at a time, away from what the engine
/// does between two of them. Zeros are only counted, without a branch: whether a job waits is a
/// coin flip that no processor guesses.
#[derive(Debug)]
pub(crate) struct Tally {
    histogram: Histogram,
    block: [f64; BLOCK],
    /// Values in the block.
    filled: usize,
    /// All values, zeros included.
    count: u64,
    /// Values in the histogram.
    written: u64,
}

impl Tally {
    pub(crate) fn new() -> Self {
        Self { histogram: Histogram::new(), block: [0.0; BLOCK], filled: 0, count: 0, written: 0 }
    }

    #[inline(always)]
    pub(crate) fn add(&mut self, value: f64) {
        self.block[self.filled % BLOCK] = value;
        self.filled += usize::from(value != 0.0);
        self.count += 1;
        if self.filled == BLOCK {
            self.write();
        }
    }

    #[inline(never)]
    fn write(&mut self) {
        for &value in &self.block[..self.filled] {
            self.histogram.record(value, 1);
        }
        self.written += self.filled as u64;
        self.filled = 0;
    }

    /// The histogram of all values.
    pub(crate) fn finish(mut self) -> Histogram {
        self.write();
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
