//! Exponential service, equal servers: mean fields.

use evenhand_policies::PolicySpec;
use evenhand_queue::{Discipline, Initial};

use super::{Asked, QueuePrediction};
use crate::Error;
use crate::meanfield::Selection;
use crate::meanfield::refined::{Refined as Refinement, Sampling, first_order, second_order};
use crate::meanfield::supermarket::{FixedPoint, fixed_point};
use crate::meanfield::transient::transient;
use crate::predict::numbers::{Computed, Mean, QueueMoment, QueueNumbers, Times, Waits};
use crate::predict::{Refined, Theorem, Unpredicted};

pub(super) fn predict(
    asked: Asked<'_>,
    selection: Selection,
) -> Result<QueuePrediction, Unpredicted> {
    let state = fixed_point(selection, asked.load)?;
    let mut prediction = QueuePrediction::new(limit(asked, &state)?, theorem(asked, selection));
    if asked.finite {
        refine(asked, selection, &mut prediction)?;
    }
    prediction.at = moments(asked, selection)?;
    if asked.model.discipline == Discipline::Fifo {
        prediction.curve = curve(asked, |time| state.sojourn_above(time));
    }
    Ok(prediction)
}

/// The numbers of a fixed point, in the unit of the service law.
pub(super) fn limit(
    asked: Asked<'_>,
    state: &FixedPoint,
) -> Result<Computed<QueueNumbers>, Unpredicted> {
    let unit = asked.model.service.mean();
    let fifo = asked.model.discipline == Discipline::Fifo;
    let quantiles = |mean: f64, quantile: &dyn Fn(f64) -> Result<f64, Error>| {
        let at = |p| -> Result<Option<f64>, Error> {
            if fifo { quantile(p).map(|time| Some(unit * time)) } else { Ok(None) }
        };
        let (p50, p90, p99, p999) = (at(0.5)?, at(0.9)?, at(0.99)?, at(0.999)?);
        Ok::<_, Error>(Times { mean: Some(unit * mean), p50, p90, p99, p999 })
    };
    let numbers = QueueNumbers {
        sojourn: quantiles(state.mean_sojourn(), &|p| state.sojourn_quantile(p))?,
        wait: Waits {
            probability: fifo.then(|| state.waiting_probability()),
            times: quantiles(state.mean_wait(), &|p| state.wait_quantile(p))?,
        },
        queue_length: Some(Mean { mean: state.mean_queue_length() }),
        fraction_at_least: Some(visible(&state.tails)),
    };
    Ok(Computed { error: relative_errors(&numbers, state.error), numbers })
}

/// Fractions without those that doubles cannot tell from nothing.
pub(super) fn visible(fractions: &[f64]) -> Vec<f64> {
    const LEAST: f64 = 1e-30;
    let seen = fractions.iter().rposition(|&fraction| fraction > LEAST).map_or(1, |k| k + 1);
    fractions[..seen].to_vec()
}

/// The same error relative to every number. Quantiles are found to one digit less.
pub(super) fn relative_errors(numbers: &QueueNumbers, error: f64) -> QueueNumbers {
    let of = |number: Option<f64>| number.map(|number| error * number.abs());
    let times = |times: &Times| Times {
        mean: of(times.mean),
        p50: of(times.p50).map(|e| 10.0 * e),
        p90: of(times.p90).map(|e| 10.0 * e),
        p99: of(times.p99).map(|e| 10.0 * e),
        p999: of(times.p999).map(|e| 10.0 * e),
    };
    QueueNumbers {
        sojourn: times(&numbers.sojourn),
        wait: Waits {
            probability: of(numbers.wait.probability),
            times: times(&numbers.wait.times),
        },
        queue_length: numbers.queue_length.map(|length| Mean { mean: error * length.mean }),
        fraction_at_least: numbers
            .fraction_at_least
            .as_ref()
            .map(|all| all.iter().map(|x| error * x).collect()),
    }
}

