//! The graph of a policy: its expression, what prevents it, and how samplers move on it.

mod warnings;

use std::sync::{Arc, OnceLock};

use evenhand_core::{Rng, below, prefetch};
use evenhand_expr::{Args, Call};
use evenhand_topology::graph::measure::degrees;
use evenhand_topology::graph::{Graph, GraphIssue, GraphSpec, Implicit, NamedGraph, Neighbours};

use crate::definition::{Issue, Setting, World};

pub use warnings::Movement;

/// The graph that restricts a policy's choices. The vertices are the servers.
#[derive(Clone, Debug)]
pub struct Network {
    spec: GraphSpec,
    /// The graph of a file, read with the expression.
    file: Option<Arc<NamedGraph>>,
    /// A graph that all replications share, once it is built.
    shared: Arc<OnceLock<Roads>>,
}

impl PartialEq for Network {
    fn eq(&self, other: &Self) -> bool {
        self.spec == other.spec
    }
}

impl Network {
    /// Reads the parameter `graph`; a file is read here.
    pub(crate) fn read(args: &mut Args<'_>) -> Self {
        let span = args.span_of("graph");
        let call = args.call_or_none("graph");
        if call.is_none() && span.is_none() {
            let help = "name one, such as ring, torus, hypercube or regular(8)";
            args.problem(None, "`graph` is missing", Some(help.to_string()));
        }
        let spec = call.and_then(|call| args.nested(GraphSpec::from_call(call)));
        let spec = spec.unwrap_or(GraphSpec::Ring);
        let file = match spec.read() {
            Some(Ok(graph)) => Some(Arc::new(graph)),
            Some(Err(error)) => {
                args.problem(span, error.to_string(), None);
                None
            }
            None => None,
        };
        Self { spec, file, shared: Arc::default() }
    }

    /// The expression of the graph.
    pub(crate) fn expression(&self) -> Call {
        self.spec.expression()
    }

    /// What the graph is.
    pub fn spec(&self) -> &GraphSpec {
        &self.spec
    }

    /// The graph of a file with its labels and positions.
    pub fn file(&self) -> Option<&NamedGraph> {
        self.file.as_deref()
    }

    /// The graph of one replication, stored: the one in which a policy of this world chooses.
    ///
    /// # Panics
    /// If the policy's check would have refused the graph in this setting.
    pub fn stored(&self, world: &mut World<'_>) -> Graph {
        match self.build(world).paths {
            Paths::Stored(graph) => Arc::unwrap_or_clone(graph),
            Paths::Implicit(graph) => graph.store().expect("the graph was checked"),
        }
    }

    /// Number of vertices, where the graph itself fixes it.
    pub(crate) fn vertices(&self) -> Option<u64> {
        let of_file = self.file.as_ref().map(|file| file.graph.vertices() as u64);
        of_file.or_else(|| self.spec.vertices())
    }

    /// What prevents the graph in this setting.
    pub(crate) fn check(&self, setting: &Setting) -> Vec<Issue> {
        if let Some(vertices) = self.vertices().filter(|&vertices| vertices != setting.bins) {
            let message = format!("the graph has {vertices} vertices for {} bins", setting.bins);
            return vec![Issue::of(
                "graph",
                message,
                format!("give --bins {vertices}, or leave it out"),
            )];
        }
        let issues = self.spec.check(Some(setting.bins), setting.metric.is_some());
        issues.into_iter().map(Self::issue).collect()
    }

    /// Parameters of the graph stand inside the parameter `graph`.
    fn issue(issue: GraphIssue) -> Issue {
        Issue { parameter: Some("graph"), message: issue.message, help: issue.help }
    }

