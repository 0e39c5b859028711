//! One replication, from its seed to its outcome.

use std::ops::Range;
use std::sync::Arc;

use evenhand_core::Role;
use evenhand_core::{Policy, Rule, Sampler, ServerId, Stream, Streams};
use evenhand_policies::signals::{Batched, PerSpeed, SignalSpec};
use evenhand_policies::{User, Visit, World};
use evenhand_topology::buffer::Buffer;
use evenhand_topology::space::{NearestIndex, Places};

use super::bins::{Arrivals, Bare, Stopped, Thrower, Users};
use super::ledger::{Counter, Counters, Departures, General, Ledger, View};
use super::outcome::{Outcome, Snapshot, at_least};
use super::{Allocation, Control, Interrupted, PlacedGraph, profile};
use crate::observe::Distances;

/// Balls between two looks at the control: often enough for a person, rare enough for the loop.
const CHUNK: u64 = 1 << 20;

pub(super) fn run_profile(
    model: &Allocation,
    replication: u64,
    control: &Control,
) -> Result<Outcome, Interrupted> {
    let seed = model.policy_seed(replication);
    let mut process = profile::start(&model.policy, model.bins, &seed)
        .expect("checked: the policy has a profile process");
    let mut snapshots = Vec::new();
    // A skipped ball costs less than a nanosecond: a chunk lasts as long as with bins.
    let chunk = CHUNK.max((model.bins as f64).sqrt() as u64 * 1000);
    for stop in model.stops() {
        while process.balls() < stop {
            let balls = chunk.min(stop - process.balls());
            process.throw(balls);
            control.advance(balls)?;
        }
        snapshots.push(Snapshot::of_counts(stop, process.at_least()));
    }
    let last = snapshots.last().expect("the end is a stop").clone();
    Ok(Outcome {
        balls: model.balls,
        max_load: last.max_load,
        average: model.balls as f64 / model.bins as f64,
        empty: model.bins - last.at_least.as_ref().map_or(0, |c| c.get(1).copied().unwrap_or(0)),
        at_least: last.at_least,
        max_load_per_speed: None,
        probes: process.probes(),
        distances: None,
        snapshots: model.asked_for(snapshots),
        loads: None,
    })
}

/// What is drawn for a replication before its policy is built.
struct Site {
    speeds: Option<Arc<[f64]>>,
    places: Option<(Arc<Places>, Arc<NearestIndex>)>,
}

impl Site {
    fn draw(model: &Allocation, stream: &mut Stream) -> Self {
        let speeds = model.speeds.draw(model.bins as usize, stream);
        let places = model.spatial.as_ref().map(|spatial| spatial.servers(model.bins, stream));
        Self { speeds, places }
    }
}

/// The graph of a replication; `None` for a policy without one.
pub(super) fn graph(model: &Allocation, replication: u64) -> Option<PlacedGraph> {
    let network = model.policy.network()?;
    let mut stream = model.world_seed(replication).stream(Role::World);
    let Site { speeds, places } = Site::draw(model, &mut stream);
    let (servers, places) = places.unzip();
    let mut world = World {
        bins: model.bins,
        speeds,
        servers: servers.clone(),
        places,
        neighbours: None,
        comparison: model.comparison,
        stream: &mut stream,
    };
    Some(PlacedGraph { graph: network.stored(&mut world), servers })
}

pub(super) fn run_bins(
    model: &Allocation,
    replication: u64,
    control: &Control,
) -> Result<Outcome, Interrupted> {
    let mut stream = model.world_seed(replication).stream(Role::World);
    let Site { speeds, places } = Site::draw(model, &mut stream);
    let neighbours = model.spatial.as_ref().zip(places.as_ref()).and_then(|(spatial, places)| {
        spatial.neighbours(&places.1, model.policy.neighbours(model.bins))
    });
    let world = World {
        bins: model.bins,
        speeds: speeds.clone(),
        servers: places.as_ref().map(|(places, _)| places.clone()),
        places: places.as_ref().map(|(_, index)| index.clone()),
        neighbours,
        comparison: model.comparison,
        stream: &mut stream,
    };
    let run = Run {
        model,
        control,
        replication,
        speeds: speeds.as_deref(),
        servers: places.as_ref().map(|(places, _)| places.as_ref()),
    };
    model.policy.visit(world, run)
}

