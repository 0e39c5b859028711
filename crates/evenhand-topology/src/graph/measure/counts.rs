use serde::Serialize;

use super::super::Graph;

/// The degrees of a graph. A self-loop counts twice, parallel edges each.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Degrees {
    /// The least degree.
    pub min: usize,
    /// The greatest degree.
    pub max: usize,
    /// The mean degree: twice the edges over the vertices.
    pub mean: f64,
}

/// Least, greatest and mean degree; `None` without vertices.
pub fn degrees(graph: &Graph) -> Option<Degrees> {
    let all = || (0..graph.vertices() as u32).map(|vertex| graph.degree(vertex));
    Some(Degrees {
        min: all().min()?,
        max: all().max()?,
        mean: graph.arc_ends().len() as f64 / graph.vertices() as f64,
    })
}

/// What a simple graph without isolated vertices does not have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Irregularities {
    /// Edges from a vertex to itself.
    pub self_loops: usize,
    /// Edges beyond the first between two different vertices. Self-loops are not among them.
    pub parallel_edges: usize,
    /// Vertices without edges.
    pub isolated: usize,
}

/// Counts self-loops, parallel edges and isolated vertices.
pub fn irregularities(graph: &Graph) -> Irregularities {
    let mut found = Irregularities::default();
    let mut row = Vec::new();
    for vertex in 0..graph.vertices() as u32 {
        row.clear();
        row.extend_from_slice(graph.neighbours(vertex));
        row.sort_unstable();
        found.isolated += usize::from(row.is_empty());
        found.self_loops += row.iter().filter(|&&other| other == vertex).count() / 2;
        let repeats = row.windows(2).filter(|pair| pair[0] == pair[1] && pair[0] > vertex);
        found.parallel_edges += repeats.count();
    }
    found
}
