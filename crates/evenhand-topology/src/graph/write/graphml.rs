//! GraphML.

use std::io::{self, Write};

use quick_xml::escape::escape;

use crate::graph::read::NamedGraph;

pub(super) fn write(graph: &NamedGraph, to: &mut dyn Write) -> io::Result<()> {
    writeln!(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(to, "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">")?;
    if graph.labels.is_some() {
        key(to, "label", "string")?;
    }
    if graph.positions.is_some() {
        key(to, "Longitude", "double")?;
        key(to, "Latitude", "double")?;
    }
    writeln!(to, "  <graph edgedefault=\"undirected\">")?;
    for vertex in 0..graph.graph.vertices() {
        node(graph, vertex, to)?;
    }
    for (u, v) in graph.graph.edge_list() {
        writeln!(to, "    <edge source=\"{u}\" target=\"{v}\"/>")?;
    }
    writeln!(to, "  </graph>")?;
    writeln!(to, "</graphml>")
}

fn key(to: &mut dyn Write, name: &str, kind: &str) -> io::Result<()> {
    let attributes = format!("id=\"{name}\" for=\"node\" attr.name=\"{name}\"");
    writeln!(to, "  <key {attributes} attr.type=\"{kind}\"/>")
}

fn node(graph: &NamedGraph, vertex: usize, to: &mut dyn Write) -> io::Result<()> {
    write!(to, "    <node id=\"{vertex}\">")?;
    if let Some(labels) = &graph.labels {
        write!(to, "<data key=\"label\">{}</data>", escape(&labels[vertex]))?;
    }
    if let Some(point) = graph.positions.as_ref().and_then(|positions| positions[vertex]) {
        write!(to, "<data key=\"Longitude\">{}</data>", point.x)?;
        write!(to, "<data key=\"Latitude\">{}</data>", point.y)?;
    }
    writeln!(to, "</node>")
}
