//! The options of `evenhand queue`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::cli::{CommonArgs, Names, policy_names};
use crate::number;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  evenhand queue --servers 100 --load 0.9 --policy two-choice --policy one-choice
  evenhand queue --servers 1000 --load 0.8 --service 'lognormal(4)' --policy 'least-work(2)'
  evenhand queue --servers 16 --dispatchers 8 --signal local --load 0.75 \\
    --policy 'choices(2, distinct)' --subset all --subset 'balanced(4)'

`evenhand policies` lists the policies. Times are in the unit of the service law.")]
pub(crate) struct QueueArgs {
    #[command(flatten)]
    pub model: QueueModelArgs,

    /// Run although the load is at or above capacity
    #[arg(long, help_heading = "Model")]
    pub unstable: bool,

    /// Simulation engine; auto takes the fastest that has what is asked for
    #[arg(long, value_enum, default_value_t = EngineChoice::Auto, help_heading = "Run")]
    pub engine: EngineChoice,

    /// Length of a run in arrivals, those of the warm-up included [default: found by pilot runs]
    #[arg(long, value_name = "J", value_parser = number::count, allow_negative_numbers = true, conflicts_with = "horizon", help_heading = "Run")]
    pub jobs: Option<u64>,

    /// Length of a run in time
    #[arg(long, value_name = "T", value_parser = number::positive, allow_negative_numbers = true, help_heading = "Run")]
    pub horizon: Option<f64>,

    /// Time at the start of a run that does not count: a number, or auto
    #[arg(
        long,
        value_name = "auto|T",
        default_value = "auto",
        allow_negative_numbers = true,
        help_heading = "Run"
    )]
    pub warmup: String,

    /// Run until the half-width of the 95 % interval is below this part of the value
    /// [default: 0.01]
    #[arg(long, value_name = "P", value_parser = number::part, allow_negative_numbers = true, conflicts_with = "runs", help_heading = "Run")]
    pub precision: Option<f64>,

    /// The sojourn statistic that --precision looks at
    #[arg(long, value_enum, default_value_t = StatisticChoice::Mean, help_heading = "Run")]
    pub precision_of: StatisticChoice,

    /// Independent replications, instead of --precision
    #[arg(long, value_name = "R", value_parser = number::count, allow_negative_numbers = true, help_heading = "Run")]
    pub runs: Option<u64>,

    /// Write one row a job of the first run: arrival, dispatcher, server, wait, service, sojourn
    #[arg(long, value_name = "FILE.parquet", help_heading = "Output")]
    pub trace_out: Option<PathBuf>,

    #[command(flatten)]
    pub common: CommonArgs,
}

/// What is simulated, or predicted.
#[derive(Debug, Args)]
pub(crate) struct QueueModelArgs {
    /// Policy expression; repeat to compare policies on the same jobs
    #[arg(long, short, value_name = "EXPR", required = true, value_parser = Names(policy_names), hide_possible_values = true)]
    pub policy: Vec<String>,

    /// Number of servers, or a CSV file with their places
    #[arg(long, value_name = "N|FILE", allow_negative_numbers = true, help_heading = "Model")]
    pub servers: Option<String>,

    /// Utilisation: arrival rate times mean service time over total speed; repeat to compare
    #[arg(long, value_name = "RHO", value_parser = number::positive, allow_negative_numbers = true, conflicts_with = "rate", help_heading = "Model")]
    pub load: Vec<f64>,

    /// Jobs per unit of time, of all dispatchers together
    #[arg(long, value_name = "RATE", value_parser = number::positive, allow_negative_numbers = true, help_heading = "Model")]
    pub rate: Option<f64>,

    /// Service times: exponential, deterministic, erlang(k), hyperexponential(scv), lognormal(scv),
    /// weibull(shape), gamma(scv), uniform(width), pareto(alpha), bounded-pareto(alpha, ratio),
    /// samples("file", column="..."); repeat to compare
    #[arg(long, value_name = "EXPR", default_value = "exponential", help_heading = "Model")]
    pub service: Vec<String>,

