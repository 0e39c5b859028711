use evenhand_core::{Rng, below};

/// Puts a uniformly random choice of `count` items, in random order, at the front.
pub(super) fn shuffle_front<T, R: Rng + ?Sized>(items: &mut [T], count: usize, rng: &mut R) {
    for index in 0..count {
        let other = index + below(rng, (items.len() - index) as u64) as usize;
        items.swap(index, other);
    }
}
