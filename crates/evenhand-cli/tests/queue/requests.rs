//! Requests that are refused, and those that are warned of.

use super::{SMALL, notes, refused, result};

#[test]
fn load_at_capacity_is_refused_or_unstable() {
    let line = "queue --servers 10 --load 1.2 --policy two-choice --jobs 20000 --runs 2";
    refused(line, &["--load", "the load is 1.2", "10 servers do 10", "--unstable"]);
    refused(
        "queue --servers 10 --rate 12 --service 'deterministic(mean=2)' --policy random",
        &["the load is 2.4", "10 servers do 10"],
    );
    let result = result(&format!("{line} --unstable"));
    assert_eq!(result["stable"], false);
    for key in ["queue_length", "fraction_at_least", "sojourn_by_little"] {
        assert!(result[key].is_null(), "{key}");
    }
    for times in [&result["sojourn"], &result["wait"]] {
        for key in ["mean", "ci95", "p50", "p90", "p99", "p999"] {
            assert!(times[key].is_null(), "{key}");
        }
    }
    assert!(notes(&result).contains("queues still grow"), "{}", notes(&result));
}

#[test]
fn a_slow_class_that_saturates_is_named() {
    refused(
        "queue --servers 100 --load 0.9 --policy one-choice --speeds 'classes(0.8, 1, 0.2, 0.25)'",
        &["the 20 servers of speed 0.25", "saturate", "one-choice", "they do 5"],
    );
}

#[test]
fn nothing_to_run() {
    refused(
        &format!("{SMALL} --policy two-choice --dispatchers 0"),
        &["--dispatchers", "it must be at least 1"],
    );
    refused("queue --servers 0 --load 0.5 --policy two-choice", &["--servers", "at least 1"]);
}

#[test]
fn a_law_without_a_mean_is_refused() {
    refused(&format!("{SMALL} --policy two-choice --service 'pareto(1)'"), &["mean"]);
}

#[test]
fn heavy_tails_are_told() {
    let heavy = result(&format!("{SMALL} --policy two-choice --service 'pareto(1.5)'"));
    assert!(notes(&heavy).contains("power-law regime"), "{}", notes(&heavy));
    assert!(notes(&heavy).contains("infinite variance"), "{}", notes(&heavy));
    let long = result(&format!("{SMALL} --policy two-choice --service 'hyperexponential(39)'"));
    assert!(notes(&long).contains("needs a long run"), "{}", notes(&long));
}

#[test]
fn wrong_lengths_of_runs() {
    refused(
        "queue --servers 10 --load 0.5 --policy two-choice --horizon 10 --warmup 20",
        &["--horizon", "the run ends at 10", "warm-up of 20"],
    );
    refused(
        "queue --servers 10 --load 0.5 --policy two-choice --horizon 10 --at 5,11",
        &["--at", "11 is after the end"],
    );
    refused(&format!("{SMALL} --policy two-choice --warmup soon"), &["--warmup"]);
    refused("queue --servers 10 --policy two-choice", &["--load or --rate"]);
}

#[test]
fn subsets_and_signals_that_do_not_fit() {
    refused(
        &format!("{SMALL} --policy 'walks(2, ring)' --subset 'balanced(4)'"),
        &["a subset cannot be wrapped around the policy walks(2, ring)", "leave out the subset"],
    );
    refused(&format!("{SMALL} --policy two-choice --subset 'balanced(11)'"), &["11", "10"]);
    refused(
        &format!("{SMALL} --policy two-choice --signal locl"),
        &["--signal", "`locl`", "did you mean `local`?"],
    );
    refused(&format!("{SMALL} --policy two-choice --signal per-speed"), &["--speeds"]);
    refused(
        &format!("{SMALL} --policy 'least-work(2)' --signal local"),
        &["does not show unfinished work"],
    );
}

#[test]
fn all_problems_are_told_at_once() {
    refused(
        &format!("{SMALL} --policy choises --signal locl --service expo --dispatchers 0"),
        &["choises", "locl", "expo", "--dispatchers"],
    );
}
