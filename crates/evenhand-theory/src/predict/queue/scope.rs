//! What no theory here covers.

use evenhand_policies::comparisons::Comparison;
use evenhand_policies::subsets::SubsetSpec;
use evenhand_queue::{Queue, QueueSignal};
use evenhand_sim::ArrivalSpec;

use crate::Error;
use crate::predict::Unpredicted;

/// The load of a model that can be covered.
pub(super) fn check(model: &Queue) -> Result<f64, Unpredicted> {
    let beyond = [
        (!matches!(model.arrivals, ArrivalSpec::Poisson), "arrivals other than Poisson"),
        (model.spatial.is_some(), "places"),
        (model.buffer.is_some(), "finite buffers"),
        (model.subset != SubsetSpec::All, "subsets of servers"),
        (model.signal != QueueSignal::Exact, "a signal other than exact"),
        (model.comparison != Comparison::Exact, "a comparison other than exact"),
    ];
    if let Some((_, what)) = beyond.iter().find(|(is_there, _)| *is_there) {
        return Err(Unpredicted::NoTheory((*what).to_string()));
    }
    if !model.service.mean().is_finite() {
        return Err(Error::OutOfRange("the mean service time is infinite".into()).into());
    }
    let load = model.load().ok_or_else(|| Unpredicted::NoTheory("an undefined load".into()))?;
    Ok(load)
}

/// The model has something that the theory of its policy does not cover.
pub(super) fn not_covered(model: &Queue, what: &str) -> Unpredicted {
    Unpredicted::NoTheory(format!("{} with {what}", model.policy))
}
