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
    // What a policy says of such a graph.
    let policy = format!("edges({file})");
    let output = evenhand(&["allocate", "--policy", &policy, "--runs", "2"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    for part in ["4 bins", "1 self-loops", "1 parallel", "1 isolated", "2 components"] {
        assert!(said.contains(part), "no `{part}` in:\n{said}");
    }
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
    for policy in ["walks(2, star)", "edges(ring", "walks(2, rnig)", "edges(lps(5, 13))"] {
        let output = evenhand(&["allocate", "--bins", "10", "--policy", policy]);
        assert_eq!(output.status.code(), Some(2), "{policy}: {}", stderr(&output));
        assert!(stderr(&output).contains("--policy"), "{policy}: {}", stderr(&output));
    }
}
