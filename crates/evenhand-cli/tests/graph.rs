//! `evenhand graph` from the outside.

mod common;

use std::fs;

use common::{evenhand, stderr};
use serde_json::Value;

fn measured(args: &[&str]) -> Value {
    let output = evenhand(&[&["graph"], args, &["--format", "json"]].concat());
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    let record: Value = serde_json::from_slice(&output.stdout).unwrap();
    record["results"][0].clone()
}

#[track_caller]
fn refused(args: &[&str], parts: &[&str]) {
    let output = evenhand(&[&["graph"], args].concat());
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{args:?} said: {said}");
    for part in parts {
        assert!(said.contains(part), "{args:?}: no `{part}` in:\n{said}");
    }
}

#[test]
fn a_ramanujan_graph() {
    let graph = measured(&["lps(5, 13)"]);
    assert_eq!(graph["vertices"], 2184);
    assert_eq!(graph["degree"]["max"], 6);
    assert_eq!(graph["bipartite"], true);
    assert_eq!(graph["ramanujan"], true);
    assert!(graph["lambda"].as_f64().unwrap() <= 2.0 * 5_f64.sqrt());
}

#[test]
fn seeds_and_threads() {
    let args = ["regular(3)", "--vertices", "200"];
    let with = |more: &[&str]| measured(&[&args[..], more].concat());
    assert_eq!(with(&["--threads", "1"]), with(&["--threads", "3"]));
    assert_ne!(with(&["--seed", "1"])["lambda"], with(&["--seed", "2"])["lambda"]);
}

#[test]
fn files_are_read_counted_and_written() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    // A triangle with a doubled edge, a self-loop and an isolated vertex.
    let gml = "graph [\n node [ id 0 ]\n node [ id 1 ]\n node [ id 2 ]\n node [ id 3 ]\n edge [ source 0 target 1 ]\n edge [ source 0 target 1 ]\n edge [ source 1 target 2 ]\n edge [ source 2 target 0 ]\n edge [ source 2 target 2 ]\n]\n";
    fs::write(path("small.gml"), gml).unwrap();
    let file = format!("file(\"{}\")", path("small.gml"));
    let graph = measured(&[&file]);
    assert_eq!((&graph["vertices"], &graph["edges"]), (&4.into(), &5.into()));
    assert_eq!((&graph["parallel_edges"], &graph["self_loops"]), (&1.into(), &1.into()));
    assert_eq!((&graph["isolated"], &graph["components"]), (&1.into(), &2.into()));
    assert_eq!(graph["girth"], 1);
    let out = path("small.g6");
    let simple = measured(&[&file, "--simplify", "--largest-component", "--write", &out]);
    assert_eq!((&simple["vertices"], &simple["edges"]), (&3.into(), &3.into()));
    assert_eq!(fs::read_to_string(&out).unwrap().trim(), "Bw");
    // The same by the expression; the record holds what was asked for.
    let flags = file.replace(')', ", simplify, largest-component)");
    let same = measured(&[&flags]);
    assert_eq!(same, simple);
    assert_eq!(same["graph"], Value::from(flags.clone()));
    // What a policy says of such a graph.
    let said = notes(&format!("edges({file})"), &[]);
    for part in ["1 self-loops", "1 parallel", "1 isolated", "2 components", "`simplify`"] {
        assert!(said.contains(part), "no `{part}` in:\n{said}");
    }
    assert!(said.contains("`largest-component` keeps"), "{said}");
    let said = notes(&format!("walks(2, {flags})"), &[]);
    assert!(said.contains("dropped self-loops: 1"), "{said}");
    assert!(said.contains("kept the largest of 2 components"), "{said}");
    assert!(!said.contains("the graph has"), "{said}");
}

