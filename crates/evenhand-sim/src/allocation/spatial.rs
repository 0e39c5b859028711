use std::sync::Arc;

use evenhand_core::{ReplicationSeed, Role, Stream};
use evenhand_topology::space::{
    Error, Layout, Metric, NearestIndex, NeighbourTable, Places, Point,
};

use super::bins::Users;

/// Places of servers and users.
#[derive(Clone, Debug)]
pub struct Spatial {
    /// Where servers are.
    pub servers: Servers,
    /// Where users are.
    pub users: UserSource,
}

/// Where servers are.
#[derive(Clone, Debug)]
pub enum Servers {
    /// At fixed places.
    Fixed {
        /// The places.
        places: Arc<Places>,
        /// Their index.
        index: Arc<NearestIndex>,
    },
    /// Drawn anew in each replication.
    Drawn {
        /// How.
        layout: Layout,
        /// Unit square or torus.
        metric: Metric,
    },
}

impl Servers {
    /// Servers at fixed places.
    ///
    /// # Errors
    /// If the places cannot be indexed.
    pub fn fixed(places: Places) -> Result<Self, Error> {
        let index = Arc::new(NearestIndex::new(&places)?);
        Ok(Self::Fixed { places: Arc::new(places), index })
    }
}

/// Where users are.
#[derive(Clone, Debug)]
pub enum UserSource {
    /// Each place once, in order: the number of balls is the number of places.
    InOrder(Arc<Places>),
    /// Uniform rows, or in proportion to the weights where the places have some.
    Rows(Arc<Places>),
    /// Points of a layout.
    Drawn(Layout),
}

impl Spatial {
    /// The metric of the places.
    pub fn metric(&self) -> Metric {
        match &self.servers {
            Servers::Fixed { places, .. } => places.metric,
            Servers::Drawn { metric, .. } => *metric,
        }
    }

    /// True if servers get other places in each replication.
    pub fn places_vary(&self) -> bool {
        matches!(self.servers, Servers::Drawn { .. })
    }

    /// True if each user of a file arrives once, in order.
    pub fn users_in_order(&self) -> bool {
        matches!(self.users, UserSource::InOrder(_))
    }

    /// Canonical text for seeds.
    pub fn text(&self) -> String {
        let servers = match &self.servers {
            Servers::Fixed { places, .. } => format!("{} places", places.len()),
            Servers::Drawn { layout, .. } => layout.to_string(),
        };
        let users = match &self.users {
            UserSource::InOrder(places) => format!("in order {}", places.len()),
            UserSource::Rows(places) => format!("rows {}", places.len()),
            UserSource::Drawn(layout) => layout.to_string(),
        };
        format!("{:?};servers={servers};users={users}", self.metric())
    }

    /// The servers of one replication, and their index; drawn from the stream of the world.
    pub fn servers(&self, bins: u64, world: &mut Stream) -> (Arc<Places>, Arc<NearestIndex>) {
        match &self.servers {
            Servers::Fixed { places, index } => (places.clone(), index.clone()),
            Servers::Drawn { layout, metric } => {
                let places = layout
                    .places(bins as usize, *metric, world)
                    .expect("the layout was checked for this number of servers");
                let index = NearestIndex::new(&places).expect("drawn points are finite");
                (Arc::new(places), Arc::new(index))
            }
        }
    }

    /// The users of one replication.
    pub fn users(&self, seed: &ReplicationSeed) -> Users {
        let mut stream = seed.stream(Role::Users);
        match &self.users {
            UserSource::InOrder(places) => Users::in_order(places.clone()),
            UserSource::Rows(places) => Users::rows(places.clone(), stream),
            UserSource::Drawn(layout) => {
                let sampler = layout
                    .sampler(self.metric(), &mut stream)
                    .expect("the layout was checked for users");
                Users::points(sampler, stream)
            }
        }
    }

    /// The `k` nearest servers of each user of a file, where that saves searching.
    pub fn neighbours(&self, index: &NearestIndex, k: Option<u64>) -> Option<Arc<NeighbourTable>> {
        /// Largest table, in entries of 16 bytes.
        const MOST_ENTRIES: u64 = 20_000_000;
        let places = match &self.users {
            UserSource::InOrder(places) | UserSource::Rows(places) => places,
            UserSource::Drawn(_) => return None,
        };
        let k = k?;
        let points: &[Point] = &places.points;
        (points.len() as u64 * k <= MOST_ENTRIES)
            .then(|| Arc::new(NeighbourTable::new(index, points, k as usize)))
    }
}
