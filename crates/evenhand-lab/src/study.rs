//! Running points: replications over threads, and their results.
//!
//! ```
//! use evenhand_lab::study::{Partial, Point};
//! use evenhand_policies::PolicySpec;
//! use evenhand_sim::{Allocation, Control, Engine};
//!
//! let model = Allocation::new(PolicySpec::parse("two-choice").unwrap(), 100, 100);
//! let point = Point { model, engine: Engine::Bins, runs: 8, notes: vec![] };
//! let control = Control::default();
//!
//! // Two halves, run anywhere in any order, are the whole.
//! let mut halves = point.run(4..8, &control);
//! halves.merge(point.run(0..4, &control));
//! assert_eq!(halves, point.run(0..8, &control));
//!
//! let result = point.result(&halves, 0.5).unwrap();
//! assert_eq!(result.runs, 8);
//! ```

mod picture;
mod queue;
mod theory;

use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Instant;

use evenhand_sim::observe::{Distances, Mean, mean_with_interval};
use evenhand_sim::{Allocation, Control, Engine, Outcome, Servers, Spatial, UserSource};
use evenhand_topology::space::Metric;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::record::{AllocateResult, Distance, Estimate, LoadMap, MaxLoad, Snapshot};

/// One point of a study: a model, the engine that runs it, and how often.
#[derive(Clone, Debug)]
pub struct Point {
    /// The model with its policy.
    pub model: Allocation,
    /// The engine.
    pub engine: Engine,
    /// Replications.
    pub runs: u64,
    /// What the reader of the result should know.
    pub notes: Vec<String>,
}

/// Replications of a point that are finished. Parts merge in any order to the same whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Partial {
    outcomes: BTreeMap<u64, Outcome>,
}

impl Partial {
    /// Number of finished replications.
    pub fn runs(&self) -> u64 {
        self.outcomes.len() as u64
    }

    /// Adds the replications of another part of the same point.
    pub fn merge(&mut self, other: Self) {
        self.outcomes.extend(other.outcomes);
    }

    fn each(&self, value: impl Fn(&Outcome) -> f64) -> Vec<f64> {
        self.outcomes.values().map(value).collect()
    }
}

pub use picture::MOST_DRAWN_VERTICES;
pub use queue::{Observer, QueuePoint, Statistic, Stop};

/// A finished point: its result, and the picture of its servers where they have fixed places or
/// are the vertices of a graph.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The result.
    pub result: AllocateResult,
    /// Servers coloured by load.
    pub map: Option<LoadMap>,
}

impl Point {
    /// Runs the replications of a range on the current thread pool. Those that `control` stopped
    /// are left out.
    pub fn run(&self, replications: Range<u64>, control: &Control) -> Partial {
        let together = self.model.replications_together(self.engine);
        // Small enough groups that every thread gets one.
        let share = (replications.end - replications.start).div_ceil(threads() as u64);
        let together = together.min(share).max(1) as usize;
        let groups: Vec<u64> = replications.clone().step_by(together).collect();
        let run = |first: u64| {
            let group = first..(first + together as u64).min(replications.end);
            let outcomes = self.model.run_together(self.engine, group.clone(), control);
            group.zip(outcomes).filter_map(|(run, outcome)| Some((run, outcome.ok()?))).collect()
        };
        let outcomes: Vec<Vec<(u64, Outcome)>> = groups.into_par_iter().map(run).collect();
        Partial { outcomes: outcomes.into_iter().flatten().collect() }
    }

    /// Runs all replications and sums them up; `None` if not one was finished.
    pub fn finish(&self, control: &Control) -> Option<Finished> {
        let start = Instant::now();
        let partial = self.run(0..self.runs, control);
        let mut result = self.result(&partial, start.elapsed().as_secs_f64())?;
        let map = picture::draw(&self.model, &partial, &mut result.notes);
        Some(Finished { result, map })
    }

    /// The result of finished replications; `None` if there are none. `seconds` is the wall time
    /// that they took.
    pub fn result(&self, partial: &Partial, seconds: f64) -> Option<AllocateResult> {
        let model = &self.model;
        let first = partial.outcomes.values().next()?;
        let thrown: f64 = partial.each(|o| o.balls as f64).iter().sum();
        let fractions = fractions(partial, model.bins);
        let mut notes = self.notes.clone();
        if partial.runs() < self.runs {
            notes.push(format!("interrupted: {} of {} runs finished", partial.runs(), self.runs));
        }
        let (prediction, note) = theory::beside_allocation(self, partial);
        notes.extend(note);
        Some(AllocateResult {
            policy: model.policy.to_string(),
            engine: self.engine.name().to_string(),
            bins: model.bins,
            balls: model.balls,
            runs: partial.runs(),
            signal: model.signal.to_string(),
            comparison: model.comparison.to_string(),
            weights: model.weights.as_ref().map(ToString::to_string),
            speeds: (!model.speeds.are_equal()).then(|| model.speeds.to_string()),
            deletions: (model.deletions > 0.0).then_some(model.deletions),
            servers: model.spatial.as_ref().map(servers_name),
            users: model.spatial.as_ref().map(users_name),
            max_load: max_load(partial),
            gap: estimate(&partial.each(Outcome::gap)),
            max_load_per_speed: first
                .max_load_per_speed
                .map(|_| estimate(&partial.each(|o| o.max_load_per_speed.unwrap_or(0.0)))),
            fraction_at_least: fractions
                .as_ref()
                .map(|levels| levels.iter().map(|level| level.mean).collect()),
            fraction_at_least_ci95: fractions
                .and_then(|levels| levels.iter().map(|level| level.ci95).collect()),
            empty: estimate(&partial.each(|o| o.empty as f64)),
            probes_per_ball: partial.each(|o| o.probes).iter().sum::<f64>() / thrown.max(1.0),
            distance: distance(partial, model),
            snapshots: snapshots(partial, model),
            prediction,
            notes,
            seconds,
            balls_per_second: thrown / seconds.max(1e-9),
        })
    }
}

