//! Service times, traces, speeds and places of files.

use serde_json::Value;

use super::{SMALL, folder, notes, refused, result, run};

#[test]
fn service_times_of_files() {
    let (_dir, path) = folder(&[
        ("negative.csv", "seconds\n1\n2\n-3\n"),
        ("zeros.csv", "seconds\n0\n1\n0\n3\n"),
        ("all_zero.csv", "seconds\n0\n0\n"),
    ]);
    let line =
        |name: &str| format!("{SMALL} --policy two-choice --service 'samples(\"{}\")'", path(name));
    refused(&line("negative.csv"), &["negative.csv, line 4", "`-3` is negative"]);
    let zeros = result(&line("zeros.csv"));
    assert!(notes(&zeros).contains("2 of the 4 service times are 0"), "{}", notes(&zeros));
    assert_eq!(zeros["sojourn"]["p50"].as_f64().map(|p50| p50 <= 1.001), Some(true));
    refused(&line("all_zero.csv"), &["all_zero.csv: all samples are 0"]);
}

#[test]
fn traces_are_read_in_order() {
    let jobs: String = (0..2000).map(|i| format!("{}.5\n", i / 2)).collect();
    let (_dir, path) = folder(&[
        ("sorted.csv", &format!("at\n{jobs}")),
        ("unsorted.csv", "at\n1\n3\n2\n4\n"),
        ("one.csv", "at\n1\n1\n"),
    ]);
    let line = |name: &str| {
        format!(
            "queue --servers 4 --arrivals 'trace(\"{}\", column=\"at\")' --policy two-choice",
            path(name)
        )
    };
    refused(&line("unsorted.csv"), &["unsorted.csv, line 4", "before the row above", "sort"]);
    let sorted = result(&format!("{} --sort", line("unsorted.csv")));
    assert_eq!(sorted["jobs"], 40, "4 jobs, 10 runs");
    let whole = result(&line("sorted.csv"));
    assert_eq!((&whole["runs"], &whole["jobs"]), (&Value::from(10), &Value::from(20_000)));
    assert!((whole["load"].as_f64().unwrap() - 0.5).abs() < 0.01, "{}", whole["load"]);
    let faster = result(&format!("{} --load 0.8", line("sorted.csv")));
    assert!((faster["load"].as_f64().unwrap() - 0.8).abs() < 1e-9);
    let (mean, slow) = (&faster["sojourn"]["mean"], &whole["sojourn"]["mean"]);
    assert!(mean.as_f64() > slow.as_f64(), "{mean} at load 0.8, {slow} at 0.5");
    run(&format!("{} --unstable", line("one.csv")));
}

#[test]
fn travel_adds_to_the_sojourn() {
    let (_dir, path) =
        folder(&[("servers.csv", "lat,lon\n0,0\n0,2\n"), ("users.csv", "lat,lon\n0,0\n0,0.5\n")]);
    let line = format!(
        "queue --servers '{}' --users '{}' --load 0.3 --jobs 3000 --warmup 10 --runs 2 \
         --policy 'nearest(1)'",
        path("servers.csv"),
        path("users.csv"),
    );
    let near = result(&line);
    let far = result(&format!("{line} --latency-per-km 0.01"));
    assert_eq!(near["distance"]["unit"], "m");
    let mean_m = near["distance"]["mean"].as_f64().unwrap();
    assert!((mean_m - 27_800.0).abs() < 2_000.0, "half of the jobs travel 55.6 km: {mean_m}");
    let mean = |result: &Value| result["sojourn"]["mean"].as_f64().unwrap();
    let added = mean(&far) - mean(&near);
    assert!((added - 0.01 * mean_m / 1000.0).abs() < 1e-6, "{added}");
    assert_eq!(near["wait"], far["wait"]);
    refused(&format!("{SMALL} --policy two-choice --latency-per-km 0.01"), &["--users"]);
}

#[test]
fn speeds_of_a_file() {
    let (_dir, path) = folder(&[("two.csv", "speed\n1\n3\n"), ("bad.csv", "speed\n1\n-3\n")]);
    let line = |servers: u32, name: &str| {
        format!(
            "queue --servers {servers} --load 0.5 --jobs 2000 --warmup 20 --runs 2 \
             --policy 'choices(2, weighted)' --speeds '{}'",
            path(name)
        )
    };
    refused(&line(3, "two.csv"), &["--speeds", "2 speeds for 3 servers"]);
    refused(&line(2, "bad.csv"), &["bad.csv", "line 3"]);
    let classes = result(&line(2, "two.csv"))["utilisation"].take();
    let speeds: Vec<_> =
        classes.as_array().unwrap().iter().map(|c| c["speed"].as_f64().unwrap()).collect();
    assert_eq!(speeds, [1.0, 3.0]);
}
