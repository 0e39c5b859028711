use spade::{
    DelaunayTriangulation, HasPosition, MAX_ALLOWED_VALUE, Point2, Triangulation,
    mitigate_underflow,
};

use crate::graph::GraphError;
use crate::space::Point;

/// A point of the plane that belongs to a vertex.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub(super) vertex: u32,
    pub(super) position: Point2<f64>,
}

impl Site {
    pub(super) fn new(vertex: u32, x: f64, y: f64) -> Self {
        Self { vertex, position: Point2::new(x, y) }
    }
}

impl HasPosition for Site {
    type Scalar = f64;

    fn position(&self) -> Point2<f64> {
        self.position
    }
}

/// A triangulation, and pairs of vertices that share a position.
pub(super) struct Plane {
    pub(super) triangulation: DelaunayTriangulation<Site>,
    /// Pairs (least vertex at a position, another one there).
    together: Vec<(u32, u32)>,
}

/// The edges of the triangulation of points of the plane.
pub(super) fn edges(points: &[Point]) -> Result<Vec<(u32, u32)>, GraphError> {
    let sites = (0..).zip(points).map(|(vertex, p)| Site::new(vertex, p.x, p.y)).collect();
    Ok(Plane::new(sites)?.edges())
}

impl Plane {
    /// Triangulates sites. Of several at one position, the one of the least vertex is taken.
    pub(super) fn new(mut sites: Vec<Site>) -> Result<Self, GraphError> {
        sites.iter_mut().for_each(|site| site.position = rounded(site.position));
        sites.sort_unstable_by(|a, b| {
            let (p, q) = (a.position, b.position);
            p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(a.vertex.cmp(&b.vertex))
        });
        let mut together = Vec::new();
        sites.dedup_by(|other, first| {
            let same = other.position == first.position;
            if same {
                together.push((first.vertex, other.vertex));
            }
            same
        });
        let farthest = farthest(&sites);
        // Only a number that is too large is refused: all are finite, and none is almost 0.
        let triangulation = DelaunayTriangulation::bulk_load(sites).map_err(|_| farthest)?;
        Ok(Self { triangulation, together })
    }

    /// All edges between vertices.
    pub(super) fn edges(&self) -> Vec<(u32, u32)> {
        let sides = self.triangulation.undirected_edges().map(|edge| {
            let [a, b] = edge.vertices();
            (a.data().vertex, b.data().vertex)
        });
        sides.chain(self.together.iter().copied()).collect()
    }
}

/// The position with numbers that a triangulation takes: those that are almost 0 become 0, which
/// has one sign only.
fn rounded(position: Point2<f64>) -> Point2<f64> {
    let Point2 { x, y } = mitigate_underflow(position);
    Point2::new(x + 0.0, y + 0.0)
}

/// What to say if the largest coordinate is too large.
fn farthest(sites: &[Site]) -> GraphError {
    let (vertex, coordinate) = sites
        .iter()
        .flat_map(|site| [site.position.x, site.position.y].map(|number| (site.vertex, number)))
        .max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))
        .unwrap_or_default();
    GraphError::FarPlace { place: vertex as usize, coordinate, most: MAX_ALLOWED_VALUE }
}
