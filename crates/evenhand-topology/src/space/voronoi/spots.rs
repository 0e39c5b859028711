//! Servers grouped by place.

use spade::mitigate_underflow;

use crate::space::{Metric, Places, Point};

/// Coordinates on the torus become multiples of this, so that translations are exact.
const GRAIN: f64 = 1.0 / (1_u64 << 50) as f64;

/// A place with servers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub(super) position: Point,
    /// The least number of a server here.
    pub(super) first: u32,
    /// The second least.
    pub(super) second: Option<u32>,
}

/// The distinct places of accepted points, ordered by position.
pub(super) fn spots(servers: &Places) -> Vec<Spot> {
    let metric = servers.metric;
    let mut all: Vec<(u32, Point)> =
        (0..).zip(servers.points.iter().map(|&p| rounded(metric, metric.canonical(p)))).collect();
    all.sort_unstable_by(|(a, p), (b, q)| {
        p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(a.cmp(b))
    });
    let mut spots: Vec<Spot> = Vec::with_capacity(all.len());
    for (server, position) in all {
        match spots.last_mut() {
            Some(spot) if spot.position == position => {
                spot.second.get_or_insert(server);
            }
            _ => spots.push(Spot { position, first: server, second: None }),
        }
    }
    spots
}

/// What the triangulation takes: on the torus a multiple of the grain, in the plane no number that
/// is almost 0.
fn rounded(metric: Metric, point: Point) -> Point {
    if metric == Metric::Torus {
        return Point {
            x: (point.x / GRAIN).floor() * GRAIN,
            y: (point.y / GRAIN).floor() * GRAIN,
        };
    }
    let p = mitigate_underflow(spade::Point2::new(point.x, point.y));
    Point { x: p.x + 0.0, y: p.y + 0.0 }
}
