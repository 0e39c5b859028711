use evenhand_core::{ServerId, Stream, below, unit_f64};

/// Balls that leave: before each throw, with probability `p`, one uniformly random ball.
#[derive(Debug)]
pub(crate) struct Departures {
    p: f64,
    stream: Stream,
    balls: Vec<(ServerId, f64)>,
}

impl Departures {
    pub(crate) fn new(p: f64, stream: Stream) -> Self {
        Self { p, stream, balls: Vec::new() }
    }

    /// Notes a ball and its weight.
    pub(crate) fn arrived(&mut self, server: ServerId, weight: f64) {
        self.balls.push((server, weight));
    }

    /// The ball that leaves now, if one does.
    pub(crate) fn next_departure(&mut self) -> Option<(ServerId, f64)> {
        let leaves = unit_f64(&mut self.stream) < self.p;
        if !leaves || self.balls.is_empty() {
            return None;
        }
        let ball = below(&mut self.stream, self.balls.len() as u64) as usize;
        Some(self.balls.swap_remove(ball))
    }
}
