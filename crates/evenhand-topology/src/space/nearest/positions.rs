//! Servers grouped by position: equal places become one entry of the tree.

use super::Neighbour;
use crate::space::{Metric, Places, Point};

/// The distinct positions of a list of servers.
#[derive(Clone, Debug)]
pub(super) struct Positions {
    metric: Metric,
    /// Canonical points, all different.
    pub(super) points: Vec<Point>,
    /// `None` if no position is shared: then position and server numbers agree.
    shared: Option<Shared>,
}

/// Which servers stand at each position.
#[derive(Clone, Debug)]
struct Shared {
    /// Server numbers, position after position, ascending within each.
    servers: Vec<u32>,
    /// Where each position's servers start in `servers`; one more at the end.
    starts: Vec<u32>,
}

impl Positions {
    /// Groups the servers; they number at most `u32::MAX`.
    pub(super) fn new(places: &Places) -> Self {
        let metric = places.metric;
        let points: Vec<Point> = places.points.iter().map(|&p| metric.canonical(p)).collect();
        let mut servers: Vec<u32> = (0..points.len() as u32).collect();
        let key = |server: u32| {
            let point = points[server as usize];
            (point.x.to_bits(), point.y.to_bits(), server)
        };
        servers.sort_unstable_by_key(|&server| key(server));

        let mut distinct: Vec<Point> = Vec::with_capacity(points.len());
        let mut starts = Vec::with_capacity(points.len() + 1);
        for (at, &server) in (0..).zip(&servers) {
            let point = points[server as usize];
            if distinct.last() != Some(&point) {
                distinct.push(point);
                starts.push(at);
            }
        }
        if distinct.len() == points.len() {
            return Positions { metric, points, shared: None };
        }
        starts.push(points.len() as u32);
        Positions { metric, points: distinct, shared: Some(Shared { servers, starts }) }
    }

    /// Number of distinct positions.
    pub(super) fn len(&self) -> usize {
        self.points.len()
    }

    /// Number of servers.
    pub(super) fn server_count(&self) -> usize {
        match &self.shared {
            None => self.points.len(),
            Some(shared) => shared.servers.len(),
        }
    }

    /// Adds the first `limit` servers of one position, with their distance from
    /// a canonical point.
    pub(super) fn push_servers(
        &self,
        from: Point,
        position: u32,
        limit: usize,
        out: &mut Vec<Neighbour>,
    ) {
        let at = position as usize;
        let distance = self.metric.canonical_distance(from, self.points[at]);
        match &self.shared {
            None => out.push(Neighbour { server: position, distance }),
            Some(Shared { servers, starts }) => {
                let here = &servers[starts[at] as usize..starts[at + 1] as usize];
                let here = &here[..limit.min(here.len())];
                out.extend(here.iter().map(|&server| Neighbour { server, distance }));
            }
        }
    }
}
