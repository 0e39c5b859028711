//! Zeroed memory for counters, on huge pages where it is large.
//!
//! A ball reads random bins. With 4 kB pages each read of a large table also misses the
//! translation cache; 2 MB pages halve the cost at 10^9 bins.

use bytemuck::Pod;
use memmap2::MmapMut;

/// From here on huge pages pay for the system call: several huge pages of 2 MB.
const HUGE_BYTES: usize = 8 << 20;

/// A zeroed, growable-once table of counters.
#[derive(Debug)]
pub(crate) enum Buffer<T> {
    Heap(Vec<T>),
    Pages(MmapMut),
}

impl<T: Pod> Buffer<T> {
    /// `len` zeros. Every page is touched, so that no later read pays for it (a page never
    /// written maps to one shared page of zeros, and would also make reads look too fast).
    pub(crate) fn zeroed(len: usize) -> Self {
        let bytes = len * size_of::<T>();
        if bytes < HUGE_BYTES {
            return Self::Heap(vec![T::zeroed(); len]);
        }
        match MmapMut::map_anon(bytes) {
            Ok(mut pages) => {
                #[cfg(target_os = "linux")]
                // Only advice: where it is refused the table is slower, not wrong.
                let _ = pages.advise(memmap2::Advice::HugePage);
                pages.fill(0);
                Self::Pages(pages)
            }
            Err(_) => Self::Heap(vec![T::zeroed(); len]),
        }
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [T] {
        match self {
            Self::Heap(values) => values,
            Self::Pages(pages) => bytemuck::cast_slice_mut(pages),
        }
    }
}