    /// Arrivals: poisson, renewal(law), mmpp(rate, sojourn, ...), trace("file", column="...")
    #[arg(long, value_name = "EXPR", default_value = "poisson", help_heading = "Model")]
    pub arrivals: String,

    /// Sort the arrivals of a trace that is out of order
    #[arg(long, help_heading = "Model")]
    pub sort: bool,

    /// Speeds of the servers: classes(share, speed, ...), samples("file"), or a file with one
    /// speed per server
    #[arg(long, value_name = "FILE|EXPR", help_heading = "Model")]
    pub speeds: Option<String>,

    /// In which order servers work: first come first served, or processor sharing
    #[arg(long, value_enum, default_value_t = DisciplineChoice::Fifo, help_heading = "Model")]
    pub discipline: DisciplineChoice,

    /// Most jobs at a server, the one in service included; others are lost, and counted
    #[arg(long, value_name = "B", value_parser = number::count, allow_negative_numbers = true, help_heading = "Model")]
    pub buffer: Option<u64>,

    /// What dispatchers see of the queues: exact, local (only the jobs that they sent),
    /// periodic(T), per-speed(after=true); repeat to compare
    #[arg(long, value_name = "EXPR", default_value = "exact", help_heading = "Dispatchers")]
    pub signal: Vec<String>,

    /// How loads are compared: exact, noisy(sigma), bounded(g), myopic(g); repeat to compare
    #[arg(long, value_name = "EXPR", default_value = "exact", help_heading = "Dispatchers")]
    pub comparison: Vec<String>,

    /// Number of dispatchers, each with a policy of its own and its own jobs
    #[arg(long, value_name = "M", default_value = "1", value_parser = number::whole, allow_negative_numbers = true, help_heading = "Dispatchers")]
    pub dispatchers: u64,

    /// Law of the dispatchers' shares of the jobs, such as lognormal(0.5) [default: equal shares]
    #[arg(long, value_name = "EXPR", help_heading = "Dispatchers")]
    pub dispatcher_shares: Option<String>,

    /// Which servers each dispatcher knows: all, balanced(k), random(k), shuffled(k),
    /// contiguous(k); repeat to compare
    #[arg(long, value_name = "EXPR", default_value = "all", help_heading = "Dispatchers")]
    pub subset: Vec<String>,

    /// Places of --servers N on the unit square: uniform, grid, clustered(clusters, spread)
    #[arg(long, value_name = "EXPR", help_heading = "Places")]
    pub places: Option<String>,

    /// Places of the users that jobs come from: a CSV file, whose rows are drawn at random, or
    /// uniform, clustered(clusters, spread)
    #[arg(long, value_name = "FILE|EXPR", help_heading = "Places")]
    pub users: Option<String>,

    /// Column of the users file by which users are drawn in proportion
    #[arg(long, value_name = "COLUMN", requires = "users", help_heading = "Places")]
    pub user_weight: Option<String>,

    /// Wrap the unit square around at its edges
    #[arg(long, help_heading = "Places")]
    pub torus: bool,

    /// Leave out rows without usable coordinates, and say how many
    #[arg(long, help_heading = "Places")]
    pub skip_invalid: bool,

    /// Time that each kilometre between user and server adds to a job's sojourn (each 1,000 units
    /// of distance on a plane)
    #[arg(long, value_name = "TIME", value_parser = number::not_negative, allow_negative_numbers = true, requires = "users", help_heading = "Places")]
    pub latency_per_km: Option<f64>,

    /// Queues at the start: empty, or profile(x1, x2, ...): fractions of servers with at least 1,
    /// 2, ... jobs
    #[arg(long, value_name = "EXPR", default_value = "empty", help_heading = "Run")]
    pub initial: String,

    /// Also record queue lengths at these times
    #[arg(long, value_name = "T,...", value_delimiter = ',', value_parser = number::not_negative, allow_negative_numbers = true, help_heading = "Run")]
    pub at: Vec<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DisciplineChoice {
    Fifo,
    Ps,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EngineChoice {
    Auto,
    Profile,
    Uniformised,
    Lazy,
    Event,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StatisticChoice {
    Mean,
    P50,
    P90,
    P99,
    P999,
}
