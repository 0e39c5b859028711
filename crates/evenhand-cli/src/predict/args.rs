//! The options of `evenhand predict`.

use clap::{Args, Subcommand};

use crate::cli::{CommonArgs, Names, policy_names};
use crate::number;
use crate::queue::QueueModelArgs;

#[derive(Debug, Subcommand)]
pub(crate) enum PredictCommand {
    /// Balls into bins: fluid limits, corrections for finitely many bins, bounds
    Allocate(Box<PredictAllocateArgs>),
    /// Queues: fixed points, sojourn times, states in time, corrections for finitely many servers
    Queue(Box<PredictQueueArgs>),
    /// A table of queues over numbers of choices and service laws
    Compare(Box<PredictCompareArgs>),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  evenhand predict queue --load 0.9 --policy two-choice
  evenhand predict queue --load 0.9 --policy two-choice --servers 100
  evenhand predict queue --load 0.9 --policy two-choice --service 'lognormal(4)' --at 1,2,5,10

Without --servers, numbers are those of the limit of many servers. Times are in the unit of the
service law.")]
pub(crate) struct PredictQueueArgs {
    #[command(flatten)]
    pub model: QueueModelArgs,

    #[command(flatten)]
    pub common: CommonArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  evenhand predict allocate --policy two-choice --policy 'left(2)'
  evenhand predict allocate --policy two-choice --bins 1e6
  evenhand predict allocate --policy two-choice --balls-per-bin 2 --at 0.5,1,2

Without --bins, numbers are those of the limit of many bins.")]
pub(crate) struct PredictAllocateArgs {
    /// Policy expression; repeat to compare policies
    #[arg(long, short, value_name = "EXPR", required = true, value_parser = Names(policy_names), hide_possible_values = true)]
    pub policy: Vec<String>,

    /// Number of bins
    #[arg(long, value_name = "N", value_parser = number::count, allow_negative_numbers = true, help_heading = "Model")]
    pub bins: Option<u64>,

    /// Number of balls [default: as many as bins]
    #[arg(long, value_name = "M", value_parser = number::count, allow_negative_numbers = true, requires = "bins", conflicts_with = "balls_per_bin", help_heading = "Model")]
    pub balls: Option<u64>,

    /// Number of balls per bin [default: 1]
    #[arg(long, value_name = "X", value_parser = number::positive, allow_negative_numbers = true, help_heading = "Model")]
    pub balls_per_bin: Option<f64>,

    /// What loads the policy is shown; theory knows exact only
    #[arg(long, value_name = "EXPR", default_value = "exact", help_heading = "Model")]
    pub signal: String,

    /// How loads are compared; theory knows exact only
    #[arg(long, value_name = "EXPR", default_value = "exact", help_heading = "Model")]
    pub comparison: String,

    /// Also the loads at these numbers of balls per bin
    #[arg(long, value_name = "X,...", value_delimiter = ',', value_parser = number::not_negative, allow_negative_numbers = true, help_heading = "Model")]
    pub at: Vec<f64>,

    #[command(flatten)]
    pub common: CommonArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  evenhand predict compare --load 0.9 --service exponential --service 'lognormal(4)'")]
pub(crate) struct PredictCompareArgs {
    /// Utilisation; repeat to compare
    #[arg(long, value_name = "RHO", required = true, value_parser = number::positive, allow_negative_numbers = true)]
    pub load: Vec<f64>,

    /// Service laws; repeat to compare [default: deterministic, erlang(2), exponential,
    /// hyperexponential(4), lognormal(4)]
    #[arg(long, value_name = "EXPR")]
    pub service: Vec<String>,

    /// Numbers of choices
    #[arg(long, value_name = "D,...", value_delimiter = ',', default_values_t = 1..=8, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub choices: Vec<u32>,

    #[command(flatten)]
    pub common: CommonArgs,
}
