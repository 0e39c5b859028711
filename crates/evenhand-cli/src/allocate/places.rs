//! Places of servers and users.

use std::sync::Arc;

use evenhand_core::Stream;
use evenhand_sim::{Servers, Spatial, UserSource};
use evenhand_topology::space::Metric;

use crate::cli::AllocateArgs;
use crate::failure::Problem;
use crate::places::{Source, metric, source};

/// Places of servers and users as they were asked for.
pub(super) struct Places {
    servers: Source,
    users: Source,
    metric: Metric,
    in_order: bool,
}

/// Reads the places of the request; `None` if there are none or they have problems.
pub(super) fn read(args: &AllocateArgs, problems: &mut Vec<Problem>) -> Option<Places> {
    let before = problems.len();
    if args.user_weight.is_some() && args.balls.is_none() && args.balls_per_bin.is_none() {
        let message = "users are drawn by weight, but their number is missing";
        problems.push(Problem::new("--user-weight", message).with_help("give --balls"));
    }
    let servers = args.servers.as_ref()?;
    let users = args.users.as_ref()?;
    let servers = source("--servers", servers, None, args.skip_invalid, problems);
    let weight = args.user_weight.clone();
    let users = source("--users", users, weight, args.skip_invalid, problems);
    let (servers, users) = (servers?, users?);
    let metric = metric(args.torus, &servers, &users, problems);
    let in_order = args.balls.is_none() && args.balls_per_bin.is_none();
    (problems.len() == before).then_some(Places { servers, users, metric, in_order })
}

impl Places {
    /// Number of servers, where a file gives it.
    pub(super) fn fixed_servers(&self) -> Option<u64> {
        match &self.servers {
            Source::File(places) => Some(places.len() as u64),
            Source::Drawn(_) => None,
        }
    }

    /// Number of users, where each of a file arrives once.
    pub(super) fn users_in_order(&self) -> Option<u64> {
        match &self.users {
            Source::File(places) if self.in_order => Some(places.len() as u64),
            _ => None,
        }
    }

    /// Rows that were left out of the files.
    pub(super) fn notes(&self) -> Vec<String> {
        [&self.servers, &self.users].into_iter().filter_map(Source::note).collect()
    }

    /// Servers and users for the simulation.
    pub(super) fn spatial(self, bins: u64, problems: &mut Vec<Problem>) -> Option<Spatial> {
        let users = match self.users {
            Source::File(places) if self.in_order => UserSource::InOrder(places),
            Source::File(places) => UserSource::Rows(places),
            Source::Drawn(layout) => UserSource::Drawn(layout),
        };
        let servers = match self.servers {
            Source::File(places) => {
                let mut places = Arc::unwrap_or_clone(places);
                places.metric = self.metric;
                Servers::fixed(places)
            }
            Source::Drawn(layout) => layout
                .places(bins as usize, self.metric, &mut Stream::from_seed(0))
                .map(|_| Servers::Drawn { layout, metric: self.metric }),
        };
        match servers {
            Ok(servers) => Some(Spatial { servers, users }),
            Err(error) => {
                problems.push(Problem::new("--servers", error.to_string()));
                None
            }
        }
    }
}
