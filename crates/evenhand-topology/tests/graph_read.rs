//! Reading and writing graphs: each format, its quirks, and its errors.

use std::io::Write as _;

use evenhand_topology::graph::{
    Format, Graph, NamedGraph, Place, Problem, ReadError, ReadOptions, WriteError,
    read_all_graph6_from, read_graph_from, write_graph,
};
use evenhand_topology::space::Point;

fn read(name: &str, text: &str) -> NamedGraph {
    read_graph_from(text.as_bytes(), name, &ReadOptions::default())
        .unwrap_or_else(|error| panic!("{error}"))
}

/// Line and problem of a text that cannot be read.
fn fault(name: &str, text: &str) -> (u64, Problem) {
    match read_graph_from(text.as_bytes(), name, &ReadOptions::default()) {
        Err(ReadError::Malformed { file, place, problem, .. }) => {
            assert_eq!(file, name);
            (place.line, problem)
        }
        other => panic!("{other:?}"),
    }
}

fn edges(graph: &NamedGraph) -> Vec<(u32, u32)> {
    graph.graph.edge_list()
}

fn labels(graph: &NamedGraph) -> Vec<&str> {
    graph.labels.as_ref().expect("labels").iter().map(String::as_str).collect()
}

#[test]
fn edge_lists_of_numbers_are_in_numeric_order() {
    let snap =
        "# Undirected graph\r\n# FromNodeId\tToNodeId\r\n10\t2\r\n\r\n2  30\r\n% end\r\n30\t10";
    let graph = read("a.txt", snap);
    assert_eq!(labels(&graph), ["2", "10", "30"]);
    assert_eq!(edges(&graph), [(0, 1), (0, 2), (1, 2)]);
    let zero_based = read("a.edges", "\u{feff}0 1 0.5\n1 2 7 # why\n0 0 1\n");
    assert_eq!((zero_based.graph.vertices(), zero_based.labels), (3, None));
    assert_eq!(zero_based.counts.self_loops, 1);
    assert_eq!(zero_based.notes, ["ignored the columns after the second"]);
}

#[test]
fn edge_lists_of_words_are_in_order_of_appearance() {
    let graph = read("a.csv", "source,target\n\"Aa, b\",\"say \"\"x\"\"\"\nzoo, Aa\nzoo,1\n");
    assert_eq!(labels(&graph), ["Aa, b", "say \"x\"", "zoo", "Aa", "1"]);
    assert_eq!(edges(&graph), [(0, 1), (2, 3), (2, 4)]);
    let tabs = read("a.tsv", "New York\tOslo\t3\nOslo\tSan Remo\t4\n");
    assert_eq!(labels(&tabs), ["New York", "Oslo", "San Remo"]);
    // Texts that differ are vertices that differ.
    assert_eq!(read("a.txt", "01 1\n1 001").graph.vertices(), 3);
    assert_eq!(labels(&read("a.csv", "id_1,id_2\n4,5\n")), ["4", "5"]);
    assert_eq!(edges(&read("a.el", "1 2 {'weight': 1, 'x': 2}\n2 3 {}\n")).len(), 2);
}

#[test]
fn edge_lists_with_a_node_count_have_isolated_vertices() {
    let graph = read("a.txt", "# Nodes: 5 Edges: 1\n1 3\n");
    assert_eq!((graph.graph.vertices(), graph.counts.isolated), (5, 3));
    // Numbers that do not fit in: the count cannot say which vertices are missing.
    let graph = read("a.txt", "# Nodes: 5 Edges: 1\n1 5\n");
    assert_eq!((graph.graph.vertices(), graph.notes.len()), (2, 1));
    assert!(matches!(
        fault("a.txt", "# Nodes: 1000000000000\n0 1\n"),
        (1, Problem::TooManyVertices { claimed: 1_000_000_000_000, .. })
    ));
}

