//! What a policy says of itself, and how an engine gets at its parts.

use std::sync::Arc;

use evenhand_core::{Policy, Rule, Sampler, Stream};
use evenhand_expr::{Args, Call};
use evenhand_topology::space::{Metric, NearestIndex, NeighbourTable, Places, Point};

use crate::comparisons::Comparison;
use crate::network::{Movement, Network};

/// One row of the table of policies: shown by `evenhand policies`, used for suggestions.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// The name in expressions.
    pub name: &'static str,
    /// Name and parameters with their defaults.
    pub syntax: &'static str,
    /// Which servers are candidates, and which of them is chosen.
    pub meaning: &'static str,
    /// Author and year of the source.
    pub source: &'static str,
}

/// An arrival that has a place.
#[derive(Clone, Copy, Debug)]
pub struct User {
    /// Row of the user in its file; meaningless where users are drawn from a distribution.
    pub index: u32,
    /// Where the user is.
    pub point: Point,
}

/// What is known of a request before anything is simulated: enough to refuse a policy.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Number of bins.
    pub bins: u64,
    /// The metric of the servers' places, where they have places.
    pub metric: Option<Metric>,
    /// True if bins have speeds.
    pub has_speeds: bool,
    /// True if balls have weights.
    pub has_weights: bool,
    /// True if balls are jobs, which leave a server when their work is done.
    pub has_jobs: bool,
    /// How loads are compared.
    pub comparison: Comparison,
}

impl Setting {
    /// The issue of `d` distinct draws from fewer bins.
    pub(crate) fn too_few_for(&self, d: u32, distinct: bool) -> Option<Issue> {
        (distinct && u64::from(d) > self.bins).then(|| {
            let message = format!("cannot draw {d} distinct servers of {}", self.bins);
            Issue::of("d", message, "draw fewer, or with replacement (leave out `distinct`)")
        })
    }

    /// The issue of a policy that places several balls at once, where balls are jobs.
    pub(crate) fn no_jobs_for(&self, name: &str) -> Option<Issue> {
        self.has_jobs.then(|| {
            let message = format!("`{name}` places several balls at once, and jobs come singly");
            Issue::whole(message, "use thinning, which compares with the average too, or choices")
        })
    }
}

/// The world of one replication, in which a policy is built.
#[derive(Debug)]
pub struct World<'w> {
    /// Number of bins.
    pub bins: u64,
    /// Speed of each bin.
    pub speeds: Option<Arc<[f64]>>,
    /// The servers' places.
    pub servers: Option<Arc<Places>>,
    /// The index of the servers' places.
    pub places: Option<Arc<NearestIndex>>,
    /// The nearest servers of each user of a file, computed once.
    pub neighbours: Option<Arc<NeighbourTable>>,
    /// How loads are compared.
    pub comparison: Comparison,
    /// Randomness of the world: the arcs of a ring, the sites of cells.
    pub stream: &'w mut Stream,
}

/// Something wrong between a policy and the setting. The front end knows where the parameter
/// stands in the expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// The parameter at fault, if it is one.
    pub parameter: Option<&'static str>,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

impl Issue {
    /// An issue of one parameter.
    pub fn of(parameter: &'static str, message: String, help: impl Into<String>) -> Self {
        Self { parameter: Some(parameter), message, help: Some(help.into()) }
    }

    /// An issue of the policy as a whole.
    pub fn whole(message: String, help: impl Into<String>) -> Self {
        Self { parameter: None, message, help: Some(help.into()) }
    }
}

/// A policy as the registry knows it: its words, and how its sampler and rule are built.
pub trait Definition: Sized {
    /// One row per name. The first is the policy's own; others are short names.
    const INFO: &'static [Info];
    /// Parameters in positional order.
    const PARAMETERS: &'static [&'static str];

    /// Reads the parameters; problems are left in `args`. `name` is one of [`Definition::INFO`].
    fn read(name: &str, args: &mut Args<'_>) -> Self;

    /// The canonical expression.
    fn expression(&self) -> Call;

    /// What prevents the policy from running in this setting.
    fn check(&self, setting: &Setting) -> Vec<Issue>;

    /// Builds sampler and rule and hands them to `visitor`.
    fn visit<V: Visit>(&self, world: World<'_>, visitor: V) -> V::Out;

    /// Rough cost of one ball in nanoseconds, for estimates.
    fn nanoseconds_per_ball(&self, bins: u64) -> f64;

    /// How many nearest servers of a user the policy looks at; `None` if it has no use for them.
    fn neighbours(&self, _bins: u64) -> Option<u64> {
        None
    }

    /// The graph that restricts the policy's choices, if there is one.
    fn network(&self) -> Option<&Network> {
        None
    }

    /// How the policy finds candidates on its graph, where it has one.
    fn movement(&self) -> Movement {
        Movement::Neighbours
    }

    /// True if each arrival's candidates wait for memory that the last one's point to, in a world
    /// that all replications share: then replications gain from running interleaved.
    fn chases_memory(&self) -> bool {
        false
    }

    /// True if the policy asks the signal for the least loaded server of all.
    fn reads_index(&self) -> bool {
        false
    }

    /// True if the policy asks the signal for the average load.
    fn reads_average(&self) -> bool {
        false
    }

    /// True if the signal has to show the policy unfinished work, not numbers of jobs.
    fn reads_work(&self) -> bool {
        false
    }
}

/// An engine that wants a policy with its types, so that its loop is compiled for them.
pub trait Visit {
    /// What the engine returns.
    type Out;

    /// Takes a policy that works for any arrival.
    fn visit<S, R>(self, policy: Policy<S, R>) -> Self::Out
    where
        S: Sampler<()> + Sampler<User> + Clone + Send + 'static,
        R: Rule<u32> + Rule<f64> + Clone + Send + 'static;

    /// Takes a policy that needs the arrival's place.
    fn visit_placed<S, R>(self, policy: Policy<S, R>) -> Self::Out
    where
        S: Sampler<User> + Clone + Send + 'static,
        R: Rule<u32> + Rule<f64> + Clone + Send + 'static;
}
