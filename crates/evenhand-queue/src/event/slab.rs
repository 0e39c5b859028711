//! Records with a place of their own, which are made and dropped all the time.

use std::ops::{Index, IndexMut};

/// No place.
pub(super) const NONE: u32 = u32::MAX;

/// Records at numbered places; a place that is free is taken again.
#[derive(Debug)]
pub(super) struct Slab<T> {
    records: Vec<T>,
    free: Vec<u32>,
}

impl<T> Slab<T> {
    pub(super) fn new() -> Self {
        Self { records: Vec::new(), free: Vec::new() }
    }

    /// Stores a record and returns its place.
    #[inline]
    pub(super) fn insert(&mut self, record: T) -> u32 {
        match self.free.pop() {
            Some(place) => {
                self.records[place as usize] = record;
                place
            }
            None => {
                self.records.push(record);
                self.records.len() as u32 - 1
            }
        }
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

impl<T> Index<u32> for Slab<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, place: u32) -> &T {
        &self.records[place as usize]
    }
}

impl<T> IndexMut<u32> for Slab<T> {
    #[inline(always)]
    fn index_mut(&mut self, place: u32) -> &mut T {
        &mut self.records[place as usize]
    }
}
