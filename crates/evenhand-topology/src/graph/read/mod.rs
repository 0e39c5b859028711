//! Reading graphs from files.
//!
//! Seven formats are read, gzipped or not. Reading is strict: what is not understood is an error
//! with its line. A byte order mark, any line ends, blank lines and comments are fine. What a file
//! holds beyond an undirected graph (directions, weights, repeated entries) is dropped, and a note
//! says so.

mod coordinates;
mod edge_list;
mod entities;
mod error;
mod format;
mod gml;
mod graph6;
mod graph_lines;
mod graphml;
mod ids;
mod input;
mod matrix_market;
mod named;
mod node_link;
mod problem;
mod raw;
mod sparse6;

use std::path::Path;

pub use error::{Place, ReadError};
pub use format::Format;
pub use named::{Counts, NamedGraph};
pub use problem::Problem;

use error::Fault;
use input::Input;
use raw::RawGraph;

/// What to read, and what to keep of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The format; without it, the name of the file decides, else its content.
    pub format: Option<Format>,
    /// Drop self-loops, and all but one of parallel edges.
    pub simplify: bool,
    /// Keep the largest component only; of several, the one with the least vertex.
    pub largest_component: bool,
    /// Which graph of the file, from 0. Only graph6 and sparse6 files can hold several.
    pub index: usize,
}

/// Reads a graph from a file.
///
/// The format follows from the name: `.txt`, `.edges`, `.edgelist`, `.el`, `.csv`, `.tsv` (edge
/// list), `.graphml`, `.gml`, `.mtx` (Matrix Market), `.g6`, `.s6`, `.json` (node-link), each with
/// or without `.gz`. For other names, and to make sure that an edge list is one, it is recognised
/// from the content.
///
/// * *Edge list*: one edge a row, its two ends first; blanks, tabs, commas or semicolons separate.
///   Comments start with `#` or `%`. A row of column names may come first. If every end is an
///   integer, vertices are numbered in numeric order; else in order of first appearance. A comment
///   `Nodes: N` adds isolated vertices, if all ends are from 0 to N-1.
/// * *GraphML*, *GML*, *node-link JSON*: vertices in the order of the file, with labels and
///   coordinates. The label is `label`, else `name`, else the identifier.
/// * *Matrix Market*: a square matrix is read as the undirected graph of its nonzero entries.
/// * *graph6*, *sparse6*: as defined with nauty (McKay and Piperno).
///
/// # Errors
/// A [`ReadError`] that names the file and the place: a file that cannot be read or unzipped, text
/// that does not follow its format, more vertices than a file of this size may claim, no graph
/// with this index.
pub fn read_graph(path: &Path, options: &ReadOptions) -> Result<NamedGraph, ReadError> {
    let (name, bytes) = load(path)?;
    read_graph_from(&bytes, &name, options)
}

/// Reads a graph as [`read_graph`] does, from the bytes of a file. `name` stands for the path.
///
/// ```
/// use evenhand_topology::graph::{ReadOptions, read_graph_from};
///
/// let file = b"# three routers\nOslo Bergen\nBergen Oslo\nOslo Voss\n";
/// let options = ReadOptions { simplify: true, ..ReadOptions::default() };
/// let graph = read_graph_from(file, "routers.txt", &options)?;
/// assert_eq!((graph.graph.vertices(), graph.graph.edges()), (3, 2));
/// assert_eq!(graph.labels.unwrap(), ["Oslo", "Bergen", "Voss"]);
/// assert_eq!(graph.notes, ["dropped self-loops: 0, parallel edges: 1"]);
///
/// let error = read_graph_from(b"0 1\n2\n", "short.txt", &options).unwrap_err();
/// assert!(error.to_string().starts_with("short.txt, line 2 (edge list): "));
/// # Ok::<(), evenhand_topology::graph::ReadError>(())
/// ```
///
/// # Errors
/// As for [`read_graph`].
pub fn read_graph_from(
    bytes: &[u8],
    name: &str,
    options: &ReadOptions,
) -> Result<NamedGraph, ReadError> {
    let input = Input::new(bytes, name)?;
    let format = options.format.unwrap_or_else(|| Format::of(name, input.bytes()));
    let index = options.index;
    let raw = match (parser(format), index) {
        (None, _) => graph_lines::read_one(input.bytes(), index, name, format)?,
        (Some(parse), 0) => {
            input.text().and_then(parse).map_err(|fault| fault.into_error(name, format))?
        }
        (Some(_), _) => {
            return Err(ReadError::NoSuchGraph { file: name.to_owned(), index, graphs: 1 });
        }
    };
    Ok(raw.finish(options, name))
}

/// Reads every graph of a graph6 or sparse6 file, in order. `options.index` has no effect.
///
/// # Errors
/// As for [`read_graph`]; a file without a graph is an error.
pub fn read_all_graph6(path: &Path, options: &ReadOptions) -> Result<Vec<NamedGraph>, ReadError> {
    let (name, bytes) = load(path)?;
    read_all_graph6_from(&bytes, &name, options)
}

/// Reads graphs as [`read_all_graph6`] does, from the bytes of a file. `name` stands for the path.
///
/// # Errors
/// As for [`read_all_graph6`].
pub fn read_all_graph6_from(
    bytes: &[u8],
    name: &str,
    options: &ReadOptions,
) -> Result<Vec<NamedGraph>, ReadError> {
    let input = Input::new(bytes, name)?;
    let format = options.format.unwrap_or_else(|| Format::of(name, input.bytes()));
    let raw =
        graph_lines::read_all(input.bytes()).map_err(|fault| fault.into_error(name, format))?;
    Ok(raw.into_iter().map(|graph| graph.finish(options, name)).collect())
}

fn load(path: &Path) -> Result<(String, Vec<u8>), ReadError> {
    let file = path.display().to_string();
    match std::fs::read(path) {
        Ok(bytes) => Ok((file, bytes)),
        Err(source) => Err(ReadError::Io { file, source }),
    }
}

/// Reads the text of a file that holds one graph.
type Parser = fn(&str) -> Result<RawGraph, Fault>;

/// What reads a format that holds one graph a file.
fn parser(format: Format) -> Option<Parser> {
    match format {
        Format::EdgeList => Some(edge_list::read),
        Format::GraphMl => Some(graphml::read),
        Format::Gml => Some(gml::read),
        Format::MatrixMarket => Some(matrix_market::read),
        Format::NodeLink => Some(node_link::read),
        Format::Graph6 | Format::Sparse6 => None,
    }
}
