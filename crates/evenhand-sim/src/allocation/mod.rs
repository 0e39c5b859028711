//! Static allocation: balls into bins.

mod bins;
mod ledger;
mod outcome;
mod profile;
mod replication;
mod spatial;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use evenhand_core::{PointHash, ReplicationSeed};
use evenhand_policies::comparisons::Comparison;
use evenhand_policies::signals::SignalSpec;
use evenhand_policies::{Issue, PolicySpec, Setting};
use evenhand_topology::graph::Graph;
use evenhand_topology::space::Places;

use crate::service::Service;
use crate::speeds::Speeds;

pub use bins::Users;
pub use outcome::{Outcome, Snapshot};
pub use profile::{Keys, binomial};
pub use spatial::{Servers, Spatial, UserSource};

/// How an allocation is simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// One counter per bin.
    Bins,
    /// The number of bins at each load.
    Profile,
}

impl Engine {
    /// The word in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bins => "bins",
            Self::Profile => "profile",
        }
    }
}

/// A model of static allocation: `balls` balls thrown into `bins` bins, one after the other.
#[derive(Clone, Debug)]
pub struct Allocation {
    /// The policy.
    pub policy: PolicySpec,
    /// Number of bins.
    pub bins: u64,
    /// Number of balls; with deletions the number of insertions.
    pub balls: u64,
    /// Master seed.
    pub seed: u64,
    /// What loads the rule is shown.
    pub signal: SignalSpec,
    /// How loads are compared.
    pub comparison: Comparison,
    /// Weights of the balls; `None` for unit balls.
    pub weights: Option<Service>,
    /// Speeds of the bins.
    pub speeds: Speeds,
    /// Before each ball (with twinning and packing: before each choice), with this probability,
    /// one uniformly random ball leaves.
    pub deletions: f64,
    /// Numbers of balls after which the profile is recorded, increasing, at most `balls`.
    pub snapshots: Vec<u64>,
    /// Places of servers and users.
    pub spatial: Option<Spatial>,
    /// True to keep every bin's load in the outcome.
    pub keep_loads: bool,
}

/// The graph of a replication, and where its vertices are.
#[derive(Clone, Debug)]
pub struct PlacedGraph {
    /// The graph. Its vertices are the servers.
    pub graph: Graph,
    /// The places of the servers, where they have any.
    pub servers: Option<Arc<Places>>,
}

/// Most bins of the bins engine: a server id has 32 bits.
const MOST_BINS: u64 = 1 << 32;

/// Most bins of the profile engine: counts are exact as doubles up to here.
const MOST_PROFILE_BINS: u64 = 1 << 53;

impl Allocation {
    /// Unit balls, equal bins, exact loads, seed 1.
    pub fn new(policy: PolicySpec, bins: u64, balls: u64) -> Self {
        Self {
            policy,
            bins,
            balls,
            seed: 1,
            signal: SignalSpec::Exact,
            comparison: Comparison::Exact,
            weights: None,
            speeds: Speeds::equal(),
            deletions: 0.0,
            snapshots: Vec::new(),
            spatial: None,
            keep_loads: false,
        }
    }

    /// What prevents the allocation from running; empty if nothing does.
    pub fn check(&self) -> Vec<Issue> {
        let setting = Setting {
            bins: self.bins,
            metric: self.spatial.as_ref().map(Spatial::metric),
            has_speeds: !self.speeds.are_equal(),
            has_weights: self.weights.is_some(),
            has_jobs: false,
            comparison: self.comparison,
        };
        let mut issues = self.policy.check(&setting);
        if matches!(self.signal, SignalSpec::PerSpeed { .. }) && self.speeds.are_equal() {
            issues.push(Issue {
                parameter: None,
                message: "the signal `per-speed` needs speeds".to_string(),
                help: Some("give them with --speeds".to_string()),
            });
        }
        issues
    }

