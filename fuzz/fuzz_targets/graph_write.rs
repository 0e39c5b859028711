//! What is read is written and read back as the same graph.

#![no_main]

use evenhand_topology::graph::{Format, ReadOptions, WriteError, read_graph_from, write_graph};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(graph) = read_graph_from(bytes, "fuzz", &ReadOptions::default()) else {
        return;
    };
    if graph.graph.vertices() > 2000 {
        return;
    }
    for format in [Format::EdgeList, Format::GraphMl, Format::Graph6] {
        let mut written = Vec::new();
        match write_graph(&graph, format, &mut written) {
            Ok(()) => {}
            Err(WriteError::NotSimple { .. }) => continue,
            Err(error) => panic!("{error}"),
        }
        let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
        let back = read_graph_from(&written, "written", &options).expect("what is written is read");
        assert_eq!(back.graph, graph.graph);
    }
});
