use super::{Neighbours, PairedSlots, forward};

/// The complete graph. Slot `s` leads `s + 1` vertices ahead, modulo the number of vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompleteGraph {
    vertices: u32,
}

impl CompleteGraph {
    /// At least one vertex.
    pub(in crate::graph) fn new(vertices: u32) -> Self {
        Self { vertices }
    }
}

impl Neighbours for CompleteGraph {
    #[inline]
    fn vertices(&self) -> u64 {
        self.vertices.into()
    }

    #[inline]
    fn degree(&self) -> u32 {
        self.vertices - 1
    }

    #[inline]
    fn neighbour(&self, vertex: u32, slot: u32) -> u32 {
        forward(vertex, slot + 1, self.vertices)
    }
}

impl PairedSlots for CompleteGraph {
    #[inline]
    fn reverse_slot(&self, slot: u32) -> u32 {
        self.vertices - 2 - slot
    }
}
