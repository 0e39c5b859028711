//! The triangulation of the globe, by stereographic projection: it takes circles to circles, so
//! an empty circle of the map is an empty circle of the globe.

use spade::Triangulation;

use super::plane::{Plane, Site};
use crate::graph::GraphError;
use crate::space::Point;

/// A vector, mostly of length 1.
type Vector = [f64; 3];

/// The edges of the triangulation of places, in degrees of longitude and latitude.
pub(super) fn edges(points: &[Point]) -> Result<Vec<(u32, u32)>, GraphError> {
    let places: Vec<Vector> = points.iter().map(unit_vector).collect();
    match middle(&places) {
        Some(middle) => regional(&places, middle),
        None => global(&places),
    }
}

/// Places around a middle, which becomes the centre of the map.
fn regional(places: &[Vector], middle: Vector) -> Result<Vec<(u32, u32)>, GraphError> {
    let map = Map::from_pole(middle.map(|x| -x));
    let sites = (0..).zip(places).filter_map(|(vertex, place)| map.site(vertex, place)).collect();
    Ok(Plane::new(sites)?.edges())
}

/// Places all around: the map is projected from the first one, which is infinitely far on it.
/// Outside of the hull of the map are the triangles of that place.
fn global(places: &[Vector]) -> Result<Vec<(u32, u32)>, GraphError> {
    let Some(&pole) = places.first() else { return Ok(Vec::new()) };
    let map = Map::from_pole(pole);
    let (mut sites, mut at_pole) = (Vec::new(), Vec::new());
    for (vertex, place) in (0..).zip(places).skip(1) {
        match map.site(vertex, place) {
            Some(site) => sites.push(site),
            None => at_pole.push((0, vertex)),
        }
    }
    let plane = Plane::new(sites)?;
    let mut edges = plane.edges();
    edges.append(&mut at_pole);
    edges.extend(outside(&plane).into_iter().map(|vertex| (0, vertex)));
    Ok(edges)
}

/// The vertices on the hull; the two ends, if all lie on a line.
fn outside(plane: &Plane) -> Vec<u32> {
    let map = &plane.triangulation;
    if map.num_inner_faces() > 0 {
        return map.convex_hull().map(|edge| edge.from().data().vertex).collect();
    }
    map.vertices()
        .filter(|vertex| vertex.out_edges().count() < 2)
        .map(|vertex| vertex.data().vertex)
        .collect()
}

/// A stereographic map.
struct Map {
    pole: Vector,
    right: Vector,
    up: Vector,
}

impl Map {
    /// The map projected from a pole, which is infinitely far on it; the opposite point is the
    /// centre.
    fn from_pole(pole: Vector) -> Self {
        let [x, y, z] = pole.map(f64::abs);
        // The axis that is farthest from the pole.
        let axis = if x <= y && x <= z {
            [1.0, 0.0, 0.0]
        } else if y <= z {
            [0.0, 1.0, 0.0]
        } else {
            [0.0, 0.0, 1.0]
        };
        let right = normed(cross(axis, pole));
        Self { pole, right, up: cross(pole, right) }
    }

    /// Where a place is on the map; `None` for the pole.
    fn site(&self, vertex: u32, place: &Vector) -> Option<Site> {
        // The difference is exact near the pole, where 1 - cosine would lose all digits.
        let from_pole: Vector = std::array::from_fn(|i| place[i] - self.pole[i]);
        let distance_squared = dot(from_pole, from_pole);
        let scale = 2.0 / distance_squared;
        (distance_squared > 0.0).then(|| {
            Site::new(vertex, scale * dot(from_pole, self.right), scale * dot(from_pole, self.up))
        })
    }
}

/// The mean direction of the places, if all are less than 90 degrees from it.
fn middle(places: &[Vector]) -> Option<Vector> {
    let add = |sum: Vector, place: &Vector| std::array::from_fn(|i| sum[i] + place[i]);
    let middle = normed(places.iter().fold([0.0; 3], add));
    places.iter().all(|&place| dot(place, middle) > 0.0).then_some(middle)
}

fn unit_vector(point: &Point) -> Vector {
    let (longitude, latitude) = (point.x.to_radians(), point.y.to_radians());
    if point.y.abs() == 90.0 {
        return [0.0, 0.0, point.y.signum()];
    }
    [longitude.cos() * latitude.cos(), longitude.sin() * latitude.cos(), latitude.sin()]
}

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The direction of a vector; not a number for the zero vector, so that no place is near it.
fn normed(vector: Vector) -> Vector {
    let length = dot(vector, vector).sqrt();
    vector.map(|x| x / length)
}