/// Several replications in one thread. Where they share a stored graph that walkers chase
/// through, they run interleaved; else one after the other. The outcomes are the same.
pub(super) fn run_together(
    model: &Allocation,
    replications: Range<u64>,
    control: &Control,
) -> Vec<Result<Outcome, Interrupted>> {
    let alone = |replication| {
        control.advance(0)?;
        run_bins(model, replication, control)
    };
    let plain = !model.needs_general_ledger() && model.spatial.is_none();
    if !(plain && model.policy.chases_memory() && replications.clone().count() > 1) {
        return replications.map(alone).collect();
    }
    let mut stream = model.world_seed(replications.start).stream(Role::World);
    let world = World {
        bins: model.bins,
        speeds: None,
        servers: None,
        places: None,
        neighbours: None,
        comparison: model.comparison,
        stream: &mut stream,
    };
    let together = Together { model, control, replications: replications.clone() };
    match model.policy.visit(world, together) {
        Ok(Some(outcomes)) => outcomes.into_iter().map(Ok).collect(),
        // A narrow counter filled up: rare enough to start over.
        Ok(None) => replications.map(alone).collect(),
        Err(Interrupted) => replications.map(|_| Err(Interrupted)).collect(),
    }
}

/// Replications of one world on the bins engine, waiting for their policy.
struct Together<'r> {
    model: &'r Allocation,
    control: &'r Control,
    replications: Range<u64>,
}

impl Visit for Together<'_> {
    /// `None` if they are better run alone: a counter filled up, or nothing is chased.
    type Out = Result<Option<Vec<Outcome>>, Interrupted>;

    fn visit<S, R>(self, policy: Policy<S, R>) -> Self::Out
    where
        S: Sampler<()> + Sampler<User> + Clone + Send + 'static,
        R: Rule<u32> + Rule<f64> + Clone + Send + 'static,
    {
        if !<S as Sampler<()>>::CHASES_MEMORY {
            return Ok(None);
        }
        let Self { model, control, replications } = self;
        control.advance(0)?;
        let run = |replication| Run { model, control, replication, speeds: None, servers: None };
        let runs: Vec<Run<'_>> = replications.map(run).collect();
        let bins = model.bins as usize;
        let mut tables: Vec<_> = runs.iter().map(|_| Buffer::<u8>::zeroed(bins)).collect();
        let mut ledgers: Vec<_> =
            tables.iter_mut().map(|table| Counters::on(&mut *table)).collect();
        let mut throwers: Vec<_> = runs
            .iter()
            .zip(&ledgers)
            .map(|(run, ledger)| {
                // A clone is a dispatcher that has not started yet.
                Thrower::<(), S, R, Bare>::new(
                    policy.clone(),
                    run.streams(),
                    Bare,
                    ledger,
                    model.balls,
                )
            })
            .collect();
        let mut records: Vec<_> = runs.iter().map(|run| Record::new(run, Nothing)).collect();
        for stop in model.stops() {
            while throwers[0].thrown() < stop {
                let before = throwers[0].thrown();
                let until = stop.min(before + CHUNK);
                if Thrower::throw_together(&mut throwers, &mut ledgers, until) == Stopped::Full {
                    return Ok(None);
                }
                control.advance((throwers[0].thrown() - before) * throwers.len() as u64)?;
            }
            for (record, ledger) in records.iter_mut().zip(&ledgers) {
                record.snapshots.push(ledger.snapshot(stop));
            }
        }
        let finished = records.into_iter().zip(&throwers).zip(&ledgers);
        Ok(Some(
            finished.map(|((record, thrower), ledger)| record.finish(thrower, ledger)).collect(),
        ))
    }

    fn visit_placed<S, R>(self, _: Policy<S, R>) -> Self::Out
    where
        S: Sampler<User> + Clone + Send + 'static,
        R: Rule<u32> + Rule<f64> + Clone + Send + 'static,
    {
        unreachable!("only policies without places run together")
    }
}

impl Allocation {
    /// Numbers of balls at which loads are recorded: the snapshots and the end.
    fn stops(&self) -> Vec<u64> {
        let mut stops = self.snapshots.clone();
        stops.push(self.balls);
        stops.dedup();
        stops
    }

    /// The snapshots that were asked for: the end is recorded in any case.
    fn asked_for(&self, mut recorded: Vec<Snapshot>) -> Vec<Snapshot> {
        recorded.truncate(self.snapshots.len());
        recorded
    }
}

/// A replication on the bins engine, waiting for its policy.
struct Run<'r> {
    model: &'r Allocation,
    control: &'r Control,
    replication: u64,
    speeds: Option<&'r [f64]>,
    servers: Option<&'r Places>,
}

