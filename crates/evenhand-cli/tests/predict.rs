//! `evenhand predict`, and predictions beside runs.

mod common;
#[path = "common/requests.rs"]
mod requested;

use requested::{notes, record, refused, result, run};
use serde_json::Value;

fn results(request: &str) -> Vec<Value> {
    record(request)["results"].as_array().unwrap().clone()
}

fn close(value: &Value, expected: f64, relative: f64) {
    let number = value.as_f64().unwrap_or_else(|| panic!("{value} is no number"));
    assert!((number / expected - 1.0).abs() < relative, "{number} for {expected}");
}

/// Mitzenmacher 2001; Gast 2017 for 100 servers.
#[test]
fn two_choices_have_their_fixed_point() {
    let limit = result("predict queue --load 0.9 --policy two-choice");
    close(&limit["sojourn"]["mean"], 2.614057, 1e-6);
    for (k, expected) in [(1, 0.9), (2, 0.729), (3, 0.478297), (4, 0.205891), (5, 0.038152)] {
        close(&limit["fraction_at_least"][k], expected, 2e-5);
    }
    assert_eq!(limit["theorem"]["holds"], true);
    assert!(limit["servers"].is_null() && limit["refined"].is_null());
    assert!(limit["error"]["sojourn"]["mean"].as_f64().unwrap() < 1e-12);

    let finite = result("predict queue --load 0.9 --policy two-choice --servers 100");
    close(&finite["queue_length"]["mean"], 2.39252, 1e-5);
    close(&finite["refined_second_order"]["queue_length"]["mean"], 2.39305, 1e-5);
    close(&finite["limit"]["queue_length"]["mean"], 2.352652, 1e-6);
}

/// Values of Hellemans's thesis, and of an independent solver.
#[test]
fn general_service_has_its_fixed_point() {
    for (law, mean) in
        [("hyperexponential(10)", 6.751345), ("deterministic", 1.763908), ("erlang(16)", 1.817203)]
    {
        let request = format!("predict queue --load 0.9 --policy two-choice --service '{law}'");
        let result = result(&request);
        close(&result["sojourn"]["mean"], mean, 1e-6);
        let proved = law.starts_with("hyper");
        assert_eq!(result["theorem"]["holds"].as_bool(), proved.then_some(true), "{law}");
    }
}

#[test]
fn the_unit_of_the_law_is_the_unit_of_times() {
    let unit = result("predict queue --load 0.8 --policy two-choice --at 2");
    let minutes = result(
        "predict queue --load 0.8 --policy two-choice --service 'exponential(mean=60)' --at 120",
    );
    for key in ["mean", "p50", "p99"] {
        close(&minutes["sojourn"][key], 60.0 * unit["sojourn"][key].as_f64().unwrap(), 1e-9);
    }
    close(&minutes["at"][0]["queue_length"], unit["at"][0]["queue_length"].as_f64().unwrap(), 1e-7);
    assert_eq!(minutes["at"][0]["t"], 120.0);
}

/// From 0.2 N queues of 2 jobs and 0.8 N of 3: the mean starts at 2.8, and falls to 2.3527.
#[test]
fn states_in_time_start_where_they_are_told() {
    let request = "predict queue --load 0.9 --policy two-choice --initial 'profile(1, 1, 0.8)'";
    let result = result(&format!("{request} --at 0,1,200"));
    close(&result["at"][0]["queue_length"], 2.8, 1e-12);
    close(&result["at"][2]["queue_length"], 2.352652, 1e-5);
    for law in ["erlang(2)", "deterministic"] {
        let mut results = results(&format!("{request} --service '{law}' --at 0,1"));
        let at = results.remove(0)["at"].take();
        close(&at[0]["queue_length"], 2.8, 1e-6);
        assert!(at[1]["queue_length"].as_f64().unwrap() < 2.8 + 0.9, "{law}: {at}");
    }
}

#[test]
fn a_policy_without_theory_does_not_spoil_the_others() {
    let results = results(
        "predict queue --load 0.9 --policy 'left(2)' --policy two-choice --policy round-robin",
    );
    assert!(results[0]["sojourn"]["mean"].is_null());
    assert!(notes(&results[0]).contains("no theory for left(2)"));
    close(&results[1]["sojourn"]["mean"], 2.614057, 1e-6);
    assert!(results[2]["limit"].is_null());
}

