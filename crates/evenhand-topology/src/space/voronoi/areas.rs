//! The shares of cells, cut out of the window.

use std::collections::HashSet;

use super::polygon::{HalfPlane, Polygon};
use super::triangulation::{Image, Neighbours, neighbours_among};
use super::window::Window;
use crate::space::Point;

/// A polygon no wider than this part of the window cannot be told from an empty one.
const ROUNDING: f64 = 1e-13;
/// Spots with more neighbours than this are rare; their neighbours are triangulated once more.
const MANY: usize = 48;
/// Discs on the torus of a diameter below 1 hold one translate of a spot at most.
const HALF: f64 = 0.499_999;

/// Where cells are cut out.
#[derive(Debug)]
pub(super) struct Areas {
    neighbours: Neighbours,
    /// The window around the origin; on the torus the unit square around a spot, which is what
    /// its own translates leave of it.
    corners: [Point; 4],
    area: f64,
    /// Width of what is empty, up to rounding.
    rounding: f64,
    /// Spots around the middle of the window; `None` on the torus, where each spot is the origin.
    sites: Option<Vec<Point>>,
}

impl Areas {
    pub(super) fn plane(window: Window, neighbours: Neighbours, sites: Vec<Point>) -> Self {
        let (low, high) = (window.low(), window.high());
        let (width, height) = (high.x - low.x, high.y - low.y);
        Self::new(neighbours, width, height, Some(sites))
    }

    pub(super) fn torus(neighbours: Neighbours) -> Self {
        Self::new(neighbours, 1.0, 1.0, None)
    }

    fn new(neighbours: Neighbours, width: f64, height: f64, sites: Option<Vec<Point>>) -> Self {
        let (x, y) = (width / 2.0, height / 2.0);
        let corners = [(-x, -y), (x, -y), (x, y), (-x, y)].map(|(x, y)| Point { x, y });
        let rounding = ROUNDING * width.max(height);
        Self { neighbours, corners, area: width * height, rounding, sites }
    }

    /// Buffers for cutting cells.
    pub(super) fn cutter(&self) -> Cutter<'_> {
        Cutter { areas: self, polygon: Polygon::default() }
    }

    fn site(&self, spot: usize) -> Point {
        self.sites.as_ref().map_or(Point { x: 0.0, y: 0.0 }, |sites| sites[spot])
    }

    fn wraps(&self) -> bool {
        self.sites.is_none()
    }
}

/// Cuts cells, one after the other.
pub(super) struct Cutter<'a> {
    areas: &'a Areas,
    polygon: Polygon,
}

impl Cutter<'_> {
    /// The share of the cell of a spot.
    pub(super) fn cell(&mut self, spot: usize) -> f64 {
        let areas = self.areas;
        let (site, others) = (areas.site(spot), areas.neighbours.of(spot));
        if others.len() > MANY {
            // A polygon of many sides would be slow to cut; its parts have few.
            return self.parts_among(spot, others).0.iter().map(|(_, share)| share).sum();
        }
        self.polygon.reset(&areas.corners);
        for other in others {
            self.polygon.cut(HalfPlane::nearer(site, other.position));
        }
        self.polygon.area(areas.rounding) / areas.area
    }

    /// The parts of the cell of a spot, by the spot that is second nearest there: spots and
    /// shares. On the torus a spot may come several times.
    pub(super) fn parts(&mut self, spot: usize) -> Vec<(u32, f64)> {
        let areas = self.areas;
        let others = areas.neighbours.of(spot);
        let (parts, reach) = self.parts_among(spot, others);
        if !areas.wraps() || reach < HALF {
            return parts;
        }
        // The second nearest may be a neighbour of another translate of the spot. Any server has
        // a translate that is at most 1/2 away from each point, in both coordinates.
        self.parts_among(spot, &translates(others)).0
    }

    /// The parts, with second spots among `others`; and the largest distance to the second.
    fn parts_among(&mut self, spot: usize, others: &[Image]) -> (Vec<(u32, f64)>, f64) {
        let areas = self.areas;
        let rivals = if others.len() > MANY { Some(neighbours_among(others)) } else { None };
        let (mut parts, mut reach) = (Vec::with_capacity(others.len()), 0.0_f64);
        for (at, second) in others.iter().enumerate() {
            self.polygon.reset(&areas.corners);
            self.polygon.cut(HalfPlane::nearer(areas.site(spot), second.position));
            match &rivals {
                Some(rivals) => {
                    self.cut_off(second, rivals[at].iter().map(|&rival| &others[rival as usize]));
                }
                None => {
                    let rivals = others.iter().enumerate().filter(|(rival, _)| *rival != at);
                    self.cut_off(second, rivals.map(|(_, rival)| rival));
                }
            }
            let area = self.polygon.area(areas.rounding);
            if area > 0.0 {
                reach = reach.max(self.polygon.reach(second.position));
                parts.push((second.spot, area / areas.area));
            }
        }
        (parts, reach)
    }

    /// Keeps what is nearer to `second` than to its rivals.
    fn cut_off<'i>(&mut self, second: &Image, rivals: impl Iterator<Item = &'i Image>) {
        for rival in rivals {
            if self.polygon.corners.is_empty() {
                return;
            }
            self.polygon.cut(HalfPlane::nearer(second.position, rival.position));
        }
    }
}

/// All translates, at most 1 away in both coordinates, of images seen from the origin.
fn translates(images: &[Image]) -> Vec<Image> {
    let mut seen = HashSet::new();
    let nearest = |x: f64| x - x.round();
    let mut all = Vec::new();
    for image in images.iter().filter(|image| seen.insert(image.spot)) {
        let (x, y) = (nearest(image.position.x), nearest(image.position.y));
        for right in [-1.0, 0.0, 1.0] {
            for up in [-1.0, 0.0, 1.0] {
                all.push(Image { spot: image.spot, position: Point { x: x + right, y: y + up } });
            }
        }
    }
    all
}
