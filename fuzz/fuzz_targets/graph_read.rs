//! Any bytes read as a graph, in every format: an answer or an error, never a panic.

#![no_main]

use evenhand_topology::graph::{Format, ReadOptions, read_all_graph6_from, read_graph_from};
use libfuzzer_sys::fuzz_target;

const FORMATS: [Option<Format>; 8] = [
    None,
    Some(Format::EdgeList),
    Some(Format::GraphMl),
    Some(Format::Gml),
    Some(Format::MatrixMarket),
    Some(Format::Graph6),
    Some(Format::Sparse6),
    Some(Format::NodeLink),
];

fuzz_target!(|bytes: &[u8]| {
    for format in FORMATS {
        let options = ReadOptions { format, ..ReadOptions::default() };
        if let Ok(graph) = read_graph_from(bytes, "fuzz", &options) {
            let vertices = graph.graph.vertices();
            assert!(graph.labels.is_none_or(|labels| labels.len() == vertices));
            assert!(graph.positions.is_none_or(|positions| positions.len() == vertices));
        }
    }
    let _ = read_all_graph6_from(bytes, "fuzz", &ReadOptions::default());
});
