//! Files of graph6 and sparse6: one graph a line, in either of the two codes.

use super::error::Fault;
use super::raw::RawGraph;
use super::{Format, Problem, ReadError, graph6, sparse6};

/// The graph on one line.
struct Line<'t> {
    number: u64,
    /// Byte, from 0, at which the graph starts.
    start: usize,
    bytes: &'t [u8],
}

/// The graph with this index, from 0.
pub(super) fn read_one(
    bytes: &[u8],
    index: usize,
    file: &str,
    format: Format,
) -> Result<RawGraph, ReadError> {
    match graph_lines(bytes).nth(index) {
        Some(line) => line.decode().map_err(|fault| fault.into_error(file, format)),
        None => {
            let graphs = graph_lines(bytes).count();
            Err(ReadError::NoSuchGraph { file: file.to_owned(), index, graphs })
        }
    }
}

/// All graphs.
pub(super) fn read_all(bytes: &[u8]) -> Result<Vec<RawGraph>, Fault> {
    let graphs: Vec<_> = graph_lines(bytes).map(|line| line.decode()).collect::<Result<_, _>>()?;
    if graphs.is_empty() {
        return Err(Fault::on_line(1, Problem::Missing { what: "a graph after the header" }));
    }
    Ok(graphs)
}

/// The lines that hold graphs. The file may start with a header.
fn graph_lines(bytes: &[u8]) -> impl Iterator<Item = Line<'_>> {
    const HEADERS: [&[u8]; 2] = [b">>graph6<<", b">>sparse6<<"];
    let lines = bytes.split(|&byte| byte == b'\n').zip(1..);
    lines.filter_map(|(line, number)| {
        let header = HEADERS.iter().find(|header| number == 1 && line.starts_with(header));
        let start = header.map_or(0, |header| header.len());
        let bytes = line[start..].trim_ascii_end();
        (!bytes.is_empty()).then_some(Line { number, start, bytes })
    })
}

impl Line<'_> {
    fn decode(&self) -> Result<RawGraph, Fault> {
        let outcome = match self.bytes {
            [b':', ..] => sparse6::decode(self.bytes),
            [b'&', ..] => Err((0, unsupported("a directed graph (digraph6)"))),
            [b';', ..] => Err((0, unsupported("an incremental line of sparse6"))),
            _ => graph6::decode(self.bytes),
        };
        outcome.map_err(|(byte, problem)| Fault::at_byte(self.number, self.start + byte, problem))
    }
}

fn unsupported(what: &'static str) -> Problem {
    Problem::Unsupported { what, hint: "convert the file to graph6 or sparse6" }
}
