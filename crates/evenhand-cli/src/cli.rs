//! The command line.

use std::path::PathBuf;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use evenhand_lab::output::Format;

use crate::number;
use crate::predict::PredictCommand;
use crate::queue::QueueArgs;

/// Randomized load balancing: simulate policies, compare them, see what they do.
#[derive(Debug, Parser)]
#[command(name = "evenhand", version, about, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Throw balls into bins, or assign users to servers, and look at the loads
    Allocate(Box<AllocateArgs>),
    /// Let jobs arrive at servers with queues, and look at sojourn times and queue lengths
    Queue(Box<QueueArgs>),
    /// What theory says, without a simulation: limits, corrections, laws of the sojourn time
    Predict {
        /// Of what
        #[command(subcommand)]
        command: PredictCommand,
    },
    /// Measure a graph: degrees, girth, spectrum, conditions of theorems
    Graph(GraphArgs),
    /// Shares of users by their nearest servers: Voronoi cells of servers or of pairs
    Voronoi(Box<crate::voronoi::VoronoiArgs>),
    /// List the policies: syntax, meaning, source
    Policies(PoliciesArgs),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// `evenhand allocate --bins 1e6 --policy two-choice --policy one-choice`
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  evenhand allocate --bins 1e6 --policy two-choice --policy one-choice
  evenhand allocate --bins 1e12 --policy 'left(2)'
  evenhand allocate --servers servers.csv --users users.csv --policy 'nearest(2)' --plot map.png

`evenhand policies` lists the policies.")]
pub(crate) struct AllocateArgs {
    /// Policy expression; repeat to compare policies on the same arrivals
    #[arg(long, short, value_name = "EXPR", required = true, value_parser = Names(policy_names), hide_possible_values = true)]
    pub policy: Vec<String>,

    /// Number of bins
    #[arg(long, value_name = "N", value_parser = number::count, allow_negative_numbers = true, help_heading = "Model")]
    pub bins: Option<u64>,

    /// Number of balls [default: as many as bins; with a users file, its rows in order]
    #[arg(long, value_name = "M", value_parser = number::count, allow_negative_numbers = true, conflicts_with = "balls_per_bin", help_heading = "Model")]
    pub balls: Option<u64>,

    /// Number of balls per bin
    #[arg(long, value_name = "X", value_parser = number::positive, allow_negative_numbers = true, help_heading = "Model")]
    pub balls_per_bin: Option<f64>,

    /// What loads the policy is shown: exact, batched(b), per-speed(after=true); repeat to compare
    #[arg(long, value_name = "EXPR", default_value = "exact", help_heading = "Model")]
    pub signal: Vec<String>,

    /// How loads are compared: exact, noisy(sigma), bounded(g), myopic(g); repeat to compare
    #[arg(long, value_name = "EXPR", default_value = "exact", help_heading = "Model")]
    pub comparison: Vec<String>,

    /// Weights of the balls: a distribution such as exponential, lognormal(4), samples("file")
    #[arg(long, value_name = "EXPR", help_heading = "Model")]
    pub weights: Option<String>,

    /// Speeds (capacities) of the bins: classes(share, speed, ...), samples("file"), or a file
    /// with one speed per bin
    #[arg(long, value_name = "FILE|EXPR", help_heading = "Model")]
    pub speeds: Option<String>,

    /// Probability that a uniformly random ball leaves before each choice
    #[arg(long, value_name = "P", value_parser = number::probability, allow_negative_numbers = true, help_heading = "Model")]
    pub deletions: Option<f64>,

    /// Also record loads after these parts of the balls, such as 0.25,0.5,1
    #[arg(long, value_name = "PART,...", value_delimiter = ',', value_parser = number::part, allow_negative_numbers = true, help_heading = "Model")]
    pub snapshots: Vec<f64>,

    /// Places of the servers: a CSV file, or uniform, grid, clustered(clusters, spread) on the
    /// unit square
    #[arg(long, value_name = "FILE|EXPR", requires = "users", help_heading = "Places")]
    pub servers: Option<String>,

    /// Places of the users: a CSV file (each row is one ball, in order; with --balls drawn at
    /// random), or uniform, clustered(clusters, spread)
    #[arg(long, value_name = "FILE|EXPR", requires = "servers", help_heading = "Places")]
    pub users: Option<String>,

    /// Column of the users file by which users are drawn in proportion (with --balls)
    #[arg(long, value_name = "COLUMN", requires = "users", help_heading = "Places")]
    pub user_weight: Option<String>,

    /// Wrap the unit square around at its edges
    #[arg(long, help_heading = "Places")]
    pub torus: bool,