    /// Why the engine cannot run this allocation; `None` if it can.
    pub fn unsupported(&self, engine: Engine) -> Option<String> {
        match engine {
            Engine::Bins if self.bins > MOST_BINS => {
                Some(format!("the bins engine holds at most 2^32 = {MOST_BINS} bins"))
            }
            Engine::Bins => None,
            Engine::Profile => self.unsupported_by_profile(),
        }
    }

    fn unsupported_by_profile(&self) -> Option<String> {
        let needs_bins = [
            (!profile::exists(&self.policy), "this policy"),
            (self.signal != SignalSpec::Exact, "a signal other than exact"),
            (self.comparison != Comparison::Exact, "a comparison other than exact"),
            (self.weights.is_some(), "weighted balls"),
            (!self.speeds.are_equal(), "speeds"),
            (self.deletions > 0.0, "deletions"),
            (self.spatial.is_some(), "places"),
            (self.keep_loads, "loads of single bins"),
        ];
        if let Some((_, what)) = needs_bins.iter().find(|(needed, _)| *needed) {
            return Some(format!("the profile engine does not do {what}"));
        }
        (self.bins > MOST_PROFILE_BINS)
            .then(|| format!("the profile engine holds at most 2^53 = {MOST_PROFILE_BINS} bins"))
    }

    /// The engine that `auto` takes: the profile engine where it exists.
    pub fn auto_engine(&self) -> Engine {
        match self.unsupported(Engine::Profile) {
            None => Engine::Profile,
            Some(_) => Engine::Bins,
        }
    }

    /// Rough time of one replication in seconds, the same on every machine.
    pub fn estimated_seconds(&self, engine: Engine) -> f64 {
        match engine {
            Engine::Profile => profile::estimated_seconds(&self.policy, self.bins, self.balls),
            Engine::Bins => {
                let extra = [
                    (self.needs_general_ledger(), 20.0),
                    (matches!(self.signal, SignalSpec::Batched { .. }), 60.0),
                    (self.deletions > 0.0, 40.0),
                    (self.spatial.is_some(), 500.0),
                ];
                let extra: f64 = extra.iter().filter(|(has, _)| *has).map(|(_, ns)| ns).sum();
                let ball = self.policy.nanoseconds_per_ball(self.bins) + extra;
                1e-9 * (ball * self.balls as f64 + 0.3 * self.bins as f64)
            }
        }
    }

    /// Memory of one running replication in bytes.
    pub fn memory_bytes(&self, engine: Engine) -> u64 {
        if engine == Engine::Profile {
            return 1 << 20;
        }
        let mut bytes_per_bin = 1.0;
        if self.needs_general_ledger() {
            bytes_per_bin = 8.0;
        }
        if matches!(self.signal, SignalSpec::Batched { .. }) {
            bytes_per_bin += 8.0;
        }
        if !self.speeds.are_equal() {
            bytes_per_bin += 24.0;
        }
        if self.spatial.is_some() || self.keep_loads {
            bytes_per_bin += 64.0;
        }
        if self.policy.reads_index() {
            bytes_per_bin += 32.0;
        }
        if matches!(self.policy, PolicySpec::Ring(_) | PolicySpec::Cells(_)) {
            bytes_per_bin += 64.0;
        }
        let bytes_per_ball = if self.deletions > 0.0 { 16.0 } else { 0.0 };
        let bytes = self.bins as f64 * bytes_per_bin + self.balls as f64 * bytes_per_ball;
        (bytes + self.policy.graph_bytes(self.bins)) as u64
    }

    fn needs_general_ledger(&self) -> bool {
        self.signal != SignalSpec::Exact
            || self.weights.is_some()
            || !self.speeds.are_equal()
            || self.deletions > 0.0
            || self.policy.reads_index()
    }

    /// Canonical text of the model without the policy: it seeds users, places and weights, so
    /// that policies are compared on the same arrivals.
    fn world_text(&self) -> String {
        let weights = self.weights.as_ref().map_or("unit".to_string(), Service::to_string);
        let spatial = self.spatial.as_ref().map_or(String::new(), Spatial::text);
        format!(
            "allocate;bins={};balls={};weights={weights};speeds={};deletions={};{spatial}",
            self.bins, self.balls, self.speeds, self.deletions
        )
    }

