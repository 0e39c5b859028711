//! Expressions: nothing panics, the canonical form reads back, every error can be shown.
#![no_main]

use evenhand_expr::{Call, Error, Problem, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|source: &str| {
    match parse(source) {
        Ok(call) => {
            assert_eq!(parse(&call.to_string()).as_ref(), Ok(&call));
            if let Err(problems) = read(&call) {
                show(&Error::new(source, problems));
            }
        }
        Err(error) => show(&error),
    }
});

fn show(error: &Error) {
    assert!(!error.problems.is_empty());
    assert!(!error.to_string().is_empty());
}

/// Reads the arguments with every kind of getter, nested expressions too.
fn read(call: &Call) -> Result<(), Vec<Problem>> {
    let mut args = call.args(&["d", "beta", "distinct", "ties", "path", "graph", "k"]);
    args.integer("d", 1..=4096);
    args.number("beta", 0.0..=1.0);
    args.flag("distinct");
    args.word("ties", &["random", "first"]);
    args.text("path");
    if let Some(graph) = args.call_or_none("graph") {
        let nested = read(graph);
        args.nested(nested);
    }
    args.value("k");
    args.numbers_rest();
    args.finish()
}
