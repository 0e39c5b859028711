//! The picture of a finished point: its servers at their places or on their graph, with loads.

use evenhand_sim::{Allocation, PlacedGraph, Servers, Spatial};
use evenhand_topology::graph::Graph;
use evenhand_topology::space::{Metric, Places, Point};

use super::Partial;
use crate::layout;
use crate::record::{LoadMap, MapPoint};

/// Graphs with more vertices are not drawn.
pub const MOST_DRAWN_VERTICES: u64 = 2_000;
/// Graphs with more edges would be one grey patch, in a large file; they are not drawn.
const MOST_DRAWN_EDGES: usize = 20_000;

/// The picture, where loads were kept and there is something to draw them on. A reason for none
/// that the reader should know is left in `notes`.
pub(super) fn draw(
    model: &Allocation,
    partial: &Partial,
    notes: &mut Vec<String>,
) -> Option<LoadMap> {
    partial.outcomes.values().next()?.loads.as_ref()?;
    let drawn = model.bins <= MOST_DRAWN_VERTICES;
    let graph = if drawn { model.graph(first_run(partial)) } else { None };
    let graph = graph.filter(|graph| {
        let edges = graph.graph.edges();
        if edges > MOST_DRAWN_EDGES {
            notes.push(format!(
                "the graph is not drawn: it has {edges} edges, and up to {MOST_DRAWN_EDGES} are drawn"
            ));
        }
        edges <= MOST_DRAWN_EDGES
    });
    match graph {
        Some(graph) => on_graph(model, partial, &graph, notes),
        None => on_map(model, partial),
    }
}

fn first_run(partial: &Partial) -> u64 {
    partial.outcomes.keys().next().copied().unwrap_or(0)
}

/// The servers with their mean loads, where they have fixed places.
fn on_map(model: &Allocation, partial: &Partial) -> Option<LoadMap> {
    let Some(Spatial { servers: Servers::Fixed { places, .. }, .. }) = &model.spatial else {
        return None;
    };
    let names = places.names.as_deref();
    Some(LoadMap {
        policy: model.policy.to_string(),
        geographic: places.metric == Metric::GreatCircle,
        placed: true,
        points: points(&places.points, names, &mean_loads(partial, false)?),
        edges: Vec::new(),
        first_run: false,
    })
}

/// The graph with mean loads, or with those of the first run where each run has another graph.
fn on_graph(
    model: &Allocation,
    partial: &Partial,
    placed: &PlacedGraph,
    notes: &mut Vec<String>,
) -> Option<LoadMap> {
    let network = model.policy.network()?;
    let places_vary = model.spatial.as_ref().is_some_and(Spatial::places_vary);
    let first_run = partial.runs() > 1 && (network.spec().is_random() || places_vary);
    let servers = placed.servers.as_deref();
    let file = network.file();
    let of_file = file.and_then(|file| file.positions.as_deref());
    let of_file = of_file.map(|positions| completed(&placed.graph, positions, notes));
    let laid_out = || -> Vec<Point> {
        let positions = layout::positions(network.spec(), &placed.graph);
        positions.into_iter().map(|(x, y)| Point { x, y }).collect()
    };
    let geographic = match servers {
        Some(places) => places.metric == Metric::GreatCircle,
        None => of_file.is_some(),
    };
    let is_placed = servers.is_some() || of_file.is_some();
    let places = servers.map(|places| places.points.clone()).or(of_file).unwrap_or_else(laid_out);
    let names = servers.and_then(names_of).or_else(|| file.and_then(|file| file.labels.as_deref()));
    Some(LoadMap {
        policy: model.policy.to_string(),
        geographic,
        placed: is_placed,
        points: points(&places, names, &mean_loads(partial, first_run)?),
        edges: distinct_edges(&placed.graph),
        first_run,
    })
}

/// The positions of a file, and for vertices without one a place among their neighbours.
fn completed(graph: &Graph, positions: &[Option<Point>], notes: &mut Vec<String>) -> Vec<Point> {
    if positions.contains(&None) {
        let note =
            "vertices without a position are drawn at the mean of their neighbours, or of all";
        notes.push(note.to_string());
    }
    layout::completed(graph, positions)
}

fn names_of(places: &Places) -> Option<&[String]> {
    places.names.as_deref()
}

/// Parallel edges would be drawn over each other, and a self-loop has no length.
fn distinct_edges(graph: &Graph) -> Vec<(u32, u32)> {
    let mut edges = graph.edge_list();
    edges.retain(|(u, v)| u != v);
    edges.sort_unstable();
    edges.dedup();
    edges
}

fn points(places: &[Point], names: Option<&[String]>, loads: &[f64]) -> Vec<MapPoint> {
    let name = |server: usize| names.and_then(|names| names.get(server)).cloned();
    let pairs = places.iter().zip(loads).enumerate();
    pairs
        .map(|(server, (place, &load))| MapPoint {
            x: place.x,
            y: place.y,
            name: name(server),
            load,
        })
        .collect()
}

/// Load of each server: the mean over the runs, or that of the first.
fn mean_loads(partial: &Partial, first_run: bool) -> Option<Vec<f64>> {
    let runs = if first_run { 1 } else { partial.outcomes.len() };
    let mut mean: Vec<f64> = Vec::new();
    for outcome in partial.outcomes.values().take(runs) {
        let loads = outcome.loads.as_ref()?;
        mean.resize(loads.len(), 0.0);
        mean.iter_mut().zip(loads).for_each(|(sum, load)| *sum += load / runs as f64);
    }
    Some(mean)
}
