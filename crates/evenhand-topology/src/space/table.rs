//! The nearest servers of a fixed list of users, found once.

use super::{NearestIndex, Neighbour, Point};

/// The k nearest servers of each user, in one flat array.
///
/// It takes 16 bytes for each user and neighbour.
#[derive(Clone, Debug, PartialEq)]
pub struct NeighbourTable {
    neighbours: Vec<Neighbour>,
    per_user: usize,
    users: usize,
}

impl NeighbourTable {
    /// Finds the `k` nearest servers of each of `users` (all servers if there
    /// are fewer than `k`).
    #[must_use]
    pub fn new(index: &NearestIndex, users: &[Point], k: usize) -> Self {
        let per_user = k.min(index.servers());
        let mut neighbours = Vec::with_capacity(per_user * users.len());
        let mut near = Vec::with_capacity(per_user);
        for &user in users {
            index.nearest(user, k, &mut near);
            neighbours.extend_from_slice(&near);
        }
        NeighbourTable { neighbours, per_user, users: users.len() }
    }

    /// The neighbours of user number `user`, nearest first.
    ///
    /// # Panics
    /// If there is no such user, like indexing a slice.
    #[must_use]
    pub fn of(&self, user: usize) -> &[Neighbour] {
        assert!(user < self.users, "user {user} of {}", self.users);
        &self.neighbours[user * self.per_user..(user + 1) * self.per_user]
    }

    /// Number of users.
    #[must_use]
    pub fn users(&self) -> usize {
        self.users
    }

    /// Number of neighbours kept for each user.
    #[must_use]
    pub fn per_user(&self) -> usize {
        self.per_user
    }
}
