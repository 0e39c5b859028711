//! The answer: cells, and what they are like.

use evenhand_topology::space::Metric;
use evenhand_topology::space::voronoi::{Cell, Method, Shares};
use serde::Serialize;

use super::request::Request;
use super::users::Users;

/// Cells shown in a table, and listed first in JSON.
const SHOWN: usize = 10;

/// The whole answer of the command.
#[derive(Serialize)]
pub(super) struct Record {
    pub(super) evenhand: &'static str,
    pub(super) command: &'static str,
    pub(super) seed: u64,
    pub(super) threads: usize,
    pub(super) results: [CellsRecord; 1],
}

/// Cells of one set of servers.
#[derive(Serialize)]
pub(super) struct CellsRecord {
    /// Number of servers.
    pub(super) bins: usize,
    pub(super) servers: String,
    pub(super) users: String,
    /// `plane`, `torus` or `globe`.
    pub(super) metric: &'static str,
    /// x and y of the least corner, then of the greatest.
    pub(super) window: Option<[f64; 4]>,
    pub(super) order: usize,
    /// `exact`, `estimated` or `counted`.
    pub(super) method: &'static str,
    /// Users drawn or counted.
    pub(super) user_count: Option<u64>,
    /// Number of cells that are not empty.
    pub(super) cell_count: usize,
    pub(super) share: ShareRange,
    pub(super) largest_server: LargestServer,
    pub(super) largest: Vec<CellRecord>,
    pub(super) cells: Vec<CellRecord>,
    pub(super) notes: Vec<String>,
}

/// Shares of the cells that are not empty.
#[derive(Serialize)]
pub(super) struct ShareRange {
    /// 1 / cells.
    pub(super) mean: f64,
    pub(super) min: f64,
    pub(super) max: f64,
    pub(super) max_over_mean: f64,
}

/// The server that most users have among their nearest.
#[derive(Serialize)]
pub(super) struct LargestServer {
    pub(super) server: u32,
    pub(super) name: Option<String>,
    /// Sum of the shares of its cells.
    pub(super) share: f64,
    pub(super) standard_error: Option<f64>,
    /// Times the number of servers: the order, if all were alike.
    pub(super) share_times_bins: f64,
}

/// A server or a pair of servers.
#[derive(Serialize)]
pub(super) struct CellRecord {
    pub(super) servers: Vec<u32>,
    pub(super) names: Option<Vec<String>>,
    pub(super) share: f64,
    pub(super) standard_error: Option<f64>,
}

impl CellsRecord {
    pub(super) fn new(request: &Request, shares: &Shares) -> Self {
        let name = |server: u32| {
            request.servers.names.as_ref().map(|names| names[server as usize].clone())
        };
        let cell = |cell: &Cell| {
            let servers: Vec<u32> = [Some(cell.first), cell.second].into_iter().flatten().collect();
            CellRecord {
                names: servers.iter().map(|&server| name(server)).collect(),
                servers,
                share: cell.share,
                standard_error: shares.standard_error(cell.share),
            }
        };
        let (method, user_count) = match shares.method {
            Method::Exact => ("exact", None),
            Method::Estimated { samples } => ("estimated", Some(samples)),
            Method::Counted { users } => ("counted", Some(users)),
        };
        Self {
            bins: shares.servers,
            servers: request.servers_name.clone(),
            users: request.users.name(),
            metric: match request.servers.metric {
                Metric::GreatCircle => "globe",
                Metric::Euclidean => "plane",
                Metric::Torus => "torus",
            },
            window: window(&request.users),
            order: shares.order.number(),
            method,
            user_count,
            cell_count: shares.cells.len(),
            share: ShareRange::new(shares),
            largest_server: LargestServer::new(shares, name),
            largest: shares.largest(SHOWN).iter().map(cell).collect(),
            cells: shares.cells.iter().map(cell).collect(),
            notes: request.notes.clone(),
        }
    }
}

fn window(users: &Users) -> Option<[f64; 4]> {
    let Users::Uniform(Some(window)) = users else { return None };
    let (low, high) = (window.low(), window.high());
    Some([low.x, low.y, high.x, high.y])
}

impl ShareRange {
    fn new(shares: &Shares) -> Self {
        let each = || shares.cells.iter().map(|cell| cell.share);
        let mean = 1.0 / shares.cells.len() as f64;
        let max = each().fold(0.0, f64::max);
        Self { mean, min: each().fold(1.0, f64::min), max, max_over_mean: max / mean }
    }
}

impl LargestServer {
    fn new(shares: &Shares, name: impl Fn(u32) -> Option<String>) -> Self {
        let (mut server, mut share) = (0, 0.0);
        for (at, of_server) in (0..).zip(shares.of_servers()) {
            if of_server > share {
                (server, share) = (at, of_server);
            }
        }
        Self {
            server,
            name: name(server),
            share,
            standard_error: shares.standard_error(share),
            share_times_bins: share * shares.servers as f64,
        }
    }
}
