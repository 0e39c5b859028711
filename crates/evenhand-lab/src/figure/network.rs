//! Graphs: edges as thin grey lines below the vertices.

use std::fmt::Write;

use kuva::render::color::Color;
use kuva::render::render::{PathData, Primitive, Scene, TextAnchor};

use super::bounds::Bounds;
use super::style;
use crate::record::LoadMap;

/// From coordinates of a map to points on paper.
pub(super) struct Projection<'b> {
    pub(super) bounds: &'b Bounds,
    pub(super) left: f64,
    pub(super) top: f64,
}

impl Projection<'_> {
    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        let Bounds { x: [left, right], y: [low, high], width, height } = self.bounds;
        (
            self.left + (x - left) / (right - left) * width,
            self.top + (high - y) / (high - low) * height,
        )
    }
}

/// All edges in one path; `None` without any.
pub(super) fn edges(map: &LoadMap, to: &Projection<'_>) -> Option<Primitive> {
    let end = |vertex: u32| {
        let point = map.points.get(vertex as usize)?;
        let drawable = style::drawable(point.x) && style::drawable(point.y);
        drawable.then(|| to.at(point.x, point.y))
    };
    let mut d = String::new();
    for &(u, v) in &map.edges {
        if let (Some((x1, y1)), Some((x2, y2))) = (end(u), end(v)) {
            let written = write!(d, "M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}");
            written.expect("a string takes all text");
        }
    }
    let path = PathData {
        d,
        fill: None,
        stroke: Color::from("#999999"),
        stroke_width: 0.9,
        opacity: Some(if map.edges.len() > 4_000 { 0.3 } else { 0.85 }),
        stroke_dasharray: None,
    };
    (!path.d.is_empty()).then(|| Primitive::Path(Box::new(path)))
}

/// A picture without axes: title and vertices (place, radius, colour).
pub(super) fn bare(
    title: &str,
    height: f64,
    vertices: impl Iterator<Item = (f64, f64, f64, String)>,
    to: &Projection<'_>,
) -> Scene {
    let mut scene = Scene::new(style::WIDTH, height);
    scene.elements.push(Primitive::Text {
        x: style::WIDTH / 2.0,
        y: 24.0,
        content: title.into(),
        size: 15,
        anchor: TextAnchor::Middle,
        rotate: None,
        bold: false,
        color: None,
    });
    scene.elements.extend(vertices.map(|(x, y, r, fill)| {
        let (cx, cy) = to.at(x, y);
        Primitive::Circle {
            cx,
            cy,
            r,
            fill: Color::from(fill.as_str()),
            fill_opacity: None,
            stroke: None,
            stroke_width: None,
        }
    }));
    scene
}
