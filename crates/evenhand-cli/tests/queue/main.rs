//! `evenhand queue` from the outside.

#[path = "../common/mod.rs"]
mod common;
mod inputs;
mod outputs;
#[path = "../common/requests.rs"]
mod requested;
mod requests;
mod results;

use std::fs;

use requested::{notes, record, refused, result, run};
use serde_json::Value;
use tempfile::TempDir;

/// A small point: enough for a result, not for a precise one.
const SMALL: &str = "queue --servers 10 --load 0.5 --jobs 2000 --warmup 20 --runs 3 --seed 3";

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