    /// What walkers need beyond [`Network::check`]: no vertex where they would have to turn back.
    pub(crate) fn check_walks(&self, bins: u64) -> Vec<Issue> {
        let least = match (&self.spec, &self.file) {
            (_, Some(file)) => degrees(&file.graph).map_or(0, |degrees| degrees.min as u64),
            (GraphSpec::Gnp { .. }, _) => 0,
            (GraphSpec::Knn { k: 1 }, _) => 1,
            (spec, _) => spec.shape(bins).map_or(2, |shape| shape.least_degree),
        };
        if least >= 2 {
            return Vec::new();
        }
        let message = match self.spec {
            GraphSpec::Gnp { .. } => "a random graph gnp(p) may have vertices of degree 0 or 1, where a walker would have to turn back".to_string(),
            _ => format!("a vertex has degree {least}: a walker would have to turn back there"),
        };
        vec![Issue::of(
            "graph",
            message,
            "walk on a graph of degree at least 2, such as regular(4)",
        )]
    }

    /// The graph of one replication. One that all replications share is built once.
    pub(crate) fn build(&self, world: &mut World<'_>) -> Roads {
        if self.is_stored_and_fixed() {
            return self.shared.get_or_init(|| self.build_anew(world)).clone();
        }
        self.build_anew(world)
    }

    fn build_anew(&self, world: &mut World<'_>) -> Roads {
        if let Some(file) = &self.file {
            return Roads::stored(file.graph.clone());
        }
        let bins = world.bins;
        if let Some(implicit) = self.spec.implicit(bins).expect("the graph was checked") {
            return Roads { paths: Paths::Implicit(implicit), simple: true };
        }
        let places = world.servers.clone();
        let graph = self.spec.build(bins, places.as_deref(), world.stream);
        Roads::stored(graph.expect("the graph was checked"))
    }

    /// True if every replication moves on the same graph, and it is stored.
    pub(crate) fn is_stored_and_fixed(&self) -> bool {
        let computed = matches!(
            self.spec,
            GraphSpec::Complete
                | GraphSpec::Ring
                | GraphSpec::Torus { .. }
                | GraphSpec::Hypercube
                | GraphSpec::Circulant { .. }
        );
        !computed && !self.spec.is_random() && !self.spec.needs_places()
    }

    /// Memory of the graph while it is built, in bytes: a stored arc takes 4 bytes, and about four
    /// times as much while it is drawn. A file is in memory already.
    pub(crate) fn bytes(&self, vertices: u64) -> f64 {
        16.0 * self.expected_arcs(vertices)
    }

    /// About how many arcs will be stored.
    fn expected_arcs(&self, vertices: u64) -> f64 {
        let n = vertices as f64;
        let degree = match self.spec {
            GraphSpec::Regular { k, .. } => f64::from(k),
            GraphSpec::Knn { k } => 2.0 * f64::from(k),
            GraphSpec::Lps { p, .. } => f64::from(p) + 1.0,
            GraphSpec::Gnp { p, .. } => p * n,
            GraphSpec::Delaunay => 6.0,
            GraphSpec::Star => 2.0,
            _ => 0.0,
        };
        n * degree
    }
}

/// A graph to move on: computed or stored.
#[derive(Clone, Debug)]
pub(crate) struct Roads {
    paths: Paths,
    /// True without self-loops and parallel edges.
    simple: bool,
}

#[derive(Clone, Debug)]
enum Paths {
    Implicit(Implicit),
    Stored(Arc<Graph>),
}

impl Roads {
    fn stored(graph: Graph) -> Self {
        let simple = is_simple(&graph);
        Self { paths: Paths::Stored(Arc::new(graph)), simple }
    }

    /// The stored graph, if it is not computed.
    pub(crate) fn graph(&self) -> Option<&Graph> {
        match &self.paths {
            Paths::Stored(graph) => Some(graph),
            Paths::Implicit(_) => None,
        }
    }

    pub(crate) fn vertices(&self) -> u64 {
        match &self.paths {
            Paths::Implicit(graph) => graph.vertices(),
            Paths::Stored(graph) => graph.vertices() as u64,
        }
    }

    /// The common degree, if there is one.
    pub(crate) fn regular_degree(&self) -> Option<u32> {
        match &self.paths {
            Paths::Implicit(graph) => Some(graph.degree()),
            Paths::Stored(graph) => graph.regular_degree().map(|degree| degree as u32),
        }
    }

