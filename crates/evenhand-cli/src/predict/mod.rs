//! `evenhand predict`.

mod allocate;
mod args;
mod queue;

use std::time::Instant;

use evenhand_lab::record::{Record, Reported};
use evenhand_theory::predict::Unpredicted;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

pub(crate) use args::PredictCommand;

use crate::cli::CommonArgs;
use crate::failure::Failure;
use crate::{output, request as shared};

pub(crate) fn run(command: &PredictCommand) -> Result<(), Failure> {
    match command {
        PredictCommand::Allocate(args) => allocate::run(args),
        PredictCommand::Queue(args) => queue::run(&args.model, &args.common),
        PredictCommand::Compare(args) => queue::compare(args),
    }
}

/// Computes all points on the threads of the request, and writes what they give.
fn finish<P: Send, R: Reported + Send>(
    points: Vec<P>,
    predict: impl Fn(P) -> R + Sync + Send,
    common: &CommonArgs,
) -> Result<(), Failure> {
    let started = jiff::Timestamp::now();
    let threads = shared::threads(common);
    let results = shared::pool(threads)?.install(|| points.into_par_iter().map(predict).collect());
    let record = Record {
        evenhand: env!("CARGO_PKG_VERSION").to_string(),
        command: "predict".to_string(),
        seed: common.seed,
        threads,
        results,
    };
    output::write(&record, &[], common, started)
}

/// A result, and the wall time that it took.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let done = work();
    (done, start.elapsed().as_secs_f64())
}

/// Why there is no prediction, as a note.
fn note_on(error: &Unpredicted) -> String {
    match error {
        Unpredicted::NoTheory(_) => error.to_string(),
        Unpredicted::Failed(_) => format!("no prediction: {error}"),
    }
}
