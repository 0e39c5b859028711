//! `evenhand queue` from the outside.

#[path = "../common/mod.rs"]
mod common;
mod inputs;
mod outputs;
mod requests;
mod results;

use std::fs;

use common::{evenhand, stderr};
use serde_json::Value;
use tempfile::TempDir;

/// A small point: enough for a result, not for a precise one.
const SMALL: &str = "queue --servers 10 --load 0.5 --jobs 2000 --warmup 20 --runs 3 --seed 3";

/// A command line: words at spaces, except inside quotes.
fn words(line: &str) -> Vec<&str> {
    let parts = line.split('\'').enumerate();
    parts
        .flat_map(|(i, part)| match i % 2 {
            0 => part.split_whitespace().collect(),
            _ => vec![part],
        })
        .collect()
}

/// What a request printed on standard output and standard error; it must succeed.
fn run(line: &str) -> (String, String) {
    let output = evenhand(&words(line));
    let said = stderr(&output);
    assert!(output.status.success(), "{line}: {said}");
    let printed = String::from_utf8(output.stdout).expect("text");
    assert!(!printed.contains("NaN") && !said.contains("NaN"), "{line}: {printed}{said}");
    (printed, said)
}

/// The JSON record of a request that must succeed.
fn record(line: &str) -> Value {
    let (printed, _) = run(&format!("{line} --format json"));
    serde_json::from_str(&printed).expect("standard output is one JSON object")
}

/// The first result of a request that must succeed.
fn result(line: &str) -> Value {
    record(line)["results"][0].take()
}

fn notes(result: &Value) -> String {
    result["notes"].to_string()
}

/// Runs a request that must be refused with all of `parts` in what it says.
#[track_caller]
fn refused(line: &str, parts: &[&str]) {
    let output = evenhand(&words(line));
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{line} said: {said}");
    assert!(output.stdout.is_empty(), "{line} printed results");
    for part in parts.iter().chain(&["error: "]) {
        assert!(said.contains(part), "{line}: no `{part}` in:\n{said}");
    }
    assert!(!said.contains("NaN") && !said.contains("panicked"), "{line} said: {said}");
}

/// A folder with these files, and the path of a name in it.
fn folder(files: &[(&str, &str)]) -> (TempDir, impl Fn(&str) -> String + use<>) {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(dir.path().join(name), text).unwrap();
    }
    let root = dir.path().to_path_buf();
    (dir, move |name: &str| root.join(name).display().to_string())
}

/// The results without what measures time.
fn timeless(mut record: Value) -> Value {
    for result in record["results"].as_array_mut().expect("a list") {
        let result = result.as_object_mut().expect("an object");
        result.remove("seconds").expect("a time");
        result.remove("events_per_second").expect("a speed");
    }
    record["results"].take()
}
