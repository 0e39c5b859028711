//! The graph of a request: its expression, what prevents it, and how it is built.

mod build;
mod check;
mod expression;
mod sampled;
mod shape;

use std::path::Path;

use super::{NamedGraph, ReadError, ReadOptions, read_graph};

pub use check::GraphIssue;
pub use sampled::Sampled;
pub use shape::Shape;

/// A graph by name, before its number of vertices is known.
///
/// The expressions are those of [`GraphSpec::parse`]. [`GraphSpec::check`] tells what prevents a
/// graph; [`GraphSpec::build`] stores it; [`GraphSpec::implicit`] computes it on the fly.
///
/// ```
/// use evenhand_topology::graph::GraphSpec;
/// use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
///
/// let spec: GraphSpec = "regular(3)".parse()?;
/// assert_eq!(spec.check(Some(7), false)[0].message, "7 vertices of degree 3: the product is odd");
///
/// let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
/// let graph = spec.build(10, None, &mut rng)?;
/// assert_eq!((graph.vertices(), graph.edges()), (10, 15));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum GraphSpec {
    /// Every two vertices are neighbours.
    Complete,
    /// A cycle of at least 3 vertices.
    Ring,
    /// A grid with opposite sides glued: 4-regular.
    Torus {
        /// Rows and columns, at least 3 each; `None` for the most square torus that has the
        /// number of vertices.
        sides: Option<(u32, u32)>,
    },
    /// Vertices whose numbers differ in one bit are neighbours; their number is a power of two.
    Hypercube,
    /// A random simple connected graph in which every vertex has `k` neighbours.
    Regular {
        /// Number of neighbours of each vertex.
        k: u32,
        /// Seed of a fixed graph; without it, a new graph each time.
        seed: Option<u64>,
    },
    /// The neighbours of `v` are `v + o` and `v - o`, modulo the number of vertices, for every
    /// offset `o`. It is connected if no number above 1 divides all offsets and the number of
    /// vertices.
    Circulant {
        /// The offsets, from 1. No two may lead to the same neighbour.
        offsets: Vec<u32>,
    },
    /// The Ramanujan graph X^{p,q} of Lubotzky, Phillips, Sarnak 1988, (p + 1)-regular.
    ///
    /// It is the Cayley graph of PSL(2, q) if p is a square modulo q, with q(q^2 - 1)/2 vertices,
    /// and else of PGL(2, q), with q(q^2 - 1) vertices and bipartite. Arcs `2i` and `2i + 1` of a
    /// row belong to a generator and its inverse.
    Lps {
        /// A prime that is 1 modulo 4.
        p: u32,
        /// Another one, above 2 sqrt(p).
        q: u32,
    },
    /// Vertex 0 is the neighbour of all others.
    Star,
    /// Every edge is there with probability `p`, independently. It need not be connected.
    Gnp {
        /// Probability of an edge.
        p: f64,
        /// Seed of a fixed graph; without it, a new graph each time.
        seed: Option<u64>,
    },
    /// Each place is joined to the `k` places nearest to it, by distance, then by number. As it
    /// may be among the nearest of more places, its degree is at least `k`.
    Knn {
        /// Number of nearest places.
        k: u32,
    },
    /// The Delaunay triangulation of the places: neighbours have Voronoi cells with a common
    /// side.
    ///
    /// * Places at one spot: the one with the lowest number is triangulated, and the others have
    ///   it as their only neighbour.
    /// * Places on a line are joined in their order.
    /// * Where four or more places lie on a circle that is otherwise empty, one of several
    ///   triangulations is taken.
    /// * On the torus the triangulation is that of the torus, edges through the sides included.
    ///   Places are moved by less than 10^-9 for it, to settle ties alike in all copies.
    /// * On the globe, if all places are less than 90 degrees from their mean direction, their
    ///   map (stereographic, centred there) is triangulated; triangles around the empty half of
    ///   the globe are left out. Else the whole globe is triangulated.
    Delaunay,
    /// The graph of a file.
    File {
        /// Name of the file.
        path: String,
        /// Drop self-loops, and all but one of parallel edges.
        simplify: bool,
        /// Keep the largest component only.
        largest_component: bool,
    },
}

impl GraphSpec {
    /// Number of vertices, where the graph itself fixes it: `lps` and `torus(rows, cols)`.
    ///
    /// `None` otherwise, and for an `lps` that does not exist.
    #[must_use]
    pub fn vertices(&self) -> Option<u64> {
        match *self {
            Self::Torus { sides: Some((rows, cols)) } => Some(u64::from(rows) * u64::from(cols)),
            Self::Lps { p, q } => super::generate::lps::order(p, q),
            _ => None,
        }
    }

    /// Reads the graph of a file; `None` for a graph that is made.
    #[must_use]
    pub fn read(&self) -> Option<Result<NamedGraph, ReadError>> {
        let &Self::File { ref path, simplify, largest_component } = self else { return None };
        let options = ReadOptions { simplify, largest_component, ..ReadOptions::default() };
        Some(read_graph(Path::new(path), &options))
    }

    /// Whether each call of [`GraphSpec::build`] draws another graph.
    #[must_use]
    pub fn is_random(&self) -> bool {
        matches!(self, Self::Regular { seed: None, .. } | Self::Gnp { seed: None, .. })
    }

    /// Whether the graph is that of places.
    #[must_use]
    pub fn needs_places(&self) -> bool {
        matches!(self, Self::Knn { .. } | Self::Delaunay)
    }
}