#[test]
fn edge_lists_are_read_strictly() {
    let count = |found, expected, (line, problem)| {
        assert!(
            matches!(problem, Problem::FieldCount { found: f, expected: e, .. }
                if (f, e) == (found, expected)),
            "{problem:?}"
        );
        line
    };
    assert_eq!(count(1, 2, fault("a.txt", "# x\n\n1 2\n3\n")), 4);
    assert_eq!(count(3, 2, fault("a.txt", "1 2\r2 3\r3 4 5\r")), 3);
    assert_eq!(fault("a.csv", "a,b\n\"c,d\n"), (2, Problem::UnclosedQuote));
    assert!(matches!(fault("a.csv", "a,b\n,d\n"), (2, Problem::Missing { .. })));
    assert!(matches!(fault("a.txt", "# nothing\n"), (2, Problem::Missing { .. })));
    let bytes = b"1 2\n\xff 3\n";
    let error = read_graph_from(bytes, "a.txt", &ReadOptions::default()).unwrap_err();
    assert!(error.to_string().starts_with("a.txt, line 2 (edge list): the text is not UTF-8"));
    let empty = read_graph_from(b" \n", "a.txt", &ReadOptions::default());
    assert!(matches!(empty, Err(ReadError::Empty { .. })));
}

const ZOO: &str = "Creator \"a # no comment\"\n# comment [\ngraph [\n  label \"Net\"\n  directed 0\n  \
    node [ id 0 label \"Z&#252;rich &amp; S&atilde;o &unknown; &\" Longitude 8.5 Latitude 47.4 ]\n  \
    node [\n    id -1\n    label \"Aa\"\n    graphics [ x 1 y [ z 2 ] ]\n    Latitude 1\n    \
    Longitude 2.5E0\n  ]\n  node[id 7 label \"Aa\" lat 1 lon 2]\n  \
    edge [ source 0 target -1 id \"e0\" ]\n  edge [ source -1 target 0 ]\n  \
    edge [ source 0 target 0 ]\n]\n";

#[test]
fn gml_of_the_topology_zoo_is_read() {
    let graph = read("zoo.gml", ZOO);
    assert_eq!(labels(&graph), ["Zürich & São &unknown; &", "Aa", "Aa"]);
    assert_eq!(edges(&graph), [(0, 1), (0, 1), (0, 0)]);
    assert_eq!(graph.positions.as_ref().unwrap()[1], Some(Point { x: 2.5, y: 1.0 }));
    let counts = graph.counts;
    assert_eq!((counts.self_loops, counts.parallel_edges), (1, 1));
    assert_eq!((counts.isolated, counts.components), (1, 2));
    assert_eq!(graph.notes[0], "labels that an earlier vertex has: 1");
    assert_eq!(read("guess", ZOO).labels, graph.labels);
}

#[test]
fn gml_errors_have_their_line() {
    let graph = |body: &str| format!("graph [\n{body}\n]\n");
    let missing = |(line, problem): (u64, Problem)| match problem {
        Problem::Missing { what } => (line, what),
        other => panic!("{other:?}"),
    };
    assert_eq!(missing(fault("a.gml", &graph("node [ label 3 ]"))), (2, "the id of a node"));
    assert_eq!(missing(fault("a.gml", &graph("edge [ source 1 ]"))).0, 2);
    assert_eq!(missing(fault("a.gml", "Version 1\n")).0, 2);
    let repeated = graph("node [ id 1 ]\nnode [ id 1 ]");
    assert_eq!(fault("a.gml", &repeated), (3, Problem::RepeatedVertex { id: "1".into() }));
    let unknown = graph("node [ id 1 ]\nedge [ source 1 target 2 ]");
    assert_eq!(fault("a.gml", &unknown), (3, Problem::UnknownVertex { id: "2".into() }));
    assert!(matches!(fault("a.gml", &graph("node [ id x ]")), (2, Problem::Value { .. })));
    assert!(matches!(fault("a.gml", "graph [\nnode [ id 1"), (2, Problem::Unclosed { .. })));
    assert_eq!(fault("a.gml", "graph [\nlabel \"a"), (2, Problem::UnclosedQuote));
    assert!(matches!(fault("a.gml", "graph [ ]\n]"), (2, Problem::Unexpected { .. })));
}