#[test]
fn loads_without_a_fixed_point_are_refused() {
    refused(
        "predict queue --load 1.05 --policy two-choice",
        &["--load", "1.05", "there is no fixed point", "lower --load"],
    );
    refused(
        "predict queue --load 0.9 --speeds 'classes(0.5, 1, 0.5, 0.25)' --policy two-choice",
        &["saturate", "speed 0.25"],
    );
    refused("predict queue --policy two-choice", &["--load", "not given"]);
    refused("predict allocate --policy two-choice --balls 10", &["--bins"]);
}

#[test]
fn power_laws_are_warned_of() {
    let result = result("predict queue --load 0.5 --policy two-choice --service 'pareto(1.8)'");
    let notes = notes(&result);
    assert!(notes.contains("power-law regime"), "{notes}");
    assert!(notes.contains("k^-4"), "{notes}");
}

#[test]
fn allocations_have_their_limits() {
    let limit = result("predict allocate --policy two-choice --at 0.5,1");
    close(&limit["fraction_at_least"][1], 1.0_f64.tanh(), 1e-9);
    close(&limit["at"][0]["fraction_at_least"][1], 0.5_f64.tanh(), 1e-8);
    assert!(limit["max_load"].is_null());

    // 20,000 runs of an independent simulation: 3 in 97.50 %, 4 in 2.50 % of them.
    let finite = result("predict allocate --policy two-choice --bins 4096");
    close(&finite["max_load"]["mean"], 3.0250, 0.003);
    assert_eq!(finite["max_load"]["method"], "refined");
    assert_eq!(finite["bounds"][0]["leading"], true);
    let small = result("predict allocate --policy 'choices(2, distinct)' --bins 8");
    assert_eq!(small["max_load"]["method"], "exact");
}

/// The defaults of `compare` are 8 numbers of choices and 5 laws.
#[test]
fn compare_makes_a_table() {
    let results = results(
        "predict compare --load 0.5 --choices 1,2,4 --service exponential --service deterministic",
    );
    assert_eq!(results.len(), 6);
    close(&results[0]["sojourn"]["mean"], 2.0, 1e-9);
    close(&results[3]["sojourn"]["mean"], 1.5, 1e-9);
}

#[test]
fn predictions_stand_beside_runs() {
    let run = result(
        "queue --servers 50 --load 0.8 --policy two-choice --runs 8 --jobs 20000 --warmup 40 --at 3",
    );
    let prediction = &run["prediction"];
    close(&prediction["difference"]["measured"], run["sojourn"]["mean"].as_f64().unwrap(), 1e-9);
    close(
        &prediction["difference"]["predicted"],
        prediction["refined"]["sojourn"]["mean"].as_f64().unwrap(),
        1e-12,
    );
    assert!(prediction["difference"]["standard_errors"].as_f64().unwrap().abs() < 6.0);
    assert_eq!(prediction["at"][0]["t"], 3.0);

    let run = result("allocate --bins 1000 --policy 'windows(4)' --runs 2");
    assert!(run["prediction"].is_null());
    let run = result("allocate --bins 1000 --policy two-choice --runs 20");
    assert_eq!(run["prediction"]["difference"]["quantity"], "max_load.mean");
}

#[test]
fn all_formats_and_a_picture_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    for (kind, options) in [("queue", "--load 0.9 --at 1,2"), ("allocate", "--bins 1e4 --at 1")] {
        for format in ["table", "json", "csv", "parquet"] {
            let out = path(&format!("{kind}.{format}"));
            let request = format!(
                "predict {kind} {options} --policy two-choice --format {format} --out {out} \
                 --plot {} --report {}",
                path("plot.svg"),
                path("report.html")
            );
            run(&request);
            assert!(std::fs::metadata(&out).unwrap().len() > 100, "{out}");
        }
        let report = std::fs::read_to_string(path("report.html")).unwrap();
        assert!(report.to_lowercase().contains("theory"), "{kind}: what the report is");
        assert!(std::fs::read_to_string(path("plot.svg")).unwrap().contains("predicted"));
    }
}
