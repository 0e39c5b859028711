//! Coordinates among the attributes of a vertex.

use crate::space::Point;

const LATITUDE: [&str; 2] = ["latitude", "lat"];
const LONGITUDE: [&str; 4] = ["longitude", "lon", "lng", "long"];
const MAX_LATITUDE: f64 = 90.0;
const MAX_LONGITUDE: f64 = 180.0;

/// A coordinate in degrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Axis {
    Latitude,
    Longitude,
}

impl Axis {
    /// The axis that an attribute of this name holds, in any case.
    pub(super) fn named(attribute: &str) -> Option<Self> {
        let is = |names: &[&str]| names.iter().any(|name| attribute.eq_ignore_ascii_case(name));
        match (is(&LATITUDE), is(&LONGITUDE)) {
            (true, _) => Some(Axis::Latitude),
            (_, true) => Some(Axis::Longitude),
            _ => None,
        }
    }
}

/// Where a vertex is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Position {
    /// The file does not say.
    Unknown,
    /// Longitude and latitude.
    Degrees(Point),
    /// The file says something that is no longitude and latitude.
    NotDegrees,
}

impl Position {
    /// From longitude `x` and latitude `y`.
    pub(super) fn new(x: f64, y: f64) -> Self {
        if x.abs() <= MAX_LONGITUDE && y.abs() <= MAX_LATITUDE {
            Position::Degrees(Point { x, y })
        } else {
            Position::NotDegrees
        }
    }

    pub(super) fn point(&self) -> Option<Point> {
        match self {
            Position::Degrees(point) => Some(*point),
            Position::Unknown | Position::NotDegrees => None,
        }
    }
}

/// Collects the two coordinates of a vertex; of several values, the first counts.
#[derive(Debug, Default)]
pub(super) struct Coordinates {
    latitude: Option<f64>,
    longitude: Option<f64>,
}

impl Coordinates {
    /// Takes a value; text that is no number becomes a coordinate that is none.
    pub(super) fn set(&mut self, axis: Axis, value: &str) {
        let value = value.trim();
        if value.is_empty() {
            return;
        }
        let degrees = value.parse().unwrap_or(f64::NAN);
        match axis {
            Axis::Latitude => self.latitude.get_or_insert(degrees),
            Axis::Longitude => self.longitude.get_or_insert(degrees),
        };
    }

    pub(super) fn position(&self) -> Position {
        match (self.longitude, self.latitude) {
            (Some(x), Some(y)) => Position::new(x, y),
            _ => Position::Unknown,
        }
    }
}