    #[inline(always)]
    pub(crate) fn degree(&self, vertex: u32) -> u32 {
        match &self.paths {
            Paths::Implicit(graph) => graph.degree(),
            Paths::Stored(graph) => graph.degree(vertex) as u32,
        }
    }

    /// The neighbour of `vertex` at `slot`, below its degree.
    #[inline(always)]
    pub(crate) fn neighbour(&self, vertex: u32, slot: u32) -> u32 {
        match &self.paths {
            Paths::Stored(graph) => graph.neighbours(vertex)[slot as usize],
            Paths::Implicit(Implicit::Hypercube(graph)) => graph.neighbour(vertex, slot),
            Paths::Implicit(Implicit::Torus(graph)) => graph.neighbour(vertex, slot),
            Paths::Implicit(Implicit::Ring(graph)) => graph.neighbour(vertex, slot),
            Paths::Implicit(Implicit::Circulant(graph)) => graph.neighbour(vertex, slot),
            Paths::Implicit(Implicit::Complete(graph)) => graph.neighbour(vertex, slot),
            Paths::Implicit(_) => unreachable!("all families are matched above"),
        }
    }

    /// Asks for the row of `vertex`, which will be read soon.
    #[inline(always)]
    pub(crate) fn prefetch(&self, vertex: u32) {
        if let Paths::Stored(graph) = &self.paths {
            prefetch(graph.neighbours(vertex).as_ptr());
        }
    }

    /// Asks for the end of the arc of `vertex` at `slot`, which will be read soon.
    #[inline(always)]
    pub(crate) fn prefetch_slot(&self, vertex: u32, slot: u32) {
        if let Paths::Stored(graph) = &self.paths {
            prefetch(&raw const graph.neighbours(vertex)[slot as usize]);
        }
    }

    /// A uniform neighbour; the vertex itself if it has none.
    #[inline(always)]
    pub(crate) fn step<R: Rng + ?Sized>(&self, vertex: u32, rng: &mut R) -> u32 {
        match self.degree(vertex) {
            0 => vertex,
            degree => self.neighbour(vertex, below(rng, degree.into()) as u32),
        }
    }

    /// A uniform edge of `vertex` other than the one by which a walker came from `previous`: the
    /// vertex at its other end. Where there is no other edge, the walker turns back.
    #[inline(always)]
    pub(crate) fn step_on<R: Rng + ?Sized>(&self, previous: u32, vertex: u32, rng: &mut R) -> u32 {
        let degree = self.degree(vertex);
        if degree < 2 {
            return previous;
        }
        if self.simple {
            // One slot leads back. The last one stands in for it.
            let drawn = self.neighbour(vertex, below(rng, u64::from(degree) - 1) as u32);
            return if drawn == previous { self.neighbour(vertex, degree - 1) } else { drawn };
        }
        loop {
            let drawn = self.neighbour(vertex, below(rng, degree.into()) as u32);
            if drawn != previous || self.keeps_parallel(previous, vertex, rng) {
                return drawn;
            }
        }
    }

    /// Of `m` parallel edges to `previous` one was used: each is taken with m - 1 in m.
    #[cold]
    fn keeps_parallel<R: Rng + ?Sized>(&self, previous: u32, vertex: u32, rng: &mut R) -> bool {
        let slots = 0..self.degree(vertex);
        let parallel = slots.filter(|&slot| self.neighbour(vertex, slot) == previous).count();
        below(rng, parallel as u64) != 0
    }
}

fn is_simple(graph: &Graph) -> bool {
    let mut row = Vec::new();
    (0..graph.vertices() as u32).all(|vertex| {
        row.clear();
        row.extend_from_slice(graph.neighbours(vertex));
        row.sort_unstable();
        !row.contains(&vertex) && row.windows(2).all(|pair| pair[0] != pair[1])
    })
}
