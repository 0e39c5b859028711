//! Where the results go.

use std::io::{self, Write};

use evenhand_lab::figure;
use evenhand_lab::output::{self, Format};
use evenhand_lab::record::{AllocateResult, LoadMap, Record};
use evenhand_lab::report::{self, Context};
use jiff::Timestamp;

use crate::cli::CommonArgs;
use crate::failure::Failure;
use crate::machine;
use crate::sink::write_file;

/// Writes results, plot and report. What cannot be written is told after everything else is
/// written, so that no failure loses results.
pub(super) fn write(
    record: &Record<AllocateResult>,
    maps: &[LoadMap],
    args: &CommonArgs,
    started: Timestamp,
) -> Result<(), Failure> {
    let mut failures = Vec::new();
    let format = Format::from(args.format);
    match &args.out {
        None => to_stdout(record, format)?,
        Some(path) => {
            let written = write_file(path, |file| {
                output::write(record, format, file).map_err(|error| error.to_string())
            });
            if let Err(error) = written {
                failures.push(error);
                to_stdout(record, Format::Json)?;
            }
        }
    }
    if let Some(path) = &args.plot
        && let Err(error) = figure::write_plot(record, maps, path)
    {
        failures.push(error.to_string());
    }
    if let Some(path) = &args.report {
        let context = context(record, args, started);
        let written = write_file(path, |file| {
            report::write(record, maps, &context, file).map_err(|error| error.to_string())
        });
        match written {
            Ok(()) if !args.quiet => eprintln!("report written to {}", path.display()),
            Ok(()) => {}
            Err(error) => failures.push(error),
        }
    }
    if failures.is_empty() {
        return Ok(());
    }
    Err(Failure::Run(
        failures.iter().map(|failure| format!("error: {failure}")).collect::<Vec<_>>().join("\n"),
    ))
}

fn to_stdout(record: &Record<AllocateResult>, format: Format) -> Result<(), Failure> {
    let mut text = Vec::new();
    output::write(record, format, &mut text)
        .map_err(|error| Failure::Run(format!("error: {error}")))?;
    let mut stdout = io::stdout().lock();
    stdout.write_all(&text).and_then(|()| stdout.flush()).map_err(|error| Failure::writing(&error))
}

fn context(record: &Record<AllocateResult>, args: &CommonArgs, started: Timestamp) -> Context {
    Context {
        title: title(record),
        command: command_line(),
        version: record.evenhand.clone(),
        seed: record.seed,
        machine: machine::describe(),
        started: format!("{started:.0}"),
        attribution: args.credit.clone(),
    }
}

fn title(record: &Record<AllocateResult>) -> String {
    let policies: Vec<&str> = record.results.iter().map(|result| result.policy.as_str()).collect();
    match policies.as_slice() {
        [one] => format!("Allocation by {one}"),
        several if several.len() <= 3 => format!("Allocation by {}", several.join(", ")),
        several => format!("{} policies of allocation compared", several.len()),
    }
}

/// The command as it was given, quoted so that a shell reads it back.
fn command_line() -> String {
    let mut words = vec!["evenhand".to_string()];
    words.extend(std::env::args_os().skip(1).map(|word| quoted(&word.to_string_lossy())));
    words.join(" ")
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_string();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}
