//! Shared counters, a small world, and one way to use any policy in it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use evenhand_core::{
    Choice, Policy, Role, Rule, Sampler, ServerId, Signal, Stream, Streams, unit_f64,
};
use evenhand_policies::comparisons::Comparison;
use evenhand_policies::{PolicySpec, User, Visit, World};
use evenhand_topology::space::{Metric, NearestIndex, Places, Point};

pub(crate) const THREADS: u64 = 4;
pub(crate) const SERVERS: usize = 12;

/// Jobs in flight where counters stand still.
pub(crate) const JOBS: [u32; SERVERS] = [4, 0, 1, 2, 2, 7, 1, 0, 3, 3, 1, 9];

/// Jobs in flight at each server, shared by all dispatchers.
pub(crate) struct InFlight {
    pub(crate) jobs: Vec<AtomicU32>,
    /// Bit `s` is set if server `s` is up.
    pub(crate) up: AtomicU64,
}

impl InFlight {
    pub(crate) fn new(jobs: &[u32]) -> Self {
        let jobs: Vec<_> = jobs.iter().map(|&jobs| AtomicU32::new(jobs)).collect();
        let up = AtomicU64::new((1 << jobs.len()) - 1);
        Self { jobs, up }
    }

    pub(crate) fn lease(&self, server: ServerId, jobs: u32) -> Lease<'_> {
        let slot = &self.jobs[server.index()];
        slot.fetch_add(jobs, Ordering::Relaxed);
        Lease { slot, jobs }
    }
}

impl Signal for InFlight {
    type Load = u32;

    fn load(&self, server: ServerId) -> u32 {
        self.jobs[server.index()].load(Ordering::Relaxed)
    }

    fn average(&self) -> Option<f64> {
        let total: u32 = self.jobs.iter().map(|jobs| jobs.load(Ordering::Relaxed)).sum();
        Some(f64::from(total) / self.jobs.len() as f64)
    }

    fn eligible(&self, server: ServerId) -> bool {
        self.up.load(Ordering::Relaxed) >> server.0 & 1 == 1
    }
}

/// Jobs on a server, given back when dropped.
pub(crate) struct Lease<'c> {
    slot: &'c AtomicU32,
    jobs: u32,
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        self.slot.fetch_sub(self.jobs, Ordering::Relaxed);
    }
}

/// Builds the policy on 12 servers with speeds and places, the same world every time.
pub(crate) fn visit<V: Visit>(expression: &str, visitor: V) -> V::Out {
    let places = (0..SERVERS).map(|s| Point { x: s as f64 / 12.0, y: (s * 5 % 12) as f64 / 12.0 });
    let places = Places::new(places.collect(), Metric::Torus, "a lattice");
    let speeds: Vec<f64> = (0..SERVERS).map(|s| 1.0 + (s % 3) as f64).collect();
    let world = World {
        bins: SERVERS as u64,
        speeds: Some(speeds.into()),
        places: Some(Arc::new(NearestIndex::new(&places).expect("finite"))),
        servers: Some(Arc::new(places)),
        neighbours: None,
        comparison: Comparison::Exact,
        stream: &mut Stream::from_seed(5),
    };
    PolicySpec::parse(expression).expect("a policy").visit(world, visitor)
}

pub(crate) fn streams(dispatcher: u64) -> Streams {
    Streams::from_seed(100 + dispatcher)
}

/// Where the users of a dispatcher are: anywhere.
pub(crate) fn users(dispatcher: u64) -> impl FnMut() -> User {
    let mut stream = evenhand_core::ReplicationSeed {
        master: dispatcher,
        point: evenhand_core::PointHash(1),
        replication: 0,
    }
    .stream(Role::Users);
    move || User { index: 0, point: Point { x: unit_f64(&mut stream), y: unit_f64(&mut stream) } }
}

/// A use of a policy that does not depend on its types.
pub(crate) trait Use {
    type Out;
    fn with<S, R>(self, policy: Policy<S, R>) -> Self::Out
    where
        S: Sampler<User> + Clone + Send + 'static,
        R: Rule<u32> + Rule<f64> + Clone + Send + 'static;
}

/// All arrivals have places; policies that have no use for them ignore them.
pub(crate) struct Placed<U>(pub(crate) U);

impl<U: Use> Visit for Placed<U> {
    type Out = U::Out;

    fn visit<S, R>(self, policy: Policy<S, R>) -> U::Out
    where
        S: Sampler<()> + Sampler<User> + Clone + Send + 'static,
        R: Rule<u32> + Rule<f64> + Clone + Send + 'static,
    {
        self.0.with(policy)
    }

    fn visit_placed<S, R>(self, policy: Policy<S, R>) -> U::Out
    where
        S: Sampler<User> + Clone + Send + 'static,
        R: Rule<u32> + Rule<f64> + Clone + Send + 'static,
    {
        self.0.with(policy)
    }
}
/// Choices of one dispatcher.
pub(crate) fn choices<S, R>(
    mut policy: Policy<S, R>,
    in_flight: &InFlight,
    dispatcher: u64,
    count: usize,
) -> Vec<Option<Choice>>
where
    S: Sampler<User>,
    R: Rule<u32>,
{
    let (mut streams, mut next_user) = (streams(dispatcher), users(dispatcher));
    (0..count).map(|_| policy.choose_with(&next_user(), in_flight, &mut streams, |_| {})).collect()
}
