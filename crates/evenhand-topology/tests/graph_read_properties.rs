//! What is written is read back, and no input makes a reader panic.

use evenhand_topology::graph::{
    Format, Graph, NamedGraph, ReadOptions, read_all_graph6_from, read_graph_from, write_graph,
};
use evenhand_topology::space::Point;
use proptest::prelude::*;
use proptest::sample::{Index, select};

const FORMATS: [Format; 7] = [
    Format::EdgeList,
    Format::GraphMl,
    Format::Gml,
    Format::MatrixMarket,
    Format::Graph6,
    Format::Sparse6,
    Format::NodeLink,
];

/// A well-formed text of each format.
const SAMPLES: [&str; 8] = [
    "\u{feff}# Nodes: 6\r\n0 1\t2.5\r\n1 2 3\n\n4 4 0\n",
    "source,target\n\"a, b\",c\n\"d\"\"\",c\n",
    "<?xml version='1.0'?><graphml><key id='d' for='node' attr.name='label'/><key id='x' \
     for='all' attr.name='Latitude'/><graph edgedefault='directed'><node id='a'><data key='d'>\
     x&lt;<![CDATA[y]]></data></node><node id='b'/><edge source='a' target='b'/></graph></graphml>",
    "Creator \"x\"\ngraph [\n directed 0\n node [ id 0 label \"a&amp;\" graphics [ x 1 ] lat 1 \
     lon 2 ]\n node [ id -1 ]\n edge [ source 0 target -1 ]\n # c\n]\n",
    "%%MatrixMarket matrix coordinate real general\n% c\n3 3 3\n1 2 1.5\n\n2 1 0\n3 3 -1e3\n",
    "%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n0 0\n1 1\n",
    ">>graph6<<IsP@OkWHG\n:I`ACWqHKhhccTF\n:Fa@x^\nDQc\n",
    "{\"directed\": false, \"nodes\": [{\"id\": 0, \"pos\": [1, 2]}, {\"id\": \"x\", \"name\": \
     \"n\"}], \"links\": [{\"source\": 0, \"target\": \"x\"}]}",
];

/// Reads in every format and way, and checks what must hold of every answer.
fn check(bytes: &[u8]) {
    for format in FORMATS.map(Some).into_iter().chain([None]) {
        for reduce in [false, true] {
            let options =
                ReadOptions { format, simplify: reduce, largest_component: reduce, index: 0 };
            match read_graph_from(bytes, "fuzz", &options) {
                Ok(graph) => check_graph(&graph, reduce),
                Err(error) => assert!(error.to_string().contains("fuzz")),
            }
        }
    }
    for graph in read_all_graph6_from(bytes, "fuzz", &ReadOptions::default()).unwrap_or_default() {
        check_graph(&graph, false);
    }
}

fn check_graph(graph: &NamedGraph, reduced: bool) {
    let vertices = graph.graph.vertices();
    assert!(graph.labels.iter().all(|labels| labels.len() == vertices));
    assert!(graph.positions.iter().all(|positions| positions.len() == vertices));
    let counts = NamedGraph::new(graph.graph.clone(), "").counts;
    if reduced {
        assert_eq!((counts.self_loops, counts.parallel_edges), (0, 0));
        assert!(counts.components <= 1);
    } else {
        assert_eq!(counts, graph.counts);
    }
}

/// One change of a text: bytes replaced, removed or inserted.
fn change() -> impl Strategy<Value = (Index, Index, Vec<u8>)> {
    let words = vec![
        "\"",
        ",",
        "\n",
        "\r",
        "[",
        "]",
        "<",
        ">",
        "&",
        "/",
        "{",
        "}",
        "-",
        "0",
        "1",
        "99",
        " ",
        "~",
        "?",
        "#",
        "%",
        ":",
        "node",
        "<node>",
        "id",
        "nan",
        "\u{feff}",
        "18446744073709551615",
    ];
    let piece = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..4),
        select(words).prop_map(|word| word.as_bytes().to_vec()),
    ];
    (any::<Index>(), any::<Index>(), piece)
}

