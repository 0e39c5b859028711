use std::sync::Arc;

use evenhand_core::ServerId;

/// Load over speed: how long the server has to work.
#[derive(Clone, Debug)]
pub struct PerSpeed {
    speeds: Arc<[f64]>,
    arriving: f64,
}

impl PerSpeed {
    /// Divides by `speeds`; with `after` the arriving unit ball is counted too.
    pub fn new(speeds: Arc<[f64]>, after: bool) -> Self {
        Self { speeds, arriving: if after { 1.0 } else { 0.0 } }
    }

    /// What the rule is shown for a server with this true load.
    #[inline]
    pub fn view(&self, load: f64, server: ServerId) -> f64 {
        (load + self.arriving) / self.speeds[server.index()]
    }
}
