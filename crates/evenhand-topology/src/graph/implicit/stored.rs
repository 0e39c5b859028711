use super::Neighbours;
use crate::graph::Graph;

/// A stored regular graph, seen as one that is computed. Made by [`Graph::as_regular`].
///
/// The way back is not known from a slot alone: compare vertices instead.
#[derive(Clone, Copy, Debug)]
pub struct StoredGraph<'g> {
    targets: &'g [u32],
    vertices: usize,
    degree: usize,
}

impl Graph {
    /// The graph as a source of neighbours, if it is regular.
    #[must_use]
    pub fn as_regular(&self) -> Option<StoredGraph<'_>> {
        let degree = self.regular_degree()?;
        Some(StoredGraph { targets: self.arc_ends(), vertices: self.vertices(), degree })
    }
}

impl Neighbours for StoredGraph<'_> {
    #[inline]
    fn vertices(&self) -> u64 {
        self.vertices as u64
    }

    #[inline]
    fn degree(&self) -> u32 {
        self.degree as u32
    }

    #[inline]
    fn neighbour(&self, vertex: u32, slot: u32) -> u32 {
        self.targets[vertex as usize * self.degree + slot as usize]
    }
}
