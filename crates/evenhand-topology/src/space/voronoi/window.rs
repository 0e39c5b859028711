//! The rectangle on which users are uniform.

use crate::space::{Error, Point};

/// The largest coordinate: a triangulation takes numbers up to 3 times as large.
pub(super) const MOST: f64 = 1e60;

/// A rectangle of the plane, sides along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    low: Point,
    high: Point,
}

impl Window {
    /// The unit square, on which layouts draw.
    pub const UNIT: Self = Self { low: Point { x: 0.0, y: 0.0 }, high: Point { x: 1.0, y: 1.0 } };

    /// The rectangle with these two corners.
    ///
    /// # Errors
    /// [`Error::Window`] unless `low` is below `high` in both coordinates, and all of 10^60 in
    /// size or less, with sides of 10^-60 or more.
    pub fn new(low: Point, high: Point) -> Result<Self, Error> {
        let fits = |low: f64, high: f64| {
            low.abs() <= MOST && high.abs() <= MOST && high - low >= 1.0 / MOST
        };
        if fits(low.x, high.x) && fits(low.y, high.y) {
            Ok(Self { low, high })
        } else {
            Err(Error::Window { low, high })
        }
    }

    /// The least rectangle that holds all points.
    ///
    /// # Errors
    /// [`Error::Window`] if it has no area, as for one point, or for points on a vertical line.
    pub fn around(points: &[Point]) -> Result<Self, Error> {
        let least = |get: fn(&Point) -> f64| points.iter().map(get).fold(f64::INFINITY, f64::min);
        let most =
            |get: fn(&Point) -> f64| points.iter().map(get).fold(f64::NEG_INFINITY, f64::max);
        let low = Point { x: least(|p| p.x), y: least(|p| p.y) };
        let high = Point { x: most(|p| p.x), y: most(|p| p.y) };
        Self::new(low, high)
    }

    /// The corner of least coordinates.
    #[must_use]
    pub fn low(&self) -> Point {
        self.low
    }

    /// The corner of greatest coordinates.
    #[must_use]
    pub fn high(&self) -> Point {
        self.high
    }

    /// Whether a point is inside or on the border.
    #[must_use]
    pub fn contains(&self, point: Point) -> bool {
        (self.low.x..=self.high.x).contains(&point.x)
            && (self.low.y..=self.high.y).contains(&point.y)
    }

    pub(super) fn middle(&self) -> Point {
        let Self { low, high } = self;
        Point { x: (low.x + high.x) / 2.0, y: (low.y + high.y) / 2.0 }
    }
}
