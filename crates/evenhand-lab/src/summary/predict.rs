//! The tables of `evenhand predict`.

use super::{Cell, Measure, Summarised};
use crate::number::{duration, percent, significant};
use crate::record::{PredictedAllocation, PredictedQueue};
use evenhand_theory::predict::{LoadMoment, QueueMoment, Theorem};

/// More times are left to the figures and the data formats.
const LISTED: usize = 12;
/// Maximum loads less likely than this are not listed.
const LIKELY: f64 = 0.005;

impl Summarised for PredictedQueue {
    fn measures(results: &[Self]) -> Vec<Measure<Self>> {
        let any = |test: fn(&Self) -> bool| results.iter().any(test);
        let mut measures: Vec<Measure<Self>> = vec![
            ("mean sojourn", |r| number(r.sojourn.mean)),
            ("p99", |r| number(r.sojourn.p99)),
            ("P(wait)", |r| number(r.wait.probability)),
            ("queue length", |r| number(r.queue_length.map(|length| length.mean))),
        ];
        if any(|r| r.refined.is_some()) {
            measures.push(("of many servers", |r| {
                let limit = r.limit.as_ref().and_then(|limit| limit.numbers.queue_length);
                number(limit.map(|length| length.mean))
            }));
        }
        measures.push(("proved", |r| proved(r.theorem.as_ref())));
        measures.push(("time", |r| Cell::plain(duration(r.seconds))));
        measures
    }

    fn legend(results: &[Self]) -> Option<&'static str> {
        (!results.is_empty()).then_some("mean sojourn and p99 are in the unit of the service law")
    }

    fn remarks(&self, label: &str) -> Vec<String> {
        let moments = self.at.as_deref().unwrap_or_default();
        let listed = moments.iter().filter(|_| moments.len() <= LISTED);
        listed.map(|moment| in_time(label, moment)).collect()
    }

    fn notes(&self) -> Vec<String> {
        let theorem = self.theorem.iter().map(told);
        self.notes.iter().cloned().chain(theorem).collect()
    }
}

impl Summarised for PredictedAllocation {
    fn measures(results: &[Self]) -> Vec<Measure<Self>> {
        let any = |test: fn(&Self) -> bool| results.iter().any(test);
        let mut measures: Vec<Measure<Self>> = Vec::new();
        if any(|r| r.max_load.is_some()) {
            measures.push(("max load", max_load));
            measures.push(("gap", |r| number(r.gap.map(|gap| gap.mean))));
        }
        measures.push(("empty", |r| share(r, 1).map_or_else(none, |x| part(1.0 - x))));
        measures.push(("2 or more", |r| share(r, 2).map_or_else(none, part)));
        measures.push(("3 or more", |r| share(r, 3).map_or_else(none, part)));
        measures.push(("proved", |r| proved(r.theorem.as_ref())));
        measures.push(("time", |r| Cell::plain(duration(r.seconds))));
        measures
    }

    fn legend(results: &[Self]) -> Option<&'static str> {
        let law = results.iter().any(|r| r.max_load.is_some());
        law.then_some("below the max load, load:probability")
    }

    fn remarks(&self, label: &str) -> Vec<String> {
        let moments = self.at.as_deref().unwrap_or_default();
        let listed = moments.iter().filter(|_| moments.len() <= LISTED);
        let along = listed.map(|moment| along_the_way(label, moment));
        let bounds = self.bounds.iter().map(|bound| {
            format!(
                "{label}: leading term {} = {} ({})",
                bound.formula,
                significant(bound.value, 4),
                bound.source
            )
        });
        along.chain(bounds).collect()
    }

    fn notes(&self) -> Vec<String> {
        let theorem = self.theorem.iter().map(told);
        self.notes.iter().cloned().chain(theorem).collect()
    }
}

fn none() -> Cell {
    Cell::optional(None)
}

fn number(number: Option<f64>) -> Cell {
    Cell::optional(number.map(|number| significant(number, 7)))
}

fn part(share: f64) -> Cell {
    Cell::plain(significant(share, 6))
}

fn share(result: &PredictedAllocation, load: usize) -> Option<f64> {
    let fractions = result.fraction_at_least.as_ref()?;
    Some(fractions.get(load).copied().unwrap_or(0.0))
}

fn max_load(result: &PredictedAllocation) -> Cell {
    let Some(law) = &result.max_load else { return none() };
    let likely = law.probabilities.iter().filter(|(_, p)| **p >= LIKELY);
    let parts: Vec<String> = likely.map(|(load, p)| format!("{load}:{}", percent(*p))).collect();
    Cell { main: significant(law.mean, 5), detail: Some(parts.join(" ")) }
}

fn proved(theorem: Option<&Theorem>) -> Cell {
    let word = |theorem: &Theorem| match theorem.holds {
        Some(true) => "yes",
        Some(false) => "no",
        None => "in part",
    };
    Cell::optional(theorem.map(|theorem| word(theorem).to_string()))
}

fn told(theorem: &Theorem) -> String {
    format!("{}: {}", theorem.source, theorem.why)
}

fn in_time(label: &str, moment: &QueueMoment) -> String {
    format!(
        "{label} at t = {}: queue length {}",
        significant(moment.t, 4),
        significant(moment.queue_length, 6),
    )
}

fn along_the_way(label: &str, moment: &LoadMoment) -> String {
    let occupied = moment.fraction_at_least.get(1).copied().unwrap_or(0.0);
    format!(
        "{label} after {} balls per bin: empty {}",
        significant(moment.balls_per_bin, 4),
        significant(1.0 - occupied, 6),
    )
}