/// The state in time.
pub(super) fn moments(
    asked: Asked<'_>,
    selection: Selection,
) -> Result<Option<Vec<QueueMoment>>, Unpredicted> {
    if asked.at.is_empty() {
        return Ok(None);
    }
    let unit = asked.model.service.mean();
    let times: Vec<f64> = asked.at.iter().map(|time| time / unit).collect();
    let states = transient(selection, asked.load, &start(asked), &times)?;
    let lengths = states.mean_queue_lengths();
    let moment = |((&t, tails), queue_length): ((&f64, &Vec<f64>), f64)| QueueMoment {
        t,
        fraction_at_least: visible(tails),
        queue_length,
        error: states.error,
    };
    Ok(Some(asked.at.iter().zip(&states.tails).zip(lengths).map(moment).collect()))
}

/// Fractions of servers with at least 0, 1, 2, ... jobs at time 0.
pub(super) fn start(asked: Asked<'_>) -> Vec<f64> {
    let mut fractions = vec![1.0];
    if let Initial::Profile(profile) = &asked.model.initial {
        fractions.extend_from_slice(profile);
    }
    fractions
}

/// The law of the sojourn time at times where its fractions of jobs fall by some percent.
pub(super) fn curve(asked: Asked<'_>, above: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
    const STEP: f64 = 0.02;
    const LEAST: f64 = 1e-7;
    const MOST_POINTS: usize = 20_000;
    let unit = asked.model.service.mean();
    let points = (0..MOST_POINTS).map(|i| STEP * i as f64).map(|time| (unit * time, above(time)));
    points.take_while(|point| point.1 > LEAST).collect()
}

/// Corrects the limit for the number of servers, where the correction is known.
fn refine(
    asked: Asked<'_>,
    selection: Selection,
    prediction: &mut QueuePrediction,
) -> Result<(), Unpredicted> {
    let (PolicySpec::Choices(_) | PolicySpec::OnePlusBeta(_)) = &asked.model.policy else {
        return Ok(());
    };
    let sampling = match &asked.model.policy {
        PolicySpec::Choices(choices) if choices.distinct => Sampling::Distinct,
        _ => Sampling::WithReplacement,
    };
    let corrected = |state: Refinement, order, source: &str| Refined {
        size: asked.model.servers,
        numbers: finite_numbers(asked, &state.expected_tails(asked.model.servers)),
        order,
        source: source.to_string(),
    };
    let first = first_order(selection, sampling, asked.load)?;
    prediction.refined = Some(corrected(first, 1, "Gast, Van Houdt 2017"));
    if let Ok(second) = second_order(selection, sampling, asked.load) {
        let source = "Gast, Bortolussi, Tribastone 2019";
        prediction.refined_second_order = Some(corrected(second, 2, source));
    }
    Ok(())
}

/// What follows from corrected fractions: lengths, and means of times by Little's law.
fn finite_numbers(asked: Asked<'_>, fractions: &[f64]) -> QueueNumbers {
    let unit = asked.model.service.mean();
    let length: f64 = fractions.iter().skip(1).rev().sum();
    let sojourn = length / asked.load;
    let mean = |time: f64| Times { mean: Some(unit * time), ..Times::default() };
    QueueNumbers {
        sojourn: mean(sojourn),
        wait: Waits { probability: None, times: mean(sojourn - 1.0) },
        queue_length: Some(Mean { mean: length }),
        fraction_at_least: Some(fractions.iter().map(|x| x.max(0.0)).collect()),
    }
}

fn theorem(asked: Asked<'_>, selection: Selection) -> Theorem {
    const MODEL: &str = "Poisson arrivals, exponential service, equal servers, load below 1";
    let time = "the state in time is proved; that all states lead to the fixed point is not, only \
                seen in computations";
    match selection {
        Selection::Choices { d: 1 } => {
            Theorem::holds("M/M/1, at any number of servers", format!("{MODEL}, one draw"))
        }
        Selection::Choices { .. } if asked.model.discipline == Discipline::Ps => Theorem::holds(
            "Vvedenskaya, Dobrushin, Karpelevich 1996",
            format!("{MODEL}; queue lengths do not depend on the order of service"),
        ),
        Selection::Choices { .. } => {
            Theorem::holds("Vvedenskaya, Dobrushin, Karpelevich 1996; Mitzenmacher 2001", MODEL)
        }
        Selection::Memory { .. } => Theorem::new("Luczak, Norris 2013", None, time),
        Selection::OnePlusBeta { .. } | Selection::Threshold { .. } => {
            Theorem::new("Kurtz 1970; Mitzenmacher 1996", None, time)
        }
    }
}