const GRAPHML: &str = "<?xml version='1.0'?>\n<g:graphml xmlns:g='http://graphml.graphdrawing.org/xmlns'>
<g:key id='d0' for='node' attr.name='label'/><g:key id='d1' for='node' attr.name='label'/>
<g:key id='d2' for='edge' attr.name='label'/><g:key id='d2' for='node' attr.name='Latitude'/>
<g:key id='d3' for='all' attr.name='Longitude'><g:default>0</g:default></g:key>
<g:graph edgedefault='directed'><g:edge source='b' target='a&amp;'><g:data key='d2'>L</g:data></g:edge>
<g:node id='a&amp;'><g:data key='d0'> x &lt;<![CDATA[<]]>&eacute;<y:Shape xmlns:y='y'>no</y:Shape>
</g:data><g:data key='d1'>second</g:data><g:data key='d2'>1.5</g:data><g:data key='d3'>2</g:data></g:node>
<g:node id='b'><g:data key='d2'>3</g:data><g:data key='d3'>-4</g:data></g:node>
</g:graph><g:graph/></g:graphml>";

#[test]
fn graphml_with_namespaces_and_repeated_names_is_read() {
    let graph = read("a.graphml", GRAPHML);
    assert_eq!(labels(&graph), ["x <<é", "b"]);
    assert_eq!(edges(&graph), [(0, 1)]);
    let places = [Point { x: 2.0, y: 1.5 }, Point { x: -4.0, y: 3.0 }];
    assert_eq!(graph.positions.unwrap(), places.map(Some));
    let notes = ["read directed edges as undirected", "read the first graph; left out others: 1"];
    assert_eq!(graph.notes, notes);
}

#[test]
fn graphml_errors_have_their_line() {
    let graph = |body: &str| format!("<graphml>\n<graph>\n{body}\n</graph></graphml>");
    let unknown = graph("<node id='a'/>\n<edge source='a' target='b'/>");
    assert_eq!(fault("a.graphml", &unknown), (4, Problem::UnknownVertex { id: "b".into() }));
    let repeated = graph("<node id='a'/>\n<node id='a'/>");
    assert_eq!(fault("a.graphml", &repeated).1, Problem::RepeatedVertex { id: "a".into() });
    assert!(matches!(fault("a.graphml", &graph("<node/>")), (3, Problem::Missing { .. })));
    assert!(matches!(fault("a.graphml", &graph("<node id='a'>")), (4, Problem::Xml { .. })));
    assert!(matches!(fault("a.graphml", "<graphml>\n<graph>"), (2, Problem::Missing { .. })));
    assert!(matches!(fault("a.graphml", "<html/>"), (1, Problem::Unexpected { .. })));
    assert!(matches!(fault("a.graphml", "1 2\n"), (2, Problem::Missing { .. })));
    let nested = graph("<node id='a'><graph/></node>");
    assert!(matches!(fault("a.graphml", &nested), (3, Problem::Unsupported { .. })));
    assert!(matches!(fault("a.graphml", &graph("<hyperedge/>")), (3, Problem::Unsupported { .. })));
}

#[test]
fn matrices_are_read_as_their_nonzeros() {
    let general = "%%MatrixMarket matrix coordinate real general\r\n% c\r\n\r\n3 3 5\r\n\r\n1 2 1e3\r\n\
        2 1 nan\r\n3 1 -.5\r\n3 3 0\r\n1 2 4\r\n";
    let graph = read("a.mtx", general);
    assert_eq!(edges(&graph), [(0, 1), (0, 2)]);
    assert_eq!(graph.notes.len(), 3, "{:?}", graph.notes);
    assert!(graph.notes[2].contains("not symmetric"));
    assert_eq!(read("a.txt", general).graph, graph.graph);
    let symmetric = "%MATRIXMARKET matrix coordinate pattern symmetric\n3 3 3\n1 1\n2 1\n2 3\n";
    let graph = read("a", symmetric);
    assert_eq!(edges(&graph), [(0, 1), (0, 0), (1, 2)]);
    assert_eq!(graph.notes, ["the first line starts with one % instead of two"]);
    let hermitian = "%%MatrixMarket matrix array complex hermitian\n2 2\n0 0\n0 1\n1 0\n";
    assert_eq!(edges(&read("a.mtx", hermitian)), [(0, 1), (1, 1)]);
    let skew = "%%MatrixMarket matrix array integer skew-symmetric\n3 3\n5\n0\n-1\n";
    assert_eq!(edges(&read("a.mtx", skew)), [(0, 1), (1, 2)]);
    let empty = "%%MatrixMarket matrix coordinate integer general\n4 4 0\n";
    assert_eq!(read("a.mtx", empty).counts.isolated, 4);
}

