//! Writing graphs to files.

mod edge_list;
mod graph6;
mod graphml;

use std::io::{self, Write};

use super::read::{Counts, Format, NamedGraph};

/// Why a graph could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// Writing failed.
    #[error("cannot write the graph: {source}")]
    Io {
        /// The error of the operating system.
        #[from]
        source: io::Error,
    },
    /// graph6 holds simple graphs only.
    #[error(
        "graph6 cannot hold self-loops ({}) or parallel edges ({}); simplify the graph, or write an \
         edge list or GraphML",
        counts.self_loops,
        counts.parallel_edges
    )]
    NotSimple {
        /// What makes the graph not simple.
        counts: Counts,
    },
    /// The format can be read only.
    #[error("{format} is read, not written; write an edge list, GraphML or graph6")]
    ReadOnly {
        /// The format asked for.
        format: Format,
    },
    /// Labels or positions do not fit the graph.
    #[error("the graph has {vertices} vertices and {found} {what}; give one for each vertex")]
    WrongLength {
        /// Labels or positions.
        what: &'static str,
        /// Number of vertices.
        vertices: usize,
        /// Number of labels or positions.
        found: usize,
    },
}

/// Writes a graph.
///
/// * [`Format::EdgeList`]: a comment with the numbers of vertices and edges, then the two ends of
///   each edge by number. Labels and positions are not written.
/// * [`Format::GraphMl`]: vertices with the labels and positions they have, then edges.
/// * [`Format::Graph6`]: one line; simple graphs only. Labels and positions are not written.
///
/// [`read_graph`](super::read_graph) reads the same graph back.
///
/// # Errors
/// [`WriteError::ReadOnly`] for other formats, [`WriteError::NotSimple`] for graph6 and a graph
/// that is not simple, [`WriteError::WrongLength`] if labels or positions are not one for each
/// vertex, [`WriteError::Io`] if writing fails.
pub fn write_graph(
    graph: &NamedGraph,
    format: Format,
    to: &mut dyn Write,
) -> Result<(), WriteError> {
    check_length(graph, "labels", graph.labels.as_ref().map(Vec::len))?;
    check_length(graph, "positions", graph.positions.as_ref().map(Vec::len))?;
    match format {
        Format::EdgeList => Ok(edge_list::write(&graph.graph, to)?),
        Format::GraphMl => Ok(graphml::write(graph, to)?),
        Format::Graph6 => graph6::write(&graph.graph, to),
        Format::Gml | Format::MatrixMarket | Format::Sparse6 | Format::NodeLink => {
            Err(WriteError::ReadOnly { format })
        }
    }
}

fn check_length(
    graph: &NamedGraph,
    what: &'static str,
    found: Option<usize>,
) -> Result<(), WriteError> {
    let vertices = graph.graph.vertices();
    match found {
        Some(found) if found != vertices => Err(WriteError::WrongLength { what, vertices, found }),
        _ => Ok(()),
    }
}
