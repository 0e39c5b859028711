//! Where in a GraphML file the reader is, and what it has found.

use quick_xml::events::BytesStart;

use super::super::Problem;
use super::super::coordinates::Coordinates;
use super::super::entities::push_character;
use super::super::error::Fault;
use super::super::ids::Vertices;
use super::super::problem::shortened;
use super::super::raw::RawGraph;
use super::keys::{Keys, Role, attribute};

/// An open element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Element {
    GraphMl,
    Graph,
    Node,
    Edge,
    /// An attribute of a vertex that is used.
    Data(Role),
    /// Something that is passed over, with all that is in it.
    Other,
}

/// A vertex that is being read.
#[derive(Default)]
struct Node {
    id: String,
    label: Option<String>,
    name: Option<String>,
    coordinates: Coordinates,
}

#[derive(Default)]
pub(super) struct State {
    open: Vec<Element>,
    keys: Keys,
    vertices: Vertices,
    node: Node,
    /// Text of the open `data` element.
    data: String,
    /// Ends of edges by identifier, with the place; vertices may come later in the file.
    edges: Vec<(usize, String, String)>,
    graphs: usize,
    directed: bool,
}

impl State {
    /// An element opens at `offset`.
    pub(super) fn open(&mut self, element: &BytesStart, offset: usize) -> Result<(), Problem> {
        let name = element.local_name();
        let parent = self.open.last().copied();
        let opened = match (parent, name.as_ref()) {
            (None, "graphml") => Element::GraphMl,
            (None, other) => {
                let expected = "the element <graphml>";
                return Err(Problem::Unexpected { found: shortened(other), expected });
            }
            (Some(Element::GraphMl), "key") => {
                self.keys.declare(element)?;
                Element::Other
            }
            (Some(Element::GraphMl), "graph") => self.open_graph(element)?,
            (Some(Element::Graph), "node") => {
                let id = needed(element, "id", "the id of a node")?;
                self.node = Node { id, ..Node::default() };
                Element::Node
            }
            (Some(Element::Graph), "edge") => {
                self.open_edge(element, offset)?;
                Element::Edge
            }
            (Some(Element::Node), "data") => {
                self.data.clear();
                self.keys.role(element)?.map_or(Element::Other, Element::Data)
            }
            (Some(Element::Node | Element::Edge), "graph") => {
                let hint = "move its nodes and edges to the graph around it";
                return Err(Problem::Unsupported { what: "a graph within a node or edge", hint });
            }
            (Some(Element::Graph), "hyperedge") => {
                let hint = "replace it by edges of two ends";
                return Err(Problem::Unsupported { what: "a hyperedge", hint });
            }
            _ => Element::Other,
        };
        self.open.push(opened);
        Ok(())
    }

    /// The last open element closes.
    pub(super) fn close(&mut self) -> Result<(), Problem> {
        match self.open.pop() {
            Some(Element::Data(role)) => {
                let data = self.data.trim();
                match role {
                    Role::Label => keep_first(&mut self.node.label, data),
                    Role::Name => keep_first(&mut self.node.name, data),
                    Role::Coordinate(axis) => self.node.coordinates.set(axis, data),
                }
                Ok(())
            }
            Some(Element::Node) => {
                let node = std::mem::take(&mut self.node);
                let label = node.label.or(node.name);
                self.vertices.add(node.id, label.as_deref(), node.coordinates.position())
            }
            _ => Ok(()),
        }
    }

    pub(super) fn text(&mut self, text: &str) -> Result<(), Problem> {
        if let Some(Element::Data(_)) = self.open.last() {
            self.data.push_str(text);
        }
        Ok(())
    }

    /// A reference such as `&amp;`, without `&` and `;`. An unknown one stays as it is.
    pub(super) fn reference(&mut self, reference: &str) -> Result<(), Problem> {
        if let Some(Element::Data(_)) = self.open.last()
            && !push_character(reference, &mut self.data)
        {
            self.data.push_str(&format!("&{reference};"));
        }
        Ok(())
    }

    /// The text has ended.
    pub(super) fn finish(self, text: &str) -> Result<RawGraph, Fault> {
        let at_end = |problem| Fault::at_offset(text.as_bytes(), text.len(), problem);
        if !self.open.is_empty() || self.graphs == 0 {
            let what = if self.graphs == 0 { "the element <graph>" } else { "the tag </graphml>" };
            return Err(at_end(Problem::Missing { what }));
        }
        let mut edges = Vec::with_capacity(self.edges.len());
        for (offset, source, target) in &self.edges {
            let number = |id: &str| {
                let number = self.vertices.number(id);
                number.map_err(|problem| Fault::at_offset(text.as_bytes(), *offset, problem))
            };
            edges.push((number(source)?, number(target)?));
        }
        let mut notes = Vec::new();
        if self.directed {
            notes.push("read directed edges as undirected".to_owned());
        }
        if self.graphs > 1 {
            notes.push(format!("read the first graph; left out others: {}", self.graphs - 1));
        }
        Ok(self.vertices.into_graph(edges, notes))
    }

    fn open_graph(&mut self, element: &BytesStart) -> Result<Element, Problem> {
        self.graphs += 1;
        if self.graphs > 1 {
            return Ok(Element::Other);
        }
        self.directed = attribute(element, "edgedefault")?.as_deref() == Some("directed");
        Ok(Element::Graph)
    }

    fn open_edge(&mut self, element: &BytesStart, offset: usize) -> Result<(), Problem> {
        let source = needed(element, "source", "the source of an edge")?;
        let target = needed(element, "target", "the target of an edge")?;
        self.directed |= attribute(element, "directed")?.as_deref() == Some("true");
        self.edges.push((offset, source, target));
        Ok(())
    }
}

fn needed(element: &BytesStart, name: &str, what: &'static str) -> Result<String, Problem> {
    attribute(element, name)?.ok_or(Problem::Missing { what })
}

fn keep_first(slot: &mut Option<String>, text: &str) {
    if !text.is_empty() {
        slot.get_or_insert_with(|| text.to_owned());
    }
}