prop_compose! {
    fn graph()(vertices in 0_u32..80)(
        edges in prop::collection::vec((0..vertices.max(1), 0..vertices.max(1)),
            0..if vertices == 0 { 1 } else { 60 }),
        vertices in Just(vertices),
    ) -> Graph {
        Graph::from_edges(vertices as usize, &edges).unwrap()
    }
}

/// The graph as a reader builds it, from sorted edges.
fn sorted(graph: &Graph) -> Graph {
    let mut edges = graph.edge_list();
    edges.sort_unstable();
    Graph::from_edges(graph.vertices(), &edges).unwrap()
}

fn there_and_back(graph: &NamedGraph, format: Format) -> NamedGraph {
    let mut bytes = Vec::new();
    write_graph(graph, format, &mut bytes).unwrap();
    let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
    read_graph_from(&bytes, "written", &options).unwrap_or_else(|error| panic!("{error}"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check(&bytes);
    }

    #[test]
    fn printable_lines_are_survived(line in ":?~{0,2}[?-~]{1,40}") {
        check(line.as_bytes());
    }

    #[test]
    fn changed_samples_are_survived(
        sample in select(SAMPLES.to_vec()),
        changes in prop::collection::vec(change(), 0..5),
    ) {
        let mut bytes = sample.as_bytes().to_vec();
        for (from, to, piece) in changes {
            let (from, to) = (from.index(bytes.len() + 1), to.index(bytes.len() + 1));
            let to = to.min(from + 5);
            bytes.splice(from.min(to)..to, piece);
        }
        check(&bytes);
    }

    #[test]
    fn written_multigraphs_come_back(graph in graph()) {
        let graph = NamedGraph::new(graph, "made");
        for format in [Format::EdgeList, Format::GraphMl] {
            let back = there_and_back(&graph, format);
            prop_assert_eq!(&back.graph, &sorted(&graph.graph));
            prop_assert_eq!(back.counts, graph.counts);
            prop_assert!(back.labels.is_none() && back.positions.is_none());
        }
    }

    #[test]
    fn written_simple_graphs_come_back(graph in graph()) {
        let mut edges = sorted(&graph).edge_list();
        edges.dedup();
        edges.retain(|(u, v)| u != v);
        let graph = Graph::from_edges(graph.vertices(), &edges).unwrap();
        let back = there_and_back(&NamedGraph::new(graph.clone(), "made"), Format::Graph6);
        prop_assert_eq!(back.graph, graph);
    }

    #[test]
    fn labels_and_positions_come_back(
        vertices in prop::collection::vec(
            ("[a-zé&<>\"'\\]][ -~]{0,8}[^\\s\\p{C}]",
            proptest::option::weighted(0.8, (-180.0..=180.0, -90.0..=90.0))), 1..20),
    ) {
        let empty = Graph::from_edges(vertices.len(), &[]).unwrap();
        let mut graph = NamedGraph::new(empty, "made");
        graph.labels = Some(vertices.iter().map(|(label, ..)| label.clone()).collect());
        let positions = vertices.iter().map(|&(_, place)| place.map(|(x, y)| Point { x, y }));
        let positions: Vec<Option<Point>> = positions.collect();
        graph.positions = positions.iter().any(Option::is_some).then_some(positions);
        let back = there_and_back(&graph, Format::GraphMl);
        prop_assert_eq!((&back.labels, &back.positions), (&graph.labels, &graph.positions));
    }
}

#[test]
fn the_unchanged_samples_are_read() {
    for sample in SAMPLES {
        let read = read_graph_from(sample.as_bytes(), "sample", &ReadOptions::default());
        assert!(read.is_ok(), "{sample}: {read:?}");
    }
}