/// A vertex without a position does not take the map from the others.
#[test]
fn graphs_with_some_positions_are_drawn_on_the_map() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    let gml = "graph [ node [ id 0 Latitude 60 Longitude 10 ] node [ id 1 ] \
        node [ id 2 Latitude 50 Longitude 5 ] edge [ source 0 target 1 ] \
        edge [ source 1 target 2 ] ]";
    fs::write(path("net.gml"), gml).unwrap();
    let policy = format!("edges(file(\"{}\"))", path("net.gml"));
    let picture = path("net.svg");
    let said = noted(&policy, &["--plot", &picture]).0.join("\n");
    assert!(said.contains("vertices without a position: 1 of 3"), "{said}");
    assert!(said.contains("are drawn at the mean of their neighbours"), "{said}");
    assert!(fs::read_to_string(&picture).unwrap().contains("longitude (degrees)"));
}

/// Notes of the result of two runs of a policy, and what standard error says.
#[track_caller]
fn noted(policy: &str, more: &[&str]) -> (Vec<String>, String) {
    let args = ["allocate", "--policy", policy, "--runs", "2", "--format", "json"];
    let output = evenhand(&[&args, more].concat());
    assert!(output.status.success(), "{policy}: {}", stderr(&output));
    let record: Value = serde_json::from_slice(&output.stdout).unwrap();
    let notes = record["results"][0]["notes"].as_array().unwrap();
    let notes = notes.iter().map(|note| note.as_str().unwrap().to_string()).collect();
    (notes, stderr(&output))
}

/// Notes that are known before the runs, one a line: they are on standard error too.
#[track_caller]
fn notes(policy: &str, more: &[&str]) -> String {
    let (notes, said) = noted(policy, more);
    for note in &notes {
        assert!(said.contains(note), "{policy}: no `{note}` in:\n{said}");
    }
    notes.join("\n")
}

#[track_caller]
fn warns(policy: &str, bins: &str, parts: &[&str]) {
    let said = notes(policy, &["--bins", bins]);
    for part in parts {
        assert!(said.contains(part), "{policy} {bins}: no `{part}` in:\n{said}");
    }
    assert_eq!(said.is_empty(), parts.is_empty(), "{policy} {bins}: {said}");
}

#[test]
fn walkers_warn_of_bipartite_graphs() {
    let sides = "is bipartite: walkers change its side with every ball";
    for (graph, bins) in [
        ("ring", "10"),
        ("torus(4, 6)", "24"),
        ("hypercube", "16"),
        ("circulant(1, 3)", "10"),
        ("lps(5, 13)", "2184"),
        ("regular(2)", "12"),
    ] {
        warns(&format!("walks(2, {graph})"), bins, &[sides, "for ever"]);
        warns(&format!("walks(2, {graph}, reset=every(5))"), bins, &[sides, "to the next"]);
        // One walker, and walks that are new for each ball, lose nothing.
        warns(&format!("walks(1, {graph})"), bins, &[]);
        warns(&format!("trail(3, {graph})"), bins, &[]);
        warns(&format!("edges({graph})"), bins, &[]);
    }
    warns("walks(2, star, step=simple)", "9", &[sides, "is not regular (degrees 1 to 8)"]);
    warns("walks(2, complete, step=simple)", "2", &[sides]);
    warns("walks(2, regular(3))", "10", &["some runs may be bipartite"]);
    for (graph, bins) in [
        ("ring", "11"),
        ("torus", "15"),
        ("circulant(1, 2)", "10"),
        ("complete", "3"),
        ("lps(13, 17)", "2448"),
        ("regular(3)", "100"),
        ("regular(6)", "10"),
        ("regular(3, seed=1)", "10"),
    ] {
        warns(&format!("walks(2, {graph})"), bins, &[]);
    }
}

