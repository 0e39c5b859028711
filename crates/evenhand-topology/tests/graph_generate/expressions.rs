//! Expressions of graphs are read and written.

use super::*;

fn specs() -> impl Strategy<Value = GraphSpec> {
    let seed = || proptest::option::of(0_u64..1 << 53);
    prop_oneof![
        Just(GraphSpec::Complete),
        Just(GraphSpec::Ring),
        Just(GraphSpec::Hypercube),
        Just(GraphSpec::Star),
        Just(GraphSpec::Delaunay),
        proptest::option::of((3_u32.., 3_u32..)).prop_map(|sides| GraphSpec::Torus { sides }),
        (1_u32.., seed()).prop_map(|(k, seed)| GraphSpec::Regular { k, seed }),
        proptest::collection::vec(1_u32.., 1..6)
            .prop_map(|offsets| GraphSpec::Circulant { offsets }),
        (2_u32.., 2_u32..).prop_map(|(p, q)| GraphSpec::Lps { p, q }),
        (0.0..=1.0, seed()).prop_map(|(p, seed)| GraphSpec::Gnp { p, seed }),
        (1_u32..).prop_map(|k| GraphSpec::Knn { k }),
        ("[^\\x00-\\x1f]{1,20}", any::<bool>(), any::<bool>()).prop_map(
            |(path, simplify, largest_component)| GraphSpec::File {
                path,
                simplify,
                largest_component
            }
        ),
    ]
}

proptest! {
    #[test]
    fn are_read_back(spec in specs()) {
        prop_assert_eq!(GraphSpec::parse(&spec.to_string()).unwrap(), spec);
    }

    /// Whatever passes the check is built, and nothing else.
    #[test]
    fn checked_graphs_are_built(spec in specs(), small in 1_u32..9, n in 0_u64..70) {
        let spec = match spec {
            GraphSpec::Regular { seed, .. } => GraphSpec::Regular { k: small, seed },
            GraphSpec::Circulant { .. } => {
                GraphSpec::Circulant { offsets: vec![small, small * 5 % 23] }
            }
            other => other,
        };
        let issues = spec.check(Some(n), false);
        match spec.build(n, None, &mut rng(1)) {
            Ok(graph) => {
                prop_assert!(issues.is_empty());
                prop_assert_eq!(graph.vertices() as u64, n);
                prop_assert!(is_simple(&graph));
            }
            Err(GraphError::Unfit { issues: found, .. }) => {
                prop_assert_eq!(&found, &issues);
                prop_assert!(!found.is_empty() && found.iter().all(|issue| issue.help.is_some()));
            }
            Err(GraphError::NeedsReader { .. }) => {}
            Err(other) => panic!("{other}"),
        }
    }
}

#[test]
fn problems_stand_under_their_place() {
    let problem = |source: &str| GraphSpec::parse(source).unwrap_err().to_string();
    assert!(problem("rnig").contains("did you mean `ring`?"));
    assert!(problem("torus(2, 5)").contains("column 7: `rows` must be between 3"));
    assert!(problem("torus(5)").contains("`torus` needs `cols`"));
    assert!(problem("circulant").contains("at least one offset"));
    assert!(problem("circulant(1, 2.5)").contains("column 14: an offset must be"));
    assert!(problem("circulant(1, two)").contains("column 14"));
    assert!(problem("gnp(1.5)").contains("`p` must be between 0 and 1"));
    assert!(problem("file(\"\")").contains("`path` is empty"));
    for name in GraphSpec::NAMES {
        assert!(!problem(&format!("{name}(colour=1)")).contains("unknown graph"));
    }
}
