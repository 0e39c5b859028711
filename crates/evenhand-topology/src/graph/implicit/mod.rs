//! Graphs computed on the fly, never stored.

mod circulant;
mod complete;
mod hypercube;
mod ring;
mod stored;
mod torus;

pub use circulant::CirculantGraph;
pub use complete::CompleteGraph;
pub use hypercube::HypercubeGraph;
pub use ring::RingGraph;
pub use stored::StoredGraph;
pub use torus::TorusGraph;

pub(super) use torus::{SHORTEST_SIDE, near_square};

use super::{Graph, GraphError};

/// The most arcs of a stored graph: they are numbered in 32 bits.
pub(super) const MOST_ARCS: u64 = u32::MAX as u64;

/// A regular graph that tells the neighbours of a vertex.
///
/// The neighbours of a vertex are numbered by slots, `0..degree()`. No neighbour has two slots,
/// unless the graph has parallel edges.
pub trait Neighbours {
    /// Number of vertices, at most `u32::MAX`. They are `0..vertices()`.
    fn vertices(&self) -> u64;

    /// Number of slots of each vertex.
    fn degree(&self) -> u32;

    /// The neighbour of `vertex` at `slot`.
    ///
    /// The result means nothing, or the call panics, for a vertex or a slot out of range.
    fn neighbour(&self, vertex: u32, slot: u32) -> u32;
}

/// A graph in which the way back along an edge is known from its slot alone.
///
/// A walk that must not turn back needs to remember a slot, not a vertex.
pub trait PairedSlots: Neighbours {
    /// The slot that leads back: `neighbour(neighbour(v, s), reverse_slot(s)) == v` for every
    /// vertex `v`.
    fn reverse_slot(&self, slot: u32) -> u32;
}

/// A graph of one of the families that need no storage.
///
/// Match once and run a loop that is generic over [`PairedSlots`].
///
/// ```
/// use evenhand_topology::graph::{GraphSpec, Implicit, Neighbours, PairedSlots};
///
/// fn steps_ahead(graph: &impl PairedSlots, steps: u32) -> u32 {
///     (0..steps).fold(0, |vertex, _| graph.neighbour(vertex, 0))
/// }
///
/// let spec: GraphSpec = "ring".parse()?;
/// let Some(Implicit::Ring(ring)) = spec.implicit(1_000_000_000)? else { unreachable!() };
/// assert_eq!(steps_ahead(&ring, 5), 5);
/// assert_eq!(ring.neighbour(5, ring.reverse_slot(0)), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Implicit {
    /// Every two vertices are neighbours.
    Complete(CompleteGraph),
    /// A cycle.
    Ring(RingGraph),
    /// A grid with opposite sides glued.
    Torus(TorusGraph),
    /// Vertices whose numbers differ in one bit are neighbours.
    Hypercube(HypercubeGraph),
    /// Vertices at given distances on a ring are neighbours.
    Circulant(CirculantGraph),
}

impl Implicit {
    /// Number of vertices.
    #[must_use]
    pub fn vertices(&self) -> u64 {
        match self {
            Self::Complete(graph) => graph.vertices(),
            Self::Ring(graph) => graph.vertices(),
            Self::Torus(graph) => graph.vertices(),
            Self::Hypercube(graph) => graph.vertices(),
            Self::Circulant(graph) => graph.vertices(),
        }
    }

    /// Number of neighbours of each vertex.
    #[must_use]
    pub fn degree(&self) -> u32 {
        match self {
            Self::Complete(graph) => graph.degree(),
            Self::Ring(graph) => graph.degree(),
            Self::Torus(graph) => graph.degree(),
            Self::Hypercube(graph) => graph.degree(),
            Self::Circulant(graph) => graph.degree(),
        }
    }

    /// The same graph, stored; neighbours in the order of their slots.
    ///
    /// # Errors
    /// [`GraphError::TooManyArcs`].
    pub fn store(&self) -> Result<Graph, GraphError> {
        match self {
            Self::Complete(graph) => store(graph),
            Self::Ring(graph) => store(graph),
            Self::Torus(graph) => store(graph),
            Self::Hypercube(graph) => store(graph),
            Self::Circulant(graph) => store(graph),
        }
    }
}

/// The table of a graph, rows in the order of the slots.
pub(super) fn store(graph: &impl Neighbours) -> Result<Graph, GraphError> {
    let (vertices, degree) = (graph.vertices(), graph.degree());
    refuse_too_many_arcs(vertices, u64::from(degree))?;
    let row = |vertex| (0..degree).map(move |slot| graph.neighbour(vertex, slot));
    let mut targets = Vec::with_capacity((vertices * u64::from(degree)) as usize);
    (0..vertices as u32).for_each(|vertex| targets.extend(row(vertex)));
    Ok(Graph::from_regular_table(vertices as usize, degree as usize, targets))
}

/// Refuses a regular graph that has more arcs than are stored.
pub(super) fn refuse_too_many_arcs(vertices: u64, degree: u64) -> Result<(), GraphError> {
    match vertices.checked_mul(degree) {
        Some(arcs) if arcs <= MOST_ARCS => Ok(()),
        _ => Err(GraphError::TooManyArcs { vertices, degree, most: MOST_ARCS }),
    }
}

/// `vertex + step` modulo `vertices`, both below `vertices`.
#[inline(always)]
fn forward(vertex: u32, step: u32, vertices: u32) -> u32 {
    let room = vertices - vertex;
    if step < room { vertex + step } else { step - room }
}

/// `vertex - step` modulo `vertices`, both below `vertices`.
#[inline(always)]
fn backward(vertex: u32, step: u32, vertices: u32) -> u32 {
    if step <= vertex { vertex - step } else { vertices - (step - vertex) }
}
