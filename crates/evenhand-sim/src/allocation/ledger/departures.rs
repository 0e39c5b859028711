use evenhand_core::{ServerId, Stream, below, unit_f64};

/// Balls that leave: before each choice, with probability `p`, one uniformly random ball.
#[derive(Debug)]
pub(crate) struct Departures {
    p: f64,
    stream: Stream,
    balls: Vec<(ServerId, f64)>,
    /// Balls on each server: weights alone cannot tell an empty server, as they are rounded.
    present: Vec<u32>,
}

/// A ball that leaves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Departure {
    pub server: ServerId,
    pub weight: f64,
    /// True if it was the server's last.
    pub last: bool,
}

impl Departures {
    pub(crate) fn new(servers: usize, p: f64, stream: Stream) -> Self {
        Self { p, stream, balls: Vec::new(), present: vec![0; servers] }
    }

    /// Notes a ball and its weight.
    pub(crate) fn arrived(&mut self, server: ServerId, weight: f64) {
        self.balls.push((server, weight));
        self.present[server.index()] += 1;
    }

    /// The ball that leaves now, if one does.
    pub(crate) fn next_departure(&mut self) -> Option<Departure> {
        let leaves = unit_f64(&mut self.stream) < self.p;
        if !leaves || self.balls.is_empty() {
            return None;
        }
        let ball = below(&mut self.stream, self.balls.len() as u64) as usize;
        let (server, weight) = self.balls.swap_remove(ball);
        let present = &mut self.present[server.index()];
        *present -= 1;
        Some(Departure { server, weight, last: *present == 0 })
    }
}
