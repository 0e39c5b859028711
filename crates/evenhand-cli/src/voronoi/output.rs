//! The answer as a table, JSON or CSV.

use std::io::{self, Write};

use serde::Serialize;

use super::args::{CellFormat, VoronoiArgs};
use super::record::{CellRecord, CellsRecord, Record};
use crate::failure::Failure;
use crate::sink::write_file;

pub(super) fn write(record: &Record, args: &VoronoiArgs) -> Result<(), Failure> {
    let [result] = &record.results;
    let text = match args.format {
        CellFormat::Table => table(result).into_bytes(),
        CellFormat::Json => json(record),
        CellFormat::Csv => csv(result)
            .map_err(|error| Failure::Run(format!("error: cannot make the CSV: {error}")))?,
    };
    if args.format != CellFormat::Table || args.out.is_some() {
        result.notes.iter().for_each(|note| eprintln!("note: {note}"));
    }
    match &args.out {
        Some(path) => write_file(path, |file| {
            file.write_all(&text)
                .map_err(|error| format!("cannot write {}: {error}", path.display()))
        })
        .map_err(|error| Failure::Run(format!("error: {error}"))),
        None => io::stdout().write_all(&text).map_err(|error| Failure::writing(&error)),
    }
}

fn json(record: &Record) -> Vec<u8> {
    let mut text = serde_json::to_vec_pretty(record).expect("a record is plain data");
    text.push(b'\n');
    text
}

/// A row of CSV: one server.
#[derive(Serialize)]
struct Single<'r> {
    server: u32,
    name: Option<&'r str>,
    share: f64,
    standard_error: Option<f64>,
}

/// A row of CSV: two servers.
#[derive(Serialize)]
struct Pair<'r> {
    first: u32,
    second: u32,
    first_name: Option<&'r str>,
    second_name: Option<&'r str>,
    share: f64,
    standard_error: Option<f64>,
}

fn csv(result: &CellsRecord) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for cell in &result.cells {
        let &CellRecord { share, standard_error, .. } = cell;
        let name = |at: usize| cell.names.as_ref().map(|names| names[at].as_str());
        match *cell.servers {
            [first, second] => {
                let (first_name, second_name) = (name(0), name(1));
                let row = Pair { first, second, first_name, second_name, share, standard_error };
                writer.serialize(row)?;
            }
            [server, ..] => {
                writer.serialize(Single { server, name: name(0), share, standard_error })?;
            }
            [] => {}
        }
    }
    writer.into_inner().map_err(|error| error.into_error().into())
}

/// One line per number, then the largest cells and notes.
fn table(result: &CellsRecord) -> String {
    let mut lines = vec![
        line("servers", &format!("{} ({})", result.bins, result.servers)),
        line("users", &users(result)),
        line("order", &result.order.to_string()),
        line("method", result.method),
        line("cells", &result.cell_count.to_string()),
        line("mean share", &number(result.share.mean)),
        line("least share", &number(result.share.min)),
        line("largest share", &number(result.share.max)),
        line("largest over mean", &format!("{:.3}", result.share.max_over_mean)),
    ];
    let top = &result.largest_server;
    let label = label(top.server, top.name.as_deref());
    let share = with_error(top.share, top.standard_error);
    lines.push(line("largest server", &format!("{label}: {share}")));
    let even = format!("{:.3} ({} if all were alike)", top.share_times_bins, result.order);
    lines.push(line("  times servers", &even));
    lines.push("largest cells".to_string());
    lines.extend(result.largest.iter().map(cell));
    lines.extend(result.notes.iter().map(|note| format!("note: {note}")));
    lines.join("\n") + "\n"
}

fn users(result: &CellsRecord) -> String {
    let count = result.user_count.map_or(String::new(), |count| match result.method {
        "counted" => format!("{count}, "),
        _ => format!("{count} drawn, "),
    });
    let place = match (result.window, result.metric) {
        (Some([x0, y0, x1, y1]), _) => format!(" on ({x0}, {y0}) to ({x1}, {y1})"),
        (None, metric) => format!(" on the {metric}"),
    };
    format!("{count}{}{place}", result.users)
}

fn line(key: &str, value: &str) -> String {
    format!("{key:<20} {value}")
}

fn cell(cell: &CellRecord) -> String {
    let name = |at: usize| cell.names.as_ref().map(|names| names[at].as_str());
    let labels = cell.servers.iter().enumerate().map(|(at, &server)| label(server, name(at)));
    let labels: Vec<String> = labels.collect();
    format!("  {:<18} {}", with_error(cell.share, cell.standard_error), labels.join(" - "))
}

fn label(server: u32, name: Option<&str>) -> String {
    name.map_or_else(|| format!("server {server}"), str::to_string)
}

fn with_error(share: f64, standard_error: Option<f64>) -> String {
    match standard_error {
        Some(error) => format!("{} (se {error:.1e})", number(share)),
        None => number(share),
    }
}

/// Five digits or more, without exponent where it is not small.
fn number(share: f64) -> String {
    if share >= 1e-3 { format!("{share:.6}") } else { format!("{share:.4e}") }
}
