//! Requests as one line, and what they give.

use serde_json::Value;

use super::common::{evenhand, stderr};

/// A command line: words at spaces, except inside quotes.
pub(crate) fn words(line: &str) -> Vec<&str> {
    let parts = line.split('\'').enumerate();
    parts
        .flat_map(|(i, part)| match i % 2 {
            0 => part.split_whitespace().collect(),
            _ => vec![part],
        })
        .collect()
}

/// What a request printed on standard output and standard error; it must succeed.
pub(crate) fn run(line: &str) -> (String, String) {
    let output = evenhand(&words(line));
    let said = stderr(&output);
    assert!(output.status.success(), "{line}: {said}");
    let printed = String::from_utf8(output.stdout).expect("text");
    assert!(!printed.contains("NaN") && !said.contains("NaN"), "{line}: {printed}{said}");
    (printed, said)
}

/// The JSON record of a request that must succeed.
pub(crate) fn record(line: &str) -> Value {
    let (printed, _) = run(&format!("{line} --format json"));
    serde_json::from_str(&printed).expect("standard output is one JSON object")
}

/// The first result of a request that must succeed.
pub(crate) fn result(line: &str) -> Value {
    record(line)["results"][0].take()
}

pub(crate) fn notes(result: &Value) -> String {
    result["notes"].to_string()
}

/// Runs a request that must be refused with all of `parts` in what it says.
#[track_caller]
pub(crate) fn refused(line: &str, parts: &[&str]) {
    let output = evenhand(&words(line));
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{line} said: {said}");
    assert!(output.stdout.is_empty(), "{line} printed results");
    for part in parts.iter().chain(&["error: "]) {
        assert!(said.contains(part), "{line}: no `{part}` in:\n{said}");
    }
    assert!(!said.contains("NaN") && !said.contains("panicked"), "{line} said: {said}");
}
