//! Convex polygons, cut by half-planes.

use crate::space::Point;

/// The points p with normal . p <= offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct HalfPlane {
    normal: Point,
    offset: f64,
}

impl HalfPlane {
    /// The points that are at least as near to `site` as to `other`.
    pub(super) fn nearer(site: Point, other: Point) -> Self {
        let normal = Point { x: other.x - site.x, y: other.y - site.y };
        let sum = Point { x: other.x + site.x, y: other.y + site.y };
        Self { normal, offset: (normal.x * sum.x + normal.y * sum.y) / 2.0 }
    }

    /// Positive outside.
    fn excess(&self, p: Point) -> f64 {
        self.normal.x * p.x + self.normal.y * p.y - self.offset
    }
}

/// Corners in counter-clockwise order; none if it is empty.
#[derive(Clone, Debug, Default)]
pub(super) struct Polygon {
    pub(super) corners: Vec<Point>,
    spare: Vec<Point>,
}

impl Polygon {
    /// Becomes the polygon with these corners.
    pub(super) fn reset(&mut self, corners: &[Point]) {
        self.corners.clear();
        self.corners.extend_from_slice(corners);
    }

    /// Keeps what is in the half-plane (Sutherland, Hodgman 1974).
    pub(super) fn cut(&mut self, by: HalfPlane) {
        if self.corners.iter().all(|&p| by.excess(p) <= 0.0) {
            return;
        }
        self.spare.clear();
        let Some(&last) = self.corners.last() else { return };
        let (mut before, mut excess_before) = (last, by.excess(last));
        for &corner in &self.corners {
            let excess = by.excess(corner);
            let crosses =
                (excess_before < 0.0 && excess > 0.0) || (excess_before > 0.0 && excess < 0.0);
            if crosses {
                let t = excess_before / (excess_before - excess);
                let (dx, dy) = (corner.x - before.x, corner.y - before.y);
                self.spare.push(Point { x: before.x + t * dx, y: before.y + t * dy });
            }
            if excess <= 0.0 {
                self.spare.push(corner);
            }
            (before, excess_before) = (corner, excess);
        }
        std::mem::swap(&mut self.corners, &mut self.spare);
    }

    /// The area; 0 where the width of the polygon is no more than `rounding`.
    pub(super) fn area(&self, rounding: f64) -> f64 {
        let Some(&origin) = self.corners.first() else { return 0.0 };
        let next = self.corners.iter().cycle().skip(1);
        let (mut twice, mut perimeter) = (0.0, 0.0);
        for (a, b) in self.corners.iter().zip(next) {
            let (ax, ay) = (a.x - origin.x, a.y - origin.y);
            let (bx, by) = (b.x - origin.x, b.y - origin.y);
            twice += ax * by - ay * bx;
            perimeter += (b.x - a.x).hypot(b.y - a.y);
        }
        // A strip has twice its length around it.
        if twice > perimeter * rounding { twice / 2.0 } else { 0.0 }
    }

    /// The largest distance from a point to a corner.
    pub(super) fn reach(&self, from: Point) -> f64 {
        self.corners.iter().map(|p| (p.x - from.x).hypot(p.y - from.y)).fold(0.0, f64::max)
    }
}
