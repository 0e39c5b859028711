use bytemuck::Pod;
use evenhand_core::{ServerId, Signal};

use super::Ledger;
use super::buffer::Buffer;

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
pub(crate) struct Counters<C> {
    loads: Buffer<C>,
    total: u64,
    greatest: u32,
}

impl<C: Counter> Counters<C> {
    pub(crate) fn zeroed(bins: usize) -> Self {
        Self { loads: Buffer::zeroed(bins), total: 0, greatest: 0 }
    }

    pub(crate) fn loads(&self) -> &[C] {
        self.loads.as_slice()
    }

    /// The same loads in wider counters.
    pub(crate) fn widened<W: Counter>(&self) -> Counters<W> {
        let mut wide = Counters::zeroed(self.loads().len());
        for (to, from) in wide.loads.as_mut_slice().iter_mut().zip(self.loads()) {
            *to = W::from_u32(from.to_u32());
        }
        Counters { total: self.total, greatest: self.greatest, ..wide }
    }

    /// Number of bins with each load, from 0 to the greatest.
    pub(crate) fn occupancy(&self) -> Vec<u64> {
        let mut counts = vec![0_u64; self.greatest as usize + 1];
        // Four tables, so that equal neighbours do not wait for one another.
        if counts.len() <= 256 {
            let mut tables = [[0_u32; 256]; 4];
            for part in self.loads().chunks(1 << 30) {
                tables.iter_mut().for_each(|table| table.fill(0));
                let (quads, rest) = part.as_chunks::<4>();
                for quad in quads {
                    for (table, load) in tables.iter_mut().zip(quad) {
                        table[load.to_u32() as usize & 255] += 1;
                    }
                }
                rest.iter().for_each(|load| tables[0][load.to_u32() as usize & 255] += 1);
                for (load, count) in counts.iter_mut().enumerate() {
                    *count += tables.iter().map(|table| u64::from(table[load])).sum::<u64>();
                }
            }
        } else {
            self.loads().iter().for_each(|load| counts[load.to_u32() as usize] += 1);
        }
        counts
    }
}

impl<C: Counter> Signal for Counters<C> {
    type Load = u32;

    #[inline(always)]
    fn load(&self, server: ServerId) -> u32 {
        self.loads.as_slice()[server.index()].to_u32()
    }

    #[inline(always)]
    fn average(&self) -> Option<f64> {
        Some(self.total as f64 / self.loads().len() as f64)
    }

    #[inline(always)]
    fn prefetch(&self, server: ServerId) {
        let address = self.loads.as_slice().as_ptr().wrapping_add(server.index());
        crate::prefetch(address);
    }
}

impl<C: Counter> Ledger for Counters<C> {
    #[inline(always)]
    fn admit(&mut self, server: ServerId, balls: u64) {
        let load = &mut self.loads.as_mut_slice()[server.index()];
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
        let mut narrow = Counters::<u8>::zeroed(10);
        for ball in 0..200 {
            narrow.admit(ServerId(ball % 7), 1 + u64::from(ball % 3));
        }
        let wide: Counters<u32> = narrow.widened();
        for bin in 0..10 {
            assert_eq!(narrow.load(ServerId(bin)), wide.load(ServerId(bin)));
        }
        assert_eq!(narrow.occupancy(), wide.occupancy());
        assert_eq!(narrow.average(), wide.average());
        assert_eq!(wide.occupancy().iter().sum::<u64>(), 10);
    }
}