impl Visit for Run<'_> {
    type Out = Result<Outcome, Interrupted>;

    fn visit<S, R>(self, policy: Policy<S, R>) -> Self::Out
    where
        S: Sampler<()> + Sampler<User> + Clone + Send + 'static,
        R: Rule<u32> + Rule<f64> + Clone + Send + 'static,
    {
        if self.servers.is_some() {
            return self.visit_placed(policy);
        }
        if self.model.needs_general_ledger() {
            return self.throw_general(policy, Bare, Nothing);
        }
        self.throw_counted(policy, Bare)
    }

    fn visit_placed<S, R>(self, policy: Policy<S, R>) -> Self::Out
    where
        S: Sampler<User> + Clone + Send + 'static,
        R: Rule<u32> + Rule<f64> + Clone + Send + 'static,
    {
        let servers = self.servers.expect("checked: spatial policies have places");
        let users = self.users();
        // Searching near servers costs far more than wide counters do.
        self.throw_general(policy, users, Travel { servers, distances: Distances::new() })
    }
}

impl Run<'_> {
    fn users(&self) -> Users {
        let spatial = self.model.spatial.as_ref().expect("there are places");
        spatial.users(&self.model.world_seed(self.replication))
    }

    fn streams(&self) -> Streams {
        self.model.policy_seed(self.replication).streams()
    }

    /// Unit balls without places, in byte counters that are widened where they fill up.
    fn throw_counted<S, R>(
        &self,
        policy: Policy<S, R>,
        arrivals: Bare,
    ) -> Result<Outcome, Interrupted>
    where
        S: Sampler<()>,
        R: Rule<u32>,
    {
        let bins = self.model.bins as usize;
        let mut table = Buffer::<u8>::zeroed(bins);
        let mut ledger = Counters::on(&mut table);
        let mut thrower = Thrower::new(policy, self.streams(), arrivals, &ledger, self.model.balls);
        let mut record = Record::new(self, Nothing);
        if self.throw(&mut thrower, &mut ledger, &mut record)? == Stopped::Done {
            return Ok(record.finish(&thrower, &ledger));
        }
        let mut wide_table = Buffer::<u32>::zeroed(bins);
        let mut wide = ledger.widened(&mut wide_table);
        drop(table);
        let stopped = self.throw(&mut thrower, &mut wide, &mut record)?;
        assert_eq!(stopped, Stopped::Done, "no bin holds 2^32 balls in a run that ends");
        Ok(record.finish(&thrower, &wide))
    }

    /// Any balls on any bins.
    fn throw_general<A, S, R, V>(
        &self,
        policy: Policy<S, R>,
        arrivals: V,
        observer: impl Observe<A>,
    ) -> Result<Outcome, Interrupted>
    where
        S: Sampler<A>,
        R: Rule<f64>,
        V: Arrivals<A>,
    {
        let mut ledger = self.general_ledger();
        let mut thrower = Thrower::new(policy, self.streams(), arrivals, &ledger, self.model.balls);
        let mut record = Record::new(self, observer);
        self.throw(&mut thrower, &mut ledger, &mut record)?;
        Ok(record.finish(&thrower, &ledger))
    }

    fn general_ledger(&self) -> General {
        let model = self.model;
        let bins = model.bins as usize;
        let seed = model.world_seed(self.replication);
        let view = match model.signal {
            SignalSpec::Exact => View::Exact,
            SignalSpec::Batched { b } => View::Batched(Batched::new(bins, b)),
            SignalSpec::PerSpeed { after } => {
                let speeds = self.speeds.expect("checked: per-speed needs speeds");
                View::PerSpeed(PerSpeed::new(speeds.into(), after))
            }
        };
        let weights = model.weights.clone().map(|law| (law, seed.stream(Role::Weights)));
        let departures = (model.deletions > 0.0)
            .then(|| Departures::new(bins, model.deletions, seed.stream(Role::Deletions)));
        let ledger = General::new(bins, view, weights, departures);
        if model.policy.reads_index() { ledger.with_index() } else { ledger }
    }

    /// Throws all balls, recording on the way.
    fn throw<A, S, R, V, G, O>(
        &self,
        thrower: &mut Thrower<A, S, R, V>,
        ledger: &mut G,
        record: &mut Record<'_, O>,
    ) -> Result<Stopped, Interrupted>
    where
        S: Sampler<A>,
        R: Rule<G::Load>,
        V: Arrivals<A>,
        G: Loads,
        O: Observe<A>,
    {
        while let Some(&stop) = record.stops.last() {
            while thrower.thrown() < stop {
                let before = thrower.thrown();
                let until = stop.min(before + CHUNK);
                let observer = &mut record.observer;
                let stopped = thrower.throw(ledger, until, |arrival, server, balls| {
                    observer.placed(arrival, server, balls);
                });
                self.control.advance(thrower.thrown() - before)?;
                if stopped == Stopped::Full {
                    return Ok(Stopped::Full);
                }
            }
            record.snapshots.push(ledger.snapshot(thrower.thrown()));
            record.stops.pop();
        }
        Ok(Stopped::Done)
    }
}

