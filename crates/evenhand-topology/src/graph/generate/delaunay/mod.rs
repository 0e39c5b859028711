//! The Delaunay triangulation of places, in each metric.

mod globe;
mod plane;
mod torus;

use crate::graph::{Graph, GraphError};
use crate::space::{Error, Metric, Places, Point};

/// Vertices are joined if their Voronoi cells have a common side.
pub(in crate::graph) fn graph(places: &Places) -> Result<Graph, GraphError> {
    let metric = places.metric;
    if let Some(index) = places.points.iter().position(|&point| !metric.accepts(point)) {
        let (file, point) = (places.source.clone(), places.points[index]);
        return Err(Error::InvalidPoint { file, index, point }.into());
    }
    let points: Vec<Point> = places.points.iter().map(|&point| metric.canonical(point)).collect();
    let mut edges = match metric {
        Metric::Euclidean => plane::edges(&points)?,
        Metric::Torus => torus::edges(&points)?,
        Metric::GreatCircle => globe::edges(&points)?,
    };
    edges.iter_mut().for_each(|(u, v)| (*u, *v) = ((*u).min(*v), (*u).max(*v)));
    edges.sort_unstable();
    edges.dedup();
    Ok(Graph::from_edges(places.len(), &edges)?)
}
