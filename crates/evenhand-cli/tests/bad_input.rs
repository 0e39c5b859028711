//! What a wrong request says: one clear error, exit code 2, nothing on standard output.

mod common;

use std::fs;

use common::{evenhand, stderr};

/// Runs a request that must be refused, and returns what it says.
fn refused(args: &[&str]) -> String {
    let output = evenhand(args);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{args:?} said: {said}");
    assert!(output.stdout.is_empty(), "{args:?} printed results");
    assert!(!said.contains("panicked"), "{args:?} said: {said}");
    said
}

#[track_caller]
fn says(args: &[&str], parts: &[&str]) {
    let said = refused(args);
    for part in parts {
        assert!(said.contains(part), "{args:?}: no `{part}` in:\n{said}");
    }
}

fn bins(policy: &str) -> Vec<&str> {
    vec!["allocate", "--bins", "100", "--policy", policy]
}

#[test]
fn unknown_policy_gets_a_suggestion() {
    says(
        &bins("choises(2)"),
        &["unknown policy `choises`", "did you mean `choices`?", "evenhand policies"],
    );
}

#[test]
fn wrong_arity_and_type_name_the_column() {
    says(&bins("choices"), &["`d`"]);
    says(&bins("choices(2, 3, 4, 5, 6)"), &["column"]);
    says(&bins("choices(two)"), &["column 9", "whole number", "`two`"]);
    says(&bins("choices(2"), &["column"]);
    says(&bins("one-plus-beta(1.5)"), &["column 15", "`beta`"]);
}

#[test]
fn zero_choices_and_too_many_without_replacement() {
    says(&bins("choices(0)"), &["column 9", "`d` must be between 1"]);
    says(&bins("choices(101, distinct)"), &["column 9", "101 distinct servers of 100"]);
}

#[test]
fn groups_must_divide() {
    says(&bins("groups(3)"), &["groups of 3 do not divide 100 bins", "windows"]);
}

#[test]
fn all_problems_are_told_at_once() {
    let said = refused(&[
        "allocate",
        "--bins",
        "10",
        "--policy",
        "choises(2)",
        "--policy",
        "left(0)",
        "--signal",
        "batchd(3)",
        "--weights",
        "lognormal(-1)",
    ]);
    for part in ["choises", "left(0)", "batchd", "lognormal"] {
        assert!(said.contains(part), "no `{part}` in:\n{said}");
    }
    assert_eq!(said.matches("error:").count(), 4, "{said}");
}

#[test]
fn weights_must_be_numbers_that_are_not_negative() {
    let dir = tempfile::tempdir().unwrap();
    for (cell, name) in [("NaN", "nan.csv"), ("-1", "negative.csv"), ("x", "word.csv")] {
        let file = dir.path().join(name);
        fs::write(&file, format!("weight\n1\n{cell}\n")).unwrap();
        let weights = format!("samples(\"{}\")", file.display());
        let args = ["allocate", "--bins", "10", "--policy", "two-choice", "--weights", &weights];
        says(&args, &[name, "line 3", cell]);
    }
    says(&[&bins("two-choice")[..], &["--weights", "uniform(-0.5)"]].concat(), &["`width`"]);
    says(&[&bins("two-choice")[..], &["--weights", "uniform(nan)"]].concat(), &["column"]);
}

#[test]
fn numbers_are_refused_by_name() {
    says(&["allocate", "--bins", "-5", "--policy", "two-choice"], &["'-5'", "--bins", "negative"]);
    says(&["allocate", "--bins", "1e20", "--policy", "two-choice"], &["'1e20'", "--bins", "2^53"]);
    says(&["allocate", "--bins", "1.5", "--policy", "two-choice"], &["'1.5'", "whole number"]);
    says(&["allocate", "--bins", "0", "--policy", "two-choice"], &["at least 1"]);
    says(&["allocate", "--bins", "ten", "--policy", "two-choice"], &["'ten'", "number"]);
    says(&[&bins("two-choice")[..], &["--deletions", "1.5"]].concat(), &["between 0 and 1"]);
    says(&[&bins("two-choice")[..], &["--runs", "-1"]].concat(), &["--runs", "negative"]);
}

#[test]
fn missing_bins_say_what_to_give() {
    says(&["allocate", "--policy", "two-choice"], &["--bins", "--servers"]);
}

