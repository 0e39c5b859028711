use bytemuck::Pod;
use evenhand_core::{ServerId, Signal};

use super::Ledger;

/// The width of a counter.
pub(crate) trait Counter: Pod + Ord {
    /// The greatest load that it holds.
    const MAX: u32;
    fn to_u32(self) -> u32;
    fn from_u32(load: u32) -> Self;
}

impl Counter for u8 {
    const MAX: u32 = u8::MAX as u32;
    #[inline(always)]
    fn to_u32(self) -> u32 {
        self.into()
    }
    #[inline(always)]
    fn from_u32(load: u32) -> Self {
        load as u8
    }
}

impl Counter for u32 {
    const MAX: u32 = u32::MAX;
    #[inline(always)]
    fn to_u32(self) -> u32 {
        self
    }
    #[inline(always)]
    fn from_u32(load: u32) -> Self {
        load
    }
}

/// Loads of unit balls, one narrow counter a bin: a byte until some load comes near 255, then 32
/// bits. Four times more bins fit a cache.
#[derive(Debug)]
pub(crate) struct Counters<'t, C> {
    loads: &'t mut [C],
    total: u64,
    greatest: u32,
}

impl<'t, C: Counter> Counters<'t, C> {
    /// Empty bins on a table of zeros.
    pub(crate) fn on(table: &'t mut [C]) -> Self {
        Self { loads: table, total: 0, greatest: 0 }
    }

    pub(crate) fn loads(&self) -> &[C] {
        self.loads
    }

    /// The same loads in the wider counters of `table`.
    pub(crate) fn widened<'w, W: Counter>(&self, table: &'w mut [W]) -> Counters<'w, W> {
        for (to, from) in table.iter_mut().zip(self.loads.iter()) {
            *to = W::from_u32(from.to_u32());
        }
        Counters { loads: table, total: self.total, greatest: self.greatest }
    }

    /// Number of bins with each load, from 0 to the greatest.
    pub(crate) fn occupancy(&self) -> Vec<u64> {
        /// Up to this load, one pass of vector comparisons per load beats a pass of increments.
        const FEW_LOADS: u32 = 24;
        let mut counts = vec![0_u64; self.greatest as usize + 1];
        if self.greatest <= FEW_LOADS {
            for part in self.loads.chunks(1 << 14) {
                for (load, count) in counts.iter_mut().enumerate() {
                    *count += count_equal(part, C::from_u32(load as u32));
                }
            }
        } else {
            self.loads.iter().for_each(|load| counts[load.to_u32() as usize] += 1);
        }
        counts
    }
}

/// Counts in bytes, so that a vector register holds as many counters as loads.
fn count_equal<C: Counter>(loads: &[C], load: C) -> u64 {
    let in_byte = |part: &[C]| part.iter().map(|&l| u8::from(l == load)).sum::<u8>();
    loads.chunks(255).map(|part| u64::from(in_byte(part))).sum()
}

impl<C: Counter> Signal for Counters<'_, C> {
    type Load = u32;

    #[inline(always)]
    fn load(&self, server: ServerId) -> u32 {
        self.loads[server.index()].to_u32()
    }

    #[inline(always)]
    fn average(&self) -> Option<f64> {
        Some(self.total as f64 / self.loads.len() as f64)
    }

    #[inline(always)]
    fn prefetch(&self, server: ServerId) {
        let address = self.loads.as_ptr().wrapping_add(server.index());
        evenhand_core::prefetch(address);
    }
}

impl<C: Counter> Ledger for Counters<'_, C> {
    #[inline(always)]
    fn admit(&mut self, server: ServerId, balls: u64) {
        let load = &mut self.loads[server.index()];
        let grown = load.to_u32() + balls as u32;
        *load = C::from_u32(grown);
        self.greatest = self.greatest.max(grown);
        self.total += balls;
    }

    /// A choice raises the greatest load by at most one: several balls at once are only put
    /// below the average, which is at most the greatest load.
    #[inline(always)]
    fn has_room_for(&self, choices: u64) -> bool {
        u64::from(self.greatest) + choices <= u64::from(C::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widening_keeps_loads_and_occupancy() {
        let mut table = [0_u8; 10];
        let mut narrow = Counters::on(&mut table);
        for ball in 0..200 {
            narrow.admit(ServerId(ball % 7), 1 + u64::from(ball % 3));
        }
        let mut wide_table = [0_u32; 10];
        let wide = narrow.widened(&mut wide_table);
        for bin in 0..10 {
            assert_eq!(narrow.load(ServerId(bin)), wide.load(ServerId(bin)));
        }
        assert_eq!(narrow.occupancy(), wide.occupancy());
        assert_eq!(narrow.average(), wide.average());
        assert_eq!(wide.occupancy().iter().sum::<u64>(), 10);
    }
}
