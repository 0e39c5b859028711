//! A graph with what is known about it.

use crate::graph::Graph;
use crate::space::Point;

use super::raw::Components;

/// A graph with its labels and places, and what was noticed while it was read.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct NamedGraph {
    /// The graph. A reader sorts edges, so that the same edges make the same graph.
    pub graph: Graph,
    /// Labels of the vertices, one each, where the source has any. Labels may repeat. `None` also
    /// where they would be the numbers of the vertices.
    pub labels: Option<Vec<String>>,
    /// Where the vertices are, in degrees (`x` longitude, `y` latitude), one entry each; `None` for
    /// a vertex of which the source does not say it. `None` as a whole where it says it of none.
    pub positions: Option<Vec<Option<Point>>>,
    /// Counts of the graph in the source, before anything was dropped on request.
    pub counts: Counts,
    /// What was dropped, and how the source was understood: sentences for people.
    pub notes: Vec<String>,
    /// Where the graph comes from: a file name, or the expression that made it.
    pub source: String,
}

/// Counts that tell whether a graph is simple and connected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Number of edges from a vertex to itself.
    pub self_loops: usize,
    /// Number of edges beyond the first between a pair of vertices, or beyond the first self-loop
    /// of a vertex.
    pub parallel_edges: usize,
    /// Number of vertices without an edge.
    pub isolated: usize,
    /// Number of components; an isolated vertex is one.
    pub components: usize,
}

impl NamedGraph {
    /// A graph without labels and positions.
    pub fn new(graph: Graph, source: impl Into<String>) -> Self {
        let mut edges = graph.edge_list();
        edges.sort_unstable();
        let components = Components::new(graph.vertices(), &edges);
        let counts = Counts::of(&edges, &components);
        let source = source.into();
        NamedGraph { graph, labels: None, positions: None, counts, notes: Vec::new(), source }
    }
}

impl Counts {
    /// Counts of a graph from its edges, lesser end first, sorted.
    pub(super) fn of(edges: &[(u32, u32)], components: &Components) -> Self {
        Counts {
            self_loops: edges.iter().filter(|(u, v)| u == v).count(),
            parallel_edges: edges.windows(2).filter(|pair| pair[0] == pair[1]).count(),
            isolated: components.isolated(),
            components: components.count(),
        }
    }
}
