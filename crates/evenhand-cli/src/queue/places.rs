//! Places of servers and users.

use std::path::Path;
use std::sync::Arc;

use evenhand_core::Stream;
use evenhand_sim::{Servers, Spatial, UserSource};

use super::QueueModelArgs;
use crate::failure::Problem;
use crate::number;
use crate::places::{Source, metric, source};

/// The servers of the request: how many, and where they are and the users, if they have places.
pub(crate) struct Fleet {
    pub servers: u64,
    pub spatial: Option<Spatial>,
    /// Rows that were left out of files.
    pub notes: Vec<String>,
}

/// Reads servers and users; `None` after a problem. Without --servers there are `default` of them.
pub(crate) fn read(
    args: &QueueModelArgs,
    default: Option<u64>,
    problems: &mut Vec<Problem>,
) -> Option<Fleet> {
    let before = problems.len();
    let file = args.servers.as_ref().filter(|servers| Path::new(servers).is_file());
    let is_file = file.is_some();
    let count = match &args.servers {
        None if default.is_none() => {
            let help = "give --servers N, or a file with their places";
            problems.push(
                Problem::new("--servers", "the number of servers is missing").with_help(help),
            );
            None
        }
        None => default,
        Some(_) if is_file => None,
        Some(servers) => count(servers, problems),
    };
    let servers = match (is_file, &args.places) {
        (true, Some(_)) => {
            let message = "the file of --servers has the places";
            problems.push(Problem::new("--places", message).with_help("leave out --places"));
            None
        }
        (true, None) => {
            source("--servers", file.map_or("", |file| file), None, args.skip_invalid, problems)
        }
        (false, Some(places)) => source("--places", places, None, args.skip_invalid, problems),
        (false, None) => None,
    };
    let weight = args.user_weight.clone();
    let users = args.users.as_ref();
    let users =
        users.and_then(|users| source("--users", users, weight, args.skip_invalid, problems));
    if problems.len() > before {
        return None;
    }
    let (servers, users) = match (servers, users) {
        (Some(servers), Some(users)) => (servers, users),
        (None, None) => return Some(Fleet { servers: count?, spatial: None, notes: Vec::new() }),
        (Some(_), None) => {
            let help = "give --users FILE, or --users uniform";
            problems.push(
                Problem::new("--users", "servers have places, users have none").with_help(help),
            );
            return None;
        }
        (None, Some(_)) => {
            let help = "give a file of --servers, or --places";
            problems.push(
                Problem::new("--servers", "users have places, servers have none").with_help(help),
            );
            return None;
        }
    };
    let metric = metric(args.torus, &servers, &users, problems);
    let notes = [&servers, &users].into_iter().filter_map(Source::note).collect();
    let users = match users {
        Source::File(places) => UserSource::Rows(places),
        Source::Drawn(layout) => UserSource::Drawn(layout),
    };
    let (number, servers) = match servers {
        Source::File(places) => {
            let mut places = Arc::unwrap_or_clone(places);
            places.metric = metric;
            (places.len() as u64, Servers::fixed(places))
        }
        Source::Drawn(layout) => {
            let number = count?;
            let drawn = layout
                .places(number as usize, metric, &mut Stream::from_seed(0))
                .map(|_| Servers::Drawn { layout, metric });
            (number, drawn)
        }
    };
    match servers {
        Ok(servers) if problems.len() == before => {
            Some(Fleet { servers: number, spatial: Some(Spatial { servers, users }), notes })
        }
        Ok(_) => None,
        Err(error) => {
            problems.push(Problem::new("--servers", error.to_string()));
            None
        }
    }
}

fn count(text: &str, problems: &mut Vec<Problem>) -> Option<u64> {
    match number::count(text) {
        Ok(count) => Some(count),
        Err(error) => {
            let message = format!("`{text}` is no file, and as a number {error}");
            problems.push(Problem::new("--servers", message));
            None
        }
    }
}
