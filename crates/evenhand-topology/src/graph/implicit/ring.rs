use super::{Neighbours, PairedSlots, backward, forward};

/// A cycle. Slot 0 is the next vertex, slot 1 the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RingGraph {
    vertices: u32,
}

impl RingGraph {
    /// At least three vertices.
    pub(in crate::graph) fn new(vertices: u32) -> Self {
        Self { vertices }
    }
}

impl Neighbours for RingGraph {
    #[inline]
    fn vertices(&self) -> u64 {
        self.vertices.into()
    }

    #[inline]
    fn degree(&self) -> u32 {
        2
    }

    #[inline]
    fn neighbour(&self, vertex: u32, slot: u32) -> u32 {
        if slot == 0 {
            forward(vertex, 1, self.vertices)
        } else {
            backward(vertex, 1, self.vertices)
        }
    }
}

impl PairedSlots for RingGraph {
    #[inline]
    fn reverse_slot(&self, slot: u32) -> u32 {
        slot ^ 1
    }
}
