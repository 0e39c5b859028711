//! Queues: which theory covers a model, and its numbers.

mod exponential;
mod general;
mod graphs;
mod scope;
mod sharing;
mod speeds;
mod work;

use evenhand_policies::PolicySpec;
use evenhand_queue::{Discipline, Queue};
use serde::Serialize;

use super::numbers::{Computed, QueueMoment, QueueNumbers};
use super::{Refined, Theorem, Unpredicted};
use crate::meanfield::Selection;

/// What theory says of a queue.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QueuePrediction {
    /// As the number of servers grows.
    pub limit: Computed<QueueNumbers>,
    /// At the number of servers of the model; null where there is no correction.
    pub refined: Option<Refined<QueueNumbers>>,
    /// The same to the order 1/n²; null where that is not known.
    pub refined_second_order: Option<Refined<QueueNumbers>>,
    /// At the times asked for, in the limit; null when none were, or where theory has no answer.
    pub at: Option<Vec<QueueMoment>>,
    /// The theorem behind the limit.
    pub theorem: Theorem,
    /// What the reader should know.
    pub notes: Vec<String>,
    /// The law of the sojourn time in the limit: times, and the fraction of jobs that stay longer.
    /// For pictures.
    #[serde(skip)]
    pub curve: Vec<(f64, f64)>,
}

impl QueuePrediction {
    fn new(limit: Computed<QueueNumbers>, theorem: Theorem) -> Self {
        let (notes, curve) = (Vec::new(), Vec::new());
        Self { limit, refined: None, refined_second_order: None, at: None, theorem, notes, curve }
    }

    /// The best numbers there are: of the finite system where it has them, else of the limit.
    pub fn best(&self) -> QueueNumbers {
        let limit = &self.limit.numbers;
        let Some(Refined { numbers: refined, .. }) = &self.refined else { return limit.clone() };
        let mut best = limit.clone();
        best.sojourn.mean = refined.sojourn.mean.or(limit.sojourn.mean);
        best.wait.times.mean = refined.wait.times.mean.or(limit.wait.times.mean);
        best.queue_length = refined.queue_length.or(limit.queue_length);
        best.fraction_at_least =
            refined.fraction_at_least.clone().or_else(|| limit.fraction_at_least.clone());
        best
    }
}

/// A model, and what is asked of it.
#[derive(Clone, Copy)]
struct Asked<'q> {
    model: &'q Queue,
    load: f64,
    /// True to correct the limit for the number of servers.
    finite: bool,
    /// Times at which the state is wanted, ascending.
    at: &'q [f64],
}

/// What theory says of `model`: in the limit of many servers at its load and, if `finite`, at its
/// number of servers. `at` are times, ascending, at which the state of the limit is wanted.
///
/// # Errors
/// [`Unpredicted::NoTheory`] if no theory here covers the model, [`Unpredicted::Failed`] if there
/// is no stationary state, or if a computation fails.
pub fn queue(model: &Queue, finite: bool, at: &[f64]) -> Result<QueuePrediction, Unpredicted> {
    let load = scope::check(model)?;
    let asked = Asked { model, load, finite, at };
    if !model.speeds.are_equal() {
        return speeds::predict(asked);
    }
    match &model.policy {
        PolicySpec::LeastWork(policy) => work::predict(asked, policy.d),
        PolicySpec::Walks(walks) => graphs::walks(asked, walks),
        PolicySpec::Neighbors(_) | PolicySpec::Edges(_) => graphs::pairs(asked),
        policy => with_selection(asked, selection(policy)?),
    }
}

/// Equal servers, by service law and discipline.
fn with_selection(asked: Asked<'_>, selection: Selection) -> Result<QueuePrediction, Unpredicted> {
    let model = asked.model;
    match (model.discipline, selection) {
        _ if model.service.is_exponential() => exponential::predict(asked, selection),
        (Discipline::Ps, selection) => sharing::predict(asked, selection),
        (Discipline::Fifo, Selection::Choices { d }) => general::predict(asked, d),
        _ => Err(scope::not_covered(model, "service that is not exponential")),
    }
}

/// The policies whose server depends on the fractions of servers only.
fn selection(policy: &PolicySpec) -> Result<Selection, Unpredicted> {
    Ok(match policy {
        PolicySpec::Choices(choices) => Selection::Choices { d: choices.d },
        PolicySpec::OnePlusBeta(policy) => {
            Selection::OnePlusBeta { beta: policy.beta, d: policy.d }
        }
        PolicySpec::Threshold(policy) => Selection::Threshold { d: policy.d, limit: policy.limit },
        PolicySpec::Memory(policy) if policy.m == 1 => Selection::Memory { d: policy.d },
        policy => return Err(Unpredicted::NoTheory(format!("{policy} in queues"))),
    })
}
