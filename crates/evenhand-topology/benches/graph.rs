//! Time of the measures of graphs.
//!
//! `cargo bench -p evenhand-topology --bench graph` runs all rows; a word after `--` picks rows
//! whose name holds it. Girth and eigenvalues of 10^5 vertices should take at most 20 s together.

#![allow(clippy::print_stdout, reason = "a bench prints its figures")]

use std::collections::HashSet;
use std::fmt::Debug;
use std::time::Instant;

use evenhand_topology::graph::Graph;
use evenhand_topology::graph::measure::{diameter, girth, spectrum};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn main() {
    let filter = std::env::args().skip(1).find(|arg| !arg.starts_with("--"));
    let rows: [(&str, fn()); 2] = [
        ("girth and spectrum, random 8-regular, n=10^5", || {
            let graph = random_regular(100_000, 8);
            timed("girth", || girth(&graph));
            timed("spectrum", || spectrum(&graph));
        }),
        ("diameter, random 8-regular, n=20000", || {
            let graph = random_regular(20_000, 8);
            timed("diameter", || diameter(&graph));
        }),
    ];
    for (name, row) in rows {
        if filter.as_ref().is_none_or(|word| name.contains(word.as_str())) {
            println!("{name}");
            row();
        }
    }
}

fn timed<T: Debug>(name: &str, work: impl FnOnce() -> T) {
    let start = Instant::now();
    let result = work();
    println!("  {name}: {:.3} s, {result:?}", start.elapsed().as_secs_f64());
}

/// A random simple regular graph: random pairs of arc ends, loops and repeats switched away.
fn random_regular(vertices: usize, degree: usize) -> Graph {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut ends: Vec<u32> = (0..vertices * degree).map(|end| (end / degree) as u32).collect();
    ends.shuffle(&mut rng);
    let ordered = |(u, v): (u32, u32)| (u.min(v), u.max(v));
    let mut edges: Vec<_> = ends.chunks(2).map(|pair| ordered((pair[0], pair[1]))).collect();
    loop {
        let mut seen = HashSet::new();
        let bad = (0..edges.len()).filter(|&i| edges[i].0 == edges[i].1 || !seen.insert(edges[i]));
        let bad: Vec<usize> = bad.collect();
        if bad.is_empty() {
            return Graph::from_edges(vertices, &edges).expect("all ends are vertices");
        }
        for i in bad {
            let j = rng.random_range(0..edges.len());
            if i != j {
                let ((a, b), (c, d)) = (edges[i], edges[j]);
                (edges[i], edges[j]) = (ordered((a, d)), ordered((c, b)));
            }
        }
    }
}
