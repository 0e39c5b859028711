//! The table of `evenhand queue`.

use super::{Cell, Measure, Summarised, distances, predicted};
use crate::number::{duration, estimate, percent, plus_minus, significant};
use crate::record::{Class, Moment, QueueResult, Times};

/// More times, or more speeds, are left to the figures and the data formats.
const LISTED: usize = 12;

const LEGEND: &str = "mean sojourn and p99 are in the unit of the service law";
const LEGEND_OF_RUNS: &str = "± is half of the 95% confidence interval; mean sojourn and p99 are in the unit of the service law";

impl Summarised for QueueResult {
    fn measures(results: &[Self]) -> Vec<Measure<Self>> {
        let any = |test: fn(&Self) -> bool| results.iter().any(test);
        let mut measures: Vec<Measure<Self>> = vec![("mean sojourn", sojourn)];
        if any(|r| r.prediction.as_ref().is_some_and(|p| p.difference.is_some())) {
            measures.push(("predicted", |r| {
                predicted(r.prediction.as_ref().and_then(|p| p.difference.as_ref()))
            }));
        }
        let others: [Measure<Self>; 4] = [
            ("p99", |r| if_stable(r, r.sojourn.p99.map(|t| significant(t, 4)))),
            ("P(wait)", |r| if_stable(r, r.wait.probability.map(probability))),
            ("queue length", |r| if_stable(r, r.queue_length.as_ref().map(estimate))),
            ("probes per job", |r| Cell::plain(significant(r.probes_per_job, 4))),
        ];
        measures.extend(others);
        if any(|r| r.lost > 0.0 || r.buffer.is_some()) {
            measures.push(("lost", |r| Cell::plain(percent(r.lost))));
        }
        if any(|r| r.distance.is_some()) {
            measures.push(("distance", |r| distances(r.distance.as_ref())));
        }
        measures.push(("time", |r| Cell::plain(duration(r.seconds))));
        measures
    }

    fn legend(results: &[Self]) -> Option<&'static str> {
        let spread = results.iter().any(|r| r.runs > 1);
        (!results.is_empty()).then_some(if spread { LEGEND_OF_RUNS } else { LEGEND })
    }

    fn remarks(&self, label: &str) -> Vec<String> {
        let moments = self.transient.as_deref().unwrap_or_default();
        let mut lines = utilisations(label, &self.utilisation);
        if moments.len() <= LISTED {
            lines.extend(moments.iter().map(|moment| along_the_way(label, moment)));
        }
        lines
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }
}

fn if_stable(result: &QueueResult, value: Option<String>) -> Cell {
    Cell::optional(value.filter(|_| result.stable))
}

fn sojourn(result: &QueueResult) -> Cell {
    if !result.stable {
        return Cell::plain("unstable".into());
    }
    let Times { mean, ci95, .. } = result.sojourn;
    Cell::optional(mean.map(|mean| plus_minus(mean, ci95)))
}

fn probability(probability: f64) -> String {
    significant(probability, 3)
}

/// How busy servers of different speeds are; nothing where all are equal.
fn utilisations(label: &str, classes: &[Class]) -> Vec<String> {
    if !(2..=LISTED).contains(&classes.len()) {
        return Vec::new();
    }
    let part = |class: &Class| {
        format!("{} at speed {}", percent(class.utilisation), significant(class.speed, 4))
    };
    let parts: Vec<_> = classes.iter().map(part).collect();
    vec![format!("{label}: servers work {}", parts.join(", "))]
}

/// One moment in words.
fn along_the_way(label: &str, moment: &Moment) -> String {
    format!(
        "{label} at t = {}: queue length {}",
        significant(moment.t, 4),
        plus_minus(moment.queue_length, moment.queue_length_ci95),
    )
}
