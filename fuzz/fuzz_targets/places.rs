//! Any bytes read as places: an answer or an error, never a panic.

#![no_main]

use evenhand_topology::space::{NearestIndex, ReadOptions, read_places_from};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for skip_invalid in [false, true] {
        for weight_column in [None, Some("w".to_owned())] {
            let options = ReadOptions { skip_invalid, weight_column };
            if let Ok(places) = read_places_from(bytes, "fuzz.csv", &options) {
                assert!(!places.is_empty());
                NearestIndex::new(&places).expect("what is read can be indexed");
            }
        }
    }
});
