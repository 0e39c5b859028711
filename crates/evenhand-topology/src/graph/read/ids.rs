//! Vertices that a file defines by identifiers.

use std::collections::HashMap;

use super::Problem;
use super::coordinates::Position;
use super::raw::RawGraph;

/// The vertices defined so far.
#[derive(Debug, Default)]
pub(super) struct Vertices {
    numbers: HashMap<String, u32>,
    ids: Vec<String>,
    labels: Vec<Option<String>>,
    positions: Vec<Position>,
}

impl Vertices {
    /// Adds a vertex. A blank label is none.
    pub(super) fn add(
        &mut self,
        id: String,
        label: Option<&str>,
        position: Position,
    ) -> Result<(), Problem> {
        let number = self.ids.len() as u32;
        if self.numbers.insert(id.clone(), number).is_some() {
            return Err(Problem::RepeatedVertex { id });
        }
        self.ids.push(id);
        let label = label.map(str::trim).filter(|label| !label.is_empty());
        self.labels.push(label.map(str::to_owned));
        self.positions.push(position);
        Ok(())
    }

    /// The number of a vertex.
    pub(super) fn number(&self, id: &str) -> Result<u32, Problem> {
        let unknown = || Problem::UnknownVertex { id: super::problem::shortened(id) };
        self.numbers.get(id).copied().ok_or_else(unknown)
    }

    /// The graph of these vertices and edges.
    pub(super) fn into_graph(self, edges: Vec<(u32, u32)>, mut notes: Vec<String>) -> RawGraph {
        let vertices = self.ids.len();
        let numbered = || self.ids.iter().enumerate().all(|(v, id)| *id == v.to_string());
        let labels = if self.labels.iter().all(Option::is_none) && numbered() {
            None
        } else {
            let labels = self.labels.into_iter().zip(self.ids);
            Some(labels.map(|(label, id)| label.unwrap_or(id)).collect())
        };
        note_repeats(labels.as_deref(), &mut notes);
        RawGraph { vertices, edges, labels, positions: self.positions, notes }
    }
}

fn note_repeats(labels: Option<&[String]>, notes: &mut Vec<String>) {
    let labels = labels.unwrap_or_default();
    let distinct: std::collections::HashSet<_> = labels.iter().collect();
    let repeats = labels.len() - distinct.len();
    if repeats > 0 {
        notes.push(format!("labels that an earlier vertex has: {repeats}"));
    }
}
