//! The triangulation of the torus, from nine copies of the square in the plane. Nine are enough
//! (Dolbilin, Huson 1997).

use std::collections::HashMap;

use spade::Triangulation;

use super::plane::{Plane, Site};
use crate::graph::GraphError;
use crate::space::Point;

/// Coordinates become multiples of this, so that copies are exact translations.
const GRAIN: f64 = 1.0 / (1_u64 << 50) as f64;
/// A place is moved by fewer grains than this: by less than 2^-32.
const MOST_GRAINS: u64 = 1 << 18;

/// The edges of the triangulation of points of the torus, coordinates in [0, 1).
pub(super) fn edges(points: &[Point]) -> Result<Vec<(u32, u32)>, GraphError> {
    let (sites, mut edges) = spots(points);
    let plane = Plane::new(sites.iter().flat_map(copies).collect())?;
    for side in plane.triangulation.undirected_edges() {
        let [a, b] = side.vertices().map(|end| *end.data());
        let (lesser, greater) = if a.vertex < b.vertex { (a, b) } else { (b, a) };
        // Each edge of the torus has one copy whose lesser end is in the middle square.
        if is_in_middle(&lesser) && lesser.vertex != greater.vertex {
            edges.push((lesser.vertex, greater.vertex));
        }
    }
    Ok(edges)
}

/// The place of the lowest number at each spot, as a site; and its edges to the others there.
fn spots(points: &[Point]) -> (Vec<Site>, Vec<(u32, u32)>) {
    let mut first_at = HashMap::new();
    let (mut sites, mut together) = (Vec::new(), Vec::new());
    for (vertex, point) in (0..).zip(points) {
        let first = *first_at.entry((point.x.to_bits(), point.y.to_bits())).or_insert(vertex);
        if first == vertex {
            sites.push(moved(vertex, point));
        } else {
            together.push((first, vertex));
        }
    }
    (sites, together)
}

/// The site of a place, moved a little, so that no four sites are likely to lie on a circle: the
/// nine copies of such a circle could be triangulated in different ways.
fn moved(vertex: u32, point: &Point) -> Site {
    let bits = scrambled(vertex.into());
    let (right, up) = (bits % MOST_GRAINS, (bits >> 32) % MOST_GRAINS);
    let on_grains = |coordinate: f64, grains: u64| {
        let whole = (coordinate / GRAIN).floor() + grains as f64;
        (whole * GRAIN).rem_euclid(1.0)
    };
    Site::new(vertex, on_grains(point.x, right), on_grains(point.y, up))
}

/// The mixing function of SplitMix64 (Steele, Lea, Flood 2014).
fn scrambled(number: u64) -> u64 {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn copies(site: &Site) -> impl Iterator<Item = Site> + use<> {
    let Site { vertex, position } = *site;
    let shifts = [-1.0, 0.0, 1.0];
    shifts.into_iter().flat_map(move |right| {
        shifts.map(|up| Site::new(vertex, position.x + right, position.y + up))
    })
}

fn is_in_middle(site: &Site) -> bool {
    let inside = |coordinate: f64| (0.0..1.0).contains(&coordinate);
    inside(site.position.x) && inside(site.position.y)
}
