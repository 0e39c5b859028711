use evenhand_core::{ServerId, Signal, Stream};
use evenhand_policies::signals::{Batched, PerSpeed};

use super::departures::Departure;
use super::{Departures, Ledger, LoadIndex};
use crate::service::Service;

/// What the rule is shown of the true loads.
#[derive(Debug)]
pub(crate) enum View {
    /// The true loads.
    Exact,
    /// Loads of the last refresh.
    Batched(Batched),
    /// Loads over speeds.
    PerSpeed(PerSpeed),
}

/// Real loads with everything that a bin can have: weighted balls, stale or scaled signals, balls
/// that leave, an index. Loads of unit balls are whole numbers, exact to 2^53.
#[derive(Debug)]
pub(crate) struct General {
    loads: Vec<f64>,
    total: f64,
    view: View,
    weights: Option<(Service, Stream)>,
    departures: Option<Departures>,
    index: Option<LoadIndex>,
}

impl General {
    pub(crate) fn new(
        bins: usize,
        view: View,
        weights: Option<(Service, Stream)>,
        departures: Option<Departures>,
    ) -> Self {
        let loads = vec![0.0; bins];
        Self { loads, total: 0.0, view, weights, departures, index: None }
    }

    /// Keeps an index of loads as the rule sees them. A stale view has none: it changes all at
    /// once.
    pub(crate) fn with_index(mut self) -> Self {
        if !matches!(self.view, View::Batched(_)) {
            self.index = Some(LoadIndex::new(self.loads.len(), |server| self.load(server)));
        }
        self
    }

    pub(crate) fn loads(&self) -> &[f64] {
        &self.loads
    }

    pub(crate) fn total(&self) -> f64 {
        self.total
    }

    /// True if all balls weigh 1, so that loads are whole numbers.
    pub(crate) fn counts_unit_balls(&self) -> bool {
        self.weights.is_none()
    }

    fn change(&mut self, server: ServerId, amount: f64) {
        let load = &mut self.loads[server.index()];
        // A sum of real weights may come back to 0 with a rounding error below it.
        *load = (*load + amount).max(0.0);
        self.total = (self.total + amount).max(0.0);
        if let View::Batched(batched) = &mut self.view {
            batched.record(server, amount);
        }
        let seen = self.load(server);
        if let Some(index) = &mut self.index {
            index.update(server, seen);
        }
    }
}

impl Signal for General {
    type Load = f64;

    #[inline]
    fn load(&self, server: ServerId) -> f64 {
        let load = self.loads[server.index()];
        match &self.view {
            View::Exact => load,
            View::Batched(batched) => batched.load(server),
            View::PerSpeed(per_speed) => per_speed.view(load, server),
        }
    }

    fn average(&self) -> Option<f64> {
        match &self.view {
            View::Batched(batched) => batched.average(),
            _ => Some(self.total / self.loads.len() as f64),
        }
    }

    #[inline(always)]
    fn prefetch(&self, server: ServerId) {
        evenhand_core::prefetch(self.loads.as_ptr().wrapping_add(server.index()));
    }

    fn least_loaded(&self, word: u64) -> Option<ServerId> {
        self.index.as_ref()?.least(word)
    }
}

impl Ledger for General {
    fn before_ball(&mut self) {
        let leaving = self.departures.as_mut().and_then(Departures::next_departure);
        if let Some(Departure { server, weight, last }) = leaving {
            let amount = if last { -self.loads[server.index()] } else { -weight };
            self.change(server, amount);
        }
    }

    fn admit(&mut self, server: ServerId, balls: u64) {
        for _ in 0..balls {
            let weight = match &mut self.weights {
                Some((service, stream)) => service.sample(stream),
                None => 1.0,
            };
            self.change(server, weight);
            if let Some(departures) = &mut self.departures {
                departures.arrived(server, weight);
            }
        }
        if let View::Batched(batched) = &mut self.view {
            batched.advance(balls);
        }
    }
}
