//! The configuration model: a random pairing of the slots of all vertices.

use evenhand_core::prefetch;
use rand::{Rng, RngExt};

use super::joined::Joined;
use crate::buffer::Buffer;

/// A slot without a partner. No slot has this number.
const FREE: u32 = u32::MAX;
/// Rows up to this degree are searched.
const MOST_SEARCHED: u32 = 64;
/// With at most this many vertices for each unit of degree, a bit for each pair of vertices takes
/// no more room than the pairing.
const VERTICES_PER_DEGREE: u32 = 32;
/// Pairs whose memory is asked for at once.
const BLOCK: usize = 32;

/// A partial pairing of slots without self-loops and parallel edges. Slots `v * degree` up to
/// `(v + 1) * degree` belong to vertex `v`.
pub(super) struct Pairing {
    degree: u32,
    partner: Buffer<u32>,
    /// The vertices that are joined, for dense graphs.
    joined: Option<Joined>,
}

impl Pairing {
    /// A uniform pairing among those without conflicts: drawn until there are none. Each simple
    /// graph comes from equally many pairings.
    pub(super) fn without_conflicts(
        vertices: u32,
        degree: u32,
        rng: &mut (impl Rng + ?Sized),
    ) -> Self {
        let mut pairing = Self::free(vertices, degree);
        let mut slots = pairing.slots();
        while let Err(left) = pairing.try_all(&mut slots, rng) {
            slots[left..].iter().for_each(|&slot| pairing.part(slot));
        }
        pairing
    }

    /// A uniform pairing, whose conflicts are then repaired by random switchings.
    pub(super) fn repaired(vertices: u32, degree: u32, rng: &mut (impl Rng + ?Sized)) -> Self {
        loop {
            let mut pairing = Self::free(vertices, degree);
            let conflicts = pairing.pair_all(rng);
            if conflicts.into_iter().all(|(a, b)| pairing.switch_in(a, b, rng)) {
                return pairing;
            }
        }
    }

    /// The table of neighbours; all slots are paired.
    pub(super) fn into_targets(mut self) -> Buffer<u32> {
        let degree = self.degree;
        self.partner.iter_mut().for_each(|partner| *partner /= degree);
        self.partner
    }

    fn free(vertices: u32, degree: u32) -> Self {
        let is_dense = degree > MOST_SEARCHED && vertices / VERTICES_PER_DEGREE < degree;
        Self {
            degree,
            partner: Buffer::filled(vertices as usize * degree as usize, FREE),
            joined: is_dense.then(|| Joined::new(vertices)),
        }
    }

    fn slots(&self) -> Buffer<u32> {
        let mut slots = Buffer::zeroed(self.partner.len());
        (0..).zip(slots.iter_mut()).for_each(|(slot, place)| *place = slot);
        slots
    }

    /// Pairs all slots, or stops at the first conflict: then `slots[left..]` have partners.
    fn try_all(&mut self, slots: &mut [u32], rng: &mut (impl Rng + ?Sized)) -> Result<(), usize> {
        for left in (2..=slots.len()).rev().step_by(2) {
            let (a, b) = draw_pair(slots, left, rng);
            if !self.join(a, b) {
                return Err(left);
            }
        }
        Ok(())
    }

    /// Pairs all slots, except conflicting pairs; those are returned, and their slots are free.
    ///
    /// Block by block: first where to swap, then the swaps, then the joins. Neither the random
    /// places nor the swaps depend on a join, so the pairing is what it would be pair by pair,
    /// while the memory of a whole block is asked for ahead.
    fn pair_all(&mut self, rng: &mut (impl Rng + ?Sized)) -> Vec<(u32, u32)> {
        let mut slots = self.slots();
        let mut conflicts = Vec::new();
        let mut left = slots.len();
        while left > 0 {
            let block = BLOCK.min(left / 2);
            let lefts = std::array::from_fn::<_, BLOCK, _>(|pair| left.saturating_sub(2 * pair));
            let others = lefts.map(|left| if left > 0 { rng.random_range(0..left - 1) } else { 0 });
            others.iter().for_each(|&other| prefetch(&raw const slots[other]));
            let mut pairs = [(0, 0); BLOCK];
            for pair in 0..block {
                let (a, b) = take_pair(&mut slots, lefts[pair], others[pair]);
                prefetch(self.row(a / self.degree).as_ptr());
                prefetch(self.row(b / self.degree).as_ptr());
                pairs[pair] = (a, b);
            }
            conflicts.extend(pairs[..block].iter().filter(|&&(a, b)| !self.join(a, b)));
            left -= 2 * block;
        }
        conflicts
    }

    /// Frees a random pair `(c, d)` and pairs `a` with `c` and `b` with `d`, where that makes no
    /// conflict. Gives up after very many tries.
    fn switch_in(&mut self, a: u32, b: u32, rng: &mut (impl Rng + ?Sized)) -> bool {
        let slots = self.partner.len();
        for _ in 0..64 * slots + 1000 {
            let c = rng.random_range(0..slots) as u32;
            let d = self.partner[c as usize];
            if d != FREE && self.may_join(a, c) && self.may_join(b, d) {
                self.part(c);
                self.pair(a, c);
                self.pair(b, d);
                return true;
            }
        }
        false
    }

    /// Pairs two slots, if that makes no conflict.
    #[inline]
    fn join(&mut self, a: u32, b: u32) -> bool {
        let free_of_conflict = self.may_join(a, b);
        if free_of_conflict {
            self.pair(a, b);
        }
        free_of_conflict
    }

    fn pair(&mut self, a: u32, b: u32) {
        self.partner[a as usize] = b;
        self.partner[b as usize] = a;
        self.toggle(a, b);
    }

    /// Frees a slot and its partner, if it has one.
    fn part(&mut self, a: u32) {
        let b = self.partner[a as usize];
        if b != FREE {
            self.partner[a as usize] = FREE;
            self.partner[b as usize] = FREE;
            self.toggle(a, b);
        }
    }

    fn toggle(&mut self, a: u32, b: u32) {
        if let Some(joined) = &mut self.joined {
            joined.toggle(a / self.degree, b / self.degree);
        }
    }

    /// Whether the vertices of two slots differ and are not joined.
    #[inline]
    fn may_join(&self, a: u32, b: u32) -> bool {
        let (u, v) = (a / self.degree, b / self.degree);
        u != v
            && match &self.joined {
                Some(joined) => !joined.contains(u, v),
                None => !self.row_has(u, v),
            }
    }

    /// The partners of the slots of `vertex`.
    #[inline]
    fn row(&self, vertex: u32) -> &[u32] {
        &self.partner[vertex as usize * self.degree as usize..][..self.degree as usize]
    }

    /// Whether a slot of `u` is paired with one of `v`.
    #[inline]
    fn row_has(&self, u: u32, v: u32) -> bool {
        let first = v * self.degree;
        // No early exit: the comparison of a whole row is vectorised.
        self.row(u)
            .iter()
            .fold(false, |has, partner| has | (partner.wrapping_sub(first) < self.degree))
    }
}

/// Moves a uniform pair of the first `left` slots to their end, and returns it.
#[inline]
fn draw_pair(slots: &mut [u32], left: usize, rng: &mut (impl Rng + ?Sized)) -> (u32, u32) {
    take_pair(slots, left, rng.random_range(0..left - 1))
}

/// Pairs the last of the first `left` slots with `other`, which moves next to it.
#[inline]
fn take_pair(slots: &mut [u32], left: usize, other: usize) -> (u32, u32) {
    slots.swap(other, left - 2);
    (slots[left - 1], slots[left - 2])
}
