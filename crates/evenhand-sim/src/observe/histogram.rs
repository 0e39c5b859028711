/// How often non-negative values occurred: times, distances.
///
/// Number, sum, least and greatest value are exact. Quantiles come from cells of relative width
/// at most 2^-10, so they are within 0.1 %. Histograms merge, and merged in the same order they
/// give the same bits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Histogram {
    sum: f64,
    max: f64,
    min: f64,
    count: u64,
    /// Values that are 0 have no cell.
    zeros: u64,
    /// Key of the first cell: a multiple of [`OCTAVE`].
    first: usize,
    /// Values per cell, in whole octaves from that of the least to that of the greatest value.
    cells: Vec<u64>,
}

/// The sum of some values, of every fourth one at a time: no addition waits for the one before.
pub fn sum(values: &[f64]) -> f64 {
    let (fours, rest) = values.as_chunks::<4>();
    let start: [f64; 4] = std::array::from_fn(|i| rest.get(i).copied().unwrap_or(0.0));
    let sums = fours.iter().fold(start, |sums, four| std::array::from_fn(|i| sums[i] + four[i]));
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

/// Bits of a double below the ten leading ones of its fraction. The bits above are the key of
/// a cell: keys are ordered as values are.
const DROPPED_BITS: u32 = 42;
/// Cells from one power of two to the next.
const OCTAVE: usize = 1 << (52 - DROPPED_BITS);

impl Histogram {
    /// No value yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts `value` as `count` values.
    ///
    /// # Panics
    /// If the value is negative or not finite.
    #[inline]
    pub fn record(&mut self, value: f64, count: u64) {
        assert!((0.0..f64::INFINITY).contains(&value), "{value} cannot be counted");
        if count == 0 {
            return;
        }
        self.sum += value * count as f64;
        self.max = self.max.max(value);
        self.min = if self.count == 0 { value } else { self.min.min(value) };
        self.count += count;
        if value == 0.0 {
            self.zeros += count;
            return;
        }
        let key = (value.to_bits() >> DROPPED_BITS) as usize;
        // A key below the first wraps to an index beyond the last.
        let mut index = key.wrapping_sub(self.first);
        if index >= self.cells.len() {
            self.cover(key, key);
            index = key - self.first;
        }
        self.cells[index] += count;
    }

    /// Counts each of these values once, as [`Histogram::record`] does one by one but for the
    /// rounding of their sum.
    ///
    /// # Panics
    /// If a value is not positive, or not finite.
    pub fn record_all(&mut self, values: &[f64]) {
        let Some(&any) = values.first() else { return };
        let min = values.iter().fold(any, |min, &value| if value < min { value } else { min });
        let max = values.iter().fold(any, |max, &value| if value > max { value } else { max });
        assert!(min > 0.0 && max < f64::INFINITY, "{min} or {max} cannot be counted");
        self.max = self.max.max(max);
        self.min = if self.count == 0 { min } else { self.min.min(min) };
        self.count += values.len() as u64;
        let key = |value: f64| (value.to_bits() >> DROPPED_BITS) as usize;
        let (first, last) = (key(min), key(max));
        if first < self.first || last - self.first >= self.cells.len() {
            self.cover(first, last);
        }
        self.sum += sum(values);
        let cells = &mut self.cells[first - self.first..=last - self.first];
        for &value in values {
            cells[key(value) - first] += 1;
        }
    }

    /// Adds the values of another histogram.
    pub fn merge(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        self.sum += other.sum;
        self.max = self.max.max(other.max);
        self.min = if self.count == 0 { other.min } else { self.min.min(other.min) };
        self.count += other.count;
        self.zeros += other.zeros;
        if other.cells.is_empty() {
            return;
        }
        self.cover(other.first, other.first + other.cells.len() - 1);
        let from = other.first - self.first;
        for (cell, &count) in self.cells[from..].iter_mut().zip(&other.cells) {
            *cell += count;
        }
    }

    /// Grows to the octaves of these keys.
    #[cold]
    fn cover(&mut self, least: usize, greatest: usize) {
        let start = least - least % OCTAVE;
        let end = greatest - greatest % OCTAVE + OCTAVE;
        if self.cells.is_empty() {
            self.first = start;
        }
        if start < self.first {
            let missing = self.first - start;
            self.cells.splice(0..0, std::iter::repeat_n(0, missing));
            self.first = start;
        }
        let length = self.cells.len().max(end - self.first);
        self.cells.resize(length, 0);
    }

    /// Number of values.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Number of values that are 0.
    pub fn zeros(&self) -> u64 {
        self.zeros
    }

    /// Sum of all values.
    pub fn sum(&self) -> f64 {
        self.sum
    }

    /// Mean of all values; 0 without values.
    pub fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum / self.count as f64 }
    }

    /// Least value; 0 without values.
    pub fn min(&self) -> f64 {
        self.min
    }

    /// Greatest value; 0 without values.
    pub fn max(&self) -> f64 {
        self.max
    }

    /// The value that a fraction `q` of all values does not exceed, within 0.1 %: interpolated
    /// in its cell. 0 without values.
    pub fn quantile(&self, q: f64) -> f64 {
        let rank = q.clamp(0.0, 1.0) * self.count as f64;
        let mut below = self.zeros as f64;
        if rank <= below {
            return self.min;
        }
        for (cell, count) in self.filled() {
            let count = count as f64;
            if below + count >= rank {
                let value = cell.low + (cell.high - cell.low) * ((rank - below) / count);
                return value.clamp(self.min, self.max);
            }
            below += count;
        }
        self.max
    }

    /// The values in ascending order with their counts: 0, if it occurred, and the middle of
    /// each cell that is not empty.
    pub fn iter(&self) -> impl Iterator<Item = (f64, u64)> {
        let zeros = (self.zeros > 0).then_some((0.0, self.zeros));
        let cells = self.filled().map(|(cell, count)| (f64::midpoint(cell.low, cell.high), count));
        zeros.into_iter().chain(cells)
    }

    fn filled(&self) -> impl Iterator<Item = (Cell, u64)> {
        let cells = self.cells.iter().enumerate().filter(|(_, count)| **count > 0);
        cells.map(|(index, &count)| (Cell::of(self.first + index), count))
    }
}

