//! `evenhand voronoi`: shares of users by their nearest servers.

mod args;
mod output;
mod record;
mod request;
mod users;

pub(crate) use args::VoronoiArgs;

use evenhand_topology::space::voronoi::{
    Order, Shares, cell_shares, count_shares, estimate_shares, pair_shares,
};
use evenhand_topology::space::{Error, NearestIndex};

use crate::failure::{Failure, Problem};
use record::{CellsRecord, Record};
use request::Request;
use users::Users;

/// Users drawn where nothing else is asked for.
const SAMPLES: u64 = 1_000_000;

pub(crate) fn run(args: &VoronoiArgs) -> Result<(), Failure> {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = args.threads.map_or_else(cores, |threads| threads.min(1024) as usize);
    let request = Request::new(args)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| Failure::Run(format!("error: cannot start {threads} threads: {error}")))?;
    let shares = pool.install(|| shares(&request)).map_err(|error| {
        let mut problem = Problem::new("the cells", error.to_string());
        if matches!(error, Error::Imprecise { .. }) {
            problem.help = Some("--samples N draws users".to_string());
        }
        Failure::Request(vec![problem])
    })?;
    let record = Record {
        evenhand: env!("CARGO_PKG_VERSION"),
        command: "voronoi",
        seed: args.seed,
        threads,
        results: [CellsRecord::new(&request, &shares)],
    };
    output::write(&record, args)
}

fn shares(request: &Request) -> Result<Shares, Error> {
    let (servers, order) = (&request.servers, request.order);
    let samples = match (&request.users, request.samples) {
        (Users::Uniform(window), None) => {
            return match order {
                Order::One => cell_shares(servers, *window),
                Order::Two => pair_shares(servers, *window),
            };
        }
        (Users::File(users), _) => {
            return count_shares(&NearestIndex::new(servers)?, users, order);
        }
        (_, samples) => samples.unwrap_or(SAMPLES),
    };
    let source = request.users.source(request.seed, servers.metric)?;
    estimate_shares(&NearestIndex::new(servers)?, order, samples, |block| source.block(block))
}