#[test]
fn policies_warn_of_graphs_in_pieces() {
    let parts = "has 5 components, between which load does not move";
    warns("edges(circulant(5, 10))", "25", &[parts]);
    warns("trail(2, circulant(5, 10))", "25", &[parts]);
    warns("walks(2, circulant(5))", "25", &["5 components", "a walker never leaves"]);
    warns("walks(2, circulant(5), reset=meet)", "25", &["5 components", "at resets only"]);
    let sparse = ["isolated vertices in the mean", "may have several components"];
    warns("edges(gnp(0.01))", "200", &[&sparse[..], &["get no ball"]].concat());
    warns("hops(2, gnp(0.01))", "200", &[&sparse[..], &["no other candidate"]].concat());
    warns("neighbors(2, gnp(0.5))", "200", &[]);
    warns("walks(2, gnp(0.5), step=simple)", "200", &["is not regular: walkers start"]);
    // A fixed graph is looked at.
    let found = ["the graph has", "isolated vertices, which get no ball", "components"];
    warns("edges(gnp(0.01, seed=1))", "200", &found);
    warns("edges(gnp(0.001, seed=1))", "100000", &[]);
}

#[test]
fn policies_warn_of_graphs_of_places() {
    let drawn = ["--bins", "200", "--servers", "uniform", "--users", "uniform"];
    let said = notes("edges(knn(1))", &drawn);
    assert!(said.contains("the graph of the first run has"), "{said}");
    assert!(said.contains("components, between which load does not move"), "{said}");
    let said = notes("walks(2, knn(9))", &drawn);
    assert!(said.contains("is connected; those of other runs"), "{said}");
    assert!(said.contains("the graph of the first run is not regular (degrees 9 to"), "{said}");
    assert_eq!(notes("edges(delaunay)", &drawn), "");
    // Servers at fixed places: two far groups, and a vertex of degree 1.
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("servers.csv").display().to_string();
    fs::write(&path, "x,y\n0,0\n1,0\n0,1\n90,90\n91,90\n90,91\n").unwrap();
    let fixed = ["--servers", &path, "--users", &path];
    let said = notes("edges(knn(2))", &fixed);
    assert!(said.contains("the graph has 2 components"), "{said}");
    fs::write(&path, "x,y\n0,0\n1,0\n2,0\n3,0\n").unwrap();
    let said = notes("trail(3, delaunay)", &fixed);
    assert!(said.contains("degree below 2: walkers turn back"), "{said}");
}

#[test]
fn bad_graphs_are_refused() {
    refused(&["rnig", "--vertices", "10"], &["did you mean `ring`?"]);
    refused(&["regular(3)", "--vertices", "7"], &["7 vertices of degree 3", "odd"]);
    refused(&["regular(8)", "--vertices", "8"], &["8"]);
    refused(&["ring"], &["--vertices"]);
    refused(&["torus", "--vertices", "13"], &["13"]);
    refused(&["hypercube", "--vertices", "1000"], &["1000"]);
    refused(&["lps(5, 11)"], &["11"]);
    refused(&["lps(13, 5)"], &["sqrt"]);
    refused(&["delaunay", "--vertices", "10"], &["places"]);
    refused(&["file(\"no-such-file.gml\")"], &["no-such-file.gml"]);
    refused(&["ring", "--vertices", "5", "--write", "ring.pdf"], &["--write", ".graphml"]);
    refused(&["ring", "--vertices", "5", "--write", "ring.txt.gz"], &["--write"]);
    refused(&["ring", "--vertices", "5", "--simplify"], &["files"]);
    refused(&["file(\"a.txt\", simplfy)"], &["did you mean `simplify`?"]);
    for policy in [
        "walks(2, star)",
        "walks(2, circulant(5))",
        "edges(ring",
        "walks(2, rnig)",
        "edges(lps(5, 13))",
    ] {
        let output = evenhand(&["allocate", "--bins", "10", "--policy", policy]);
        assert_eq!(output.status.code(), Some(2), "{policy}: {}", stderr(&output));
        assert!(stderr(&output).contains("--policy"), "{policy}: {}", stderr(&output));
    }
}
