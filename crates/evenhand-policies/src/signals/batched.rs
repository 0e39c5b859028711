use evenhand_core::{ServerId, Signal};

/// Loads as they were at the last refresh; refreshed every `every` balls.
///
/// A refresh touches only the servers that changed, so a small batch on many bins stays cheap.
///
/// The b-Batched setting of Berenbrink, Czumaj, Englert, Friedetzky, Nagel 2012 and Los,
/// Sauerwald 2022.
#[derive(Clone, Debug)]
pub struct Batched {
    seen: Vec<f64>,
    seen_total: f64,
    pending: Vec<(ServerId, f64)>,
    every: u64,
    balls: u64,
}

impl Batched {
    /// All loads 0, refreshed every `every` balls.
    pub fn new(servers: usize, every: u64) -> Self {
        Self { seen: vec![0.0; servers], seen_total: 0.0, pending: Vec::new(), every, balls: 0 }
    }

    /// Notes that the true load of `server` changed by `amount`, a negative one for a ball that
    /// left.
    pub fn record(&mut self, server: ServerId, amount: f64) {
        self.pending.push((server, amount));
    }

    /// Counts `balls` placed balls, and refreshes when a batch is full.
    pub fn advance(&mut self, balls: u64) {
        self.balls += balls;
        if self.balls >= self.every {
            // Several balls placed at once may fill more than one batch.
            self.balls %= self.every;
            self.refresh();
        }
    }

    fn refresh(&mut self) {
        for (server, amount) in self.pending.drain(..) {
            // A sum of real weights may come back to 0 with a rounding error below it.
            let seen = &mut self.seen[server.index()];
            *seen = (*seen + amount).max(0.0);
            self.seen_total = (self.seen_total + amount).max(0.0);
        }
    }
}

impl Signal for Batched {
    type Load = f64;

    #[inline]
    fn load(&self, server: ServerId) -> f64 {
        self.seen[server.index()]
    }

    fn average(&self) -> Option<f64> {
        Some(self.seen_total / self.seen.len() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_loads_of_the_last_refresh() {
        let mut signal = Batched::new(2, 3);
        for ball in 0..3 {
            assert_eq!(signal.load(ServerId(1)), 0.0, "ball {ball}");
            signal.record(ServerId(1), 1.0);
            signal.advance(1);
        }
        assert_eq!(signal.load(ServerId(1)), 3.0);
        assert_eq!(signal.average(), Some(1.5));
    }

    #[test]
    fn balls_placed_at_once_keep_the_rhythm() {
        let mut signal = Batched::new(1, 3);
        signal.record(ServerId(0), 7.0);
        signal.advance(7);
        assert_eq!(signal.load(ServerId(0)), 7.0);
        // The next batches end after 9 and 12 balls.
        signal.record(ServerId(0), 1.0);
        signal.advance(1);
        assert_eq!(signal.load(ServerId(0)), 7.0);
        signal.record(ServerId(0), 1.0);
        signal.advance(1);
        assert_eq!(signal.load(ServerId(0)), 9.0);
    }
}
