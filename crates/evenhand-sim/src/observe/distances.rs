use std::collections::BTreeMap;

/// Distances between users and the servers that got them.
///
/// Mean and maximum are exact; quantiles come from cells of relative width 2^-10, so they are
/// within 0.1 %. Tallies merge, and merged in the same order they give the same bits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Distances {
    sum: f64,
    max: f64,
    balls: u64,
    /// Balls per cell; a cell is named by sign, exponent and ten leading bits of the distance,
    /// which are ordered as distances are.
    cells: BTreeMap<u32, u64>,
}

/// Bits of a double below the ten leading ones of its fraction.
const DROPPED_BITS: u32 = 42;

impl Distances {
    /// No distance yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts `balls` balls at this distance.
    pub fn record(&mut self, distance: f64, balls: u64) {
        self.sum += distance * balls as f64;
        self.max = self.max.max(distance);
        self.balls += balls;
        *self.cells.entry((distance.to_bits() >> DROPPED_BITS) as u32).or_default() += balls;
    }

    /// Adds the distances of another tally.
    pub fn merge(&mut self, other: &Self) {
        self.sum += other.sum;
        self.max = self.max.max(other.max);
        self.balls += other.balls;
        for (&cell, &balls) in &other.cells {
            *self.cells.entry(cell).or_default() += balls;
        }
    }

    /// Mean over balls; 0 without balls.
    pub fn mean(&self) -> f64 {
        if self.balls == 0 { 0.0 } else { self.sum / self.balls as f64 }
    }

    /// The distance that a fraction `q` of the balls does not exceed, within 0.1 %.
    pub fn quantile(&self, q: f64) -> f64 {
        let rank = (q * self.balls as f64).ceil() as u64;
        let mut seen = 0;
        for (&cell, &balls) in &self.cells {
            seen += balls;
            if seen >= rank {
                let low = f64::from_bits(u64::from(cell) << DROPPED_BITS);
                let high = f64::from_bits((u64::from(cell) + 1) << DROPPED_BITS);
                return f64::midpoint(low, high).min(self.max);
            }
        }
        self.max
    }

    /// Greatest distance.
    pub fn max(&self) -> f64 {
        self.max
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merging_equals_recording_all() {
        let (mut a, mut b, mut all) = (Distances::new(), Distances::new(), Distances::new());
        for i in 1..=1000 {
            let distance = f64::from(i) * 0.125;
            (if i % 3 == 0 { &mut a } else { &mut b }).record(distance, 1);
            all.record(distance, 1);
        }
        a.merge(&b);
        assert_eq!(a, all);
        assert!((a.quantile(0.95) / 118.75 - 1.0).abs() < 1e-3);
        assert_eq!(a.quantile(1.0), 125.0);
    }
}
