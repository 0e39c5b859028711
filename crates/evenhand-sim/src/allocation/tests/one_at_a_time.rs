//! An allocation as its definition reads: one ball after the other, loads in a plain vector, no
//! look-ahead, no narrow counters, no index. Same seeds as the engine.

use std::sync::Arc;

use evenhand_core::{Policy, Role, Rule, Sampler, ServerId, Signal, Stream, below, unit_f64};
use evenhand_policies::signals::SignalSpec;
use evenhand_policies::{User, Visit, World};

use crate::Allocation;
use crate::allocation::bins::{Arrivals, Bare};

/// The loads at the end.
pub(super) fn loads(model: &Allocation, replication: u64) -> Vec<f64> {
    let seed = model.world_seed(replication);
    let mut stream = seed.stream(Role::World);
    let speeds = model.speeds.draw(model.bins as usize, &mut stream);
    let places = model.spatial.as_ref().map(|spatial| spatial.servers(model.bins, &mut stream));
    let world = World {
        bins: model.bins,
        speeds: speeds.clone(),
        servers: places.as_ref().map(|(places, _)| places.clone()),
        places: places.map(|(_, index)| index),
        neighbours: None,
        comparison: model.comparison,
        stream: &mut stream,
    };
    model.policy.visit(world, OneAtATime { model, replication, speeds })
}

struct OneAtATime<'m> {
    model: &'m Allocation,
    replication: u64,
    speeds: Option<Arc<[f64]>>,
}

impl Visit for OneAtATime<'_> {
    type Out = Vec<f64>;

    fn visit<S, R>(self, policy: Policy<S, R>) -> Vec<f64>
    where
        S: Sampler<()> + Sampler<User> + Clone + Send + 'static,
        R: Rule<u32> + Rule<f64> + Clone + Send + 'static,
    {
        match &self.model.spatial {
            Some(_) => self.visit_placed(policy),
            None => self.throw(policy, Bare),
        }
    }

    fn visit_placed<S, R>(self, policy: Policy<S, R>) -> Vec<f64>
    where
        S: Sampler<User> + Clone + Send + 'static,
        R: Rule<u32> + Rule<f64> + Clone + Send + 'static,
    {
        let spatial = self.model.spatial.as_ref().expect("there are places");
        let users = spatial.users(&self.model.world_seed(self.replication));
        self.throw(policy, users)
    }
}

impl OneAtATime<'_> {
    fn throw<A, S, R>(self, mut policy: Policy<S, R>, mut arrivals: impl Arrivals<A>) -> Vec<f64>
    where
        S: Sampler<A>,
        R: Rule<f64>,
    {
        let seed = self.model.world_seed(self.replication);
        let mut streams = self.model.policy_seed(self.replication).streams();
        let mut weights = seed.stream(Role::Weights);
        let mut leaving = seed.stream(Role::Deletions);
        let mut state = State::new(self.model, self.speeds);
        while state.thrown < self.model.balls {
            let arrival = arrivals.next_arrival();
            state.let_one_leave(self.model.deletions, &mut leaving);
            // The engine places inside a choice, so that a rule with memory sees the new loads.
            let candidates = policy.sampler.sample(&arrival, &mut streams.sample);
            let candidates = evenhand_core::CandidateSet::as_slice(&candidates);
            let choice = policy.rule.choose(candidates, &state, &mut streams.rule).expect("a bin");
            for _ in 0..choice.balls.min(self.model.balls - state.thrown) {
                let weight = self.model.weights.as_ref().map_or(1.0, |w| w.sample(&mut weights));
                state.add(choice.server, weight);
            }
            state.refresh();
            policy.rule.placed(candidates, &choice, &state, &mut streams.rule);
        }
        state.loads
    }
}

/// True loads, and the view of them.
struct State {
    signal: SignalSpec,
    speeds: Option<Arc<[f64]>>,
    loads: Vec<f64>,
    total: f64,
    balls: Vec<(ServerId, f64)>,
    thrown: u64,
    /// Loads and total when a batch was last complete, and how many were.
    seen: (Vec<f64>, f64),
    batches: u64,
}

impl State {
    fn new(model: &Allocation, speeds: Option<Arc<[f64]>>) -> Self {
        let loads = vec![0.0; model.bins as usize];
        let seen = (loads.clone(), 0.0);
        let (signal, balls) = (model.signal, Vec::new());
        Self { signal, speeds, loads, total: 0.0, balls, thrown: 0, seen, batches: 0 }
    }

    fn let_one_leave(&mut self, p: f64, stream: &mut Stream) {
        if p > 0.0 && unit_f64(stream) < p && !self.balls.is_empty() {
            let ball = below(stream, self.balls.len() as u64) as usize;
            let (server, weight) = self.balls.swap_remove(ball);
            // An empty bin has load 0, whatever rounding has left of its weights.
            let last = self.balls.iter().all(|(other, _)| *other != server);
            self.change(server, if last { -self.loads[server.index()] } else { -weight });
        }
    }

    fn add(&mut self, server: ServerId, weight: f64) {
        self.change(server, weight);
        self.balls.push((server, weight));
        self.thrown += 1;
    }

    fn change(&mut self, server: ServerId, amount: f64) {
        let load = &mut self.loads[server.index()];
        *load = (*load + amount).max(0.0);
        self.total = (self.total + amount).max(0.0);
    }

    fn refresh(&mut self) {
        if let SignalSpec::Batched { b } = self.signal
            && self.thrown / b > self.batches
        {
            self.batches = self.thrown / b;
            self.seen = (self.loads.clone(), self.total);
        }
    }
}

impl Signal for State {
    type Load = f64;

    fn load(&self, server: ServerId) -> f64 {
        let load = self.loads[server.index()];
        match self.signal {
            SignalSpec::Exact => load,
            SignalSpec::Batched { .. } => self.seen.0[server.index()],
            SignalSpec::PerSpeed { after } => {
                let speeds = self.speeds.as_ref().expect("there are speeds");
                (load + f64::from(u8::from(after))) / speeds[server.index()]
            }
        }
    }

    fn average(&self) -> Option<f64> {
        let total = match self.signal {
            SignalSpec::Batched { .. } => self.seen.1,
            _ => self.total,
        };
        Some(total / self.loads.len() as f64)
    }
}