    /// Leave out rows without usable coordinates, and say how many
    #[arg(long, help_heading = "Places")]
    pub skip_invalid: bool,

    /// Simulation engine; auto takes the profile engine where it exists and no single bin is
    /// asked for
    #[arg(long, value_enum, default_value_t = EngineChoice::Auto, help_heading = "Run")]
    pub engine: EngineChoice,

    /// Independent replications [default: as many as a few seconds allow, 1 to 100]
    #[arg(long, value_name = "R", value_parser = number::count, allow_negative_numbers = true, help_heading = "Run")]
    pub runs: Option<u64>,

    #[command(flatten)]
    pub common: CommonArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Run")]
pub(crate) struct CommonArgs {
    /// Seed: the same seed gives the same results, on any number of threads
    #[arg(long, value_name = "S", default_value = "1", value_parser = number::whole, allow_negative_numbers = true)]
    pub seed: u64,

    /// Worker threads [default: all cores]
    #[arg(long, value_name = "T", value_parser = number::count, allow_negative_numbers = true)]
    pub threads: Option<u64>,

    /// No progress, notes or estimates on standard error
    #[arg(long, short)]
    pub quiet: bool,

    /// Format of the results
    #[arg(long, value_enum, default_value_t = FormatChoice::Table, help_heading = "Output")]
    pub format: FormatChoice,

    /// Write the results to a file instead of standard output
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub out: Option<PathBuf>,

    /// Draw the results to a picture (.svg or .png)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub plot: Option<PathBuf>,

    /// Write one self-contained page with table, pictures and how it was made
    #[arg(long, value_name = "FILE.html", help_heading = "Output")]
    pub report: Option<PathBuf>,

    /// Line of credit for the data, shown in the report
    #[arg(long, value_name = "TEXT", requires = "report", help_heading = "Output")]
    pub credit: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  evenhand graph 'regular(8)' --vertices 100000
  evenhand graph 'lps(5, 29)' --format json
  evenhand graph 'file(\"topology.gml\")' --simplify --write topology.g6

Graphs: complete, ring, torus, torus(rows, cols), hypercube, regular(k, seed=), circulant(o, ...),
lps(p, q), star, gnp(p, seed=), knn(k), delaunay, file(\"path\").")]
pub(crate) struct GraphArgs {
    /// Graph expression
    #[arg(value_name = "EXPR")]
    pub graph: String,

    /// Number of vertices
    #[arg(long, value_name = "N", value_parser = number::count, allow_negative_numbers = true)]
    pub vertices: Option<u64>,

    /// Places of the vertices, for knn and delaunay: a CSV file
    #[arg(long, value_name = "FILE")]
    pub servers: Option<PathBuf>,

    /// Drop self-loops and all but one of parallel edges (of a file)
    #[arg(long)]
    pub simplify: bool,

    /// Keep the largest component only (of a file)
    #[arg(long)]
    pub largest_component: bool,

    /// Count only: no girth, diameter and spectrum
    #[arg(long)]
    pub counts_only: bool,

    /// Write the graph to a file: .txt (edge list), .graphml or .g6
    #[arg(long, value_name = "FILE")]
    pub write: Option<PathBuf>,

    /// Seed of a random graph
    #[arg(long, value_name = "S", default_value = "1", value_parser = number::whole, allow_negative_numbers = true)]
    pub seed: u64,

    /// Worker threads [default: all cores]
    #[arg(long, value_name = "T", value_parser = number::count, allow_negative_numbers = true)]
    pub threads: Option<u64>,

    /// Format of the result
    #[arg(long, value_enum, default_value_t = GraphFormat::Table)]
    pub format: GraphFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    Table,
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct PoliciesArgs {
    /// Format of the list
    #[arg(long, value_enum, default_value_t = ListFormat::Table)]
    pub format: ListFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ListFormat {
    Table,
    Json,
    Markdown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EngineChoice {
    Auto,
    Bins,
    Profile,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatChoice {
    Table,
    Json,
    Csv,
    Parquet,
}

impl From<FormatChoice> for Format {
    fn from(choice: FormatChoice) -> Self {
        match choice {
            FormatChoice::Table => Self::Table,
            FormatChoice::Json => Self::Json,
            FormatChoice::Csv => Self::Csv,
            FormatChoice::Parquet => Self::Parquet,
        }
    }
}

pub(crate) fn policy_names() -> Vec<&'static str> {
    evenhand_policies::policies().map(|info| info.name).collect()
}

/// Any text; shells complete the names.
#[derive(Clone)]
pub(crate) struct Names(pub fn() -> Vec<&'static str>);

impl TypedValueParser for Names {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.0)().into_iter().map(PossibleValue::new)))
    }
}