/// Sees every placement.
trait Observe<A> {
    fn placed(&mut self, arrival: &A, server: ServerId, balls: u64);

    /// The distances seen, where there are places.
    fn distances(self) -> Option<Distances>;
}

/// Balls without places leave nothing to see.
struct Nothing;

impl Observe<()> for Nothing {
    #[inline(always)]
    fn placed(&mut self, (): &(), _: ServerId, _: u64) {}

    fn distances(self) -> Option<Distances> {
        None
    }
}

/// How far users are from the servers that got them.
struct Travel<'r> {
    servers: &'r Places,
    distances: Distances,
}

impl Observe<User> for Travel<'_> {
    fn placed(&mut self, user: &User, server: ServerId, balls: u64) {
        let place = self.servers.points[server.index()];
        self.distances.record(self.servers.metric.distance(user.point, place), balls);
    }

    fn distances(self) -> Option<Distances> {
        Some(self.distances)
    }
}

/// What is noted while balls are thrown.
struct Record<'r, O> {
    run: &'r Run<'r>,
    observer: O,
    snapshots: Vec<Snapshot>,
    /// Numbers of balls at which to record, the next one last.
    stops: Vec<u64>,
}

impl<'r, O> Record<'r, O> {
    fn new(run: &'r Run<'r>, observer: O) -> Self {
        let mut stops = run.model.stops();
        stops.reverse();
        Self { run, observer, snapshots: Vec::new(), stops }
    }

    fn finish<A, S, R, V>(self, thrower: &Thrower<A, S, R, V>, ledger: &impl Loads) -> Outcome
    where
        S: Sampler<A>,
        V: Arrivals<A>,
        O: Observe<A>,
    {
        let model = self.run.model;
        let last = self.snapshots.last().expect("the end is a stop").clone();
        let keep = model.keep_loads || self.run.speeds.is_some();
        let loads = keep.then(|| ledger.real_loads());
        let per_speed = self.run.speeds.zip(loads.as_ref()).map(|(speeds, loads)| {
            loads.iter().zip(speeds).map(|(load, speed)| load / speed).fold(0.0, f64::max)
        });
        Outcome {
            balls: thrower.thrown(),
            max_load: last.max_load,
            average: last.average,
            empty: ledger.empty(),
            at_least: last.at_least,
            max_load_per_speed: per_speed,
            probes: thrower.probes() as f64,
            distances: self.observer.distances(),
            snapshots: model.asked_for(self.snapshots),
            loads: loads.filter(|_| model.keep_loads),
        }
    }
}

/// What can be read off a ledger.
trait Loads: Ledger {
    fn snapshot(&self, balls: u64) -> Snapshot;
    fn empty(&self) -> u64;
    fn real_loads(&self) -> Vec<f64>;
}

impl<C: Counter> Loads for Counters<'_, C> {
    fn snapshot(&self, balls: u64) -> Snapshot {
        Snapshot::of_counts(balls, at_least(&self.occupancy()))
    }

    fn empty(&self) -> u64 {
        self.occupancy()[0]
    }

    fn real_loads(&self) -> Vec<f64> {
        self.loads().iter().map(|load| f64::from(load.to_u32())).collect()
    }
}

impl Loads for General {
    fn snapshot(&self, balls: u64) -> Snapshot {
        let bins = self.loads().len() as f64;
        let max_load = self.loads().iter().copied().fold(0.0, f64::max);
        let at_least = self.counts_unit_balls().then(|| {
            let mut exactly = vec![0; max_load as usize + 1];
            self.loads().iter().for_each(|&load| exactly[load as usize] += 1);
            at_least(&exactly)
        });
        Snapshot { balls, max_load, average: self.total() / bins, at_least }
    }

    fn empty(&self) -> u64 {
        self.loads().iter().filter(|&&load| load == 0.0).count() as u64
    }

    fn real_loads(&self) -> Vec<f64> {
        self.loads().to_vec()
    }
}
