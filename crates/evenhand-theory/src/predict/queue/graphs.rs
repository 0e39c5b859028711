//! Choices on graphs: walkers, and pairs of neighbours.

use evenhand_policies::PolicySpec;
use evenhand_policies::catalogue::Walks;
use evenhand_queue::Discipline;

use super::exponential::{curve, limit};
use super::{Asked, QueuePrediction, scope, with_selection};
use crate::meanfield::{Selection, pair};
use crate::predict::{Theorem, Unpredicted, degree, walkers_mix};

/// Walkers: as `d` uniform draws, where the graph is a regular expander without short cycles.
pub(super) fn walks(asked: Asked<'_>, walks: &Walks) -> Result<QueuePrediction, Unpredicted> {
    let mut prediction = with_selection(asked, Selection::Choices { d: walks.d })?;
    let (holds, why) = walkers_mix(walks);
    // The theorem is for exponential service.
    let holds = holds.filter(|&holds| !holds || asked.model.service.is_exponential());
    let source = "Tang, Subramanian 2019 (arXiv 1901.09094)";
    prediction.theorem = Theorem::new(source, holds, why);
    Ok(prediction)
}

/// Two neighbours of a regular graph: the pair approximation.
pub(super) fn pairs(asked: Asked<'_>) -> Result<QueuePrediction, Unpredicted> {
    let model = asked.model;
    let degree = degree(model.policy.network(), model.servers);
    let graph = match &model.policy {
        PolicySpec::Neighbors(policy) if policy.d != 2 => None,
        _ => degree,
    };
    let Some(degree) = graph else {
        return Err(scope::not_covered(
            model,
            "more than two vertices, or a graph that is not regular by its name",
        ));
    };
    if !model.service.is_exponential() {
        return Err(scope::not_covered(model, "service that is not exponential"));
    }
    let state = pair::pair(degree, asked.load)?;
    let theorem = Theorem::new(
        "Gast 2015 (pair approximation)",
        Some(false),
        "an approximation, not a limit: neighbours of neighbours are taken to be independent",
    );
    let mut prediction = QueuePrediction::new(limit(asked, &state)?, theorem);
    if model.discipline == Discipline::Fifo {
        prediction.curve = curve(asked, |time| state.sojourn_above(time));
    }
    if !asked.at.is_empty() {
        prediction.notes.push("the pair approximation is computed in stationarity only".into());
    }
    Ok(prediction)
}
