//! The exact nearest servers of a point.

mod positions;
mod tree;

use std::num::NonZero;

use positions::Positions;
use tree::{Found, Tree};

use super::{Error, Metric, Places, Point};

/// A server and how far it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    /// Number of the server: its position in [`Places::points`].
    pub server: u32,
    /// Its distance, in the unit of the metric ([`Metric::unit`]).
    pub distance: f64,
}

/// Finds the nearest servers of any point.
///
/// Answers are exact under [`Metric::distance`], as computed: the same servers
/// in the same order as sorting all of them by distance, then by number. Many
/// servers may stand at one place.
///
/// A query for a few of 10^6 servers takes one to a few microseconds. The index
/// is immutable and may be shared between threads.
///
/// ```
/// use evenhand_topology::space::{Metric, NearestIndex, Places, Point};
///
/// let corners = vec![Point { x: 0.1, y: 0.1 }, Point { x: 0.9, y: 0.9 }];
/// let index = NearestIndex::new(&Places::new(corners, Metric::Torus, "corners"))?;
/// let mut near = Vec::new();
/// index.nearest(Point { x: 0.05, y: 0.95 }, 1, &mut near);
/// assert_eq!(near[0].server, 1); // straight through the sides of the square
/// # Ok::<(), evenhand_topology::space::Error>(())
/// ```
pub struct NearestIndex {
    metric: Metric,
    positions: Positions,
    /// `None` where scanning all positions is as good.
    tree: Option<Tree>,
}

/// Up to this many positions a scan is as fast as a tree.
const SCANNED: usize = 16;

impl NearestIndex {
    /// Builds the index over servers, under their metric.
    ///
    /// # Errors
    /// [`Error::InvalidPoint`] for a coordinate that is not finite, or degrees
    /// out of range; [`Error::TooMany`] for more than `u32::MAX` servers.
    pub fn new(servers: &Places) -> Result<Self, Error> {
        let metric = servers.metric;
        if u32::try_from(servers.len()).is_err() {
            return Err(Error::TooMany { count: servers.len() });
        }
        if let Some(index) = servers.points.iter().position(|&p| !metric.accepts(p)) {
            return Err(Error::InvalidPoint {
                file: servers.source.clone(),
                index,
                point: servers.points[index],
            });
        }
        let positions = Positions::new(servers);
        let tree =
            if positions.len() > SCANNED { Tree::new(metric, &positions.points) } else { None };
        Ok(NearestIndex { metric, positions, tree })
    }

    /// Number of servers.
    #[must_use]
    pub fn servers(&self) -> usize {
        self.positions.server_count()
    }

    /// The metric of the distances.
    #[must_use]
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// Replaces the contents of `out` by the `k` servers nearest to `point`,
    /// by distance, then by server number; by all servers if there are fewer.
    ///
    /// From a point with a coordinate that is not finite, no distance is finite;
    /// the order is that of `f64::total_cmp`, then server number. Such a point,
    /// or degrees out of range, costs a scan of all servers.
    pub fn nearest(&self, point: Point, k: usize, out: &mut Vec<Neighbour>) {
        out.clear();
        if k == 0 {
            return;
        }
        let from = self.metric.canonical(point);
        match self.candidates(from, k) {
            Some(found) => {
                for candidate in found {
                    self.positions.push_servers(from, candidate.item, k, out);
                }
            }
            None => {
                for position in 0..self.positions.len() as u32 {
                    self.positions.push_servers(from, position, k, out);
                }
            }
        }
        let by_distance = |a: &Neighbour, b: &Neighbour| {
            a.distance.total_cmp(&b.distance).then(a.server.cmp(&b.server))
        };
        if out.len() > 4 * k {
            out.select_nth_unstable_by(k - 1, by_distance);
            out.truncate(k);
        }
        out.sort_unstable_by(by_distance);
        out.truncate(k);
    }

    /// Positions that certainly include the nearest `k`, rounding and ties
    /// considered; `None` stands for all.
    fn candidates(&self, from: Point, k: usize) -> Option<Vec<Found>> {
        let tree = self.tree.as_ref()?;
        if !self.metric.accepts(from) {
            return None;
        }
        let mut count = NonZero::new(k)?.saturating_add(1);
        while count.get() < self.positions.len() {
            let mut found = tree.nearest(from, count);
            if found.len() < count.get() {
                return None;
            }
            let bound = tree.tie_bound(found[k - 1].distance);
            if let Some(clear) = found[k..].iter().position(|f| f.distance > bound) {
                found.truncate(k + clear);
                return Some(found);
            }
            count = count.saturating_mul(NonZero::new(2)?);
        }
        None
    }
}

impl std::fmt::Debug for NearestIndex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NearestIndex")
            .field("metric", &self.metric)
            .field("servers", &self.servers())
            .finish_non_exhaustive()
    }
}