/// First line, size and entries of a matrix with one defect each; entries start on line 5.
fn matrix(banner: &str, vendor: &str, body: &str) -> String {
    format!("%%MatrixMarket {banner}\n%%GraphBLAS type {vendor}\n% a comment\n{body}\n")
}

#[test]
fn defects_of_matrices_have_their_line() {
    let line = |banner, vendor, body| fault("m.mtx", &matrix(banner, vendor, body)).0;
    assert_eq!(line("mangled coordinate pattern symmetric", "bool", "1 1 1\n1 1 1"), 1);
    assert_eq!(line("matrix mangled pattern symmetric", "bool", "1 1 1\n1 1 1"), 1);
    assert_eq!(line("matrix coordinate mangled symmetric", "bool", "1 1 1\n1 1 1"), 1);
    assert_eq!(line("matrix coordinate pattern mangled", "bool", "1 1 1\n1 1 1"), 1);
    assert_eq!(line("matrix coordinate pattern hermitian", "bool", "2 2 1\n2 2 1 1"), 1);
    assert_eq!(line("matrix coordinate pattern skew-symmetric", "bool", "2 2 0"), 1);
    assert_eq!(line("matrix array pattern general", "bool", "1 1\n1"), 1);
    assert_eq!(line("matrix coordinate real general", "gunk", "3 3 3\n1 1\n2 2\n3 3"), 5);
    assert_eq!(line("matrix coordinate real symmetric", "double", "3 4 1\n1 1"), 4);
    assert_eq!(line("matrix coordinate real general", "double", "3 4 2\n1 zero pi\n2 2 3"), 5);
    assert_eq!(line("matrix coordinate real general", "double", "3 4 3\n1 1 3\n2 2 3\n3 9 3"), 7);
    assert_eq!(line("matrix array real general", "float complex", "2 2\n.6 .9\n1 2\n1 2\n1 2"), 5);
    assert_eq!(line("matrix coordinate real general", "double", "3 4 0"), 4);
    assert_eq!(line("matrix coordinate real general", "double", "3 4"), 4);
    assert_eq!(line("matrix coordinate integer general", "double", "1 1 1\n1 1 2.5"), 5);
    assert_eq!(line("matrix coordinate integer general", "double", "1 1 1\n0 1 2"), 5);
    assert_eq!(line("matrix coordinate integer general", "double", "1 1 1\n1 1 2\n1 1 2"), 6);
    assert_eq!(line("matrix coordinate integer general", "double", "2 2 3\n1 1 2\n1 2 2"), 6);
    assert_eq!(line("matrix coordinate pattern general", "x", "1000000000000 1000000000000 0"), 4);
    assert_eq!(line("matrix array real skew-symmetric", "x", "99999999999 99999999999"), 4);
    assert_eq!(line("matrix coordinate real skew-symmetric", "x", "2 2 1\n1 1 0"), 5);
    assert_eq!(line("matrix coordinate real general", "double", "3 x 0"), 4);
    assert_eq!(line("matrix coordinate complex general", "x", "3 3 1\n1 2 0.5"), 5);
    assert_eq!(line("matrix array real general", "float", "1 1\nzero"), 5);
    assert_eq!(line("matrix array real general", "float", "2 2\n1\n2\n3"), 7);
    assert_eq!(fault("m.mtx", "3 3 1\n1 1\n").0, 1);
    let bare = "%%MatrixMarket matrix coordinate real general\n% no size\n";
    assert!(matches!(fault("m.mtx", bare).1, Problem::Missing { .. }));
}

