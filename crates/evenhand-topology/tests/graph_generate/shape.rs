//! What the name of a graph implies, against the graph itself.

use super::*;
use evenhand_topology::graph::Shape;

#[track_caller]
fn agrees(source: &str, vertices: u64) {
    let implied = spec(source).shape(vertices).unwrap_or_else(|| panic!("{source} {vertices}"));
    assert_eq!(implied, Shape::of(&build(source, vertices)), "{source} {vertices}");
}

#[test]
fn of_families_is_that_of_the_graph() {
    for n in 2..=24 {
        agrees("complete", n);
        agrees("star", n);
    }
    for n in 3..=24 {
        agrees("ring", n);
        agrees("regular(2)", n);
        agrees(&format!("regular({})", n - 1), n);
    }
    agrees("regular(1)", 2);
    for bits in 1..=6 {
        agrees("hypercube", 1 << bits);
    }
    for n in [9, 12, 15, 16, 20, 25, 36, 60] {
        agrees("torus", n);
    }
    for (rows, cols) in [(3, 4), (4, 4), (4, 6), (6, 4), (5, 5)] {
        agrees(&format!("torus({rows}, {cols})"), rows * cols);
    }
    for (p, q) in [(5, 13), (13, 5), (13, 17), (17, 13), (5, 29)] {
        let lps = spec(&format!("lps({p}, {q})"));
        if let Some(n) = lps.vertices().filter(|&n| lps.check(Some(n), false).is_empty()) {
            agrees(&format!("lps({p}, {q})"), n);
        }
    }
    for (k, n) in [(3, 64), (4, 65), (10, 200)] {
        agrees(&format!("regular({k})"), n);
    }
}

#[test]
fn of_graphs_that_must_be_looked_at_is_not_implied() {
    for source in ["regular(3)", "gnp(0.5)", "knn(2)", "delaunay", "file(\"a.txt\")"] {
        assert_eq!(spec(source).shape(10), None, "{source}");
    }
    assert_eq!(spec("regular(3)").shape(11), None);
    let shape = Shape::of(&Graph::from_edges(5, &[(0, 1), (1, 2), (2, 0), (3, 3)]).unwrap());
    assert_eq!((shape.isolated, shape.components, shape.bipartite), (1, 3, false));
    assert_eq!((shape.least_degree, shape.greatest_degree), (0, 2));
    assert_eq!(Shape::of(&Graph::from_edges(0, &[]).unwrap()).components, 0);
}

proptest! {
    #[test]
    fn of_circulants_is_that_of_the_graph(
        n in 2_u32..40,
        offsets in proptest::collection::vec(1_u32..20, 1..4),
    ) {
        let circulant = GraphSpec::Circulant { offsets };
        prop_assume!(circulant.check(Some(n.into()), false).is_empty());
        agrees(&circulant.to_string(), n.into());
    }
}
