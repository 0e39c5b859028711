//! Large tables that are read at random places, on huge pages.

use std::ops::{Deref, DerefMut};

use bytemuck::Pod;
use memmap2::MmapMut;

/// From here on huge pages pay for the system call: several huge pages of 2 MB.
const HUGE_BYTES: usize = 8 << 20;

/// A table of fixed length, on huge pages where it is large.
///
/// A ball or a walker reads random rows. With pages of 4 kB each read of a large table also
/// misses the translation cache; with pages of 2 MB it does not, and rows of a power of two lie
/// in one cache line.
///
/// ```
/// use evenhand_topology::buffer::Buffer;
/// let mut table = Buffer::<u8>::zeroed(1000);
/// table[3] = 7;
/// assert_eq!(table.iter().map(|&load| u32::from(load)).sum::<u32>(), 7);
/// ```
#[derive(Debug)]
pub struct Buffer<T>(Memory<T>);

#[derive(Debug)]
enum Memory<T> {
    Heap(Vec<T>),
    Pages(MmapMut),
}

impl<T: Pod> Buffer<T> {
    /// `len` zeros. Every page is touched, so that no later read pays for it (a page never
    /// written maps to one shared page of zeros, and would also make reads look too fast).
    pub fn zeroed(len: usize) -> Self {
        Self::filled(len, T::zeroed())
    }

    /// `len` times `value`.
    pub fn filled(len: usize, value: T) -> Self {
        match pages(len * size_of::<T>()) {
            Some(pages) => {
                let mut buffer = Self(Memory::Pages(pages));
                buffer.fill(value);
                buffer
            }
            None => Self(Memory::Heap(vec![value; len])),
        }
    }
}

/// Fresh zeroed pages, where so many bytes gain from huge ones and the system gives them.
fn pages(bytes: usize) -> Option<MmapMut> {
    if bytes < HUGE_BYTES {
        return None;
    }
    let pages = MmapMut::map_anon(bytes).ok()?;
    #[cfg(target_os = "linux")]
    // Only advice: where it is refused the table is slower, not wrong.
    let _ = pages.advise(memmap2::Advice::HugePage);
    Some(pages)
}

/// A short table keeps its memory, a large one is moved to huge pages.
impl<T: Pod> From<Vec<T>> for Buffer<T> {
    fn from(values: Vec<T>) -> Self {
        match pages(size_of_val(values.as_slice())) {
            Some(pages) => {
                let mut buffer = Self(Memory::Pages(pages));
                buffer.copy_from_slice(&values);
                buffer
            }
            None => Self(Memory::Heap(values)),
        }
    }
}

impl<T: Pod> Deref for Buffer<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        match &self.0 {
            Memory::Heap(values) => values,
            Memory::Pages(pages) => bytemuck::cast_slice(pages),
        }
    }
}

impl<T: Pod> DerefMut for Buffer<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.0 {
            Memory::Heap(values) => values,
            Memory::Pages(pages) => bytemuck::cast_slice_mut(pages),
        }
    }
}

impl<T: Pod> Clone for Buffer<T> {
    fn clone(&self) -> Self {
        self.to_vec().into()
    }
}

impl<T: Pod + PartialEq> PartialEq for Buffer<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Pod + Eq> Eq for Buffer<T> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_and_large_tables_hold_the_same() {
        for len in [0, 1, 1000, HUGE_BYTES / 4, HUGE_BYTES / 4 + 1] {
            let values: Vec<u32> = (0..len as u32).collect();
            let buffer = Buffer::from(values.clone());
            assert_eq!(*buffer, *values);
            assert_eq!(buffer.clone(), buffer);
            assert!(Buffer::<u32>::zeroed(len).iter().all(|&value| value == 0));
            assert!(Buffer::filled(len, 7_u32).iter().all(|&value| value == 7));
        }
    }
}
