//! Shares by counting users.

use std::collections::HashMap;

use rayon::prelude::*;

use super::shares::{Cell, Method, Order, Shares};
use crate::space::{Error, NearestIndex, Neighbour, Places, Point};

/// Number of users that [`estimate_shares`] takes from one source.
pub const BLOCK: u64 = 1 << 16;

type Key = (u32, Option<u32>);

/// Counts the users of each cell: each is one user, or as many as its weight.
///
/// The places of users are taken in the metric of the index.
///
/// # Errors
/// [`Error::NoUsers`] without users, [`Error::OneServer`] for pairs of fewer than two servers,
/// [`Error::NoPlaces`] without servers, [`Error::InvalidPoint`] for a user at no place,
/// [`Error::UserWeights`] for weights that do not add up to a positive number.
pub fn count_shares(index: &NearestIndex, users: &Places, order: Order) -> Result<Shares, Error> {
    check(index, order)?;
    if users.is_empty() {
        return Err(Error::NoUsers);
    }
    if let Some(at) = users.points.iter().position(|&p| !index.metric().accepts(p)) {
        let (file, point) = (users.source.clone(), users.points[at]);
        return Err(Error::InvalidPoint { file, index: at, point });
    }
    let weight = |user: usize| users.weights.as_ref().map_or(1.0, |weights| weights[user]);
    let total: f64 = (0..users.len()).map(weight).sum();
    if !(total > 0.0 && total.is_finite()) {
        return Err(Error::UserWeights { file: users.source.clone(), sum: total });
    }
    let keys: Vec<Key> = users
        .points
        .par_iter()
        .map_init(Vec::new, |found, &user| key(index, user, order, found))
        .collect();
    let mut sums: HashMap<Key, f64> = HashMap::new();
    for (user, key) in keys.into_iter().enumerate() {
        *sums.entry(key).or_default() += weight(user);
    }
    let cells = sums.into_iter().map(|(key, sum)| (key, sum / total));
    Ok(collected(index, order, Method::Counted { users: users.len() as u64 }, cells))
}

/// Estimates the share of each cell from `samples` random users.
///
/// `source(i)` makes the source of the i-th [`BLOCK`] of users, from which they are drawn one
/// after the other. With sources that depend on i alone the result is the same on any number of
/// threads. Cells that no user hits are missing.
///
/// # Errors
/// [`Error::NoUsers`] for no samples, [`Error::OneServer`] for pairs of fewer than two servers,
/// [`Error::NoPlaces`] without servers.
pub fn estimate_shares<S: FnMut() -> Point>(
    index: &NearestIndex,
    order: Order,
    samples: u64,
    source: impl Fn(u64) -> S + Sync,
) -> Result<Shares, Error> {
    check(index, order)?;
    if samples == 0 {
        return Err(Error::NoUsers);
    }
    let counts = (0..samples.div_ceil(BLOCK))
        .into_par_iter()
        .fold(HashMap::new, |mut counts: HashMap<Key, u64>, block| {
            let (mut draw, mut found) = (source(block), Vec::new());
            for _ in 0..BLOCK.min(samples - block * BLOCK) {
                *counts.entry(key(index, draw(), order, &mut found)).or_default() += 1;
            }
            counts
        })
        .reduce(HashMap::new, |mut all, some| {
            some.into_iter().for_each(|(key, count)| *all.entry(key).or_default() += count);
            all
        });
    let cells = counts.into_iter().map(|(key, count)| (key, count as f64 / samples as f64));
    Ok(collected(index, order, Method::Estimated { samples }, cells))
}

fn check(index: &NearestIndex, order: Order) -> Result<(), Error> {
    match (index.servers(), order) {
        (0, _) => Err(Error::NoPlaces),
        (1, Order::Two) => Err(Error::OneServer),
        _ => Ok(()),
    }
}

/// The cell of a user.
fn key(index: &NearestIndex, user: Point, order: Order, found: &mut Vec<Neighbour>) -> Key {
    index.nearest(user, order.number(), found);
    let servers = || found.iter().map(|neighbour| neighbour.server);
    let first = servers().min().expect("there is a server");
    (first, servers().max().filter(|_| order == Order::Two))
}

fn collected(
    index: &NearestIndex,
    order: Order,
    method: Method,
    cells: impl Iterator<Item = (Key, f64)>,
) -> Shares {
    let mut cells: Vec<Cell> = cells
        .filter(|(_, share)| *share > 0.0)
        .map(|((first, second), share)| Cell { first, second, share })
        .collect();
    cells.sort_unstable_by_key(|cell| (cell.first, cell.second));
    Shares { order, method, servers: index.servers(), cells }
}
