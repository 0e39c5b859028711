//! Vector arithmetic over threads. Sums go over fixed chunks in order, so that they do not depend
//! on the number of threads.

use rayon::prelude::*;

/// Elements that one thread takes at a time.
pub(super) const CHUNK: usize = 8192;

/// The inner product.
pub(super) fn dot(x: &[f64], y: &[f64]) -> f64 {
    let parts: Vec<f64> = x
        .par_chunks(CHUNK)
        .zip(y.par_chunks(CHUNK))
        .map(|(x, y)| x.iter().zip(y).map(|(x, y)| x * y).sum())
        .collect();
    parts.iter().sum()
}

/// The Euclidean norm.
pub(super) fn norm(x: &[f64]) -> f64 {
    dot(x, x).sqrt()
}

/// `y += factor * x`.
pub(super) fn add(y: &mut [f64], factor: f64, x: &[f64]) {
    y.par_chunks_mut(CHUNK).zip(x.par_chunks(CHUNK)).for_each(|(y, x)| {
        for (y, x) in y.iter_mut().zip(x) {
            *y += factor * x;
        }
    });
}

/// `x *= factor`.
pub(super) fn scale(x: &mut [f64], factor: f64) {
    x.par_chunks_mut(CHUNK).for_each(|x| x.iter_mut().for_each(|x| *x *= factor));
}

/// Takes the unit vectors `known` out of `x`.
pub(super) fn project(x: &mut [f64], known: &[Vec<f64>]) {
    for unit in known {
        let along = dot(x, unit);
        add(x, -along, unit);
    }
}

/// A vector without structure, elements in (-1, 1), different for each `number` (SplitMix64;
/// Steele, Lea, Flood 2014).
pub(super) fn arbitrary(length: usize, number: usize) -> Vec<f64> {
    let first = (number * length) as u64 + 1;
    let mix = |index: usize| {
        let mut bits = (first + index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (bits ^ (bits >> 31)) as i64 as f64 / i64::MAX as f64
    };
    (0..length).map(mix).collect()
}
