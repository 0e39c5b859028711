//! The answer in words, from the numbers.

use std::collections::BTreeSet;

use crate::facet;
use crate::number::{distance, significant, thousands};
use crate::record::{AllocateResult, Record};

/// A paragraph: what was done, which policy balanced best and, with places, at what distance.
pub(super) fn paragraph(record: &Record) -> String {
    let labels = facet::labels(record);
    let ranked: Vec<_> = record
        .results
        .iter()
        .zip(&labels)
        .map(|(result, label)| Ranked { result, label })
        .collect();
    let sentences = match ranked.as_slice() {
        [] => vec!["No run finished.".to_owned()],
        [only] => vec![setting(only.result), single(only)],
        [first, ..] if comparable(record) => {
            let mut sentences = vec![setting(first.result)];
            sentences.extend(compare(&ranked));
            sentences.extend(price(&ranked));
            sentences
        }
        _ => vec![format!(
            "{} results with different settings: the table shows each, and their loads are not \
             ranked against each other.",
            ranked.len()
        )],
    };
    sentences.join(" ")
}

/// A result with its name.
struct Ranked<'a> {
    result: &'a AllocateResult,
    label: &'a str,
}

impl Ranked<'_> {
    /// What is to be small: the maximum load, over speed where speeds differ.
    fn height(&self) -> f64 {
        match &self.result.max_load_per_speed {
            Some(estimate) => estimate.mean,
            None => self.result.max_load.mean,
        }
    }

    fn interval(&self) -> Option<[f64; 2]> {
        match &self.result.max_load_per_speed {
            Some(estimate) => estimate.ci95,
            None => self.result.max_load.ci95,
        }
    }

    fn kind(&self) -> &'static str {
        if self.result.max_load_per_speed.is_some() {
            "maximum load over speed"
        } else {
            "maximum load"
        }
    }
}

/// Loads are compared only where bins, balls, weights and speeds are the same.
fn comparable(record: &Record) -> bool {
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
    let far = only.result.distance.as_ref().map(|d| {
        let mean = distance(d.mean, &d.unit);
        format!(", at a mean distance of {mean} from user to server")
    });
    format!(
        "Under {}, the {} was {}{}.",
        only.label,
        only.kind(),
        mean(only),
        far.unwrap_or_default()
    )
}

fn mean(ranked: &Ranked<'_>) -> String {
    let value = significant(ranked.height(), 4);
    match ranked.interval() {
        Some([low, high]) => format!(
            "{value} in the mean (95% interval {} to {})",
            significant(low, 4),
            significant(high, 4)
        ),
        None => value,
    }
}

fn compare(ranked: &[Ranked<'_>]) -> Vec<String> {
    let mut order: Vec<_> = ranked.iter().collect();
    order.sort_by(|a, b| a.height().total_cmp(&b.height()));
    let (Some(best), Some(worst)) = (order.first(), order.last()) else {
        return Vec::new();
    };
    let kind = best.kind();
    let things = things(ranked);
    if best.height() == worst.height() {
        let count = ranked.len();
        return vec![format!("All {count} policies reached the same {kind}: {}.", mean(best))];
    }
    let leaders: Vec<_> =
        order.iter().filter(|r| r.height() == best.height()).map(|r| r.label).collect();
    let mut sentences = vec![format!(
        "Of {} {things}, {} balanced best: the {kind} was {}. The highest was {}, under {}.",
        ranked.len(),
        leaders.join(" and "),
        mean(best),
        significant(worst.height(), 4),
        worst.label
    )];
    sentences.extend(order.get(leaders.len()).and_then(|next| doubt(best, next)));
    sentences
}

/// `policies` when each result has its own, else `results`.
fn things(ranked: &[Ranked<'_>]) -> &'static str {
    let policies: BTreeSet<_> = ranked.iter().map(|r| &r.result.policy).collect();
    if policies.len() == ranked.len() { "policies" } else { "results" }
}

/// What the data do not decide between the best and the next.
fn doubt(best: &Ranked<'_>, next: &Ranked<'_>) -> Option<String> {
    match (best.interval(), next.interval()) {
        (Some([_, high]), Some([low, _])) => (high >= low).then(|| {
            format!(
                "The 95% intervals of {} and {} overlap: more runs would be needed to tell them \
                 apart.",
                best.label, next.label
            )
        }),
        _ => Some("A single run shows no spread: other seeds may change the order.".into()),
    }
}

/// Who served the users nearest, and how far the best balanced policy sent them.
fn price(ranked: &[Ranked<'_>]) -> Option<String> {
    let placed = |r: &Ranked<'_>| r.result.distance.as_ref().map(|d| (d.mean, d.unit.clone()));
    let by_height = |a: &&Ranked<'_>, b: &&Ranked<'_>| a.height().total_cmp(&b.height());
    let best = ranked.iter().min_by(by_height)?;
    let (best_mean, unit) = placed(best)?;
    let nearest = ranked
        .iter()
        .filter_map(|r| placed(r).filter(|p| p.1 == unit).map(|p| (r, p.0)))
        .min_by(|a, b| a.1.total_cmp(&b.1))?;
    let far = distance(best_mean, &unit);
    if nearest.1 == best_mean {
        return Some(format!("The mean distance from user to server was {far}, the least of all."));
    }
    Some(format!(
        "Under {}, the mean distance from user to server was {far}; {} kept it lowest, at {}, with \
         a {} of {}.",
        best.label,
        nearest.0.label,
        distance(nearest.1, &unit),
        nearest.0.kind(),
        significant(nearest.0.height(), 4)
    ))
}
