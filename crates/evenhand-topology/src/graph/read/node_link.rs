//! Node-link JSON, as NetworkX writes it.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::Problem;
use super::coordinates::{Axis, Coordinates, Position};
use super::error::Fault;
use super::ids::Vertices;
use super::raw::RawGraph;

/// The top of a file. Nodes and edges are parsed one after the other, to know their lines.
#[derive(Deserialize)]
struct Document<'t> {
    #[serde(default)]
    directed: bool,
    #[serde(borrow)]
    nodes: Vec<&'t RawValue>,
    #[serde(borrow)]
    links: Option<Vec<&'t RawValue>>,
    #[serde(borrow)]
    edges: Option<Vec<&'t RawValue>>,
}

/// A node or edge.
type Item = Map<String, Value>;

pub(super) fn read(text: &str) -> Result<RawGraph, Fault> {
    let document: Document = serde_json::from_str(text).map_err(|error| {
        Fault::on_line(error.line() as u64, Problem::Json { message: without_place(&error) })
    })?;
    let mut vertices = Vertices::default();
    let by_position = numbered_by_position(&document.nodes);
    for (index, raw) in document.nodes.iter().enumerate() {
        let fault = |problem| fault_at(text, raw, problem);
        let node = item(raw).map_err(fault)?;
        let id = if by_position { index.to_string() } else { id(&node).map_err(fault)? };
        let text_of = |key: &str| node.get(key).and_then(plain_text);
        let label = text_of("label").or_else(|| text_of("name"));
        vertices.add(id, label.as_deref(), position(&node)).map_err(fault)?;
    }
    let listed = document.links.or(document.edges);
    let listed = listed.ok_or_else(|| {
        let what = "the list `links` (or `edges`)";
        Fault::at_offset(text.as_bytes(), text.len(), Problem::Missing { what })
    })?;
    let mut edges = Vec::with_capacity(listed.len());
    for raw in listed {
        let edge = item(raw).and_then(|edge| {
            let end = |key, what| {
                let id = edge.get(key).map(canonical).ok_or(Problem::Missing { what })?;
                vertices.number(&id)
            };
            Ok((end("source", "the source of an edge")?, end("target", "the target of an edge")?))
        });
        edges.push(edge.map_err(|problem| fault_at(text, raw, problem))?);
    }
    let directed = document.directed.then(|| "read directed edges as undirected".to_owned());
    Ok(vertices.into_graph(edges, directed.into_iter().collect()))
}

/// Whether no node has an identifier. Edges then name nodes by their place in the list.
fn numbered_by_position(nodes: &[&RawValue]) -> bool {
    #[derive(Deserialize)]
    struct OnlyId {
        id: Option<IgnoredAny>,
    }
    nodes
        .iter()
        .all(|raw| serde_json::from_str::<OnlyId>(raw.get()).is_ok_and(|node| node.id.is_none()))
}

fn item(raw: &RawValue) -> Result<Item, Problem> {
    serde_json::from_str(raw.get())
        .map_err(|error| Problem::Json { message: without_place(&error) })
}

fn id(node: &Item) -> Result<String, Problem> {
    node.get("id").map(canonical).ok_or(Problem::Missing { what: "the id of a node" })
}

/// An identifier as text. Strings that look like numbers are the same as numbers.
fn canonical(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A text or number for a label.
fn plain_text(value: &Value) -> Option<String> {
    matches!(value, Value::String(_) | Value::Number(_)).then(|| canonical(value))
}

/// From `pos`, a pair of longitude and latitude, else from coordinates by name.
fn position(node: &Item) -> Position {
    if let Some(pair) = node.get("pos").and_then(Value::as_array) {
        return match pair.iter().map(Value::as_f64).collect::<Vec<_>>()[..] {
            [Some(x), Some(y)] => Position::new(x, y),
            _ => Position::NotDegrees,
        };
    }
    let mut coordinates = Coordinates::default();
    for (key, value) in node {
        if let (Some(axis), Some(text)) = (Axis::named(key), plain_text(value)) {
            coordinates.set(axis, &text);
        }
    }
    coordinates.position()
}

/// On the line where a node or edge starts. It is a part of the text.
fn fault_at(text: &str, part: &RawValue, problem: Problem) -> Fault {
    let offset = part.get().as_ptr() as usize - text.as_ptr() as usize;
    Fault::at_offset(text.as_bytes(), offset, problem)
}

/// What the parser says, without the line that it adds.
fn without_place(error: &serde_json::Error) -> String {
    let message = error.to_string();
    match message.rfind(" at line ") {
        Some(end) => message[..end].to_owned(),
        None => message,
    }
}
