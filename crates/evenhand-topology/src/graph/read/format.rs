//! The formats, and how they are recognised.

use std::fmt;
use std::path::Path;

use super::graph6;

/// A format of graph files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// One edge a row, as in the SNAP collection.
    EdgeList,
    /// GraphML, an XML format.
    GraphMl,
    /// GML, as in the Internet Topology Zoo.
    Gml,
    /// Matrix Market: a sparse or dense matrix.
    MatrixMarket,
    /// graph6: a line of printable bytes for each simple graph.
    Graph6,
    /// sparse6: a line of printable bytes for each graph; loops and parallel edges are possible.
    Sparse6,
    /// Node-link JSON, as NetworkX writes it.
    NodeLink,
}

/// Ends of file names, without the dot.
const EXTENSIONS: [(&str, Format); 11] = [
    ("txt", Format::EdgeList),
    ("edges", Format::EdgeList),
    ("edgelist", Format::EdgeList),
    ("el", Format::EdgeList),
    ("csv", Format::EdgeList),
    ("tsv", Format::EdgeList),
    ("graphml", Format::GraphMl),
    ("gml", Format::Gml),
    ("mtx", Format::MatrixMarket),
    ("g6", Format::Graph6),
    ("s6", Format::Sparse6),
];

impl Format {
    /// The format that the name of a file tells, `.gz` or not.
    pub fn from_path(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        let (_, extension) = name.rsplit_once('.')?;
        if extension == "json" {
            return Some(Format::NodeLink);
        }
        EXTENSIONS.iter().find(|(known, _)| *known == extension).map(|(_, format)| *format)
    }

    /// The format of a file: by its name, else by its content. Names of edge lists are used for
    /// all sorts of text, so there the content has the last word.
    pub(super) fn of(name: &str, bytes: &[u8]) -> Self {
        match Format::from_path(Path::new(name)) {
            Some(Format::EdgeList) => signature(bytes).unwrap_or(Format::EdgeList),
            Some(format) => format,
            None => signature(bytes).unwrap_or_else(|| guess(bytes)),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::EdgeList => "edge list",
            Format::GraphMl => "GraphML",
            Format::Gml => "GML",
            Format::MatrixMarket => "Matrix Market",
            Format::Graph6 => "graph6",
            Format::Sparse6 => "sparse6",
            Format::NodeLink => "node-link JSON",
        })
    }
}

/// First bytes that no edge list has.
fn signature(bytes: &[u8]) -> Option<Format> {
    const SIGNATURES: [(&[u8], Format); 6] = [
        (b"<", Format::GraphMl),
        (b"{", Format::NodeLink),
        (b"%%MatrixMarket", Format::MatrixMarket),
        (b"%MatrixMarket", Format::MatrixMarket),
        (b">>graph6<<", Format::Graph6),
        (b">>sparse6<<", Format::Sparse6),
    ];
    let start = bytes.trim_ascii_start();
    let begins = |wanted: &[u8]| {
        start.get(..wanted.len()).is_some_and(|found| found.eq_ignore_ascii_case(wanted))
    };
    SIGNATURES.iter().find(|(wanted, _)| begins(wanted)).map(|(_, format)| *format)
}

fn guess(bytes: &[u8]) -> Format {
    let first_line = bytes.trim_ascii_start().split(|b| matches!(b, b'\n' | b'\r')).next();
    let first_line = first_line.unwrap_or_default().trim_ascii_end();
    if first_line.starts_with(b":") {
        Format::Sparse6
    } else if graph6::has_right_length(first_line) {
        Format::Graph6
    } else if opens_a_graph(bytes) {
        Format::Gml
    } else {
        Format::EdgeList
    }
}

/// Whether `graph [` stands somewhere.
fn opens_a_graph(bytes: &[u8]) -> bool {
    const WORD: &[u8] = b"graph";
    let followed = |at: usize| bytes[at..].trim_ascii_start().starts_with(b"[");
    (WORD.len()..bytes.len()).any(|end| bytes[..end].ends_with(WORD) && followed(end))
}
