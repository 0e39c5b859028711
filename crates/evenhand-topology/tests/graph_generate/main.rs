//! Generated graphs: their shape, their expressions and what prevents them.

mod expressions;
mod implicit;
mod issues;
mod places;
mod regular;
mod shape;

use std::collections::{BTreeMap, BTreeSet};

use evenhand_topology::graph::{
    Graph, GraphError, GraphSpec, Implicit, Neighbours, PairedSlots, Sampled,
};
use evenhand_topology::space::{Layout, Metric, Places, Point};
use proptest::prelude::*;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

fn spec(source: &str) -> GraphSpec {
    GraphSpec::parse(source).unwrap_or_else(|error| panic!("{error}"))
}

fn build(source: &str, vertices: u64) -> Graph {
    spec(source).build(vertices, None, &mut rng(1)).unwrap_or_else(|error| panic!("{error}"))
}

fn is_simple(graph: &Graph) -> bool {
    let edges = graph.edge_list();
    let distinct: BTreeSet<_> = edges.iter().collect();
    distinct.len() == edges.len() && edges.iter().all(|(u, v)| u != v)
}

/// Distances from a vertex; -1 where there is no path.
fn distances(graph: &Graph, from: u32) -> Vec<i32> {
    let mut distance = vec![-1; graph.vertices()];
    distance[from as usize] = 0;
    let mut queue = vec![from];
    let mut next = 0;
    while let Some(&vertex) = queue.get(next) {
        next += 1;
        for &other in graph.neighbours(vertex) {
            if distance[other as usize] < 0 {
                distance[other as usize] = distance[vertex as usize] + 1;
                queue.push(other);
            }
        }
    }
    distance
}

fn is_connected(graph: &Graph) -> bool {
    distances(graph, 0).iter().all(|&distance| distance >= 0)
}

fn is_bipartite(graph: &Graph) -> bool {
    let distance = distances(graph, 0);
    let even = |vertex: u32| distance[vertex as usize] % 2 == 0;
    graph.edge_list().iter().all(|&(u, v)| even(u) != even(v))
}

/// The shortest cycle through vertex 0: the girth of a vertex-transitive graph.
fn girth_at_0(graph: &Graph) -> i32 {
    let distance = distances(graph, 0);
    let mut shortest = i32::MAX;
    for vertex in 0..graph.vertices() as u32 {
        let here = distance[vertex as usize];
        let with = |wanted| {
            graph.neighbours(vertex).iter().filter(|&&w| distance[w as usize] == wanted).count()
        };
        if with(here) > 0 {
            shortest = shortest.min(2 * here + 1);
        }
        if with(here - 1) > 1 {
            shortest = shortest.min(2 * here);
        }
    }
    shortest
}

/// Lubotzky, Phillips, Sarnak 1988: order and degree, bipartite unless p is a square modulo q,
/// girth at least 4 log_p q - log_p 4 if bipartite, else 2 log_p q.
#[test]
fn lps_graphs_are_those_of_the_paper() {
    let cases = [(5, 13, false), (5, 17, false), (5, 29, true), (13, 17, true), (17, 13, true)];
    for (p, q, p_is_a_square) in cases {
        let lps = GraphSpec::Lps { p, q };
        let n =
            u64::from(q) * (u64::from(q) * u64::from(q) - 1) / if p_is_a_square { 2 } else { 1 };
        assert_eq!(lps.vertices(), Some(n));
        let graph = lps.build(n, None, &mut rng(1)).unwrap();
        assert_eq!(graph.vertices() as u64, n);
        assert_eq!(graph.regular_degree(), Some(p as usize + 1));
        assert!(is_simple(&graph) && is_connected(&graph), "{lps}");
        assert_eq!(is_bipartite(&graph), !p_is_a_square, "{lps}");
        let log_p = |x: f64| x.ln() / f64::from(p).ln();
        let bound =
            if p_is_a_square { 2.0 * log_p(q.into()) } else { 4.0 * log_p(q.into()) - log_p(4.0) };
        let girth = girth_at_0(&graph);
        assert!(f64::from(girth) >= bound, "{lps}: {girth} < {bound}");
    }
}

/// Degrees and edges of G(n, p) against their means, at six standard deviations.
#[test]
fn gnp_has_the_right_number_of_edges() {
    for (n, p) in [(1000_u64, 0.01), (300, 0.7), (100_000, 1e-5)] {
        let graph = GraphSpec::Gnp { p, seed: None }.build(n, None, &mut rng(6)).unwrap();
        assert!(is_simple(&graph));
        let pairs = (n * (n - 1) / 2) as f64;
        let deviation = (pairs * p * (1.0 - p)).sqrt();
        assert!((graph.edges() as f64 - pairs * p).abs() < 6.0 * deviation, "{n} {p}");
        // The first half of the vertices has its share of edges.
        let half = n as u32 / 2;
        let inside = graph.edge_list().iter().filter(|&&(_, v)| v < half).count() as f64;
        let pairs = f64::from(half) * f64::from(half - 1) / 2.0;
        assert!((inside - pairs * p).abs() < 6.0 * (pairs * p * (1.0 - p)).sqrt(), "{n} {p}");
    }
    assert_eq!(build("gnp(0)", 50).edges(), 0);
    assert_eq!(build("gnp(1)", 50).edges(), 50 * 49 / 2);
}
