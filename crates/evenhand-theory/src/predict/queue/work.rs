//! The least unfinished work of d draws.

use evenhand_queue::Discipline;

use super::exponential::{curve, relative_errors};
use super::{Asked, QueuePrediction, scope};
use crate::meanfield::least_work::least_work;
use crate::predict::numbers::{Computed, Mean, QueueNumbers, Times, Waits};
use crate::predict::{Theorem, Unpredicted};

/// The closed form is a sum to the last digit; quantiles are found by bisection.
const ERROR: f64 = 1e-13;

pub(super) fn predict(asked: Asked<'_>, d: u32) -> Result<QueuePrediction, Unpredicted> {
    let model = asked.model;
    if !model.service.is_exponential() || model.discipline != Discipline::Fifo {
        return Err(scope::not_covered(
            model,
            "service that is not exponential, or not in order of arrival",
        ));
    }
    let law = least_work(d, asked.load)?;
    let unit = model.service.mean();
    let times = |mean: f64, quantile: &dyn Fn(f64) -> Result<f64, crate::Error>| {
        let at = |p| quantile(p).map(|time| Some(unit * time));
        let (p50, p90, p99, p999) = (at(0.5)?, at(0.9)?, at(0.99)?, at(0.999)?);
        Ok::<_, crate::Error>(Times { mean: Some(unit * mean), p50, p90, p99, p999 })
    };
    let numbers = QueueNumbers {
        sojourn: times(law.mean_sojourn(), &|p| law.sojourn_quantile(p))?,
        wait: Waits {
            probability: Some(law.waiting_probability()),
            times: times(law.mean_wait(), &|p| law.wait_quantile(p))?,
        },
        queue_length: Some(Mean { mean: law.mean_queue_length() }),
        fraction_at_least: None,
    };
    let theorem = Theorem::holds(
        "Bramson, Lu, Prabhakar 2012; closed form Hellemans, Van Houdt 2018",
        "Poisson arrivals, exponential service, load below 1",
    );
    let limit = Computed { error: relative_errors(&numbers, ERROR), numbers };
    let mut prediction = QueuePrediction::new(limit, theorem);
    prediction.curve = curve(asked, |time| law.sojourn_above(time));
    Ok(prediction)
}
