//! Servers of several speeds, exponential service.

use evenhand_policies::PolicySpec;
use evenhand_queue::Discipline;

use super::exponential::{curve, relative_errors, visible};
use super::{Asked, QueuePrediction, scope};
use crate::Error;
use crate::meanfield::heterogeneous::{Class, Drawing, heterogeneous};
use crate::predict::numbers::{Computed, Mean, QueueNumbers, Times, Waits};
use crate::predict::{Theorem, Unpredicted};

/// More different speeds are not taken as classes.
const MOST_CLASSES: usize = 64;

pub(super) fn predict(asked: Asked<'_>) -> Result<QueuePrediction, Unpredicted> {
    let model = asked.model;
    let PolicySpec::Choices(choices) = &model.policy else {
        return Err(scope::not_covered(model, "speeds"));
    };
    if !model.service.is_exponential() {
        return Err(scope::not_covered(model, "speeds and service that is not exponential"));
    }
    let Some(classes) = classes(asked) else {
        return Err(scope::not_covered(model, "more than 64 different speeds"));
    };
    let rate = asked.load * model.mean_speed();
    let drawing = if choices.weighted { Drawing::BySpeed } else { Drawing::Uniform };
    let state = heterogeneous(choices.d, rate, &classes, drawing)?;
    let unit = model.service.mean();
    let fifo = model.discipline == Discipline::Fifo;
    let quantile = |time: &dyn Fn(f64) -> Result<f64, Error>, p| match fifo {
        true => time(p).map(|time| Some(unit * time)),
        false => Ok(None),
    };
    let sojourn = |p| quantile(&|p| state.sojourn_quantile(p), p);
    let wait = |p| quantile(&|p| state.wait_quantile(p), p);
    let numbers = QueueNumbers {
        sojourn: Times {
            mean: Some(unit * state.mean_sojourn()),
            p50: sojourn(0.5)?,
            p90: sojourn(0.9)?,
            p99: sojourn(0.99)?,
            p999: sojourn(0.999)?,
        },
        wait: Waits {
            probability: fifo.then(|| state.waiting_probability()),
            times: Times {
                mean: None,
                p50: wait(0.5)?,
                p90: wait(0.9)?,
                p99: wait(0.99)?,
                p999: wait(0.999)?,
            },
        },
        queue_length: Some(Mean { mean: state.mean_queue_length() }),
        fraction_at_least: Some(visible(&state.tails)),
    };
    let theorem = Theorem::holds(
        "Mukhopadhyay, Mazumdar 2016",
        "Poisson arrivals, exponential service, classes of speeds, every set of classes below its \
         capacity",
    );
    let limit = Computed { error: relative_errors(&numbers, state.error), numbers };
    let mut prediction = QueuePrediction::new(limit, theorem);
    if fifo {
        prediction.curve = curve(asked, |time| state.sojourn_above(time));
    }
    if !asked.at.is_empty() {
        prediction.notes.push("with speeds, only the stationary state is computed".into());
    }
    Ok(prediction)
}

/// Speeds and their fractions of the servers; `None` if there are too many, or if they are drawn.
fn classes(asked: Asked<'_>) -> Option<Vec<Class>> {
    let speeds = asked.model.speeds.sorted(asked.model.servers as usize)?;
    let groups: Vec<&[f64]> = speeds.chunk_by(|a, b| a == b).collect();
    let class = |group: &&[f64]| Class {
        speed: group[0],
        fraction: group.len() as f64 / speeds.len() as f64,
    };
    (groups.len() <= MOST_CLASSES).then(|| groups.iter().map(class).collect())
}
