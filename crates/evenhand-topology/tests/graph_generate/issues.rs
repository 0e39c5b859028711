//! What prevents a graph.

use super::*;

/// Source, vertices, whether there are places, and each issue with its parameter.
fn check(source: &str, vertices: impl Into<Option<u64>>, expected: &[(Option<&str>, &str)]) {
    let issues = spec(source).check(vertices.into(), false);
    let found: Vec<(Option<&str>, String)> =
        issues.iter().map(|issue| (issue.parameter, issue.to_string())).collect();
    assert_eq!(found.len(), expected.len(), "{source}: {found:?}");
    for ((parameter, text), (wanted_parameter, wanted)) in found.iter().zip(expected) {
        assert_eq!(parameter, wanted_parameter, "{source}");
        assert!(text.contains(wanted), "{source}: {text}");
    }
}

#[test]
fn name_what_is_wrong() {
    check("regular(3)", 7, &[(Some("k"), "odd")]);
    check("regular(7)", 7, &[(Some("k"), "below the number of vertices")]);
    check("regular(1)", 4, &[(Some("k"), "not connected")]);
    check("regular(1)", 2, &[]);
    check("regular(1000)", 10_000_000, &[(Some("k"), "arcs")]);
    check("hypercube", 1000, &[(None, "use 512 and 1024")]);
    check("hypercube", 1, &[(None, "use 2")]);
    check("hypercube", 1024, &[]);
    check("torus", 1009, &[(None, "the nearest numbers are 1008 and 1010")]);
    check("torus", 4, &[(None, "the nearest numbers are 9")]);
    check("torus(3, 4)", 13, &[(None, "has 12 vertices, not 13")]);
    check("circulant(1, 2, 2)", None, &[(None, "offset 2 twice")]);
    check("circulant(1, 9)", 10, &[(None, "offsets 1 and 9 lead to the same neighbours")]);
    check("circulant(1, 5)", 10, &[]);
    check("circulant(1, 10)", 10, &[(None, "offset 10 with 10 vertices")]);
    check("lps(5, 15)", None, &[(Some("q"), "not a prime")]);
    check("lps(7, 11)", None, &[(Some("p"), "prime"), (Some("q"), "prime")]);
    check("lps(13, 13)", None, &[(Some("q"), "both 13")]);
    check("lps(13, 5)", None, &[(Some("q"), "2 sqrt(13)")]);
    check("lps(5, 13)", 2184, &[]);
    check("lps(5, 13)", 1000, &[(None, "has 2184 vertices, not 1000")]);
    check("lps(5, 10009)", None, &[(Some("q"), "smaller")]);
    check("star", 1, &[(None, "at least 2")]);
    check("ring", 2, &[(None, "at least 3")]);
    check("ring", 1 << 33, &[(None, "at most 4294967295")]);
    check("knn(3)", None, &[(None, "graph of places")]);
    check("delaunay", 5, &[(None, "graph of places")]);
    check("file(\"a.gml\")", 5, &[]);
    let places = spec("knn(3)").check(Some(3), true);
    assert_eq!(places[0].parameter, Some("k"));
    let gnp = GraphSpec::Gnp { p: 1.5, seed: None }.check(None, false);
    assert_eq!(gnp[0].parameter, Some("p"));
}
