use super::{Neighbours, PairedSlots, forward};

/// A circulant graph: the neighbours of `v` are `v + o` and `v - o`, modulo the number of
/// vertices, for every offset `o`.
///
/// Slots come in pairs, ahead and back, in the order of the offsets. The offset of half the
/// number of vertices has one slot, the last, which is its own reverse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CirculantGraph {
    vertices: u32,
    /// How far each slot leads ahead.
    steps: Vec<u32>,
    /// Number of slots that have another one as their reverse.
    paired: u32,
}

impl CirculantGraph {
    /// Offsets are from 1 to `vertices - 1`, and no two lead to the same neighbour.
    pub(in crate::graph) fn new(vertices: u32, offsets: &[u32]) -> Self {
        let is_half = |offset: u32| offset == vertices - offset;
        let both = |&offset: &u32| [offset, vertices - offset];
        let mut steps: Vec<u32> =
            offsets.iter().filter(|&&offset| !is_half(offset)).flat_map(both).collect();
        let paired = steps.len() as u32;
        steps.extend(offsets.iter().copied().find(|&offset| is_half(offset)));
        Self { vertices, steps, paired }
    }
}

impl Neighbours for CirculantGraph {
    #[inline]
    fn vertices(&self) -> u64 {
        self.vertices.into()
    }

    #[inline]
    fn degree(&self) -> u32 {
        self.steps.len() as u32
    }

    #[inline]
    fn neighbour(&self, vertex: u32, slot: u32) -> u32 {
        forward(vertex, self.steps[slot as usize], self.vertices)
    }
}

impl PairedSlots for CirculantGraph {
    #[inline]
    fn reverse_slot(&self, slot: u32) -> u32 {
        if slot < self.paired { slot ^ 1 } else { slot }
    }
}
