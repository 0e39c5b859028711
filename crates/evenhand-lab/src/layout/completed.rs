//! Places on the globe for vertices of which a file does not say where they are.

use evenhand_topology::graph::Graph;
use evenhand_topology::space::Point;

/// A place for every vertex, in degrees: its own, or else the mean direction of its neighbours,
/// of those that have a place first. Vertices that no place can be reached from come to the mean
/// of all.
pub(crate) fn completed(graph: &Graph, positions: &[Option<Point>]) -> Vec<Point> {
    let mut places = positions.to_vec();
    while let Some(found) = next_to_placed(graph, &places) {
        for (vertex, place) in found {
            places[vertex] = Some(place);
        }
    }
    let all = mean(positions.iter().flatten()).unwrap_or(Point { x: 0.0, y: 0.0 });
    places.into_iter().map(|place| place.unwrap_or(all)).collect()
}

/// Places for the vertices without one that have a neighbour with one; `None` if there are none.
fn next_to_placed(graph: &Graph, places: &[Option<Point>]) -> Option<Vec<(usize, Point)>> {
    let without = (0..places.len()).filter(|&vertex| places[vertex].is_none());
    let found: Vec<_> = without
        .filter_map(|vertex| {
            let neighbours = graph.neighbours(vertex as u32).iter();
            let place = mean(neighbours.filter_map(|&other| places[other as usize].as_ref()))?;
            Some((vertex, place))
        })
        .collect();
    (!found.is_empty()).then_some(found)
}

/// The mean direction from the centre of the globe; the first of points that cancel each other.
fn mean<'p>(points: impl Iterator<Item = &'p Point>) -> Option<Point> {
    const CANCELLED: f64 = 1e-9;
    let mut sum = [0.0_f64; 3];
    let mut first = None;
    for point in points {
        first.get_or_insert(*point);
        let (longitude, latitude) = (point.x.to_radians(), point.y.to_radians());
        sum[0] += latitude.cos() * longitude.cos();
        sum[1] += latitude.cos() * longitude.sin();
        sum[2] += latitude.sin();
    }
    let [x, y, z] = sum;
    if x.hypot(y).hypot(z) < CANCELLED {
        return first;
    }
    Some(Point { x: y.atan2(x).to_degrees(), y: z.atan2(x.hypot(y)).to_degrees() })
}

#[cfg(test)]
mod tests {
    use evenhand_topology::graph::Graph;
    use evenhand_topology::space::Point;

    use super::completed;

    #[test]
    fn vertices_without_a_place_stand_among_their_neighbours() {
        let place = |x: f64, y: f64| Some(Point { x, y });
        // A path 0-1-2-3-4 on both sides of the antimeridian, and 5 alone.
        let path = [(0, 1), (1, 2), (2, 3), (3, 4)];
        let graph = Graph::from_edges(6, &path).unwrap();
        let known = [place(170.0, 0.0), None, place(-170.0, 0.0), None, None, None];
        let places = completed(&graph, &known);
        let near = |vertex: usize, x: f64| {
            let found = places[vertex];
            assert!(
                (found.x.abs() - x).abs() < 1e-9 && found.y.abs() < 1e-9,
                "{vertex}: {found:?}"
            );
        };
        near(0, 170.0);
        near(1, 180.0);
        near(2, 170.0);
        near(3, 170.0);
        near(4, 170.0);
        near(5, 180.0);
        let opposite = [place(0.0, 0.0), None, place(180.0, 0.0), None, None, None];
        assert_eq!(completed(&graph, &opposite)[1], Point { x: 0.0, y: 0.0 });
    }
}
