//! Edge lists.

use std::io::{self, Write};

use crate::graph::Graph;

/// The comment tells the number of vertices, so that isolated ones come back.
pub(super) fn write(graph: &Graph, to: &mut dyn Write) -> io::Result<()> {
    writeln!(to, "# Nodes: {} Edges: {}", graph.vertices(), graph.edges())?;
    for (u, v) in graph.edge_list() {
        writeln!(to, "{u} {v}")?;
    }
    Ok(())
}
