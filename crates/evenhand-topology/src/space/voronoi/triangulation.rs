//! Neighbours in Delaunay triangulations of the plane and the torus.

use spade::{DelaunayTriangulation, HasPosition, Point2, Triangulation, mitigate_underflow};

use super::spots::Spot;
use crate::space::Point;

/// A neighbour, and where it is seen: on the torus, one of its translates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Image {
    pub(super) spot: u32,
    pub(super) position: Point,
}

/// The neighbours of each spot.
#[derive(Debug)]
pub(super) struct Neighbours {
    images: Vec<Image>,
    /// Where the neighbours of each spot start; one more at the end.
    starts: Vec<usize>,
}

/// A copy of a spot.
#[derive(Clone, Copy, Debug)]
struct Site {
    spot: u32,
    /// Whether this is the spot itself, and not a translate.
    home: bool,
    position: Point2<f64>,
}

impl HasPosition for Site {
    type Scalar = f64;

    fn position(&self) -> Point2<f64> {
        self.position
    }
}

type Triangles = DelaunayTriangulation<Site>;

impl Neighbours {
    /// Neighbours in the plane, seen at their place in `shown`.
    pub(super) fn plane(spots: &[Spot], shown: &[Point]) -> Self {
        let sites = (0..).zip(spots).map(|(spot, s)| Site::new(spot, true, s.position)).collect();
        let triangles = triangulated(sites);
        Self::collect(spots.len(), &triangles, |_, to| shown[to.spot as usize])
    }

    /// Neighbours on the torus, seen from the spot: its own translates are left out.
    ///
    /// The spots are triangulated with their translates in a frame around the unit square. It is
    /// made wider until all discs around triangles at a spot fit in. With all eight neighbouring
    /// squares, nothing can be missing (Dolbilin, Huson 1997).
    pub(super) fn torus(spots: &[Spot]) -> Self {
        // Uniform spots rarely leave a disc empty whose diameter is above 5 / sqrt(n).
        let mut frame = 5.0 / (spots.len() as f64).sqrt();
        loop {
            let whole = frame >= 0.5;
            let triangles = triangulated(copies(spots, if whole { 1.0 } else { frame }));
            if whole || fits(&triangles, frame) {
                let seen = |from: Site, to: Site| Point {
                    x: to.position.x - from.position.x,
                    y: to.position.y - from.position.y,
                };
                return Self::collect(spots.len(), &triangles, seen);
            }
            frame *= 4.0;
        }
    }

    /// The neighbours of one spot, counter-clockwise.
    pub(super) fn of(&self, spot: usize) -> &[Image] {
        &self.images[self.starts[spot]..self.starts[spot + 1]]
    }

    fn collect(count: usize, triangles: &Triangles, shown: impl Fn(Site, Site) -> Point) -> Self {
        let mut homes = vec![None; count];
        for vertex in triangles.vertices().filter(|vertex| vertex.data().home) {
            homes[vertex.data().spot as usize] = Some(vertex);
        }
        let (mut images, mut starts) = (Vec::with_capacity(6 * count), vec![0]);
        for vertex in homes.into_iter().flatten() {
            let from = *vertex.data();
            let ends = vertex.out_edges().map(|edge| *edge.to().data());
            images.extend(
                ends.filter(|to| to.spot != from.spot)
                    .map(|to| Image { spot: to.spot, position: shown(from, to) }),
            );
            starts.push(images.len());
        }
        Self { images, starts }
    }
}

impl Site {
    fn new(spot: u32, home: bool, position: Point) -> Self {
        Self { spot, home, position: Point2::new(position.x, position.y) }
    }
}

fn triangulated(sites: Vec<Site>) -> Triangles {
    Triangles::bulk_load(sites).expect("numbers that are neither too large nor almost 0")
}

/// The spots, and their translates that are less than `frame` outside of the unit square.
fn copies(spots: &[Spot], frame: f64) -> Vec<Site> {
    const SHIFTS: [f64; 3] = [0.0, -1.0, 1.0];
    let near = |x: f64| (-frame..1.0 + frame).contains(&x);
    let mut sites = Vec::with_capacity(spots.len());
    for (spot, Spot { position, .. }) in (0..).zip(spots) {
        for x in SHIFTS.map(|shift| position.x + shift).into_iter().filter(|&x| near(x)) {
            for y in SHIFTS.map(|shift| position.y + shift).into_iter().filter(|&y| near(y)) {
                let home = (x, y) == (position.x, position.y);
                sites.push(Site::new(spot, home, Point { x, y }));
            }
        }
    }
    sites
}

/// Whether the discs around all triangles at a spot lie in the frame.
fn fits(triangles: &Triangles, frame: f64) -> bool {
    /// Far above the rounding of centres and radii that pass.
    const MARGIN: f64 = 1e-6;
    let room = frame - MARGIN * frame;
    let inside = |x: f64, radius: f64| x - radius > -room && x + radius < 1.0 + room;
    let hull_is_clear = triangles.convex_hull().all(|edge| !edge.from().data().home);
    hull_is_clear
        && triangles.inner_faces().all(|face| {
            if face.vertices().iter().all(|vertex| !vertex.data().home) {
                return true;
            }
            let (centre, radius_squared) = face.circumcircle();
            let radius = radius_squared.sqrt();
            inside(centre.x, radius) && inside(centre.y, radius)
        })
}

/// For each of many points its neighbours, by their position in the list.
pub(super) fn neighbours_among(points: &[Image]) -> Vec<Vec<u32>> {
    let sites = (0..).zip(points).map(|(at, image)| {
        let Point2 { x, y } = mitigate_underflow(Point2::new(image.position.x, image.position.y));
        Site::new(at, true, Point { x: x + 0.0, y: y + 0.0 })
    });
    let triangles = triangulated(sites.collect());
    let mut neighbours = vec![Vec::new(); points.len()];
    for vertex in triangles.vertices() {
        let ends = vertex.out_edges().map(|edge| edge.to().data().spot);
        neighbours[vertex.data().spot as usize] = ends.collect();
    }
    neighbours
}
