use super::{Neighbours, PairedSlots};

/// A hypercube. Slot `s` flips bit `s` of the vertex number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HypercubeGraph {
    dimension: u32,
}

impl HypercubeGraph {
    /// 2^`dimension` vertices; the dimension is from 1 to 31.
    pub(in crate::graph) fn new(dimension: u32) -> Self {
        Self { dimension }
    }
}

impl Neighbours for HypercubeGraph {
    #[inline]
    fn vertices(&self) -> u64 {
        1 << self.dimension
    }

    #[inline]
    fn degree(&self) -> u32 {
        self.dimension
    }

    #[inline]
    fn neighbour(&self, vertex: u32, slot: u32) -> u32 {
        vertex ^ (1 << slot)
    }
}

impl PairedSlots for HypercubeGraph {
    #[inline]
    fn reverse_slot(&self, slot: u32) -> u32 {
        slot
    }
}