/// Threads of the current pool.
fn threads() -> usize {
    rayon::current_num_threads()
}

fn estimate(values: &[f64]) -> Estimate {
    let Mean { mean, ci95 } = mean_with_interval(values);
    Estimate { mean, ci95 }
}

fn max_load(partial: &Partial) -> MaxLoad {
    let values = partial.each(|outcome| outcome.max_load);
    let unit_balls = partial.outcomes.values().all(|outcome| outcome.at_least.is_some());
    let counts = unit_balls.then(|| {
        let mut counts = BTreeMap::new();
        values.iter().for_each(|&load| *counts.entry(load as u64).or_insert(0) += 1);
        counts
    });
    let Estimate { mean, ci95 } = estimate(&values);
    MaxLoad {
        mean,
        ci95,
        min: values.iter().copied().fold(f64::INFINITY, f64::min),
        max: values.iter().copied().fold(0.0, f64::max),
        counts,
    }
}

/// Fraction of bins with load at least i, over the runs; `None` for weighted balls.
fn fractions(partial: &Partial, bins: u64) -> Option<Vec<Mean>> {
    let profiles: Option<Vec<&Vec<u64>>> =
        partial.outcomes.values().map(|outcome| outcome.at_least.as_ref()).collect();
    let profiles = profiles?;
    let levels = profiles.iter().map(|profile| profile.len()).max()?;
    let fraction = |profile: &[u64], level: usize| {
        profile.get(level).copied().unwrap_or(0) as f64 / bins as f64
    };
    let mean = |level| {
        let values: Vec<f64> = profiles.iter().map(|profile| fraction(profile, level)).collect();
        mean_with_interval(&values)
    };
    Some((0..levels).map(mean).collect())
}

fn distance(partial: &Partial, model: &Allocation) -> Option<Distance> {
    let spatial = model.spatial.as_ref()?;
    let mut all = Distances::new();
    for outcome in partial.outcomes.values() {
        all.merge(outcome.distances.as_ref()?);
    }
    Some(Distance {
        unit: spatial.metric().unit().to_string(),
        mean: all.mean(),
        p95: all.quantile(0.95),
        max: all.max(),
    })
}

fn snapshots(partial: &Partial, model: &Allocation) -> Option<Vec<Snapshot>> {
    if model.snapshots.is_empty() {
        return None;
    }
    let one = |i: usize| {
        let runs = partial.outcomes.values().map(move |outcome| &outcome.snapshots[i]);
        let mean = |value: fn(&evenhand_sim::Snapshot) -> f64| {
            runs.clone().map(value).sum::<f64>() / partial.runs() as f64
        };
        Snapshot {
            balls: model.snapshots[i],
            max_load: mean(|snapshot| snapshot.max_load),
            gap: mean(evenhand_sim::Snapshot::gap),
            fraction_at_least: mean_profile(runs.clone(), model.bins),
        }
    };
    Some((0..model.snapshots.len()).map(one).collect())
}

fn mean_profile<'s>(
    runs: impl Iterator<Item = &'s evenhand_sim::Snapshot>,
    bins: u64,
) -> Option<Vec<f64>> {
    let mut sums: Vec<u128> = Vec::new();
    let mut count = 0.0;
    for snapshot in runs {
        let profile = snapshot.at_least.as_ref()?;
        sums.resize(sums.len().max(profile.len()), 0);
        sums.iter_mut().zip(profile).for_each(|(sum, &bins)| *sum += u128::from(bins));
        count += 1.0;
    }
    Some(sums.iter().map(|&sum| sum as f64 / (count * bins as f64)).collect())
}

fn servers_name(spatial: &Spatial) -> String {
    match &spatial.servers {
        Servers::Fixed { places, .. } => places.source.clone(),
        Servers::Drawn { layout, metric: Metric::Torus } => format!("{layout} on the torus"),
        Servers::Drawn { layout, .. } => layout.to_string(),
    }
}

fn users_name(spatial: &Spatial) -> String {
    match &spatial.users {
        UserSource::InOrder(places) | UserSource::Rows(places) => places.source.clone(),
        UserSource::Drawn(layout) => layout.to_string(),
    }
}