/// The values from `low` to below `high`.
struct Cell {
    low: f64,
    high: f64,
}

impl Cell {
    fn of(key: usize) -> Self {
        let edge = |key: usize| f64::from_bits((key as u64) << DROPPED_BITS);
        // The last cell of all ends at the largest double.
        Self { low: edge(key), high: edge(key + 1).min(f64::MAX) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn histogram(values: impl IntoIterator<Item = f64>) -> Histogram {
        let mut histogram = Histogram::new();
        values.into_iter().for_each(|value| histogram.record(value, 1));
        histogram
    }

    #[test]
    fn merging_equals_recording_all() {
        // Eighths have exact sums.
        let values = (0..=1000).map(|i| f64::from(i) * 0.125);
        let part = |keep: fn(i32) -> bool| {
            histogram((0..=1000).filter(|&i| keep(i)).map(|i| f64::from(i) * 0.125))
        };
        let all = histogram(values);
        for (a, b) in [
            (part(|i| i % 3 == 0), part(|i| i % 3 != 0)),
            (part(|i| i >= 500), part(|i| i < 500)),
            (part(|_| true), Histogram::new()),
            (Histogram::new(), part(|_| true)),
        ] {
            let mut merged = a.clone();
            merged.merge(&b);
            assert_eq!(merged, all);
            let mut merged = b.clone();
            merged.merge(&a);
            assert_eq!(merged, all);
        }
        assert_eq!((all.count(), all.zeros(), all.sum()), (1001, 1, 500.0 * 1001.0 * 0.125));
        assert_eq!((all.min(), all.max()), (0.0, 125.0));
        assert!((all.quantile(0.95) / 118.75 - 1.0).abs() < 2e-3);
        assert_eq!(all.quantile(1.0), 125.0);
        assert_eq!(all.iter().map(|(_, count)| count).sum::<u64>(), 1001);
    }

    #[test]
    fn quantiles_are_within_a_thousandth() {
        // Quantiles i of 10^5 values over 24 decades.
        let value = |i: f64| 1e-12 * 10_f64.powf(24.0 * i / 1e5);
        let all = histogram((1..=100_000).map(|i| value(f64::from(i))));
        for q in [1e-5, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 1.0] {
            let exact = value(q * 1e5);
            assert!((all.quantile(q) / exact - 1.0).abs() < 1e-3, "{q}: {}", all.quantile(q));
        }
        assert_eq!(all.quantile(1.0), all.max());
        assert_eq!(all.quantile(0.0), all.min());
    }

    #[test]
    fn atoms_and_extremes_are_kept() {
        let mut atom = Histogram::new();
        atom.record(1.7, 5);
        atom.record(3.0, 0);
        assert_eq!((atom.count(), atom.quantile(0.5), atom.mean()), (5, 1.7, 1.7));
        let wide = histogram([0.0, -0.0, f64::from_bits(1), f64::MIN_POSITIVE, 1.0, f64::MAX]);
        assert_eq!((wide.zeros(), wide.count(), wide.max()), (2, 6, f64::MAX));
        assert_eq!(wide.quantile(0.2), 0.0);
        assert!(wide.iter().all(|(value, _)| value.is_finite()));
        let empty = Histogram::new();
        assert_eq!((empty.quantile(0.5), empty.mean(), empty.iter().count()), (0.0, 0.0, 0));
    }

    #[test]
    #[should_panic(expected = "cannot be counted")]
    fn negative_values_are_refused() {
        histogram([-1e-9]);
    }
}
