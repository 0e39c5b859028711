//! From the command line to servers and users, with all problems of the request at once.

use std::sync::Arc;

use evenhand_core::{PointHash, ReplicationSeed, Role};
use evenhand_topology::space::voronoi::{Order, Window};
use evenhand_topology::space::{Layout, Metric, Places, Point};

use super::args::{OrderChoice, VoronoiArgs, WindowChoice};
use super::users::Users;
use crate::failure::{Failure, Problem};
use crate::machine;
use crate::places::{self, Source};
use crate::sink::check_writable;

/// Memory for a server, its neighbours and its cells, with room to spare.
const BYTES_PER_SERVER: u64 = 1_500;

/// What is to be computed.
pub(super) struct Request {
    pub(super) servers: Places,
    /// How results name the servers.
    pub(super) servers_name: String,
    pub(super) users: Users,
    pub(super) order: Order,
    /// Number of users to draw, if asked for.
    pub(super) samples: Option<u64>,
    pub(super) seed: u64,
    pub(super) notes: Vec<String>,
}

impl Request {
    pub(super) fn new(args: &VoronoiArgs) -> Result<Self, Failure> {
        let mut problems = Vec::new();
        let request = read(args, &mut problems);
        request.filter(|_| problems.is_empty()).ok_or(Failure::Request(problems))
    }
}

fn read(args: &VoronoiArgs, problems: &mut Vec<Problem>) -> Option<Request> {
    problems.extend(args.out.as_ref().and_then(|path| check_writable("--out", path)));
    let skip = args.skip_invalid;
    let servers = places::source("--servers", &args.servers, None, skip, problems);
    let weight = args.user_weight.clone();
    let users = places::source("--users", &args.users, weight, skip, problems);
    let (servers, users) = (servers?, users?);
    let uniform = matches!(users, Source::Drawn(Layout::Uniform));
    // Uniform users go with servers of any kind.
    let metric =
        places::metric(args.torus, &servers, if uniform { &servers } else { &users }, problems);
    check_options(args, metric, &users, problems);
    if !problems.is_empty() {
        return None;
    }
    let mut notes: Vec<String> = [&servers, &users].into_iter().filter_map(|s| s.note()).collect();
    let (servers, servers_name) = fixed(args, servers, metric, problems)?;
    let users = match users {
        Source::File(places) => Users::File(places),
        Source::Drawn(Layout::Uniform) => match metric {
            Metric::GreatCircle => Users::Globe,
            Metric::Torus => Users::Uniform(None),
            Metric::Euclidean => Users::Uniform(Some(window(args, &servers, problems)?)),
        },
        Source::Drawn(layout) => Users::Layout(layout),
    };
    notes.extend(notes_on(args, &servers, &users));
    let order = match args.order {
        OrderChoice::One => Order::One,
        OrderChoice::Two => Order::Two,
    };
    let (samples, seed) = (args.samples, args.seed);
    Some(Request { servers, servers_name, users, order, samples, seed, notes })
}

fn check_options(args: &VoronoiArgs, metric: Metric, users: &Source, problems: &mut Vec<Problem>) {
    let of_file = matches!(users, Source::File(_));
    if of_file && args.samples.is_some() {
        let problem = Problem::new("--samples", "the users of a file are counted, not drawn");
        problems.push(problem.with_help("leave out --samples"));
    }
    let uniform = matches!(users, Source::Drawn(Layout::Uniform));
    if args.window.is_some() && !(uniform && metric == Metric::Euclidean) {
        let message = "a window is for uniform users on a plane";
        problems.push(Problem::new("--window", message).with_help("leave out --window"));
    }
}

/// The servers of a file or drawn, and how results name them.
fn fixed(
    args: &VoronoiArgs,
    source: Source,
    metric: Metric,
    problems: &mut Vec<Problem>,
) -> Option<(Places, String)> {
    match source {
        Source::File(places) => {
            let mut places = Arc::unwrap_or_clone(places);
            places.metric = metric;
            let count = places.len() as u64;
            if let Some(bins) = args.bins.filter(|&bins| bins != count) {
                let message = format!("it is {bins}, but the servers file has {count} servers");
                problems.push(Problem::new("--bins", message).with_help("leave out --bins"));
                return None;
            }
            let name = places.source.clone();
            Some((places, name))
        }
        Source::Drawn(layout) => Some((drawn(args, layout, metric, problems)?, layout.to_string())),
    }
}

fn drawn(
    args: &VoronoiArgs,
    layout: Layout,
    metric: Metric,
    problems: &mut Vec<Problem>,
) -> Option<Places> {
    let Some(bins) = args.bins else {
        let problem = Problem::new("--bins", "the number of servers is missing");
        problems.push(problem.with_help("give --bins N, or a file of servers"));
        return None;
    };
    let needed = bins.saturating_mul(BYTES_PER_SERVER);
    if let Some(available) = machine::available_bytes().filter(|&available| available < needed) {
        let gigabytes = |bytes: u64| format!("{:.1} GB", bytes as f64 / 1e9);
        let (needed, available) = (gigabytes(needed), gigabytes(available));
        let message =
            format!("{bins} servers need about {needed} of memory, and {available} are available");
        problems.push(Problem::new("--bins", message).with_help("use fewer servers"));
        return None;
    }
    let point = PointHash::of(&format!("voronoi;{metric:?};servers={layout};{bins}"));
    let seed = ReplicationSeed { master: args.seed, point, replication: 0 };
    layout
        .places(bins as usize, metric, &mut seed.stream(Role::World))
        .map_err(|error| problems.push(Problem::new("--servers", error.to_string())))
        .ok()
}

fn window(args: &VoronoiArgs, servers: &Places, problems: &mut Vec<Problem>) -> Option<Window> {
    let window = match args.window.unwrap_or(WindowChoice::Square) {
        WindowChoice::Square => Ok(Window::UNIT),
        WindowChoice::Servers => Window::around(&servers.points),
        WindowChoice::Corners([x0, y0, x1, y1]) => {
            Window::new(Point { x: x0, y: y0 }, Point { x: x1, y: y1 })
        }
    };
    window.map_err(|error| problems.push(Problem::new("--window", error.to_string()))).ok()
}

fn notes_on(args: &VoronoiArgs, servers: &Places, users: &Users) -> Vec<String> {
    let mut notes = Vec::new();
    if let Users::Uniform(Some(window)) = users {
        let outside = servers.points.iter().filter(|&&server| !window.contains(server)).count();
        if outside > 0 {
            let hint = if args.window.is_none() { "; --window sets another" } else { "" };
            let count = servers.len();
            notes.push(format!("{outside} of {count} servers are outside of the window{hint}"));
        }
    }
    if matches!(users, Users::Globe | Users::Layout(_)) || args.samples.is_some() {
        notes.push(
            "cells that no drawn user hit are missing; the largest shares are the largest of many \
             estimates, which tend to be too large"
                .to_string(),
        );
    }
    notes
}
