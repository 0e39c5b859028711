//! `evenhand allocate` from the outside.

mod common;

use std::fs;

use common::{evenhand, stderr};
use serde_json::Value;

/// The JSON record of a request that must succeed.
fn record(args: &[&str]) -> Value {
    let output = evenhand(&[args, &["--format", "json"]].concat());
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    serde_json::from_slice(&output.stdout).expect("standard output is one JSON object")
}

/// The results without what measures time.
fn timeless(mut record: Value) -> Value {
    for result in record["results"].as_array_mut().expect("a list") {
        let result = result.as_object_mut().expect("an object");
        result.remove("seconds").expect("a time");
        result.remove("balls_per_second").expect("a speed");
    }
    record["results"].take()
}

const MANY_POLICIES: [&str; 10] = [
    "allocate",
    "--bins",
    "1000",
    "--runs",
    "20",
    "--policy",
    "two-choice",
    "--policy",
    "memory(1)",
    "--policy=ring(2)",
];

#[test]
fn threads_do_not_change_results() {
    let one = record(&[&MANY_POLICIES[..], &["--threads", "1"]].concat());
    let two = record(&[&MANY_POLICIES[..], &["--threads", "2"]].concat());
    let seven = record(&[&MANY_POLICIES[..], &["--threads", "7"]].concat());
    assert_eq!(timeless(one.clone()), timeless(two));
    assert_eq!(timeless(one), timeless(seven));
}

#[test]
fn other_policies_do_not_change_a_policy() {
    let all = timeless(record(&MANY_POLICIES));
    let alone =
        timeless(record(&["allocate", "--bins", "1000", "--runs", "20", "--policy", "ring(2)"]));
    assert_eq!(all[2], alone[0]);
}

#[test]
fn seeds_change_results_and_repeat_them() {
    let with = |seed: &str| {
        timeless(record(&[
            "allocate", "--bins", "1e5", "--runs", "3", "--policy", "left(2)", "--seed", seed,
        ]))
    };
    assert_eq!(with("5"), with("5"));
    assert_ne!(with("5"), with("6"));
}

/// Pins the streams: a change of these numbers is a break of reproducibility.
#[test]
fn golden_results() {
    for (policy, engine, expected) in [
        ("two-choice", "bins", GOLDEN_BINS),
        ("two-choice", "profile", GOLDEN_PROFILE),
        ("left(2)", "profile", GOLDEN_LEFT),
    ] {
        let bins = if policy == "left(2)" { "1e9" } else { "1e4" };
        let result = &record(&[
            "allocate", "--bins", bins, "--runs", "1", "--policy", policy, "--engine", engine,
        ])["results"][0];
        let n: f64 = bins.parse().unwrap();
        let fractions = result["fraction_at_least"].as_array().unwrap();
        let counts: Vec<u64> =
            fractions.iter().map(|x| (x.as_f64().unwrap() * n).round() as u64).collect();
        assert_eq!(counts, expected, "{policy} on {engine}");
    }
}

const GOLDEN_BINS: &[u64] = &[10_000, 7_647, 2_268, 85];
const GOLDEN_PROFILE: &[u64] = &[10_000, 7_646, 2_281, 73];
const GOLDEN_LEFT: &[u64] = &[1_000_000_000, 771_653_247, 223_870_490, 4_476_213, 50];

#[test]
fn the_record_has_its_keys() {
    let record = record(&[
        "allocate",
        "--bins",
        "100",
        "--policy",
        "two-choice",
        "--runs",
        "2",
        "--snapshots",
        "0.5,1",
    ]);
    assert_eq!(record["command"], "allocate");
    assert_eq!(record["seed"], 1);
    let result = record["results"][0].as_object().unwrap();
    for key in [
        "policy",
        "engine",
        "bins",
        "balls",
        "runs",
        "signal",
        "comparison",
        "max_load",
        "gap",
        "fraction_at_least",
        "fraction_at_least_ci95",
        "empty",
        "probes_per_ball",
        "prediction",
        "notes",
        "seconds",
        "balls_per_second",
    ] {
        assert!(result.contains_key(key), "{key}");
    }
    assert_eq!(result["snapshots"][0]["balls"], 50);
    assert_eq!(result["snapshots"][1]["balls"], 100);
    let fractions = result["fraction_at_least"].as_array().unwrap();
    let balls: f64 = fractions[1..].iter().map(|x| x.as_f64().unwrap()).sum();
    assert!((balls - 1.0).abs() < 1e-12, "mass is conserved");
}

