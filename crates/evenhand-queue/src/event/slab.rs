//! Records with a place of their own, which are made and dropped all the time.

use std::ops::{Index, IndexMut};

use bytemuck::Pod;
use evenhand_topology::buffer::Buffer;

/// No place.
pub(super) const NONE: u32 = u32::MAX;

/// Records at numbered places; a place that is free is taken again.
#[derive(Debug)]
pub(super) struct Slab<T> {
    records: Buffer<T>,
    /// Places from here on were never taken.
    fresh: u32,
    free: Vec<u32>,
}

impl<T: Pod> Slab<T> {
    pub(super) fn new() -> Self {
        Self { records: Buffer::zeroed(16), fresh: 0, free: Vec::new() }
    }

    /// Stores a record and returns its place.
    #[inline]
    pub(super) fn insert(&mut self, record: T) -> u32 {
        let place = self.free.pop().unwrap_or_else(|| self.take_fresh());
        self.records[place as usize] = record;
        place
    }

    fn take_fresh(&mut self) -> u32 {
        let place = self.fresh as usize;
        if place == self.records.len() {
            let mut longer = Buffer::zeroed(2 * place);
            longer[..place].copy_from_slice(&self.records);
            self.records = longer;
        }
        self.fresh += 1;
        place as u32
    }

    /// Frees a place.
    #[inline]
    pub(super) fn release(&mut self, place: u32) {
        self.free.push(place);
    }

    /// Asks the memory system for the record at a place, which need not exist.
    #[inline(always)]
    pub(super) fn prefetch(&self, place: u32) {
        evenhand_core::prefetch(self.records.as_ptr().wrapping_add(place as usize));
    }
}

impl<T: Pod> Index<u32> for Slab<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, place: u32) -> &T {
        &self.records[place as usize]
    }
}

impl<T: Pod> IndexMut<u32> for Slab<T> {
    #[inline(always)]
    fn index_mut(&mut self, place: u32) -> &mut T {
        &mut self.records[place as usize]
    }
}
