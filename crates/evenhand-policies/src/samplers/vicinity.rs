//! The servers near a user.

use std::sync::Arc;

use evenhand_topology::space::{NearestIndex, Neighbour, NeighbourTable};

use crate::definition::{User, World};

/// The `k` nearest servers of a user: looked up in a table where users come from a file, searched
/// for otherwise.
#[derive(Clone, Debug)]
pub(crate) struct Vicinity {
    index: Arc<NearestIndex>,
    table: Option<Arc<NeighbourTable>>,
    k: usize,
    found: Vec<Neighbour>,
}

impl Vicinity {
    /// The `k` nearest servers in this world, which has places.
    pub(crate) fn new(world: &World<'_>, k: usize) -> Self {
        let index = world.places.clone().expect("checked: the policy needs places");
        Self { index, table: world.neighbours.clone(), k, found: Vec::with_capacity(k) }
    }

    /// The nearest servers of `user`, nearest first.
    pub(crate) fn of(&mut self, user: &User) -> &[Neighbour] {
        if let Some(table) = &self.table {
            return &table.of(user.index as usize)[..self.k];
        }
        self.index.nearest(user.point, self.k, &mut self.found);
        &self.found
    }
}
