//! Why a graph could not be made.

use thiserror::Error;

use super::{EdgeError, GraphIssue, GraphSpec};
use crate::space;

/// Why a graph could not be built.
///
/// Each message says what is wrong and what to do about it.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GraphError {
    /// The graph does not exist with this number of vertices, or without places.
    #[error("{graph}: {}", list(issues))]
    Unfit {
        /// The graph asked for.
        graph: GraphSpec,
        /// Everything that is wrong, at least one issue.
        issues: Vec<GraphIssue>,
    },
    /// The graph has too many arcs (two for each edge) to be stored.
    #[error(
        "a graph of {vertices} vertices and degree {degree} has {} arcs, and at most {most} are \
         stored; use fewer vertices or a lower degree",
        u128::from(*vertices) * u128::from(*degree)
    )]
    TooManyArcs {
        /// Number of vertices.
        vertices: u64,
        /// Number of arcs from each vertex.
        degree: u64,
        /// The most arcs that are stored.
        most: u64,
    },
    /// The number of places is not the number of vertices.
    #[error(
        "the graph has {vertices} vertices, but there are {places} places; each vertex needs its \
         own place"
    )]
    PlaceCount {
        /// Number of vertices.
        vertices: u64,
        /// Number of places.
        places: usize,
    },
    /// A coordinate is too large for exact geometry.
    #[error(
        "place {place} (from 0) has the coordinate {coordinate:e}, and a triangulation takes at \
         most {most:e}; use a larger unit of length"
    )]
    FarPlace {
        /// Number of the place, from 0.
        place: usize,
        /// The coordinate.
        coordinate: f64,
        /// The largest coordinate that can be used.
        most: f64,
    },
    /// The places cannot be used.
    #[error(transparent)]
    Places(#[from] space::Error),
    /// The edges make no graph.
    #[error(transparent)]
    Edges(#[from] EdgeError),
    /// A graph of a file is read, not generated.
    #[error("the graph of {path:?} is in a file; read it with the reader of graph files")]
    NeedsReader {
        /// Name of the file.
        path: String,
    },
}

fn list(issues: &[GraphIssue]) -> String {
    let each: Vec<String> = issues.iter().map(ToString::to_string).collect();
    each.join("; ")
}
