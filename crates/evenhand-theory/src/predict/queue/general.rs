//! General service, first come first served: the hydrodynamic limit.

use evenhand_queue::Initial;
use evenhand_sim::Hazard;

use super::exponential::{start, visible};
use super::{Asked, QueuePrediction};
use crate::hydrodynamic::{Delay, InitialJobs, Stationary, TailRegime, Transient, tail_regime};
use crate::predict::numbers::{Computed, Mean, QueueMoment, QueueNumbers, Times, Waits};
use crate::predict::{Theorem, Unpredicted};

/// Accuracy of the state in time.
const ACCURACY: f64 = 1e-5;
/// Pictures of the sojourn time end where fewer jobs stay longer.
const CURVE_LEAST: f64 = 1e-9;

pub(super) fn predict(asked: Asked<'_>, d: u32) -> Result<QueuePrediction, Unpredicted> {
    let service = &asked.model.service;
    let regime = tail_regime(service, d)?;
    let state = Stationary::solve(service, d, asked.load)?;
    let mut notes = Vec::from_iter(note_on(regime, d));
    let (sojourn, sojourn_error) = times(&state, Delay::Sojourn, state.mean_sojourn, &mut notes);
    let (wait, wait_error) = times(&state, Delay::Wait, state.mean_wait, &mut notes);
    let numbers = QueueNumbers {
        sojourn,
        wait: Waits { probability: Some(state.waiting_probability), times: wait },
        queue_length: Some(Mean { mean: state.mean_queue }),
        fraction_at_least: Some(visible(&state.fraction_at_least)),
    };
    let levels = numbers.fraction_at_least.as_ref().map_or(0, Vec::len);
    let error = QueueNumbers {
        sojourn: sojourn_error,
        wait: Waits { probability: Some(state.numerical_error), times: wait_error },
        queue_length: Some(Mean { mean: state.numerical_error }),
        fraction_at_least: Some(vec![state.numerical_error; levels]),
    };
    let limit = Computed { numbers, error };
    let mut prediction = QueuePrediction::new(limit, theorem(asked, d));
    prediction.notes = notes;
    prediction.curve = state.delay_curve(Delay::Sojourn, CURVE_LEAST).unwrap_or_default();
    prediction.at = moments(asked, d)?;
    Ok(prediction)
}

/// A law of times, and its numerical errors. Quantiles that are out of reach are noted.
fn times(state: &Stationary, delay: Delay, mean: f64, notes: &mut Vec<String>) -> (Times, Times) {
    let service = state.mean_sojourn - state.mean_wait;
    let mean_error = state.numerical_error * service / state.load.max(f64::MIN_POSITIVE);
    let mut numbers = Times { mean: Some(mean), ..Times::default() };
    let mut errors = Times { mean: Some(mean_error), ..Times::default() };
    for (probability, number, error) in [
        (0.5, &mut numbers.p50, &mut errors.p50),
        (0.9, &mut numbers.p90, &mut errors.p90),
        (0.99, &mut numbers.p99, &mut errors.p99),
        (0.999, &mut numbers.p999, &mut errors.p999),
    ] {
        match state.delay_quantile(delay, probability) {
            Ok(estimate) => (*number, *error) = (Some(estimate.value), Some(estimate.error)),
            Err(reason) => notes.push(reason.to_string()),
        }
    }
    notes.dedup();
    (numbers, errors)
}

fn moments(asked: Asked<'_>, d: u32) -> Result<Option<Vec<QueueMoment>>, Unpredicted> {
    if asked.at.is_empty() {
        return Ok(None);
    }
    let initial = match &asked.model.initial {
        Initial::Empty => Vec::new(),
        Initial::Profile(_) => {
            vec![InitialJobs { age: 0.0, fraction_at_least: start(asked)[1..].to_vec() }]
        }
    };
    let service = &asked.model.service;
    let states = Transient::solve(service, d, asked.load, &initial, asked.at, ACCURACY)?;
    let moment = |i: usize| QueueMoment {
        t: states.times[i],
        fraction_at_least: visible(&states.fraction_at_least[i]),
        queue_length: states.mean_queue[i],
        error: states.numerical_error[i],
    };
    Ok(Some((0..states.times.len()).map(moment).collect()))
}

fn note_on(regime: TailRegime, d: u32) -> Option<String> {
    match regime {
        TailRegime::PowerLaw { exponent } if d > 1 => Some(format!(
            "power-law regime: the fraction of servers with at least k jobs falls like \
             k^-{exponent:.3} (Bramson, Lu, Prabhakar 2013; the exponent is heuristic)"
        )),
        TailRegime::Exponential if d > 1 => Some(
            "the fraction of servers with at least k jobs falls geometrically, not doubly \
             exponentially (Bramson, Lu, Prabhakar 2013)"
                .to_string(),
        ),
        _ => None,
    }
}

fn theorem(asked: Asked<'_>, d: u32) -> Theorem {
    if d == 1 {
        let source = "Pollaczek, Khinchine (M/G/1), at any number of servers";
        return Theorem::holds(source, "Poisson arrivals, one draw, load below 1");
    }
    let source = "Bramson, Lu, Prabhakar 2012; in time Aghajani, Ramanan 2019";
    match asked.model.service.hazard() {
        Hazard::Constant | Hazard::Decreasing => {
            Theorem::holds(source, "the hazard rate of the service law never rises")
        }
        Hazard::Increasing | Hazard::Neither => Theorem::new(
            source,
            None,
            "servers become independent if the hazard rate never rises, or at small load; neither \
             is known here. The state in time is proved for service laws with a density",
        ),
    }
}
