//! Edge lists: one edge a row.

mod fields;
mod rows;

use std::collections::HashMap;

use rows::{Row, Rows};

use super::Problem;
use super::error::Fault;
use super::raw::{RawGraph, check_vertices};

/// Names of the first column, where the first row names the columns.
const HEADINGS: [&str; 7] = ["source", "from", "src", "u", "node1", "id_1", "fromnodeid"];

pub(super) fn read(text: &str) -> Result<RawGraph, Fault> {
    let mut notes = Vec::new();
    let mut graph = match integers(text, &mut notes)? {
        Some(edges) => numbered(text, edges, &mut notes)?,
        None => {
            notes.clear();
            named(text, &mut notes)?
        }
    };
    if Rows::new(text).next().transpose()?.is_some_and(|row| row.fields > 2) {
        notes.push("ignored the columns after the second".to_owned());
    }
    graph.notes = notes;
    Ok(graph)
}

/// The edges, if all ends are integers; a first row of words is taken for column names.
fn integers(text: &str, notes: &mut Vec<String>) -> Result<Option<Vec<(i64, i64)>>, Fault> {
    let mut edges = Vec::new();
    for (index, row) in Rows::new(text).enumerate() {
        let row = row?;
        match (integer(&row.from), integer(&row.to)) {
            (Some(from), Some(to)) => edges.push((from, to)),
            (None, None) if index == 0 => note_heading(&row, notes),
            _ => return Ok(None),
        }
    }
    // A single row of words is an edge.
    Ok((notes.is_empty() || !edges.is_empty()).then_some(edges))
}

/// An integer in its usual form, so that different texts are different numbers.
fn integer(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let usual = match digits.as_bytes() {
        [b'0'] => text == "0",
        [b'1'..=b'9', ..] => true,
        _ => false,
    };
    if usual { text.parse().ok() } else { None }
}

fn note_heading(row: &Row, notes: &mut Vec<String>) {
    notes.push(format!("took the first row ({}, {}) for column names", row.from, row.to));
}

/// Vertices in numeric order.
fn numbered(
    text: &str,
    edges: Vec<(i64, i64)>,
    notes: &mut Vec<String>,
) -> Result<RawGraph, Fault> {
    let mut ids: Vec<i64> = edges.iter().flat_map(|&(u, v)| [u, v]).collect();
    ids.sort_unstable();
    ids.dedup();
    let declared = rows::declared_vertices(text);
    if let Some((line, claimed)) = declared {
        let inside = |id: &i64| u64::try_from(*id).is_ok_and(|id| id < claimed);
        if ids.iter().all(inside) {
            let vertices = check_vertices(claimed, text.len(), line)?;
            let edges = edges.iter().map(|&(u, v)| (u as u32, v as u32)).collect();
            return Ok(RawGraph { vertices, edges, ..RawGraph::default() });
        }
        if ids.len() as u64 != claimed {
            notes.push(format!(
                "a comment says {claimed} nodes, and {} have edges; the others are not known",
                ids.len()
            ));
        }
    }
    if edges.is_empty() {
        let problem = Problem::Missing { what: "a row with the two ends of an edge" };
        return Err(Fault::at_offset(text.as_bytes(), text.len(), problem));
    }
    let number = numbering(&ids);
    let edges = edges.iter().map(|&(u, v)| (number(u), number(v))).collect();
    let consecutive = ids.first() == Some(&0) && ids.last() == Some(&(ids.len() as i64 - 1));
    let labels = (!consecutive).then(|| ids.iter().map(i64::to_string).collect());
    Ok(RawGraph { vertices: ids.len(), edges, labels, ..RawGraph::default() })
}

/// From an identifier to its place among the sorted ones: by a table, or by bisection where the
/// table would be much longer than the list.
fn numbering(ids: &[i64]) -> impl Fn(i64) -> u32 {
    let least = ids.first().copied().unwrap_or_default();
    let span = ids.last().map_or(0, |&last| last.abs_diff(least));
    let mut table = Vec::new();
    if span < 4 * ids.len() as u64 {
        table.resize(span as usize + 1, 0);
        for (number, id) in ids.iter().enumerate() {
            table[id.abs_diff(least) as usize] = number as u32;
        }
    }
    move |id| match table.get(id.abs_diff(least) as usize) {
        Some(number) => *number,
        None => ids.partition_point(|&other| other < id) as u32,
    }
}

/// Vertices in order of first appearance.
fn named(text: &str, notes: &mut Vec<String>) -> Result<RawGraph, Fault> {
    let mut numbers = HashMap::new();
    let mut labels = Vec::new();
    let mut edges = Vec::new();
    for (index, row) in Rows::new(text).enumerate() {
        let row = row?;
        if index == 0 && HEADINGS.iter().any(|name| row.from.eq_ignore_ascii_case(name)) {
            note_heading(&row, notes);
            continue;
        }
        let mut number = |name: &str| match numbers.get(name) {
            Some(&number) => number,
            None => {
                let number = labels.len() as u32;
                numbers.insert(name.to_owned(), number);
                labels.push(name.to_owned());
                number
            }
        };
        edges.push((number(&row.from), number(&row.to)));
    }
    Ok(RawGraph { vertices: labels.len(), edges, labels: Some(labels), ..RawGraph::default() })
}
