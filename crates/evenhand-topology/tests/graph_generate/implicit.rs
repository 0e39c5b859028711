//! Graphs computed on the fly, against their definitions.

use super::*;

/// Neighbours by the definition of each family.
fn are_neighbours(spec: &GraphSpec, n: i64, u: i64, v: i64) -> bool {
    let gap = |modulus: i64, a: i64, b: i64| {
        let ahead = (a - b).rem_euclid(modulus);
        ahead.min(modulus - ahead)
    };
    match spec {
        GraphSpec::Complete => u != v,
        GraphSpec::Ring => gap(n, u, v) == 1,
        &GraphSpec::Torus { sides: Some((rows, cols)) } => {
            let (rows, cols) = (i64::from(rows), i64::from(cols));
            gap(rows, u / cols, v / cols) + gap(cols, u % cols, v % cols) == 1
        }
        GraphSpec::Hypercube => (u ^ v).count_ones() == 1,
        GraphSpec::Circulant { offsets } => {
            offsets.iter().any(|&offset| gap(n, u, v) == gap(n, i64::from(offset), 0))
        }
        other => panic!("{other}"),
    }
}

fn check(graph: &impl PairedSlots, spec: &GraphSpec, stored: &Graph) {
    let n = graph.vertices();
    let view = stored.as_regular().unwrap();
    assert_eq!((n, graph.degree()), (view.vertices(), view.degree()));
    for v in 0..n as u32 {
        let mut set = BTreeSet::new();
        for slot in 0..graph.degree() {
            let other = graph.neighbour(v, slot);
            assert_eq!(view.neighbour(v, slot), other);
            assert_eq!(graph.neighbour(other, graph.reverse_slot(slot)), v, "{spec} {slot}");
            set.insert(i64::from(other));
        }
        let expected: BTreeSet<i64> = (0..n as i64)
            .filter(|&other| are_neighbours(spec, n as i64, v.into(), other))
            .collect();
        assert_eq!(set, expected, "{spec} at {v}");
        assert_eq!(set.len(), graph.degree() as usize);
    }
}

fn families() -> impl Strategy<Value = (GraphSpec, u64)> {
    let circulant = (3_u32..80).prop_flat_map(|n| {
        let some =
            proptest::sample::subsequence((1..=n / 2).collect::<Vec<_>>(), 1..=n as usize / 2);
        (some, any::<u64>()).prop_map(move |(offsets, flips)| {
            let flip = |(i, o): (usize, u32)| if flips >> (i % 64) & 1 == 1 { n - o } else { o };
            let offsets = offsets.into_iter().enumerate().map(flip).collect();
            (GraphSpec::Circulant { offsets }, n.into())
        })
    });
    prop_oneof![
        (2_u64..60).prop_map(|n| (GraphSpec::Complete, n)),
        (3_u64..60).prop_map(|n| (GraphSpec::Ring, n)),
        (3_u32..12, 3_u32..12).prop_map(|(rows, cols)| {
            (GraphSpec::Torus { sides: Some((rows, cols)) }, (rows * cols).into())
        }),
        (1_u32..8).prop_map(|dimension| (GraphSpec::Hypercube, 1 << dimension)),
        circulant,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn computed_graphs_are_those_defined((spec, n) in families()) {
        let stored = spec.build(n, None, &mut rng(1)).unwrap();
        match spec.implicit(n).unwrap().unwrap() {
            Implicit::Complete(graph) => check(&graph, &spec, &stored),
            Implicit::Ring(graph) => check(&graph, &spec, &stored),
            Implicit::Torus(graph) => check(&graph, &spec, &stored),
            Implicit::Hypercube(graph) => check(&graph, &spec, &stored),
            Implicit::Circulant(graph) => check(&graph, &spec, &stored),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn large_tori_wrap_exactly(rows in 3_u32..70_000, cols in 3_u32..60_000, at in any::<u64>()) {
        let spec = GraphSpec::Torus { sides: Some((rows, cols)) };
        let n = spec.vertices().unwrap();
        prop_assume!(n <= u32::MAX.into());
        let Some(Implicit::Torus(torus)) = spec.implicit(n).unwrap() else { panic!() };
        let v = (at % n) as u32;
        for v in [v, v - v % cols, v - v % cols + cols - 1] {
            let (row, column) = (u64::from(v / cols), u64::from(v % cols));
            let (r, c) = (u64::from(rows), u64::from(cols));
            let expected = [
                row * c + (column + 1) % c,
                row * c + (column + c - 1) % c,
                (row + 1) % r * c + column,
                (row + r - 1) % r * c + column,
            ];
            for (slot, expected) in (0..).zip(expected) {
                prop_assert_eq!(u64::from(torus.neighbour(v, slot)), expected);
            }
        }
    }
}

#[test]
fn the_torus_is_nearly_square() {
    for (n, rows, columns) in [(9, 3, 3), (12, 3, 4), (1000, 25, 40), (15, 3, 5)] {
        let Some(Implicit::Torus(torus)) = spec("torus").implicit(n).unwrap() else { panic!() };
        assert_eq!((torus.rows(), torus.columns()), (rows, columns));
    }
    assert_eq!(spec("regular(3)").implicit(10).unwrap(), None);
    assert!(matches!(
        spec("complete").build(70_000, None, &mut rng(1)),
        Err(GraphError::TooManyArcs { .. })
    ));
    assert_eq!(build("star", 5).edge_list(), [(0, 1), (0, 2), (0, 3), (0, 4)]);
}
