//! The words of `evenhand allocate`.

use super::ranking::{self, Ranked};
use super::{NO_RUN, Worded, theory};
use crate::number::{significant, thousands};
use crate::record::{AllocateResult, Record};

impl Worded for AllocateResult {
    fn paragraph(record: &Record<Self>, labels: &[String]) -> String {
        let results = &record.results;
        let all: Vec<_> = results.iter().zip(labels).map(|(r, label)| ranked(r, label)).collect();
        let mut sentences = match (all.as_slice(), results.first()) {
            ([only], Some(first)) => vec![setting(first), single(only)],
            (_, Some(first)) if comparable(record) => {
                let mut sentences = vec![setting(first)];
                sentences.extend(compare(&all));
                sentences.extend(ranking::price(&all));
                sentences
            }
            (_, Some(_)) => vec![format!(
                "{} results with different settings: the table shows each, and their loads are \
                 not ranked against each other.",
                all.len()
            )],
            (_, None) => vec![NO_RUN.to_owned()],
        };
        let compared = results.iter().zip(labels).filter_map(|(result, label)| {
            Some((label.as_str(), result.prediction.as_ref()?.difference.as_ref()?))
        });
        sentences.extend(theory::sentences("mean maximum load", compared));
        sentences.join(" ")
    }
}

/// By the maximum load, over speed where speeds differ.
fn ranked<'a>(result: &'a AllocateResult, label: &'a str) -> Ranked<'a> {
    let (kind, height, interval) = match &result.max_load_per_speed {
        Some(estimate) => ("maximum load over speed", estimate.mean, estimate.ci95),
        None => ("maximum load", result.max_load.mean, result.max_load.ci95),
    };
    let distance = result.distance.as_ref();
    Ranked { policy: &result.policy, label, kind, height, interval, distance }
}

/// Loads are compared only where bins, balls, weights and speeds are the same.
fn comparable(record: &Record<AllocateResult>) -> bool {
    let point = |r: &AllocateResult| {
        (
            r.bins,
            r.balls,
            r.weights.clone(),
            r.speeds.clone(),
            r.deletions.map(f64::to_bits),
            r.max_load_per_speed.is_some(),
        )
    };
    let mut points = record.results.iter().map(point);
    let first = points.next();
    points.all(|other| Some(other) == first)
}

fn setting(result: &AllocateResult) -> String {
    let weighted = result.weights.as_ref().map_or("", |_| "weighted ");
    let runs = if result.runs == 1 {
        "in one run".to_owned()
    } else {
        format!("in each of {} runs", thousands(result.runs))
    };
    format!(
        "{} {weighted}balls were placed into {} bins {runs}.",
        thousands(result.balls),
        thousands(result.bins)
    )
}

fn single(only: &Ranked<'_>) -> String {
    format!("Under {}, the {} was {}{}.", only.label, only.kind, only.mean(), only.far())
}

fn compare(ranked: &[Ranked<'_>]) -> Vec<String> {
    let order = ranking::in_order(ranked);
    let (Some(best), Some(worst)) = (order.first(), order.last()) else {
        return Vec::new();
    };
    let kind = best.kind;
    let things = ranking::things(ranked);
    if best.height == worst.height {
        let count = ranked.len();
        return vec![format!("All {count} policies reached the same {kind}: {}.", best.mean())];
    }
    let leaders: Vec<_> =
        order.iter().filter(|r| r.height == best.height).map(|r| r.label).collect();
    let mut sentences = vec![format!(
        "Of {} {things}, {} balanced best: the {kind} was {}. The highest was {}, under {}.",
        ranked.len(),
        leaders.join(" and "),
        best.mean(),
        significant(worst.height, 4),
        worst.label
    )];
    sentences.extend(order.get(leaders.len()).and_then(|next| ranking::doubt(best, next)));
    sentences
}
