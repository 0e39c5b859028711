//! `evenhand voronoi` from the outside.

mod common;

use std::fs;

use common::{evenhand, stderr};
use serde_json::Value;

fn cells(args: &[&str]) -> Value {
    let output = evenhand(&[&["voronoi"], args, &["--format", "json"]].concat());
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    let record: Value = serde_json::from_slice(&output.stdout).unwrap();
    record["results"][0].clone()
}

fn text(args: &[&str]) -> String {
    let output = evenhand(&[&["voronoi"], args].concat());
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn refused(args: &[&str], parts: &[&str]) {
    let output = evenhand(&[&["voronoi"], args].concat());
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{args:?} said: {said}");
    for part in parts {
        assert!(said.contains(part), "{args:?}: no `{part}` in:\n{said}");
    }
}

#[test]
fn a_grid_on_the_torus_is_even() {
    let grid = cells(&["--servers", "grid", "--bins", "100", "--torus"]);
    assert_eq!((&grid["method"], &grid["order"]), (&"exact".into(), &2.into()));
    assert_eq!((&grid["bins"], &grid["cell_count"]), (&100.into(), &200.into()));
    assert_eq!(grid["cells"].as_array().unwrap().len(), 200);
    for key in ["mean", "min", "max"] {
        assert!((grid["share"][key].as_f64().unwrap() - 0.005).abs() < 1e-14);
    }
    let times = grid["largest_server"]["share_times_bins"].as_f64().unwrap();
    assert!((times - 2.0).abs() < 1e-11);
    let single = cells(&["--servers", "grid", "--bins", "100", "--order", "1"]);
    assert_eq!(single["cell_count"], 100);
    assert_eq!(single["window"], serde_json::json!([0.0, 0.0, 1.0, 1.0]));
}

#[test]
fn estimates_agree_and_do_not_depend_on_threads() {
    let args = ["--servers", "uniform", "--bins", "6", "--torus"];
    let with = |more: &[&str]| cells(&[&args[..], more].concat());
    let estimated = with(&["--samples", "200000", "--threads", "1"]);
    assert_eq!(estimated, with(&["--samples", "2e5", "--threads", "3"]));
    assert_eq!(
        (&estimated["method"], &estimated["user_count"]),
        (&"estimated".into(), &200_000.into())
    );
    let exact = with(&[]);
    assert_eq!(exact["user_count"], Value::Null);
    let share = |cell: &Value| cell["share"].as_f64().unwrap();
    for cell in estimated["cells"].as_array().unwrap() {
        let same = |other: &&Value| other["servers"] == cell["servers"];
        let of_exact = exact["cells"].as_array().unwrap().iter().find(same).map_or(0.0, share);
        let error = cell["standard_error"].as_f64().unwrap();
        // 15 cells at 6.5 standard errors: false alarms below 10^-6; the rest is for small cells.
        assert!((share(cell) - of_exact).abs() < 6.5 * error + 5e-5, "{cell} for {of_exact}");
    }
    assert_ne!(exact, with(&["--seed", "2"]));
}

#[test]
fn files_are_counted_and_named() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    fs::write(path("servers.csv"), "name,x,y\nleft,0,0\n\"mid, dle\",4,0\nright,8,0\n").unwrap();
    fs::write(path("users.csv"), "x,y,people\n-1,0,1\n5,3,3\n9,0,4\nbad,0,1\n").unwrap();
    let (servers, users) = (path("servers.csv"), path("users.csv"));
    let files = ["--servers", &servers, "--users", &users];
    refused(&files, &["line 5", "--skip-invalid"]);
    let counted = [&files[..], &["--skip-invalid", "--user-weight", "people"]].concat();
    let record = cells(&counted);
    assert_eq!((&record["method"], &record["user_count"]), (&"counted".into(), &3.into()));
    assert_eq!(record["largest"][0]["names"], serde_json::json!(["mid, dle", "right"]));
    assert_eq!(record["largest"][0]["share"], 0.875);
    assert_eq!(record["largest_server"]["name"], "mid, dle");
    assert!(record["notes"][0].as_str().unwrap().contains("1 rows"));
    let csv = text(&[&counted[..], &["--format", "csv"]].concat());
    let rows = "first,second,first_name,second_name,share,standard_error\n\
                0,1,left,\"mid, dle\",0.125,\n1,2,\"mid, dle\",right,0.875,\n";
    assert_eq!(csv, rows);
    let out = path("cells.csv");
    let written = text(&[&counted[..], &["--format", "csv", "--out", &out]].concat());
    assert_eq!((written.as_str(), fs::read_to_string(&out).unwrap().as_str()), ("", rows));
    let table = text(&[&counted[..], &["--order", "1"]].concat());
    for part in ["counted", "  0.500000", "right", "note: "] {
        assert!(table.contains(part), "no `{part}` in:\n{table}");
    }
    // Uniform users on a window of the same plane.
    let window = ["--servers", &servers, "--window", "-2,-1,10,1"];
    assert_eq!(cells(&window)["share"]["max"], 0.5);
    let outside = cells(&["--servers", &servers]);
    assert!(outside["notes"][0].as_str().unwrap().contains("2 of 3 servers are outside"));
    refused(&["--servers", &servers, "--window", "servers"], &["--window", "above 0"]);
}

#[test]
fn users_on_the_globe_are_drawn() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("servers.csv").display().to_string();
    fs::write(&path, "name,lat,lon\nnorth,90,0\nsouth,-90,0\n").unwrap();
    let halves = cells(&["--servers", &path, "--order", "1", "--samples", "1e5"]);
    assert_eq!((&halves["method"], &halves["metric"]), (&"estimated".into(), &"globe".into()));
    let share = halves["cells"][0]["share"].as_f64().unwrap();
    assert!((share - 0.5).abs() < 0.01, "{share}");
    refused(&["--servers", &path, "--torus"], &["--torus"]);
    refused(&["--servers", &path, "--window", "square"], &["--window"]);
    refused(&["--servers", &path, "--users", "clustered(3)"], &["--users", "degrees"]);
}

#[test]
fn bad_requests_are_refused() {
    let uniform = ["--servers", "uniform"];
    let with = |more: &[&'static str]| [&uniform[..], more].concat();
    refused(&uniform, &["--bins", "missing"]);
    refused(&with(&["--bins", "1"]), &["at least two servers"]);
    refused(&with(&["--bins", "1e12"]), &["--bins", "memory"]);
    refused(&with(&["--bins", "10", "--window", "1,2,3"]), &["--window", "x0,y0,x1,y1"]);
    refused(&with(&["--bins", "10", "--window", "0,0,0,1"]), &["--window", "above 0"]);
    refused(&with(&["--bins", "10", "--torus", "--window", "square"]), &["--window"]);
    refused(&with(&["--bins", "10", "--users", "grid"]), &["--users", "grid"]);
    refused(&with(&["--bins", "10", "--users", "none.csv"]), &["none.csv"]);
    refused(&with(&["--bins", "10", "--out", "/no/such/folder/cells.csv"]), &["--out"]);
    refused(&with(&["--bins", "10", "--order", "3"]), &["3"]);
    refused(&["--servers", "grid", "--bins", "101"], &["--servers", "100 and 104"]);
    refused(&["--bins", "10"], &["--servers"]);
    let table = text(&with(&["--bins", "1", "--order", "1"]));
    assert!(table.contains("1.000000"), "{table}");
}
