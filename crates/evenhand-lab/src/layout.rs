//! Where the vertices of a graph without places stand in a picture: in the unit square.

mod completed;
mod spectral;

use std::f64::consts::{PI, TAU};

use evenhand_topology::graph::{Graph, GraphSpec, Implicit, TorusGraph};

pub(crate) use completed::completed;

/// Tilt of a torus towards the reader: its sine and cosine.
const TILT: (f64, f64) = (0.8, 0.6);
/// Radius of a torus's tube, as a share of that of its ring.
const TUBE: f64 = 0.5;

/// One position for each vertex. Known families look like themselves; other graphs are laid out
/// by their slowest eigenvectors.
pub(crate) fn positions(spec: &GraphSpec, graph: &Graph) -> Vec<(f64, f64)> {
    let vertices = graph.vertices();
    let known = match spec {
        GraphSpec::Star => Some(star(vertices)),
        spec => spec.implicit(vertices as u64).ok().flatten().map(|graph| family(&graph)),
    };
    in_unit_square(known.unwrap_or_else(|| spectral::positions(graph)))
}

fn family(graph: &Implicit) -> Vec<(f64, f64)> {
    match graph {
        Implicit::Torus(torus) => self::torus(torus),
        Implicit::Hypercube(_) => hypercube(graph.degree(), graph.vertices() as usize),
        _ => circle(graph.vertices() as usize),
    }
}

fn circle(vertices: usize) -> Vec<(f64, f64)> {
    let angle = |vertex: usize| TAU * vertex as f64 / vertices as f64;
    (0..vertices).map(|vertex| angle(vertex).sin_cos()).collect()
}

/// The centre, and the others around it.
fn star(vertices: usize) -> Vec<(f64, f64)> {
    std::iter::once((0.0, 0.0)).chain(circle(vertices.saturating_sub(1))).collect()
}

/// The surface of a torus, seen from above at an angle. The longer side goes around the ring.
fn torus(torus: &TorusGraph) -> Vec<(f64, f64)> {
    let (rows, columns) = (torus.rows(), torus.columns());
    let place = |row: u32, column: u32| {
        // A part of a step sets vertices of the front apart from those behind.
        let row = TAU * (f64::from(row) + 0.3) / f64::from(rows);
        let column = TAU * (f64::from(column) + 0.3) / f64::from(columns);
        let (around, along) = if rows > columns { (row, column) } else { (column, row) };
        let radius = 1.0 + TUBE * along.cos();
        (radius * around.cos(), TILT.0 * radius * around.sin() + TILT.1 * TUBE * along.sin())
    };
    (0..rows).flat_map(|row| (0..columns).map(move |column| place(row, column))).collect()
}

/// Every bit is a step in a direction of its own; lengths differ, so that no two vertices meet.
fn hypercube(bits: u32, vertices: usize) -> Vec<(f64, f64)> {
    let step = |bit: u32| {
        let length = 1.0 + 0.13 * f64::from(bit);
        let (y, x) = (PI * (f64::from(bit) + 0.5) / f64::from(bits)).sin_cos();
        (length * x, length * y)
    };
    let steps: Vec<_> = (0..bits).map(step).collect();
    let place = |vertex: usize| {
        let taken = steps.iter().enumerate().filter(|(bit, _)| vertex >> bit & 1 == 1);
        taken.fold((0.0, 0.0), |(x, y), (_, step)| (x + step.0, y + step.1))
    };
    (0..vertices).map(place).collect()
}

/// Moved and stretched alike in both directions.
fn in_unit_square(mut positions: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let range = |values: &mut dyn Iterator<Item = f64>| {
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (value.min(low), value.max(high))
        })
    };
    let x = range(&mut positions.iter().map(|place| place.0));
    let y = range(&mut positions.iter().map(|place| place.1));
    let longer = (x.1 - x.0).max(y.1 - y.0);
    let scale = if longer > 0.0 { 1.0 / longer } else { 1.0 };
    for place in &mut positions {
        *place = (
            0.5 + (place.0 - x.0.midpoint(x.1)) * scale,
            0.5 + (place.1 - y.0.midpoint(y.1)) * scale,
        );
    }
    positions
}

#[cfg(test)]
mod tests {
    use evenhand_topology::graph::{Graph, GraphSpec};

    use super::positions;

    #[test]
    fn known_families_keep_vertices_apart_in_the_unit_square() {
        for (name, vertices) in [("ring", 30), ("torus(10, 12)", 120), ("hypercube", 64)] {
            let spec: GraphSpec = name.parse().unwrap();
            let graph = spec.implicit(vertices).unwrap().unwrap().store().unwrap();
            let places = positions(&spec, &graph);
            assert_eq!(places.len() as u64, vertices);
            for (index, a) in places.iter().enumerate() {
                assert!((-1e-9..1.0 + 1e-9).contains(&a.0) && (-1e-9..1.0 + 1e-9).contains(&a.1));
                let apart = |b: &(f64, f64)| (a.0 - b.0).hypot(a.1 - b.1) > 1e-3;
                assert!(places[..index].iter().all(apart), "{name}: vertex {index}");
            }
        }
    }

    /// A cycle that is read from a file: all vertices come to lie on a circle, in order.
    #[test]
    fn a_cycle_without_a_name_becomes_a_circle() {
        let edges: Vec<_> = (0..40).map(|v| (v, (v + 1) % 40)).collect();
        let graph = Graph::from_edges(40, &edges).unwrap();
        let spec = "file(\"cycle.txt\")".parse().unwrap();
        for (x, y) in positions(&spec, &graph) {
            let radius = (x - 0.5).hypot(y - 0.5);
            assert!((0.4..0.6).contains(&radius), "{radius}");
        }
    }

    #[test]
    fn small_and_broken_graphs_have_finite_positions() {
        let spec = "file(\"any.txt\")".parse().unwrap();
        for (vertices, edges) in [(1, vec![]), (2, vec![(0, 1)]), (5, vec![(0, 1), (3, 3)])] {
            let graph = Graph::from_edges(vertices, &edges).unwrap();
            let places = positions(&spec, &graph);
            assert_eq!(places.len(), vertices);
            assert!(places.iter().all(|(x, y)| x.is_finite() && y.is_finite()));
        }
    }
}