    fn world_seed(&self, replication: u64) -> ReplicationSeed {
        let point = PointHash::of(&self.world_text());
        ReplicationSeed { master: self.seed, point, replication }
    }

    /// Seed of the policy's own streams.
    fn policy_seed(&self, replication: u64) -> ReplicationSeed {
        let (world, policy) = (self.world_text(), &self.policy);
        let text = format!("{world};policy={policy};{};{}", self.signal, self.comparison);
        ReplicationSeed { master: self.seed, point: PointHash::of(&text), replication }
    }

    /// The graph that replication number `replication` runs on; `None` for a policy without one.
    ///
    /// # Panics
    /// If [`Allocation::check`] would have refused.
    pub fn graph(&self, replication: u64) -> Option<PlacedGraph> {
        replication::graph(self, replication)
    }

    /// What the reader of a result should know of the policy's graph; empty without one.
    ///
    /// Where the name of the graph does not tell enough and the graph is small, that of
    /// replication 0 is made and looked at.
    ///
    /// # Panics
    /// If [`Allocation::check`] would have refused.
    pub fn warnings(&self) -> Vec<String> {
        let places_vary = self.spatial.as_ref().is_some_and(Spatial::places_vary);
        let first = || Some(self.graph(0)?.graph);
        self.policy.warnings(self.bins, places_vary, first)
    }

    /// Simulates replication number `replication`.
    ///
    /// The outcome depends on the model, the seed, the engine and the number only.
    ///
    /// # Errors
    /// [`Interrupted`] if `control` says stop.
    ///
    /// # Panics
    /// If [`Allocation::check`] or [`Allocation::unsupported`] would have refused.
    pub fn run(
        &self,
        engine: Engine,
        replication: u64,
        control: &Control,
    ) -> Result<Outcome, Interrupted> {
        control.advance(0)?;
        match engine {
            Engine::Bins => replication::run_bins(self, replication, control),
            Engine::Profile => replication::run_profile(self, replication, control),
        }
    }
}

impl Allocation {
    /// Simulates several replications in one thread, and gives the outcomes that [`Allocation::run`]
    /// gives for each, faster where walkers chase through a stored graph: while one replication
    /// waits for memory, the others step.
    ///
    /// # Panics
    /// As [`Allocation::run`].
    pub fn run_together(
        &self,
        engine: Engine,
        replications: Range<u64>,
        control: &Control,
    ) -> Vec<Result<Outcome, Interrupted>> {
        match engine {
            Engine::Bins => replication::run_together(self, replications, control),
            Engine::Profile => {
                replications.map(|replication| self.run(engine, replication, control)).collect()
            }
        }
    }

    /// How many replications a thread should take at a time.
    pub fn replications_together(&self, engine: Engine) -> u64 {
        /// From eight on the tables of loads crowd each other out of the cache.
        const TOGETHER: u64 = 8;
        if engine == Engine::Bins && self.policy.chases_memory() { TOGETHER } else { 1 }
    }
}

/// A running simulation's link to the outside: it counts balls and can be stopped.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    thrown: AtomicU64,
}

impl Control {
    /// Asks running replications to stop soon.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// True once [`Control::stop`] was called.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Balls thrown so far by all replications.
    pub fn thrown(&self) -> u64 {
        self.thrown.load(Ordering::Relaxed)
    }

    /// Counts balls, or jobs.
    ///
    /// # Errors
    /// [`Interrupted`] once [`Control::stop`] was called.
    pub fn advance(&self, balls: u64) -> Result<(), Interrupted> {
        self.thrown.fetch_add(balls, Ordering::Relaxed);
        if self.is_stopped() { Err(Interrupted) } else { Ok(()) }
    }
}

/// A replication was stopped before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the replication was stopped before its end")]
pub struct Interrupted;
