//! Areas of Voronoi cells on the unit torus, by cutting each cell out of the square around its
//! site.

use evenhand_topology::space::{NearestIndex, Point};

/// Area of the Voronoi cell of each site of the unit torus.
///
/// A cell starts as the unit square around its site, which is what the site's own translates
/// leave of it, and is cut by the bisector with each neighbour, nearest first. A neighbour
/// further away than twice the cell's radius cannot cut any more.
pub(crate) fn torus_areas(sites: &[Point], index: &NearestIndex) -> Vec<f64> {
    sites.iter().map(|&site| cell_area(site, sites, index)).collect()
}

fn cell_area(site: Point, sites: &[Point], index: &NearestIndex) -> f64 {
    let mut found = Vec::new();
    let mut asked = 16.min(sites.len());
    loop {
        index.nearest(site, asked, &mut found);
        let mut cell = unit_square();
        let mut complete = asked == sites.len();
        for neighbour in &found {
            if neighbour.distance > 2.0 * radius(&cell) {
                complete = true;
                break;
            }
            cut_by_images(&mut cell, site, sites[neighbour.server as usize]);
        }
        if complete {
            return area(&cell);
        }
        asked = (2 * asked).min(sites.len());
    }
}

/// Corners relative to the site.
fn unit_square() -> Vec<Point> {
    [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)].map(|(x, y)| Point { x, y }).to_vec()
}

/// Cuts by the bisectors with all translates of `other` that could be near.
fn cut_by_images(cell: &mut Vec<Point>, site: Point, other: Point) {
    let near = |delta: f64| delta - delta.round();
    let (dx, dy) = (near(other.x - site.x), near(other.y - site.y));
    for shift_x in [-1.0, 0.0, 1.0] {
        for shift_y in [-1.0, 0.0, 1.0] {
            cut(cell, Point { x: dx + shift_x, y: dy + shift_y });
        }
    }
}

/// Keeps the part of a convex polygon that is nearer to the origin than to `other`
/// (Sutherland, Hodgman 1974). `other` at the origin, a site at the same place, cuts nothing.
fn cut(cell: &mut Vec<Point>, other: Point) {
    let half = (other.x * other.x + other.y * other.y) / 2.0;
    let side = |p: &Point| p.x * other.x + p.y * other.y - half;
    if half == 0.0 || cell.iter().all(|p| side(p) <= 0.0) {
        return;
    }
    let mut kept = Vec::with_capacity(cell.len() + 1);
    for (i, a) in cell.iter().enumerate() {
        let b = &cell[(i + 1) % cell.len()];
        let (side_a, side_b) = (side(a), side(b));
        if side_a <= 0.0 {
            kept.push(*a);
        }
        if (side_a < 0.0 && side_b > 0.0) || (side_a > 0.0 && side_b < 0.0) {
            let t = side_a / (side_a - side_b);
            kept.push(Point { x: a.x + t * (b.x - a.x), y: a.y + t * (b.y - a.y) });
        }
    }
    *cell = kept;
}

fn radius(cell: &[Point]) -> f64 {
    cell.iter().map(|p| p.x.hypot(p.y)).fold(0.0, f64::max)
}

fn area(cell: &[Point]) -> f64 {
    let next = cell.iter().cycle().skip(1);
    cell.iter().zip(next).map(|(a, b)| a.x * b.y - a.y * b.x).sum::<f64>() / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use evenhand_core::{Stream, unit_f64};
    use evenhand_topology::space::{Metric, Places};

    #[test]
    fn areas_fill_the_torus() {
        let mut stream = Stream::from_seed(5);
        for n in [1, 2, 3, 7, 50, 2000] {
            let mut coordinate = || unit_f64(&mut stream);
            let sites: Vec<Point> =
                (0..n).map(|_| Point { x: coordinate(), y: coordinate() }).collect();
            let index =
                NearestIndex::new(&Places::new(sites.clone(), Metric::Torus, "test")).unwrap();
            let areas = torus_areas(&sites, &index);
            let total: f64 = areas.iter().sum();
            assert!((total - 1.0).abs() < 1e-9, "{n} sites: {total}");
            assert!(areas.iter().all(|&a| a > 0.0));
        }
    }
}
