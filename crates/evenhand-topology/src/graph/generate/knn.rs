use crate::graph::{Graph, GraphError};
use crate::space::{NearestIndex, Places};

/// Each place joined to the `k` nearest others.
pub(in crate::graph) fn graph(places: &Places, k: usize) -> Result<Graph, GraphError> {
    let index = NearestIndex::new(places)?;
    let mut edges = Vec::with_capacity(places.len() * k);
    let mut near = Vec::new();
    for (vertex, &point) in (0_u32..).zip(&places.points) {
        // One more than `k`, because the place itself may be among them.
        index.nearest(point, k + 1, &mut near);
        let others = near.iter().map(|found| found.server).filter(|&other| other != vertex);
        edges.extend(others.take(k).map(|other| (vertex.min(other), vertex.max(other))));
    }
    edges.sort_unstable();
    edges.dedup();
    Ok(Graph::from_edges(places.len(), &edges)?)
}