#[test]
fn defects_of_a_vendor_comment_do_not_matter() {
    for (vendor, value) in [("bool", "2"), ("int8_t", "-129"), ("uint16_t", "65536")] {
        let body = format!("2 2 1\n1 2 {value}");
        let text = matrix("matrix coordinate integer general", vendor, &body);
        assert_eq!(edges(&read("m.mtx", &text)), [(0, 1)]);
    }
}

#[test]
fn node_link_json_is_read() {
    let text = r#"{"directed": true, "multigraph": false, "graph": {"demands": {"1": [2]}},
        "nodes": [{"name": "Aa", "pos": [6.0, 50.5], "id": 0}, {"name": "Bb", "pos": [7, 51], "id": "x"}],
        "edges": [{"dist": 1, "source": 0, "target": "x"}, {"source": "x", "target": "x"}]}"#;
    let graph = read("a.json", text);
    assert_eq!(labels(&graph), ["Aa", "Bb"]);
    assert_eq!(edges(&graph), [(0, 1), (1, 1)]);
    assert_eq!(graph.positions.unwrap()[0], Some(Point { x: 6.0, y: 50.5 }));
    assert_eq!(graph.notes, ["read directed edges as undirected"]);
    let plane =
        r#"{"nodes": [{"pos": [243.0, 574.0]}, {}], "links": [{"source": 0, "target": 1}]}"#;
    let graph = read("a", plane);
    assert_eq!((graph.positions, graph.labels, graph.notes.len()), (None, None, 1));
}

#[test]
fn node_link_errors_have_their_line() {
    let unknown = "{\"nodes\": [\n{\"id\": 1}],\n\"links\": [\n{\"source\": 1,\n\"target\": 2}]}";
    assert_eq!(fault("a.json", unknown), (4, Problem::UnknownVertex { id: "2".into() }));
    let missing = "{\"nodes\": [\n{\"id\": 1},\n{\"label\": 3}], \"links\": []}";
    assert_eq!(fault("a.json", missing), (3, Problem::Missing { what: "the id of a node" }));
    assert!(matches!(fault("a.json", "{\"nodes\": []\n}"), (2, Problem::Missing { .. })));
    assert!(matches!(fault("a.json", "{\n\"nodes\": 3}"), (2, Problem::Json { .. })));
    let item = "{\"nodes\": [\n5], \"links\": []}";
    assert!(matches!(fault("a.json", item), (2, Problem::Json { .. })));
    let repeated = "{\"nodes\": [{\"id\": 1},\n{\"id\": 1}], \"links\": []}";
    assert!(matches!(fault("a.json", repeated), (2, Problem::RepeatedVertex { .. })));
}

/// The Petersen graph in both codes, and the examples of the format's definition.
const LINES: &str = ">>graph6<<IsP@OkWHG\r\n:I`ACWqHKhhccTF\n\nDQc\n:Fa@x^\n";

