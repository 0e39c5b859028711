//! Which share of the users has a server, or a pair of servers, as its nearest.
//!
//! The users to whom server a is the nearest live in the *Voronoi cell* of a; those who have a and
//! b as their two nearest, in either order, live in the *order-2 cell* of {a, b}. If users are
//! uniform, the shares of users are the areas of the cells. With `nearest(2)`, each user takes the
//! less loaded end of a random edge {a, b}, drawn with the share of its cell (Panigrahy, Basu,
//! Towsley, Swami, Leung 2020).
//!
//! * [`cell_shares`] and [`pair_shares`] are exact, for users uniform on a [`Window`] of the plane
//!   or on the unit torus.
//! * [`count_shares`] counts given users, and [`estimate_shares`] drawn ones, under any metric.
//!
//! All four break ties as [`NearestIndex`](super::NearestIndex) does: of servers at one distance,
//! those of lesser number are nearer. So of several servers at one place only the first has a
//! cell, and the first two share the pair cell of the users nearest to that place.
//!
//! ```
//! use evenhand_topology::space::voronoi::pair_shares;
//! use evenhand_topology::space::{Metric, Places, Point};
//!
//! let row = [0.1, 0.5, 0.7].map(|x| Point { x, y: 0.5 });
//! let shares = pair_shares(&Places::new(row.to_vec(), Metric::Euclidean, "row"), None)?;
//! // Left of 0.4, as near to the first as to the third, users have 0 and 1 as their nearest.
//! assert_eq!((shares.cells[0].first, shares.cells[0].second), (0, Some(1)));
//! assert!((shares.cells[0].share - 0.4).abs() < 1e-12);
//! # Ok::<(), evenhand_topology::space::Error>(())
//! ```

mod areas;
mod count;
mod polygon;
mod shares;
mod spots;
mod triangulation;
mod window;

pub use count::{BLOCK, count_shares, estimate_shares};
pub use shares::{Cell, Method, Order, Shares};
pub use window::Window;

use areas::Areas;
use rayon::prelude::*;
use spots::{Spot, spots};
use triangulation::Neighbours;

use super::{Error, Metric, Places, Point};

/// The exact shares add up to 1 within this, or are refused.
const TOLERANCE: f64 = 1e-9;

/// The exact share of users that have each server as their nearest, for users uniform on the
/// window (`None`: the unit square). On the torus the window is the whole torus.
///
/// The areas are right up to rounding: their sum is 1 within 10^-9. A cell narrower than 10^-13 of
/// the window cannot be told from an empty one, and is left out.
///
/// # Errors
/// [`Error::NoPlaces`] without servers; [`Error::TooMany`]; [`Error::InvalidPoint`] and
/// [`Error::FarPlace`] for a coordinate that is not finite or too large; [`Error::NotFlat`] for
/// great circles; [`Error::TorusWindow`] for a window on a torus; [`Error::Imprecise`] where
/// servers are so far from the window that rounding spoils the areas.
pub fn cell_shares(servers: &Places, window: Option<Window>) -> Result<Shares, Error> {
    let (spots, areas) = prepare(servers, window, Order::One)?;
    let shares: Vec<f64> =
        (0..spots.len()).into_par_iter().map_init(|| areas.cutter(), |c, a| c.cell(a)).collect();
    let mut cells: Vec<Cell> = spots
        .iter()
        .zip(shares)
        .filter(|(_, share)| *share > 0.0)
        .map(|(spot, share)| Cell { first: spot.first, second: None, share })
        .collect();
    cells.sort_unstable_by_key(|cell| cell.first);
    checked(Shares { order: Order::One, method: Method::Exact, servers: servers.len(), cells })
}

