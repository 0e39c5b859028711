//! The part of the plane that a map shows, and its size on paper.

use super::style;
use crate::record::LoadMap;

/// Largest plot area in points.
const MAX_WIDTH: f64 = 560.0;
const MAX_HEIGHT: f64 = 560.0;
/// No side of the plot area is shorter than this share of the other.
const MIN_RATIO: f64 = 0.3;
/// Free space around the outermost places, as a share of the longer side.
const MARGIN: f64 = 0.04;

/// A rectangle in map units with its size in points.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Bounds {
    pub(super) x: [f64; 2],
    pub(super) y: [f64; 2],
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Bounds {
    /// Around all places of `map`; `None` without any.
    ///
    /// A geographic map is an equirectangular projection: true to scale in both directions at
    /// its middle latitude.
    pub(super) fn around(map: &LoadMap) -> Option<Self> {
        let x = range(map.points.iter().map(|p| p.x))?;
        let y = range(map.points.iter().map(|p| p.y))?;
        let squeeze = if map.geographic { middle(y).to_radians().cos().max(0.05) } else { 1.0 };
        let longest = (length(x) * squeeze).max(length(y));
        let longest = if longest > 0.0 { longest } else { 1.0 };
        let margin = longest * MARGIN;
        let least = longest * MIN_RATIO;
        let y = widened(y, margin, least);
        let x = widened(x, margin / squeeze, least / squeeze);
        let (wide, high) = (length(x) * squeeze, length(y));
        let scale = (MAX_WIDTH / wide).min(MAX_HEIGHT / high);
        Some(Self { x, y, width: (wide * scale).round(), height: (high * scale).round() })
    }
}

fn range(values: impl Iterator<Item = f64>) -> Option<[f64; 2]> {
    let drawable = values.filter(|value| style::drawable(*value));
    drawable.fold(None, |range, value| {
        let [low, high] = range.unwrap_or([value, value]);
        Some([low.min(value), high.max(value)])
    })
}

fn length([low, high]: [f64; 2]) -> f64 {
    high - low
}

fn middle([low, high]: [f64; 2]) -> f64 {
    low.midpoint(high)
}

/// With `margin` on both sides and at least `least` long.
fn widened(range: [f64; 2], margin: f64, least: f64) -> [f64; 2] {
    let half = (length(range) / 2.0 + margin).max(least / 2.0);
    [middle(range) - half, middle(range) + half]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::MapPoint;

    fn map(geographic: bool, places: &[(f64, f64)]) -> LoadMap {
        let point = |&(x, y)| MapPoint { x, y, name: None, load: 1.0 };
        LoadMap {
            policy: "nearest(2)".into(),
            geographic,
            placed: true,
            edges: vec![],
            first_run: false,
            points: places.iter().map(point).collect(),
        }
    }

    #[test]
    fn a_degree_of_longitude_shrinks_with_latitude() {
        let bounds = Bounds::around(&map(true, &[(0.0, 59.0), (2.0, 61.0)])).unwrap();
        let x_scale = bounds.width / length(bounds.x);
        let y_scale = bounds.height / length(bounds.y);
        assert!((x_scale / y_scale - 0.5).abs() < 0.01);
    }

    #[test]
    fn a_single_place_and_none_are_no_trouble() {
        let bounds = Bounds::around(&map(false, &[(3.0, 3.0)])).unwrap();
        assert!(length(bounds.x) > 0.0 && bounds.width > 100.0);
        assert_eq!(Bounds::around(&map(false, &[])), None);
        assert_eq!(Bounds::around(&map(false, &[(f64::NAN, 0.0)])), None);
    }
}