#[test]
fn places_and_speeds_that_are_missing() {
    says(&bins("nearest(2)"), &["needs places", "--servers"]);
    says(&bins("choices(2, weighted)"), &["--speeds"]);
    says(&[&bins("two-choice")[..], &["--signal", "per-speed"]].concat(), &["--speeds"]);
}

#[test]
fn engines_that_cannot() {
    says(&[&bins("ring(2)")[..], &["--engine", "profile"]].concat(), &["profile engine"]);
    says(&["allocate", "--bins", "1e10", "--policy", "thinning"], &["2^32", "profile engine"]);
}

#[test]
fn more_memory_than_the_machine_has() {
    let args = [
        "allocate",
        "--bins",
        "4e9",
        "--balls",
        "1e15",
        "--policy",
        "two-choice",
        "--deletions",
        "0.1",
    ];
    says(&args, &["GB of memory", "available"]);
}

#[test]
fn outputs_are_tried_before_the_run() {
    let args = [&bins("two-choice")[..], &["--out", "no-such-folder/results.json"]].concat();
    says(&args, &["--out", "no-such-folder"]);
    let args = [&bins("two-choice")[..], &["--plot", "plot.pdf"]].concat();
    says(&args, &["--plot", ".svg", ".png"]);
    let args = [&bins("two-choice")[..], &["--report", "no-such-folder/report.html"]].concat();
    says(&args, &["--report", "no-such-folder"]);
}

/// A folder with a good servers file and a users file of the given text; runs `nearest(1)`.
fn with_users(users: &str, more: &[&str]) -> (tempfile::TempDir, Vec<String>) {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("servers.csv"), "name,lat,lon\na,0,0\nb,10,10\n").unwrap();
    fs::write(dir.path().join("users.csv"), users).unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    let mut args: Vec<String> =
        ["allocate", "--policy", "nearest(1)", "--servers"].map(String::from).to_vec();
    args.extend([path("servers.csv"), "--users".into(), path("users.csv")]);
    args.extend(more.iter().map(ToString::to_string));
    (dir, args)
}

#[track_caller]
fn users_say(users: &str, more: &[&str], parts: &[&str]) {
    let (_dir, args) = with_users(users, more);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    says(&args, parts);
}

#[test]
fn places_files_that_are_wrong() {
    users_say("", &[], &["users.csv", "empty"]);
    users_say("lat,lon\n", &[], &["users.csv"]);
    users_say("a,b\n1,2\n", &[], &["users.csv", "lat", "lon", "`a`"]);
    users_say("lat,lon\n1,2\n,3\n", &[], &["users.csv, line 3", "--skip-invalid"]);
    users_say("lat,lon\n91,2\n", &[], &["users.csv, line 2", "91"]);
    users_say("lat,lon\n1,2\nx,3\n", &[], &["users.csv, line 3"]);
    users_say("x,y\n1,2\n", &[], &["degrees", "plane"]);
    let more = ["--balls", "10", "--user-weight", "populaton"];
    users_say("lat,lon,population\n1,2,3\n", &more, &["populaton", "population"]);
    users_say(
        "lat,lon,population\n1,2,-3\n",
        &["--balls", "10", "--user-weight", "population"],
        &["line 2"],
    );
    users_say("lat,lon\n1,2\n", &["--user-weight", "lat"], &["--balls"]);
    users_say("lat,lon\n1,2\n", &["--bins", "7"], &["--bins", "2 servers"]);
}

#[test]
fn files_that_cannot_be_read() {
    says(
        &[
            "allocate",
            "--servers",
            "no-such.csv",
            "--users",
            "neither.csv",
            "--policy",
            "nearest(1)",
        ],
        &["no-such.csv", "neither.csv"],
    );
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().display().to_string();
    says(
        &["allocate", "--servers", &folder, "--users", &folder, "--policy", "nearest(1)"],
        &[&folder],
    );
}

#[test]
fn skipped_rows_are_counted() {
    let (_dir, args) =
        with_users("lat,lon\n1,2\n,3\n95,1\n4,5\n", &["--skip-invalid", "--format", "json"]);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let output = evenhand(&args);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains("2 rows"), "{}", stderr(&output));
    let record: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(record["results"][0]["balls"], 2);
    assert!(record["results"][0]["notes"].to_string().contains("2 rows"), "{record}");
}
