//! Documents that repeat what the program says are kept current.

mod common;

use std::fs;
use std::path::Path;

use common::evenhand;

fn project(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn the_table_of_policies_is_current() {
    let page = project("docs/reference/policies.md");
    let (begin, end) = ("<!-- begin policies -->\n", "<!-- end policies -->");
    let start = page.find(begin).expect("a begin marker") + begin.len();
    let stop = page.find(end).expect("an end marker");
    let table = String::from_utf8(evenhand(&["policies", "--format", "markdown"]).stdout).unwrap();
    assert_eq!(
        page[start..stop].trim(),
        table.trim(),
        "put the output of `evenhand policies --format markdown` there"
    );
}

#[test]
fn every_option_is_documented() {
    for (command, page) in [
        ("allocate", "docs/reference/allocate.md"),
        ("queue", "docs/reference/queue.md"),
        ("graph", "docs/reference/graphs.md"),
        ("voronoi", "docs/reference/voronoi.md"),
        ("predict allocate", "docs/reference/predict.md"),
        ("predict compare", "docs/reference/predict.md"),
    ] {
        let text = project(page);
        let help = String::from_utf8(
            evenhand(&command.split(' ').chain(["--help"]).collect::<Vec<_>>()).stdout,
        )
        .unwrap();
        let words = help.split(|c: char| !(c.is_ascii_lowercase() || c == '-'));
        for option in words.filter(|word| word.starts_with("--") && word.len() > 2) {
            assert!(text.contains(&format!("`{option}")), "{page} lacks {option}");
        }
    }
}
