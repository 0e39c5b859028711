//! The jobs of the first run, written while it runs.

use std::path::Path;

use evenhand_lab::output::JobsWriter;
use evenhand_lab::record::QueueResult;
use evenhand_lab::study::QueuePoint;
use evenhand_queue::Engine;
use evenhand_sim::Control;

use super::args::QueueArgs;
use crate::failure::Problem;
use crate::sink;

/// What prevents `--trace-out`, before anything runs.
pub(super) fn check_path(args: &QueueArgs) -> Option<Problem> {
    let path = args.trace_out.as_ref()?;
    if path.extension().is_none_or(|extension| extension != "parquet") {
        let message = format!("jobs are written as Parquet only, not to {}", path.display());
        return Some(Problem::new("--trace-out", message).with_help("end the name in .parquet"));
    }
    sink::check_writable("--trace-out", path)
}

/// The engine of the first point must see jobs.
pub(super) fn check_engine(args: &QueueArgs, points: &[QueuePoint]) -> Option<Problem> {
    let engine = points.first()?.engine;
    if args.trace_out.is_none() || engine.sees_jobs() {
        return None;
    }
    let able: Vec<_> =
        Engine::ALL.into_iter().filter(|engine| engine.sees_jobs()).map(Engine::name).collect();
    let message = format!("the engine {} does not follow single jobs", engine.name());
    let help = format!("these do: --engine {}", able.join(", --engine "));
    Some(Problem::new("--trace-out", message).with_help(help))
}

/// Runs the point, with the jobs of its first run to a file.
///
/// The error says why the file was not written; then there is none, and the result stays.
pub(super) fn finish(
    point: &QueuePoint,
    path: &Path,
    control: &Control,
) -> (Option<QueueResult>, Result<(), String>) {
    let mut result = None;
    let written = sink::write_file(path, |file| {
        let told = |error: evenhand_lab::Error| error.to_string();
        let mut jobs = JobsWriter::new(file, point, env!("CARGO_PKG_VERSION")).map_err(told)?;
        result = point.finish_observed(control, &mut |job| jobs.push(job));
        if result.is_none() {
            return Err(format!("interrupted: {} is not written", path.display()));
        }
        jobs.finish().map_err(told)
    });
    if result.is_none() && !control.is_stopped() {
        result = point.finish(control);
    }
    (result, written)
}