#[test]
fn graph6_and_sparse6_are_read() {
    let graphs = read_all_graph6_from(LINES.as_bytes(), "a.g6", &ReadOptions::default()).unwrap();
    assert_eq!(graphs.len(), 4);
    let sizes: Vec<_> = graphs.iter().map(|g| (g.graph.vertices(), g.graph.edges())).collect();
    assert_eq!(sizes, [(10, 15), (10, 15), (5, 4), (7, 4)]);
    assert_eq!(graphs[0].graph.regular_degree(), Some(3));
    assert_eq!(edges(&graphs[2]), [(0, 2), (0, 4), (1, 3), (3, 4)]);
    assert_eq!(edges(&graphs[3]), [(0, 1), (0, 2), (1, 2), (5, 6)]);
    let third = ReadOptions { index: 3, ..ReadOptions::default() };
    assert_eq!(read_graph_from(LINES.as_bytes(), "a.g6", &third).unwrap(), graphs[3]);
    let fifth = ReadOptions { index: 4, ..ReadOptions::default() };
    let error = read_graph_from(LINES.as_bytes(), "a.g6", &fifth).unwrap_err();
    assert!(matches!(error, ReadError::NoSuchGraph { index: 4, graphs: 4, .. }));
    assert!(read_graph_from(b"1 2", "a.txt", &third).is_err());
    assert_eq!(read("guess", "DQc").graph.edges(), 4);
    assert_eq!(read("guess", ":Fa@x^").graph.edges(), 4);
    assert_eq!(read("a.g6", "?").graph.vertices(), 0);
    assert_eq!(read("a.g6", "@").graph.vertices(), 1);
    // A loop and two parallel edges; and a loop, with a pair of padding that names vertex 1.
    assert_eq!(edges(&read("a.s6", ":AG")), [(0, 1), (0, 1), (0, 0)]);
    assert_eq!(edges(&read("a.s6", ":AF")), [(0, 0)]);
    assert_eq!(edges(&read("a.s6", ":A")), []);
}

#[test]
fn damaged_graph6_is_an_error_with_its_byte() {
    let at = |text: &str| match read_graph_from(text.as_bytes(), "a.g6", &ReadOptions::default()) {
        Err(ReadError::Malformed { place: Place { line, byte }, problem, .. }) => {
            (line, byte.unwrap(), problem)
        }
        other => panic!("{other:?}"),
    };
    assert!(matches!(at("DQ"), (1, 2, Problem::LineLength { found: 2, expected: 3, .. })));
    assert!(matches!(at("DQcc"), (1, 2, Problem::LineLength { found: 4, .. })));
    assert!(matches!(at("\nDQ d"), (2, _, Problem::LineLength { .. })));
    assert!(matches!(at("DQ d"), (1, _, Problem::LineLength { .. })));
    assert!(matches!(at("D d"), (1, 2, Problem::Unexpected { .. })));
    assert!(matches!(at("DQd"), (1, 3, Problem::Padding)));
    assert!(matches!(at("~?"), (1, 3, Problem::Truncated)));
    assert!(matches!(at("~~~~~~~~"), (1, 9, Problem::LineLength { .. })));
    assert!(matches!(at(":~~~~~~~~"), (1, 1, Problem::TooManyVertices { .. })));
    assert!(matches!(at(":Fa@x]"), (1, 6, Problem::VertexOutOfRange { vertex: 7, vertices: 7 })));
    assert!(matches!(at(":Fa@x^~"), (1, 6, Problem::VertexOutOfRange { .. })));
    assert!(matches!(at(":Ai"), (1, 3, Problem::VertexOutOfRange { vertex: 2, .. })));
    assert!(matches!(at("&DQc"), (1, 1, Problem::Unsupported { .. })));
}

#[test]
fn long_graphs_have_long_sizes() {
    for vertices in [62, 63, 100] {
        let path: Vec<_> = (1..vertices).map(|v| (v - 1, v)).collect();
        let graph = NamedGraph::new(Graph::from_edges(vertices as usize, &path).unwrap(), "path");
        let mut line = Vec::new();
        write_graph(&graph, Format::Graph6, &mut line).unwrap();
        let prefix = if vertices > 62 { 4 } else { 1 };
        let bits = vertices as usize * (vertices as usize - 1) / 2;
        assert_eq!(line.len(), prefix + bits.div_ceil(6) + 1);
        let back = read_graph_from(&line, "a.g6", &ReadOptions::default()).unwrap();
        assert_eq!(edges(&back), path);
    }
    // 258048 vertices, the first that need eight bytes, and no edge.
    let graph = read("a.s6", ":~~???~??");
    assert_eq!((graph.graph.vertices(), graph.graph.edges()), (258_048, 0));
}

