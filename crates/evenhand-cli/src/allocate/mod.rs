//! `evenhand allocate`.

pub(crate) mod places;
mod request;

use std::sync::Arc;

use evenhand_lab::record::Record;
use evenhand_lab::study::{Finished, Point};
use evenhand_sim::Control;

use crate::cli::AllocateArgs;
use crate::failure::Failure;
use crate::{output, progress, request as shared};

/// Above this a request prints its estimate before it starts.
const LONG_SECONDS: f64 = 60.0;

pub(crate) fn run(args: &AllocateArgs) -> Result<(), Failure> {
    let started = jiff::Timestamp::now();
    let points = request::points(args)?;
    let threads = shared::threads(&args.common);
    let quiet = args.common.quiet;
    if !quiet {
        output::tell_notes(points.iter().flat_map(|point| &point.notes), &args.common);
        tell_estimate(&points, threads);
    }
    let pool = shared::pool(threads)?;
    let control = Arc::new(Control::default());
    progress::stop_on_ctrl_c(&control);
    let finished = finish(&points, quiet, &control, &pool);
    if finished.is_empty() {
        return Err(Failure::Run("error: interrupted before one run was finished".to_string()));
    }
    let (results, maps): (Vec<_>, Vec<_>) =
        finished.into_iter().map(|Finished { result, map }| (result, map)).unzip();
    let complete = results.len() == points.len()
        && results.iter().zip(&points).all(|(result, point)| result.runs == point.runs);
    let record = Record {
        evenhand: env!("CARGO_PKG_VERSION").to_string(),
        command: "allocate".to_string(),
        seed: args.common.seed,
        threads,
        results,
    };
    let maps: Vec<_> = maps.into_iter().flatten().collect();
    output::write(&record, &maps, &args.common, started)?;
    if complete {
        return Ok(());
    }
    let (done, all) = (record.results.len(), points.len());
    Err(Failure::Run(format!(
        "interrupted: results of {done} of {all} points, with the runs that were finished"
    )))
}

fn finish(
    points: &[Point],
    quiet: bool,
    control: &Control,
    pool: &rayon::ThreadPool,
) -> Vec<Finished> {
    let mut finished = Vec::new();
    for point in points {
        let label = point.model.policy.to_string();
        let balls = point.model.balls.saturating_mul(point.runs);
        let work = || pool.install(|| point.finish(control));
        finished.extend(progress::shown(!quiet, &label, balls, control, work));
        if control.is_stopped() {
            break;
        }
    }
    finished
}

fn tell_estimate(points: &[Point], threads: usize) {
    let seconds: f64 = points
        .iter()
        .map(|point| {
            let at_once = point.runs.min(threads as u64) as f64;
            point.model.estimated_seconds(point.engine) * point.runs as f64 / at_once
        })
        .sum();
    if seconds > LONG_SECONDS {
        eprintln!("this takes about {}; Ctrl-C keeps what is finished", duration(seconds));
    }
}

fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 5_400.0 => format!("{:.0} minutes", (s / 60.0).ceil()),
        s if s < 172_800.0 => format!("{:.0} hours", s / 3_600.0),
        s => format!("{:.0} days", s / 86_400.0),
    }
}
