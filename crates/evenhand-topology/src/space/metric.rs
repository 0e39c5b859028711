//! Points and the distance between two of them.

/// Mean radius of the Earth in metres (IUGG), used by [`Metric::GreatCircle`].
pub const EARTH_RADIUS_M: f64 = 6_371_008.8;

/// Largest longitude in degrees, east or west.
pub(crate) const MAX_LONGITUDE: f64 = 180.0;
/// Largest latitude in degrees, north or south.
pub(crate) const MAX_LATITUDE: f64 = 90.0;

/// A place: longitude and latitude in degrees, or a point of the plane.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Point {
    /// Longitude in degrees (east positive), or the x coordinate.
    pub x: f64,
    /// Latitude in degrees (north positive), or the y coordinate.
    pub y: f64,
}

/// How the distance between two points is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Metric {
    /// Great-circle distance in metres on a sphere of radius [`EARTH_RADIUS_M`];
    /// points are longitude and latitude in degrees.
    GreatCircle,
    /// Straight-line distance in the units of the coordinates.
    Euclidean,
    /// Straight-line distance on the unit square with opposite sides glued.
    /// Coordinates count modulo 1.
    Torus,
}

impl Metric {
    /// Distance between two points: metres for [`Metric::GreatCircle`], else
    /// the unit of the coordinates. Symmetric, to the last bit.
    ///
    /// A coordinate that is not finite gives a distance that is not finite.
    #[must_use]
    pub fn distance(self, a: Point, b: Point) -> f64 {
        self.canonical_distance(self.canonical(a), self.canonical(b))
    }

    /// Unit of the distance: `"m"`, or `"1"` where it is that of the coordinates.
    #[must_use]
    pub fn unit(self) -> &'static str {
        match self {
            Metric::GreatCircle => "m",
            Metric::Euclidean | Metric::Torus => "1",
        }
    }

    /// Whether a point makes sense: finite coordinates, degrees in range.
    pub(crate) fn accepts(self, p: Point) -> bool {
        let finite = p.x.is_finite() && p.y.is_finite();
        let on_earth = p.x.abs() <= MAX_LONGITUDE && p.y.abs() <= MAX_LATITUDE;
        finite && (self != Metric::GreatCircle || on_earth)
    }

    /// One representative for all coordinates of the same place, so that equal
    /// places have equal bits: no `-0.0`, longitude 0 at the poles, one
    /// antimeridian, the torus in [0, 1).
    pub(crate) fn canonical(self, p: Point) -> Point {
        let Point { x, y } = p;
        match self {
            Metric::GreatCircle if y.abs() == MAX_LATITUDE && x.is_finite() => Point { x: 0.0, y },
            Metric::GreatCircle if x == -MAX_LONGITUDE => Point { x: -x, y: y + 0.0 },
            Metric::GreatCircle | Metric::Euclidean => Point { x: x + 0.0, y: y + 0.0 },
            Metric::Torus => Point { x: wrap(x), y: wrap(y) },
        }
    }

    /// [`Metric::distance`] for points that are canonical already.
    pub(crate) fn canonical_distance(self, a: Point, b: Point) -> f64 {
        match self {
            Metric::GreatCircle => haversine_m(a, b),
            Metric::Euclidean => (a.x - b.x).hypot(a.y - b.y),
            Metric::Torus => around(a.x, b.x).hypot(around(a.y, b.y)),
        }
    }
}

/// The haversine formula. The longitude difference is folded to at most half a
/// turn first: that keeps full precision across the antimeridian.
fn haversine_m(a: Point, b: Point) -> f64 {
    let gap = (a.x - b.x).abs() % 360.0;
    let longitude = (gap.min(360.0 - gap) / 2.0).to_radians().sin();
    let latitude = ((a.y - b.y) / 2.0).to_radians().sin();
    let cosines = a.y.to_radians().cos() * b.y.to_radians().cos();
    let h = latitude * latitude + cosines * (longitude * longitude);
    2.0 * EARTH_RADIUS_M * h.clamp(0.0, 1.0).sqrt().asin()
}

/// Distance of two coordinates in [0, 1) on a circle of length 1.
fn around(a: f64, b: f64) -> f64 {
    let gap = (a - b).abs();
    gap.min(1.0 - gap)
}

/// A coordinate modulo 1, in [0, 1).
pub(crate) fn wrap(x: f64) -> f64 {
    let wrapped = x.rem_euclid(1.0);
    // A tiny negative number rounds up to 1.
    if wrapped >= 1.0 { 0.0 } else { wrapped + 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p(x: f64, y: f64) -> Point {
        Point { x, y }
    }

    #[test]
    fn great_circle_has_known_lengths() {
        let quarter = EARTH_RADIUS_M * std::f64::consts::FRAC_PI_2;
        let d = |a, b| Metric::GreatCircle.distance(a, b);
        assert!((d(p(0.0, 0.0), p(90.0, 0.0)) - quarter).abs() < 1e-6);
        assert!((d(p(13.0, 0.0), p(77.0, 90.0)) - quarter).abs() < 1e-6);
        assert!((d(p(0.0, 0.0), p(180.0, 0.0)) - 2.0 * quarter).abs() < 1e-6);
        // Nashville to Los Angeles airport, the usual haversine example.
        let km = d(p(-86.67, 36.12), p(-118.40, 33.94)) / 1000.0;
        assert!((km - 2_886.448_43).abs() < 1e-4, "{km}");
    }

    #[test]
    fn poles_and_antimeridian_are_single_places() {
        let d = |a, b| Metric::GreatCircle.distance(a, b);
        assert_eq!(d(p(10.0, 90.0), p(-130.0, 90.0)), 0.0);
        assert_eq!(d(p(180.0, 12.0), p(-180.0, 12.0)), 0.0);
        let user = p(10.1, 33.3);
        assert_eq!(d(user, p(180.0, 5.0)), d(user, p(-180.0, 5.0)));
        assert_eq!(d(user, p(3.0, -90.0)), d(user, p(99.0, -90.0)));
        let across = d(p(179.999, 0.0), p(-179.999, 0.0));
        assert!((across - EARTH_RADIUS_M * 0.002_f64.to_radians()).abs() < 1e-7);
    }

    #[test]
    fn torus_wraps_and_plane_does_not() {
        assert!((Metric::Torus.distance(p(0.05, 0.5), p(0.95, 0.5)) - 0.1).abs() < 1e-15);
        assert!((Metric::Euclidean.distance(p(0.05, 0.5), p(0.95, 0.5)) - 0.9).abs() < 1e-15);
        assert_eq!(Metric::Torus.distance(p(0.25, 1.0), p(-0.75, 0.0)), 0.0);
        assert_eq!(Metric::Torus.distance(p(-1e-20, 0.0), p(0.0, 0.0)), 0.0);
    }

    #[test]
    fn units_are_named() {
        assert_eq!(Metric::GreatCircle.unit(), "m");
        assert_eq!(Metric::Euclidean.unit(), "1");
        assert_eq!(Metric::Torus.unit(), "1");
    }
}