#[test]
fn reduction_says_what_it_dropped() {
    let text = "a b\nb a\na a\nc d\nd e\n e c\ne f\n";
    let options = ReadOptions { simplify: true, largest_component: true, ..Default::default() };
    let graph = read_graph_from(text.as_bytes(), "a.txt", &options).unwrap();
    assert_eq!(labels(&graph), ["c", "d", "e", "f"]);
    assert_eq!(edges(&graph), [(0, 1), (0, 2), (1, 2), (2, 3)]);
    assert_eq!((graph.counts.self_loops, graph.counts.parallel_edges), (1, 1));
    let notes = [
        "dropped self-loops: 1, parallel edges: 1",
        "kept the largest of 2 components, 4 of 6 vertices",
    ];
    assert_eq!(graph.notes, notes);
    // Of components of one size, the one with the least vertex.
    let tie = read_graph_from(b"5 6\n1 9\n2 3\n", "a.txt", &options).unwrap();
    assert_eq!(labels(&tie), ["1", "9"]);
    // Coordinates that a dropped vertex lacks are not missed.
    let gml = "graph [ node [ id 0 ] node [ id 1 lat 1 lon 1 ] node [ id 2 lat 2 lon 2 ] \
               edge [ source 1 target 2 ] ]";
    let graph = read_graph_from(gml.as_bytes(), "a.gml", &options).unwrap();
    assert_eq!(graph.positions.unwrap().len(), 2);
    assert_eq!(graph.notes, ["kept the largest of 2 components, 2 of 3 vertices"]);
    let doubled = read("a.txt", "0 1\n1 2\n1 0\n2 1\n");
    assert!(doubled.notes[0].contains("both directions"));
}

#[test]
fn positions_are_kept_where_they_are_known() {
    let gml = |second: &str| {
        format!("graph [ node [ id 0 lat 1 lon 2 ] node [ id 1 {second} ] node [ id 2 lon 3 ] ]")
    };
    let graph = read("a.gml", &gml(""));
    let known = Some(Point { x: 2.0, y: 1.0 });
    assert_eq!(graph.positions.as_deref(), Some(&[known, None, None][..]));
    assert_eq!(graph.notes, ["vertices without a position: 2 of 3"]);
    let mut written = Vec::new();
    write_graph(&graph, Format::GraphMl, &mut written).unwrap();
    let back = read_graph_from(&written, "a.graphml", &ReadOptions::default()).unwrap();
    assert_eq!(back.positions, graph.positions);
    // A latitude above 90 is no latitude, so the others may be none either.
    let graph = read("a.gml", &gml("lat 574 lon 243"));
    assert_eq!((graph.positions, graph.notes.len()), (None, 1));
    assert_eq!(read("a.gml", "graph [ node [ id 0 lon 2 ] ]").positions, None);
}

#[test]
fn zipped_files_are_read() {
    let mut zip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    zip.write_all(ZOO.as_bytes()).unwrap();
    let zipped = zip.finish().unwrap();
    let graph = read_graph_from(&zipped, "zoo.gml.gz", &ReadOptions::default()).unwrap();
    assert_eq!(graph.graph, read("zoo.gml", ZOO).graph);
    let cut = read_graph_from(&zipped[..40], "zoo.gml.gz", &ReadOptions::default());
    assert!(matches!(cut, Err(ReadError::Io { .. })));
}

#[test]
fn what_cannot_be_written_is_refused() {
    let looped = NamedGraph::new(Graph::from_edges(2, &[(0, 0), (0, 1), (1, 0)]).unwrap(), "x");
    let write = |graph: &NamedGraph, format| write_graph(graph, format, &mut Vec::new());
    let error = write(&looped, Format::Graph6).unwrap_err();
    assert!(error.to_string().contains("self-loops (1) or parallel edges (1)"));
    let error = write(&looped, Format::Gml).unwrap_err();
    assert!(matches!(error, WriteError::ReadOnly { format: Format::Gml }));
    let mut wrong = looped.clone();
    wrong.labels = Some(vec!["one".to_owned()]);
    let error = write(&wrong, Format::GraphMl).unwrap_err();
    assert!(matches!(error, WriteError::WrongLength { vertices: 2, found: 1, .. }));
}
