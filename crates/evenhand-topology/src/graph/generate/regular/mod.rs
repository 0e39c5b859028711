//! Random simple connected regular graphs.

mod joined;
mod pairing;

use evenhand_core::prefetch;
use pairing::Pairing;
use rand::Rng;
use rand::seq::SliceRandom;

use crate::buffer::Buffer;
use crate::graph::implicit::{CompleteGraph, refuse_too_many_arcs, store};
use crate::graph::spec::Sampled;
use crate::graph::{Graph, GraphError};

/// The most pairs that rejection may be expected to draw: some tenths of a second of work. (Most
/// tries end early, at their first conflict.)
const MOST_PAIRS: f64 = (1_u64 << 24) as f64;

/// A random simple connected graph of `vertices` with `k` neighbours each: uniform, exactly or
/// nearly as [`sampled`] tells.
///
/// `k` is from 1 to `vertices - 1`, not 1 for more than two vertices, and `vertices * k` is even.
pub(in crate::graph) fn draw(
    vertices: u32,
    k: u32,
    rng: &mut (impl Rng + ?Sized),
) -> Result<Graph, GraphError> {
    refuse_too_many_arcs(vertices.into(), k.into())?;
    let missing = vertices - 1 - k;
    if missing == 0 {
        return store(&CompleteGraph::new(vertices));
    }
    let targets = if k == 2 {
        cycle(vertices, rng)
    } else if missing < k {
        // A degree of at least half the other vertices makes a graph connected.
        complement(vertices, missing as usize, &simple(vertices, missing, rng)).into()
    } else {
        loop {
            let targets = simple(vertices, k, rng);
            if is_connected(vertices, k as usize, &targets) {
                break targets;
            }
        }
    };
    Ok(Graph::from_regular_table(vertices as usize, k as usize, targets))
}

/// Whether [`draw`] is exactly uniform.
pub(in crate::graph) fn sampled(vertices: u64, k: u32) -> Sampled {
    let k = u64::from(k);
    let paired = k.min((vertices.saturating_sub(1)).saturating_sub(k));
    if k == 2 || pairs_until_simple(vertices, paired) <= MOST_PAIRS {
        Sampled::Exact
    } else {
        Sampled::Asymptotic
    }
}

/// Expected pairs in all tries until one is simple. A pairing is simple with probability
/// exp(-(k^2 - 1) / 4) in the limit (Bender, Canfield 1978).
fn pairs_until_simple(vertices: u64, k: u64) -> f64 {
    let degree = k as f64;
    ((degree * degree - 1.0) / 4.0).exp() * vertices as f64 * degree / 2.0
}

/// The table of a random simple graph, connected or not.
fn simple(vertices: u32, k: u32, rng: &mut (impl Rng + ?Sized)) -> Buffer<u32> {
    match sampled(vertices.into(), k) {
        Sampled::Exact => Pairing::without_conflicts(vertices, k, rng),
        Sampled::Asymptotic => Pairing::repaired(vertices, k, rng),
    }
    .into_targets()
}

/// The table of a uniform cycle through all vertices.
fn cycle(vertices: u32, rng: &mut (impl Rng + ?Sized)) -> Buffer<u32> {
    let mut order: Vec<u32> = (0..vertices).collect();
    order.shuffle(rng);
    let mut targets = Buffer::zeroed(2 * order.len());
    let mut join = |from: u32, to: u32| {
        targets[2 * from as usize] = to;
        targets[2 * to as usize + 1] = from;
    };
    order.windows(2).for_each(|pair| join(pair[0], pair[1]));
    join(order[order.len() - 1], order[0]);
    targets
}

/// The table of all pairs that are not in the table `targets` of a simple graph.
fn complement(vertices: u32, degree: usize, targets: &[u32]) -> Vec<u32> {
    let n = vertices as usize;
    let mut others = Vec::with_capacity(n * (n - 1 - degree));
    let mut excluded = vec![false; n];
    for vertex in 0..n {
        let row = &targets[vertex * degree..(vertex + 1) * degree];
        excluded[vertex] = true;
        row.iter().for_each(|&other| excluded[other as usize] = true);
        others.extend((0..vertices).filter(|&other| !excluded[other as usize]));
        excluded[vertex] = false;
        row.iter().for_each(|&other| excluded[other as usize] = false);
    }
    others
}

/// Whether a regular graph is connected, from its table: a breadth-first search, which asks for
/// rows ahead.
fn is_connected(vertices: u32, degree: usize, targets: &[u32]) -> bool {
    const AHEAD: usize = 32;
    let mut reached = vec![0_u64; vertices as usize / 64 + 1];
    let mut is_new = |vertex: u32| {
        let (word, bit) = (&mut reached[vertex as usize / 64], 1 << (vertex % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    };
    is_new(0);
    let mut queue = vec![0_u32];
    let mut next = 0;
    while let Some(&vertex) = queue.get(next) {
        if let Some(&later) = queue.get(next + AHEAD) {
            prefetch(&raw const targets[later as usize * degree]);
        }
        let row = &targets[vertex as usize * degree..][..degree];
        queue.extend(row.iter().filter(|&&other| is_new(other)));
        next += 1;
    }
    queue.len() == vertices as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connectivity_is_seen() {
        assert!(is_connected(4, 2, &[1, 3, 0, 2, 1, 3, 2, 0]));
        assert!(!is_connected(4, 1, &[1, 0, 3, 2]));
    }

    #[test]
    fn the_documented_limits_hold() {
        let limits = [(3, 1_500_000), (4, 190_000), (5, 16_000), (6, 880), (7, 28)];
        for (k, vertices) in limits {
            assert_eq!(sampled(vertices, k), Sampled::Exact);
            assert_eq!(sampled(vertices * 6 / 5, k), Sampled::Asymptotic);
        }
        assert_eq!(sampled(10_000_000, 2), Sampled::Exact);
        assert_eq!(sampled(10, 8), Sampled::Exact);
    }
}
