use crate::graph::{Graph, GraphError};

/// Vertex 0 joined to all others.
pub(in crate::graph) fn graph(vertices: u32) -> Result<Graph, GraphError> {
    let edges: Vec<(u32, u32)> = (1..vertices).map(|leaf| (0, leaf)).collect();
    Ok(Graph::from_edges(vertices as usize, &edges)?)
}
