//! GML, the Graph Modelling Language (Himsolt 1997), as the Internet Topology Zoo writes it.

mod tokens;

use tokens::{Entry, Tokens, Value};

use super::Problem;
use super::coordinates::{Axis, Coordinates};
use super::entities::decoded;
use super::error::Fault;
use super::ids::Vertices;
use super::problem::shortened;
use super::raw::RawGraph;

/// What has been read of the graph.
#[derive(Default)]
struct Reading {
    vertices: Vertices,
    /// Ends of edges by identifier, with the line; vertices may come later in the file.
    edges: Vec<(u64, i64, i64)>,
    directed: bool,
}

pub(super) fn read(text: &str) -> Result<RawGraph, Fault> {
    let mut tokens = Tokens::new(text);
    let mut reading = None;
    let mut others = 0;
    while let Some(entry) = tokens.entry_at_top()? {
        match (entry.key, &entry.value) {
            ("graph", Value::List) if reading.is_none() => {
                reading = Some(graph(&mut tokens, &entry)?);
            }
            (key, Value::List) => {
                others += usize::from(key == "graph");
                tokens.skip_list(&entry)?;
            }
            _ => {}
        }
    }
    let Some(reading) = reading else {
        let problem = Problem::Missing { what: "a graph (the text `graph [ ... ]`)" };
        return Err(Fault::at_offset(text.as_bytes(), text.len(), problem));
    };
    reading.into_graph(others)
}

fn graph(tokens: &mut Tokens, opening: &Entry) -> Result<Reading, Fault> {
    let mut reading = Reading::default();
    while let Some(entry) = tokens.entry_in(opening)? {
        match (entry.key, &entry.value) {
            ("node", Value::List) => node(tokens, &entry, &mut reading)?,
            ("edge", Value::List) => edge(tokens, &entry, &mut reading)?,
            (_, Value::List) => tokens.skip_list(&entry)?,
            ("directed", value) => reading.directed = value.text() == Some("1"),
            _ => {}
        }
    }
    Ok(reading)
}

fn node(tokens: &mut Tokens, opening: &Entry, reading: &mut Reading) -> Result<(), Fault> {
    let mut id = None;
    let mut label = None;
    let mut name = None;
    let mut coordinates = Coordinates::default();
    while let Some(entry) = tokens.entry_in(opening)? {
        let Some(text) = entry.value.text() else {
            tokens.skip_list(&entry)?;
            continue;
        };
        match entry.key {
            "id" => {
                id.get_or_insert(integer(&entry, "the id of a node")?);
            }
            "label" => {
                label.get_or_insert_with(|| decoded(text));
            }
            "name" => {
                name.get_or_insert_with(|| decoded(text));
            }
            key => {
                if let Some(axis) = Axis::named(key) {
                    coordinates.set(axis, text);
                }
            }
        }
    }
    let id = needed(id, "the id of a node", opening)?;
    let label = label.or(name);
    reading
        .vertices
        .add(id.to_string(), label.as_deref(), coordinates.position())
        .map_err(|problem| Fault::on_line(opening.line, problem))
}

fn edge(tokens: &mut Tokens, opening: &Entry, reading: &mut Reading) -> Result<(), Fault> {
    let (mut source, mut target) = (None, None);
    while let Some(entry) = tokens.entry_in(opening)? {
        match (entry.key, &entry.value) {
            (_, Value::List) => tokens.skip_list(&entry)?,
            ("source", _) => {
                source.get_or_insert(integer(&entry, "the source of an edge")?);
            }
            ("target", _) => {
                target.get_or_insert(integer(&entry, "the target of an edge")?);
            }
            _ => {}
        }
    }
    let source = needed(source, "the source of an edge", opening)?;
    let target = needed(target, "the target of an edge", opening)?;
    reading.edges.push((opening.line, source, target));
    Ok(())
}

fn integer(entry: &Entry, what: &'static str) -> Result<i64, Fault> {
    let text = entry.value.text().unwrap_or_default();
    text.parse().map_err(|_| {
        let found = shortened(text);
        Fault::on_line(entry.line, Problem::Value { what, found, expected: "an integer" })
    })
}

fn needed(value: Option<i64>, what: &'static str, opening: &Entry) -> Result<i64, Fault> {
    value.ok_or_else(|| Fault::on_line(opening.line, Problem::Missing { what }))
}

impl Reading {
    fn into_graph(self, others: usize) -> Result<RawGraph, Fault> {
        let mut edges = Vec::with_capacity(self.edges.len());
        for (line, source, target) in self.edges {
            let number = |id: i64| {
                let number = self.vertices.number(&id.to_string());
                number.map_err(|problem| Fault::on_line(line, problem))
            };
            edges.push((number(source)?, number(target)?));
        }
        let mut notes = Vec::new();
        if self.directed {
            notes.push("read directed edges as undirected".to_owned());
        }
        if others > 0 {
            notes.push(format!("read the first graph; left out others: {others}"));
        }
        Ok(self.vertices.into_graph(edges, notes))
    }
}
