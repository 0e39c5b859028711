//! The options of `evenhand voronoi`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::number;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  evenhand voronoi --servers uniform --bins 10_000 --torus
  evenhand voronoi --servers servers.csv --users users.csv --user-weight population
  evenhand voronoi --servers servers.csv --window servers --order 1 --format csv --out cells.csv")]
pub(crate) struct VoronoiArgs {
    /// Places of the servers: a CSV file, or uniform, grid, clustered(clusters, spread) on the
    /// unit square
    #[arg(long, value_name = "FILE|EXPR")]
    pub servers: String,

    /// Places of the users: a CSV file, whose rows are counted, or uniform, clustered(clusters,
    /// spread)
    #[arg(long, value_name = "FILE|EXPR", default_value = "uniform")]
    pub users: String,

    /// Column of the users file that tells how many users a row stands for
    #[arg(long, value_name = "COLUMN")]
    pub user_weight: Option<String>,

    /// Number of servers, where no file gives them
    #[arg(long, value_name = "N", value_parser = number::count, allow_negative_numbers = true)]
    pub bins: Option<u64>,

    /// Cells of single servers (1) or of the two nearest servers (2)
    #[arg(long, value_enum, default_value_t = OrderChoice::Two)]
    pub order: OrderChoice,

    /// Estimate from this many random users [default: exact areas where users are uniform on a
    /// plane or torus, else 1e6 users]
    #[arg(long, value_name = "N", value_parser = number::count, allow_negative_numbers = true)]
    pub samples: Option<u64>,

    /// Wrap the unit square around at its edges
    #[arg(long)]
    pub torus: bool,

    /// Where uniform users of a plane live: square (the unit square), servers (the least rectangle
    /// around the servers) or the corners x0,y0,x1,y1 [default: square]
    #[arg(long, value_name = "WINDOW", value_parser = window, allow_hyphen_values = true)]
    pub window: Option<WindowChoice>,

    /// Leave out rows without usable coordinates, and say how many
    #[arg(long)]
    pub skip_invalid: bool,

    /// Seed of places and users that are drawn
    #[arg(long, value_name = "S", default_value = "1", value_parser = number::whole, allow_negative_numbers = true)]
    pub seed: u64,

    /// Worker threads [default: all cores]
    #[arg(long, value_name = "T", value_parser = number::count, allow_negative_numbers = true)]
    pub threads: Option<u64>,

    /// Format of the result
    #[arg(long, value_enum, default_value_t = CellFormat::Table)]
    pub format: CellFormat,

    /// Write the result to a file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OrderChoice {
    #[value(name = "1")]
    One,
    #[value(name = "2")]
    Two,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CellFormat {
    Table,
    Json,
    Csv,
}

/// The rectangle of uniform users, as asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum WindowChoice {
    Square,
    Servers,
    /// x and y of the least corner, then of the greatest.
    Corners([f64; 4]),
}

fn window(text: &str) -> Result<WindowChoice, String> {
    match text {
        "square" => return Ok(WindowChoice::Square),
        "servers" => return Ok(WindowChoice::Servers),
        _ => {}
    }
    let wrong = || "it must be square, servers, or four numbers x0,y0,x1,y1".to_string();
    let numbers: Result<Vec<f64>, String> = text.split(',').map(number::real).collect();
    let corners = numbers.ok().and_then(|numbers| <[f64; 4]>::try_from(numbers).ok());
    corners.map(WindowChoice::Corners).ok_or_else(wrong)
}
