//! What is measured, and that it repeats.

use serde_json::Value;

use super::{SMALL, record, refused, result, timeless};

#[test]
fn threads_do_not_change_results() {
    let line = "queue --servers 20 --load 0.7 --precision 0.05 --policy two-choice \
                --policy all --policy 'walks(2, ring)' --signal exact --signal local";
    let with = |threads: &str| timeless(record(&format!("{line} --threads {threads}")));
    assert_eq!(with("1"), with("2"));
}

#[test]
fn seeds_change_results_and_repeat_them() {
    let line = "queue --servers 10 --load 0.5 --jobs 2000 --runs 2 --policy two-choice --seed ";
    let with = |seed: &str| timeless(record(&format!("{line}{seed}")));
    assert_eq!(with("5"), with("5"));
    assert_ne!(with("5"), with("6"));
}

#[test]
fn other_policies_do_not_change_a_policy() {
    let both = timeless(record(&format!("{SMALL} --policy random --policy two-choice")));
    let alone = timeless(record(&format!("{SMALL} --policy two-choice")));
    assert_eq!(both[1], alone[0]);
}

#[test]
fn the_record_has_its_keys() {
    let record = record(&format!("{SMALL} --policy two-choice"));
    assert_eq!(record["command"], "queue");
    assert_eq!(record["seed"], 3);
    let result = &record["results"][0];
    for key in KEYS {
        assert!(result.as_object().unwrap().contains_key(*key), "{key}");
    }
    assert_eq!(result["runs"], 3);
    assert_eq!(result["warm_up"], 20.0);
    assert_eq!(result["stable"], true);
    assert_eq!(result["engine"], "lazy");
    for times in [&result["sojourn"], &result["wait"]] {
        for key in ["mean", "ci95", "p50", "p90", "p99", "p99_ci95", "p999", "max"] {
            assert!(!times[key].is_null(), "{key}");
        }
    }
    let [sojourn, wait] =
        ["sojourn", "wait"].map(|which| result[which]["mean"].as_f64().expect("a number"));
    assert!((sojourn - wait - 1.0).abs() < 0.2, "service takes 1: {sojourn} and {wait}");
    assert_eq!(result["fraction_at_least"][0], 1.0);
}

const KEYS: &[&str] = &[
    "policy",
    "engine",
    "servers",
    "load",
    "rate",
    "service",
    "arrivals",
    "discipline",
    "buffer",
    "dispatchers",
    "dispatcher_shares",
    "subset",
    "signal",
    "comparison",
    "speeds",
    "server_places",
    "users",
    "runs",
    "jobs",
    "events",
    "warm_up",
    "stable",
    "sojourn",
    "wait",
    "queue_length",
    "fraction_at_least",
    "fraction_at_least_ci95",
    "sojourn_by_little",
    "utilisation",
    "probes_per_job",
    "lost",
    "distance",
    "transient",
    "prediction",
    "notes",
    "seconds",
    "events_per_second",
];

#[test]
fn engines_run_what_they_can() {
    for engine in ["lazy", "event", "uniformised", "profile"] {
        let result = result(&format!("{SMALL} --policy two-choice --engine {engine}"));
        assert_eq!(result["engine"], engine);
        assert!(result["sojourn"]["mean"].is_number(), "{engine}");
    }
    refused(
        &format!("{SMALL} --policy two-choice --engine lazy --discipline ps"),
        &["the lazy engine does not do a discipline other than fifo", "the engine event does"],
    );
    refused(
        &format!("{SMALL} --policy two-choice --engine profile --service deterministic"),
        &["profile", "service that is not exponential"],
    );
}

/// The fractions of servers with at least 1, 2, ... jobs add up to the mean number of jobs. Other
/// engines estimate one of them from a part of the jobs.
#[test]
fn fractions_add_up_to_the_queue_length() {
    for engine in ["event", "uniformised", "profile"] {
        let result = result(&format!("{SMALL} --policy two-choice --engine {engine}"));
        let fractions = result["fraction_at_least"].as_array().unwrap();
        let jobs: f64 = fractions[1..].iter().map(|x| x.as_f64().unwrap()).sum();
        let length = result["queue_length"]["mean"].as_f64().unwrap();
        assert!((jobs / length - 1.0).abs() < 1e-9, "{engine}: {jobs} and {length}");
    }
}

#[test]
fn options_make_a_product() {
    let record = record(
        "queue --servers 16 --dispatchers 4 --load 0.5 --load 0.6 --jobs 1000 --warmup 10 \
         --runs 2 --policy 'choices(2, distinct)' --policy random --subset all \
         --subset 'balanced(4)' --signal exact --signal local",
    );
    let key =
        |r: &Value| ["policy", "load", "subset", "signal"].map(|key| r[key].to_string()).join(" ");
    let rows: std::collections::BTreeSet<String> =
        record["results"].as_array().unwrap().iter().map(key).collect();
    assert_eq!(rows.len(), 16, "{rows:?}");
}

#[test]
fn drawn_places() {
    let result = result(&format!("{SMALL} --places uniform --users uniform --policy 'nearest(2)'"));
    assert!(result["server_places"].as_str().unwrap().contains("uniform"));
    assert!(result["distance"]["mean"].as_f64().unwrap() > 0.0);
}

#[test]
fn queues_over_time() {
    let line = "queue --servers 1000 --load 0.5 --policy two-choice --horizon 10 --warmup 0 \
                --runs 4 --at 8,0,1 --initial";
    let filling = result(&format!("{line} empty"));
    let moments = filling["transient"].as_array().unwrap();
    let times: Vec<_> = moments.iter().map(|moment| moment["t"].as_f64().unwrap()).collect();
    assert_eq!(times, [0.0, 1.0, 8.0]);
    let length = |moment: &Value| moment["queue_length"].as_f64().unwrap();
    assert_eq!(length(&moments[0]), 0.0);
    assert!(length(&moments[1]) < length(&moments[2]));
    let draining = result(&format!("{line} 'profile(1, 0.5, 0.25)'"));
    let moments = draining["transient"].as_array().unwrap();
    assert_eq!(moments[0]["fraction_at_least"], serde_json::json!([1.0, 1.0, 0.5, 0.25]));
    assert!((length(&moments[0]) - 1.75).abs() < 1e-12);
    assert!(length(&moments[2]) < 1.0);
    refused(
        &format!("{SMALL} --policy two-choice --initial 'profile(0.5, 0.9)'"),
        &["--initial", "a profile falls"],
    );
}

#[test]
fn lost_jobs_are_counted() {
    let result = result(
        "queue --servers 2 --load 1.5 --buffer 1 --jobs 4000 --warmup 20 --runs 2 \
         --policy random",
    );
    let lost = result["lost"].as_f64().unwrap();
    // One place each: M/M/1/1 loses 1.5 / 2.5.
    assert!((lost - 0.6).abs() < 0.05, "{lost}");
    assert_eq!(result["stable"], true);
    assert_eq!(result["wait"]["max"], 0.0);
}
