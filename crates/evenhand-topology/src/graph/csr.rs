use thiserror::Error;

use crate::buffer::Buffer;

/// A finite undirected graph, stored as arcs.
///
/// Vertices are `0..vertices()`. Every edge is two arcs, one from each end; a self-loop is two
/// arcs from its vertex to itself, so it counts twice in the degree. Parallel edges are kept: what
/// a simple graph cannot hold is counted, not lost. A uniform arc is a uniform edge in a random
/// direction.
///
/// A regular graph is a table of fixed stride; other graphs have offsets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    rows: Rows,
    targets: Buffer<u32>,
}

/// Where the arcs of a vertex lie.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Rows {
    /// Vertex `v` has arcs `v * degree..(v + 1) * degree`.
    Stride { vertices: usize, degree: usize },
    /// Vertex `v` has arcs `offsets[v]..offsets[v + 1]`.
    Offsets(Vec<usize>),
}

/// Edges that make no graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EdgeError {
    /// An end is no vertex.
    #[error("edge {edge} ends at vertex {vertex}, and there are {vertices} vertices, from 0")]
    NoSuchVertex {
        /// Number of the edge, from 0.
        edge: usize,
        /// The end.
        vertex: u32,
        /// Number of vertices.
        vertices: usize,
    },
}

impl Graph {
    /// A graph from its edges. Within a row, arcs stand in the order of the edges.
    ///
    /// # Errors
    /// If an end is no vertex.
    pub fn from_edges(vertices: usize, edges: &[(u32, u32)]) -> Result<Self, EdgeError> {
        let mut degrees = vec![0_usize; vertices];
        for (edge, &(u, v)) in edges.iter().enumerate() {
            for vertex in [u, v] {
                let Some(degree) = degrees.get_mut(vertex as usize) else {
                    return Err(EdgeError::NoSuchVertex { edge, vertex, vertices });
                };
                *degree += 1;
            }
        }
        let mut offsets = Vec::with_capacity(vertices + 1);
        offsets.push(0);
        for degree in &degrees {
            offsets.push(offsets[offsets.len() - 1] + degree);
        }
        let mut next = offsets[..vertices].to_vec();
        let mut targets = Buffer::zeroed(2 * edges.len());
        for &(u, v) in edges {
            for (from, to) in [(u, v), (v, u)] {
                targets[next[from as usize]] = to;
                next[from as usize] += 1;
            }
        }
        let rows = match degrees.first() {
            Some(&degree) if degrees.iter().all(|&other| other == degree) => {
                Rows::Stride { vertices, degree }
            }
            _ => Rows::Offsets(offsets),
        };
        Ok(Self { rows, targets })
    }

    /// A regular graph from its table of neighbours, row after row; the caller guarantees that
    /// every arc has its opposite.
    pub(crate) fn from_regular_table(
        vertices: usize,
        degree: usize,
        targets: impl Into<Buffer<u32>>,
    ) -> Self {
        let targets = targets.into();
        debug_assert_eq!(targets.len(), vertices * degree);
        Self { rows: Rows::Stride { vertices, degree }, targets }
    }

    /// Number of vertices.
    pub fn vertices(&self) -> usize {
        match &self.rows {
            Rows::Stride { vertices, .. } => *vertices,
            Rows::Offsets(offsets) => offsets.len() - 1,
        }
    }

    /// Number of edges, parallel ones and self-loops included.
    pub fn edges(&self) -> usize {
        self.targets.len() / 2
    }

    /// The ends of the arcs of `vertex`. A neighbour by parallel edges stands there several
    /// times.
    #[inline]
    pub fn neighbours(&self, vertex: u32) -> &[u32] {
        let vertex = vertex as usize;
        match &self.rows {
            Rows::Stride { degree, .. } => &self.targets[vertex * degree..(vertex + 1) * degree],
            Rows::Offsets(offsets) => &self.targets[offsets[vertex]..offsets[vertex + 1]],
        }
    }

    /// Number of arcs of `vertex`.
    #[inline]
    pub fn degree(&self, vertex: u32) -> usize {
        match &self.rows {
            Rows::Stride { degree, .. } => *degree,
            Rows::Offsets(offsets) => offsets[vertex as usize + 1] - offsets[vertex as usize],
        }
    }

    /// The common degree of all vertices, if there is one.
    pub fn regular_degree(&self) -> Option<usize> {
        match &self.rows {
            Rows::Stride { degree, .. } => Some(*degree),
            Rows::Offsets(_) => None,
        }
    }

    /// The ends of all arcs, row after row: twice as many as edges.
    #[inline]
    pub fn arc_ends(&self) -> &[u32] {
        &self.targets
    }

    /// The vertex that an arc starts from.
    #[inline]
    pub fn arc_start(&self, arc: usize) -> u32 {
        match &self.rows {
            Rows::Stride { degree, .. } => (arc / degree) as u32,
            Rows::Offsets(offsets) => (offsets.partition_point(|&start| start <= arc) - 1) as u32,
        }
    }

    /// Every edge once, with multiplicity, its lesser end first.
    pub fn edge_list(&self) -> Vec<(u32, u32)> {
        let mut edges = Vec::with_capacity(self.edges());
        for vertex in 0..self.vertices() as u32 {
            let mut loops = 0;
            for &other in self.neighbours(vertex) {
                if other > vertex {
                    edges.push((vertex, other));
                } else if other == vertex {
                    loops += 1;
                }
            }
            edges.extend((0..loops / 2).map(|_| (vertex, vertex)));
        }
        edges
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_parallel_edges_and_loops() {
        let edges = [(0, 1), (1, 0), (2, 2), (1, 2)];
        let graph = Graph::from_edges(4, &edges).unwrap();
        assert_eq!((graph.vertices(), graph.edges()), (4, 4));
        assert_eq!(graph.neighbours(1), [0, 0, 2]);
        assert_eq!(graph.neighbours(2), [2, 2, 1]);
        assert_eq!(graph.degree(3), 0);
        assert_eq!(graph.regular_degree(), None);
        assert_eq!(graph.edge_list(), [(0, 1), (0, 1), (1, 2), (2, 2)]);
        for arc in 0..graph.arc_ends().len() {
            let start = graph.arc_start(arc);
            assert!(graph.neighbours(start).contains(&graph.arc_ends()[arc]));
        }
        assert!(Graph::from_edges(2, &[(0, 2)]).is_err());
    }

    #[test]
    fn regular_graphs_have_a_stride() {
        let square = Graph::from_edges(4, &[(0, 1), (1, 2), (2, 3), (3, 0)]).unwrap();
        assert_eq!(square.regular_degree(), Some(2));
        assert_eq!(square.neighbours(3), [2, 0]);
        assert_eq!(square.arc_start(5), 2);
    }
}
