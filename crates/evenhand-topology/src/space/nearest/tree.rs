//! The k-d tree behind the index, one shape for each metric.

use std::num::NonZero;

use kiddo::{ImmutableKdTree, QueryResultItem, SquaredEuclidean};

use crate::space::{Metric, Point};

/// A position found, with its squared distance in the tree's own space.
pub(super) type Found = QueryResultItem<(), u32, f64>;

/// Distinct positions in a k-d tree.
///
/// Places on the sphere are unit vectors in space: the order of their chords is
/// the order of the great circles, and there is no seam at the antimeridian or
/// at the poles. The torus is the plane, asked once more for each translate of
/// the query point from which something nearer may be seen.
pub(super) enum Tree {
    Sphere(ImmutableKdTree<f64, 3>),
    Plane(ImmutableKdTree<f64, 2>),
    Torus(ImmutableKdTree<f64, 2>),
}

impl Tree {
    /// Builds the tree over canonical points; `None` if the tree refuses them.
    pub(super) fn new(metric: Metric, points: &[Point]) -> Option<Self> {
        let plane = || {
            let coordinates: Vec<_> = points.iter().map(|p| [p.x, p.y]).collect();
            ImmutableKdTree::new_from_slice(&coordinates).ok()
        };
        match metric {
            Metric::GreatCircle => {
                let coordinates: Vec<_> = points.iter().map(|&p| unit_vector(p)).collect();
                let tree = ImmutableKdTree::new_from_slice(&coordinates).ok()?;
                Some(Tree::Sphere(tree))
            }
            Metric::Euclidean => plane().map(Tree::Plane),
            Metric::Torus => plane().map(Tree::Torus),
        }
    }

    /// The `count` positions nearest to a canonical finite point, by ascending
    /// squared distance; fewer only where squares overflow.
    pub(super) fn nearest(&self, from: Point, count: NonZero<usize>) -> Vec<Found> {
        match self {
            Tree::Sphere(tree) => in_tree(tree, unit_vector(from), count),
            Tree::Plane(tree) => in_tree(tree, [from.x, from.y], count),
            Tree::Torus(tree) => on_torus(tree, from, count),
        }
    }

    /// The squared distance up to which rounding may hide a tie with the
    /// squared distance `square`, with a wide margin.
    pub(super) fn tie_bound(&self, square: f64) -> f64 {
        let absolute = match self {
            // Rounding of unit vectors and of translates is absolute.
            Tree::Sphere(_) | Tree::Torus(_) => 1e-14,
            Tree::Plane(_) => 0.0,
        };
        let distance = square.sqrt() * (1.0 + 1e-12) + absolute;
        // The last term covers squares that underflow.
        distance * distance + 1e-300
    }
}

fn in_tree<const K: usize>(
    tree: &ImmutableKdTree<f64, K>,
    from: [f64; K],
    count: NonZero<usize>,
) -> Vec<Found> {
    tree.query(&from).nearest_n::<SquaredEuclidean<f64>>(count).execute()
}

/// Asks for the point and for those of its eight translates that are near
/// enough to the unit square, then keeps the shortest way to each position.
fn on_torus(tree: &ImmutableKdTree<f64, 2>, from: Point, count: NonZero<usize>) -> Vec<Found> {
    let mut found = in_tree(tree, [from.x, from.y], count);
    let reach = found.last().map_or(f64::INFINITY, |last| last.distance);
    let home = found.len();
    for (shift_x, gap_x) in shifts(from.x) {
        for (shift_y, gap_y) in shifts(from.y) {
            let is_home = shift_x == 0.0 && shift_y == 0.0;
            if !is_home && gap_x * gap_x + gap_y * gap_y <= reach {
                found.extend(in_tree(tree, [from.x + shift_x, from.y + shift_y], count));
            }
        }
    }
    if found.len() > home {
        let by_distance = |a: &Found, b: &Found| a.distance.total_cmp(&b.distance);
        found.sort_unstable_by(|a, b| a.item.cmp(&b.item).then(by_distance(a, b)));
        found.dedup_by_key(|f| f.item);
        found.sort_unstable_by(by_distance);
        found.truncate(count.get());
    }
    found
}

/// The translations of one coordinate in [0, 1), each with a lower bound of its
/// distance to the interval [0, 1).
fn shifts(coordinate: f64) -> [(f64, f64); 3] {
    [(0.0, 0.0), (1.0, coordinate), (-1.0, 1.0 - coordinate)]
}

/// Longitude and latitude in degrees as a point of the unit sphere.
fn unit_vector(p: Point) -> [f64; 3] {
    let (sin_longitude, cos_longitude) = p.x.to_radians().sin_cos();
    let (sin_latitude, cos_latitude) = p.y.to_radians().sin_cos();
    [cos_latitude * cos_longitude, cos_latitude * sin_longitude, sin_latitude]
}