#[test]
fn signals_and_comparisons_make_a_product() {
    let record = record(&[
        "allocate",
        "--bins",
        "100",
        "--runs",
        "1",
        "--policy",
        "two-choice",
        "--policy",
        "choices(3)",
        "--signal",
        "exact",
        "--signal",
        "batched(100)",
        "--comparison",
        "exact",
        "--comparison",
        "myopic(1)",
    ]);
    let rows: Vec<String> = record["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| format!("{} {} {}", r["policy"], r["signal"], r["comparison"]))
        .collect();
    assert_eq!(rows.len(), 8);
    assert_eq!(rows.iter().collect::<std::collections::HashSet<_>>().len(), 8);
}

#[test]
fn weighted_balls_have_no_counts() {
    let record = record(&[
        "allocate",
        "--bins",
        "100",
        "--runs",
        "3",
        "--policy",
        "two-choice",
        "--weights",
        "exponential",
    ]);
    let result = &record["results"][0];
    assert!(result["fraction_at_least"].is_null());
    assert!(result["max_load"]["counts"].is_null());
    assert!(result["max_load"]["mean"].as_f64().unwrap() > 1.0);
}

#[test]
fn users_of_a_file_are_balls_in_order() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    // Two servers 2 degrees apart on the equator; the third user is nearer to the second.
    fs::write(path("servers.csv"), "\u{feff}\"Name\",LNG,Lat\r\na,0,0\r\nb,2,0").unwrap();
    fs::write(path("users.csv"), "latitude,longitude\n0,0.5\n0,0.25\n0,1.5\n").unwrap();
    let (servers, users) = (path("servers.csv"), path("users.csv"));
    let args = [
        "allocate",
        "--servers",
        &servers,
        "--users",
        &users,
        "--policy",
        "nearest(1)",
        "--policy",
        "nearest(2)",
    ];
    let record = record(&args);
    let nearest = &record["results"][0];
    assert_eq!(nearest["balls"], 3);
    assert_eq!(nearest["runs"], 1);
    assert_eq!(nearest["max_load"]["mean"], 2.0);
    let degree_m = 6_371_008.8 * std::f64::consts::PI / 180.0;
    let mean = nearest["distance"]["mean"].as_f64().unwrap();
    assert!((mean - 1.25 / 3.0 * degree_m).abs() < 1e-3, "{mean}");
    assert_eq!(nearest["distance"]["unit"], "m");
    // By the second choice, the second user goes to the empty server.
    assert_eq!(record["results"][1]["max_load"]["mean"], 2.0);
    assert_eq!(record["results"][1]["empty"]["mean"], 0.0);
}

#[test]
fn drawn_places_on_square_and_torus() {
    for torus in [&[][..], &["--torus"]] {
        let args = [
            "allocate",
            "--bins",
            "400",
            "--servers",
            "grid",
            "--users",
            "uniform",
            "--runs",
            "5",
            "--policy",
            "nearest(1)",
        ];
        let record = record(&[&args[..], torus].concat());
        // Mean distance to the centre of a square cell of side 1/20: 0.3826 / 20.
        let mean = record["results"][0]["distance"]["mean"].as_f64().unwrap();
        assert!((mean - 0.019_13).abs() < 0.001, "{mean}");
    }
}

#[test]
fn every_format_and_output_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    let base = [
        "allocate",
        "--bins",
        "1000",
        "--runs",
        "10",
        "--policy",
        "two-choice",
        "--policy",
        "one-choice",
        "--quiet",
    ];
    for (format, start) in
        [("json", &b"{"[..]), ("csv", b"policy,"), ("parquet", b"PAR1"), ("table", b"1,000 bins")]
    {
        let out = path(format);
        let output = evenhand(&[&base[..], &["--format", format, "--out", &out]].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(output.stdout.is_empty());
        assert!(fs::read(&out).unwrap().starts_with(start), "{format}");
    }
    let (svg, png, html) = (path("plot.svg"), path("plot.png"), path("report.html"));
    for plot in [&svg, &png] {
        let output = evenhand(
            &[&base[..], &["--plot", plot, "--report", &html, "--credit", "Data: <made>"]].concat(),
        );
        assert!(output.status.success(), "{}", stderr(&output));
    }
    assert!(fs::read_to_string(&svg).unwrap().contains("<svg"));
    assert!(fs::read(&png).unwrap().starts_with(b"\x89PNG"));
    let page = fs::read_to_string(&html).unwrap();
    for part in ["two-choice", "evenhand allocate --bins 1000", "Data: &#60;made&#62;"] {
        assert!(page.contains(part), "no `{part}` in the report");
    }
    let left: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().ends_with(".part")), "{left:?}");
}

#[test]
fn a_gone_reader_is_no_failure() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_evenhand"))
        .arg("policies")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(!stderr(&output).contains("panicked"), "{}", stderr(&output));
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_is_finished() {
    use std::process::{Command, Stdio};
    let args = [
        "allocate",
        "--bins",
        "1e5",
        "--runs",
        "100000",
        "--policy",
        "choices(3)",
        "--engine",
        "bins",
        "--format",
        "json",
    ];
    let child = Command::new(env!("CARGO_BIN_EXE_evenhand"))
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1500));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let stopped = std::time::Instant::now();
    let output = child.wait_with_output().unwrap();
    // All runs together take minutes; what is left of a run, milliseconds.
    assert!(stopped.elapsed().as_secs() < 20, "it went on after Ctrl-C");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("interrupted"), "{}", stderr(&output));
    let record: Value =
        serde_json::from_slice(&output.stdout).expect("what is finished is printed");
    let runs = record["results"][0]["runs"].as_u64().unwrap();
    assert!((1..100_000).contains(&runs));
    assert!(record["results"][0]["notes"].to_string().contains("interrupted"));
}

#[test]
fn completions_know_policies() {
    for shell in ["bash", "zsh", "fish"] {
        let output = evenhand(&["completions", shell]);
        assert!(output.status.success());
        assert!(String::from_utf8_lossy(&output.stdout).contains("one-plus-beta"), "{shell}");
    }
}