/// The exact share of users that have each pair of servers as their two nearest, for users uniform
/// on the window (`None`: the unit square).
///
/// Only neighbours in the Delaunay triangulation have a pair cell. Proof: let x have a and then b
/// as its nearest, and move the centre of the disc around x that touches b towards b; all discs on
/// the way lie in the first one, so they hold no server but a and b. At one of them a is on the
/// rim too: a disc that touches a and b and holds no other server makes them neighbours.
///
/// So the part of a pair cell with a nearer than b is where b is the nearest of the neighbours of
/// a, and a is nearer still: half-planes of the neighbours of a bound it, and half-planes of the
/// neighbours of b the other part. The triangulation takes O(n log n), the cells O(n).
///
/// Rounding is as in [`cell_shares`].
///
/// # Errors
/// [`Error::OneServer`] for fewer than two servers; else as for [`cell_shares`].
pub fn pair_shares(servers: &Places, window: Option<Window>) -> Result<Shares, Error> {
    let (spots, areas) = prepare(servers, window, Order::Two)?;
    let parts: Vec<Vec<Cell>> = (0..spots.len())
        .into_par_iter()
        .map_init(
            || areas.cutter(),
            |cutter, a| match spots[a].second {
                Some(second) => vec![pair(spots[a].first, second, cutter.cell(a))],
                None => cutter
                    .parts(a)
                    .into_iter()
                    .map(|(b, share)| pair(spots[a].first, spots[b as usize].first, share))
                    .collect(),
            },
        )
        .collect();
    let mut parts: Vec<Cell> = parts.into_iter().flatten().collect();
    // Stable, so that shares are added in one order.
    parts.sort_by_key(|cell| (cell.first, cell.second));
    let mut cells: Vec<Cell> = Vec::with_capacity(parts.len());
    for part in parts.into_iter().filter(|part| part.share > 0.0) {
        match cells.last_mut() {
            Some(last) if (last.first, last.second) == (part.first, part.second) => {
                last.share += part.share;
            }
            _ => cells.push(part),
        }
    }
    checked(Shares { order: Order::Two, method: Method::Exact, servers: servers.len(), cells })
}

fn pair(a: u32, b: u32, share: f64) -> Cell {
    Cell { first: a.min(b), second: Some(a.max(b)), share }
}

fn prepare(
    servers: &Places,
    window: Option<Window>,
    order: Order,
) -> Result<(Vec<Spot>, Areas), Error> {
    check(servers, order)?;
    let spots = spots(servers);
    let areas = match servers.metric {
        Metric::GreatCircle => return Err(Error::NotFlat),
        Metric::Torus if window.is_some() => return Err(Error::TorusWindow),
        Metric::Torus => Areas::torus(Neighbours::torus(&spots)),
        Metric::Euclidean => {
            let window = window.unwrap_or(Window::UNIT);
            let middle = window.middle();
            let centred = spots.iter().map(|spot| {
                let Point { x, y } = spot.position;
                Point { x: x - middle.x, y: y - middle.y }
            });
            let centred: Vec<Point> = centred.collect();
            Areas::plane(window, Neighbours::plane(&spots, &centred), centred)
        }
    };
    Ok((spots, areas))
}

fn check(servers: &Places, order: Order) -> Result<(), Error> {
    let count = servers.len();
    if count == 0 {
        return Err(Error::NoPlaces);
    }
    if order == Order::Two && count < 2 {
        return Err(Error::OneServer);
    }
    if u32::try_from(count).is_err() {
        return Err(Error::TooMany { count });
    }
    let metric = servers.metric;
    let file = || servers.source.clone();
    if let Some(index) = servers.points.iter().position(|&p| !metric.accepts(p)) {
        return Err(Error::InvalidPoint { file: file(), index, point: servers.points[index] });
    }
    let most = window::MOST;
    let far = |p: &Point| p.x.abs() > most || p.y.abs() > most;
    if metric == Metric::Euclidean
        && let Some(index) = servers.points.iter().position(far)
    {
        let point = servers.points[index];
        return Err(Error::FarPlace { file: file(), index, point, most });
    }
    Ok(())
}

fn checked(shares: Shares) -> Result<Shares, Error> {
    let sum: f64 = shares.cells.iter().map(|cell| cell.share).sum();
    if (sum - 1.0).abs() <= TOLERANCE { Ok(shares) } else { Err(Error::Imprecise { sum }) }
}
