//! Matrix Market (Boisvert, Pozo and Remington 1996): a matrix as the graph of its nonzeros.

mod banner;
mod entries;

use banner::{Banner, Layout, Symmetry};
use entries::{Entries, Size};

use super::Problem;
use super::error::Fault;
use super::input::text_lines;
use super::problem::shortened;
use super::raw::{RawGraph, check_vertices};

pub(super) fn read(text: &str) -> Result<RawGraph, Fault> {
    let mut lines = text_lines(text);
    let (_, first) = lines.next().unwrap_or((1, ""));
    let banner = Banner::parse(first).map_err(|problem| Fault::on_line(1, problem))?;
    let mut rows = lines
        .map(|(number, line)| (number, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('%'));
    let Some((size_line, words)) = rows.next() else {
        let problem = Problem::Missing { what: "the line with the size of the matrix" };
        return Err(Fault::at_offset(text.as_bytes(), text.len(), problem));
    };
    let size = size(words, &banner).map_err(|problem| Fault::on_line(size_line, problem))?;
    let mut entries = Entries::new(&banner, size);
    for (number, line) in rows {
        entries.take(line).map_err(|problem| Fault::on_line(number, problem))?;
    }
    entries
        .check_complete()
        .map_err(|problem| Fault::at_offset(text.as_bytes(), text.trim_end().len(), problem))?;
    // A defect of the file comes before a shape that makes no graph.
    check_square(size).map_err(|problem| Fault::on_line(size_line, problem))?;
    let vertices = check_vertices(size.rows, text.len(), size_line)?;
    Ok(graph(vertices, entries, &banner))
}

/// Reads the size line.
fn size(line: &str, banner: &Banner) -> Result<Size, Problem> {
    let expected = match banner.layout {
        Layout::Coordinate => 3,
        Layout::Array => 2,
    };
    let words: Vec<_> = line.split_whitespace().collect();
    if words.len() != expected {
        let hint = "the size line of a coordinate matrix has rows, columns and entries, that of \
                    an array rows and columns";
        return Err(Problem::FieldCount { found: words.len(), expected, hint });
    }
    let mut numbers = [0; 3];
    for (number, word) in numbers.iter_mut().zip(words) {
        let what = "a number of the size line";
        *number = word.parse().map_err(|_| Problem::Value {
            what,
            found: shortened(word),
            expected: "a nonnegative integer",
        })?;
    }
    let [rows, columns, entries] = numbers;
    let size = Size { rows, columns, entries };
    if banner.symmetry != Symmetry::General {
        check_square(size)?;
    }
    Ok(size)
}

fn check_square(size: Size) -> Result<(), Problem> {
    let Size { rows, columns, .. } = size;
    if rows == columns { Ok(()) } else { Err(Problem::NotSquare { rows, columns }) }
}

fn graph(vertices: usize, entries: Entries, banner: &Banner) -> RawGraph {
    let mut notes = Vec::new();
    if banner.single_percent {
        notes.push("the first line starts with one % instead of two".to_owned());
    }
    if entries.zeros > 0 {
        notes.push(format!("entries of value zero, which make no edge: {}", entries.zeros));
    }
    let mut positions = entries.positions;
    positions.sort_unstable();
    let listed = positions.len();
    positions.dedup();
    if positions.len() < listed {
        let repeats = listed - positions.len();
        notes.push(format!("entries at the place of another, which make no edge: {repeats}"));
    }
    if banner.symmetry == Symmetry::General && !is_symmetric(&positions) {
        let note = "the matrix is not symmetric; read as the undirected graph of its nonzeros";
        notes.push(note.to_owned());
    }
    let mut edges: Vec<_> = positions.iter().map(|&(i, j)| (i.min(j), i.max(j))).collect();
    edges.sort_unstable();
    edges.dedup();
    RawGraph { vertices, edges, notes, ..RawGraph::default() }
}

/// Whether the transposed place of each is there too.
fn is_symmetric(sorted: &[(u32, u32)]) -> bool {
    sorted.iter().all(|&(i, j)| sorted.binary_search(&(j, i)).is_ok())
}
