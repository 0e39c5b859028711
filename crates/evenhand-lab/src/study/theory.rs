//! Theory beside runs.

use evenhand_theory::predict::{self, AllocationPrediction, QueuePrediction, Theorem, Unpredicted};

use super::{Partial, Point};
use crate::record::{Beside, Difference};

/// A prediction, or a note where theory fails on a model that it covers.
pub(super) type Told<P> = (Option<P>, Option<String>);

/// What theory says of the point's queue.
pub(super) fn of_queue(model: &evenhand_queue::Queue, at: &[f64]) -> Told<QueuePrediction> {
    told(predict::queue(model, true, at))
}

/// What theory says of the point's allocation, and how far the runs are from it.
pub(super) fn beside_allocation(
    point: &Point,
    partial: &Partial,
) -> Told<Beside<AllocationPrediction>> {
    let model = &point.model;
    let along = model.snapshots.iter().map(|&balls| balls as f64 / model.bins as f64);
    let at: Vec<f64> = along.collect();
    let balls_per_bin = model.balls as f64 / model.bins as f64;
    let (theory, mut note) = told(predict::allocation(model, balls_per_bin, true, &at));
    let beside = theory.map(|theory| {
        let predicted = theory.best().max_load.map(|law| law.mean);
        let loads = partial.each(|outcome| outcome.max_load);
        let difference = predicted.map(|mean| difference("max_load.mean", mean, &loads));
        note = doubt(&theory.theorem, difference.as_ref());
        Beside { theory, difference }
    });
    (beside, note)
}

/// Why a run may differ from theory, where it does so beyond noise.
pub(super) fn doubt(theorem: &Theorem, difference: Option<&Difference>) -> Option<String> {
    let differs = difference?.agrees() == Some(false) && theorem.holds != Some(true);
    differs.then(|| format!("differs from theory ({}): {}", theorem.source, theorem.why))
}

/// A predicted mean and the means of runs.
pub(super) fn difference(quantity: &'static str, predicted: f64, values: &[f64]) -> Difference {
    let runs = values.len() as f64;
    let measured = values.iter().sum::<f64>() / runs;
    let squares: f64 = values.iter().map(|value| (value - measured).powi(2)).sum();
    let error = (squares / (runs - 1.0) / runs).sqrt();
    let standard_errors = (measured - predicted) / error;
    let standard_errors = Some(standard_errors).filter(|errors| errors.is_finite());
    Difference { quantity, predicted, measured, standard_errors }
}

fn told<P>(answer: Result<P, Unpredicted>) -> Told<P> {
    match answer {
        Ok(prediction) => (Some(prediction), None),
        Err(Unpredicted::NoTheory(_)) => (None, None),
        Err(Unpredicted::Failed(error)) => (None, Some(format!("no prediction: {error}"))),
    }
}
