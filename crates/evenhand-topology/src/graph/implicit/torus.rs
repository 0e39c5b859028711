use super::{Neighbours, PairedSlots, backward, forward};

/// A shorter side would make parallel edges.
pub(in crate::graph) const SHORTEST_SIDE: u32 = 3;

/// A grid with opposite sides glued, vertices numbered row by row. Slots 0 and 1 are the next and
/// the previous column, slots 2 and 3 the next and the previous row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TorusGraph {
    rows: u32,
    columns: u32,
    /// The least integer above 2^64 / columns: a product with it replaces a division (Lemire,
    /// Kaser, Kurz 2019).
    reciprocal: u64,
}

impl TorusGraph {
    /// Both sides are at least [`SHORTEST_SIDE`], and the product fits in 32 bits.
    pub(in crate::graph) fn new(rows: u32, columns: u32) -> Self {
        Self { rows, columns, reciprocal: u64::MAX / u64::from(columns) + 1 }
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// Number of columns.
    #[must_use]
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// `vertex` modulo the number of columns.
    #[inline(always)]
    fn column(&self, vertex: u32) -> u32 {
        let fraction = self.reciprocal.wrapping_mul(u64::from(vertex));
        ((u128::from(fraction) * u128::from(self.columns)) >> 64) as u32
    }
}

impl Neighbours for TorusGraph {
    #[inline]
    fn vertices(&self) -> u64 {
        u64::from(self.rows) * u64::from(self.columns)
    }

    #[inline]
    fn degree(&self) -> u32 {
        4
    }

    #[inline]
    fn neighbour(&self, vertex: u32, slot: u32) -> u32 {
        let last = self.columns - 1;
        match slot {
            0 if self.column(vertex) == last => vertex - last,
            0 => vertex + 1,
            1 if self.column(vertex) == 0 => vertex + last,
            1 => vertex - 1,
            2 => forward(vertex, self.columns, self.rows * self.columns),
            _ => backward(vertex, self.columns, self.rows * self.columns),
        }
    }
}

impl PairedSlots for TorusGraph {
    #[inline]
    fn reverse_slot(&self, slot: u32) -> u32 {
        slot ^ 1
    }
}

/// The sides of the most square torus with this many vertices, the shorter first.
pub(in crate::graph) fn near_square(vertices: u64) -> Option<(u32, u32)> {
    let shorter = (u64::from(SHORTEST_SIDE)..=vertices.isqrt())
        .rev()
        .find(|&side| vertices.is_multiple_of(side))?;
    Some((u32::try_from(shorter).ok()?, u32::try_from(vertices / shorter).ok()?))
}
