//! `evenhand queue`.

mod args;
mod jobs;
pub(crate) mod places;
pub(crate) mod request;

use std::sync::Arc;

use evenhand_lab::record::Record;
use evenhand_lab::study::QueuePoint;
use evenhand_sim::Control;

pub(crate) use args::{QueueArgs, QueueModelArgs};

use crate::failure::Failure;
use crate::{output, progress, request as shared};

pub(crate) fn run(args: &QueueArgs) -> Result<(), Failure> {
    let started = jiff::Timestamp::now();
    let points = request::points(args)?;
    let threads = shared::threads(&args.common);
    let quiet = args.common.quiet;
    if !quiet {
        let notes = points.iter().flat_map(|point| &point.notes);
        output::tell_notes(notes, &args.common);
    }
    let pool = shared::pool(threads)?;
    let control = Arc::new(Control::default());
    progress::stop_on_ctrl_c(&control);
    let mut results = Vec::new();
    let mut jobs_written = Ok(());
    let mut trace_out = args.trace_out.as_deref();
    for point in &points {
        let work = || match trace_out.take() {
            None => (point.finish(&control), Ok(())),
            Some(path) => jobs::finish(point, path, &control),
        };
        let work = || pool.install(work);
        let (result, written) = progress::counted(!quiet, &label(point), &control, work);
        results.extend(result);
        jobs_written = jobs_written.and(written);
        if control.is_stopped() {
            break;
        }
    }
    if results.is_empty() {
        return Err(Failure::Run("error: interrupted before one run was finished".to_string()));
    }
    let interrupted = control.is_stopped();
    let record = Record {
        evenhand: env!("CARGO_PKG_VERSION").to_string(),
        command: "queue".to_string(),
        seed: args.common.seed,
        threads,
        results,
    };
    output::write(&record, &[], &args.common, started)?;
    jobs_written.map_err(|error| Failure::Run(format!("error: {error}")))?;
    if interrupted {
        let (done, all) = (record.results.len(), points.len());
        return Err(Failure::Run(format!(
            "interrupted: results of {done} of {all} points, with the runs that were finished"
        )));
    }
    Ok(())
}

fn label(point: &QueuePoint) -> String {
    point.model.policy.to_string()
}
