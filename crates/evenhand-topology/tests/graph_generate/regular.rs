//! Random regular graphs: shape, and law on small numbers of vertices.

use super::*;

/// Chi-square over all 70 labelled 3-regular graphs on 6 vertices (10 copies of K(3,3) and 60
/// prisms): 69 degrees of freedom, upper 10^-6 quantile 140.
#[test]
fn is_exactly_uniform_on_six_vertices() {
    let (draws, graphs) = (70_000, 70);
    let cubic = spec("regular(3)");
    assert_eq!(cubic.sampled(6), Some(Sampled::Exact));
    let (mut counts, mut rng) = (BTreeMap::new(), rng(3));
    for _ in 0..draws {
        let mut edges = cubic.build(6, None, &mut rng).unwrap().edge_list();
        edges.sort_unstable();
        *counts.entry(edges).or_insert(0) += 1;
    }
    assert_eq!(counts.len(), graphs);
    let expected = f64::from(draws) / graphs as f64;
    let chi_square: f64 =
        counts.values().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
    assert!(chi_square < 140.0, "{chi_square}");
}

/// Chi-square over the 12 cycles through 5 vertices, with 11 degrees of freedom, and over the
/// 15 perfect matchings of 6, with 14; upper 10^-6 quantiles 51 and 58.
#[test]
fn cycles_and_complements_are_uniform() {
    for (source, vertices, graphs, quantile) in
        [("regular(2)", 5, 12, 51.0), ("regular(4)", 6, 15, 58.0)]
    {
        let (mut counts, mut rng) = (BTreeMap::new(), rng(4));
        for _ in 0..1000 * graphs {
            let mut edges = spec(source).build(vertices, None, &mut rng).unwrap().edge_list();
            edges.sort_unstable();
            *counts.entry(edges).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), graphs);
        let chi_square: f64 =
            counts.values().map(|&count: &i32| f64::from(count - 1000).powi(2) / 1000.0).sum();
        assert!(chi_square < quantile, "{source}: {chi_square}");
    }
}

/// The number of triangles is nearly Poisson of mean (k - 1)^3 / 6 = 57.17 for k = 8. The
/// mean of 400 graphs has a standard deviation of 0.378; 2.0 is five of them, and leaves 0.1
/// for n = 2000 being finite.
#[test]
fn repaired_graphs_have_as_many_triangles_as_random_ones() {
    let eight = spec("regular(8)");
    assert_eq!(eight.sampled(2000), Some(Sampled::Asymptotic));
    let (mut triangles, mut rng) = (0, rng(5));
    for _ in 0..400 {
        let graph = eight.build(2000, None, &mut rng).unwrap();
        for (u, v) in graph.edge_list() {
            let (row, other) = (graph.neighbours(u), graph.neighbours(v));
            triangles += row.iter().filter(|w| **w > v && other.contains(w)).count();
        }
    }
    let mean = triangles as f64 / 400.0;
    assert!((mean - 343.0 / 6.0).abs() < 2.0, "{mean}");
}

#[test]
fn every_possible_degree_is_reached() {
    for vertices in [2, 3, 4, 5, 8, 11, 17, 18, 24, 33] {
        for k in 1..vertices {
            let random = GraphSpec::Regular { k, seed: None };
            let n = u64::from(vertices);
            if !random.check(Some(n), false).is_empty() {
                continue;
            }
            let graph = random.build(n, None, &mut rng(n)).unwrap();
            assert_eq!(graph.regular_degree(), Some(k as usize));
            assert!(is_simple(&graph) && is_connected(&graph), "{n} {k}");
        }
    }
}

#[test]
fn large_graphs_are_simple_and_connected() {
    for (source, vertices) in
        [("regular(3)", 10_000), ("regular(8)", 50_001), ("regular(99)", 1000)]
    {
        let graph = build(source, vertices);
        assert!(is_simple(&graph) && is_connected(&graph));
    }
}

#[test]
fn a_seed_fixes_the_graph() {
    let built = |source, seed| spec(source).build(100, None, &mut rng(seed)).unwrap();
    assert_eq!(built("regular(8, seed=7)", 1), built("regular(8, seed=7)", 2));
    assert_ne!(built("regular(8, seed=7)", 1), built("regular(8, seed=8)", 1));
    assert_ne!(built("regular(8)", 1), built("regular(8)", 2));
    assert_eq!(built("gnp(0.1, seed=7)", 1), built("gnp(0.1, seed=7)", 2));
    assert!(spec("regular(8)").is_random() && !spec("regular(8, seed=7)").is_random());
}
