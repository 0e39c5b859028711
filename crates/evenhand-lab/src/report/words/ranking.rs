//! Ranking results by what is to be small.

use std::collections::BTreeSet;

use crate::number::{distance, significant};
use crate::record::Distance;

/// A result with its name and its place in a ranking.
#[derive(Clone)]
pub(super) struct Ranked<'a> {
    pub(super) policy: &'a str,
    pub(super) label: &'a str,
    /// What is to be small: `maximum load`.
    pub(super) kind: &'static str,
    pub(super) height: f64,
    pub(super) interval: Option<[f64; 2]>,
    pub(super) distance: Option<&'a Distance>,
}

impl Ranked<'_> {
    /// The height with its interval.
    pub(super) fn mean(&self) -> String {
        let value = significant(self.height, 4);
        match self.interval {
            Some([low, high]) => format!(
                "{value} in the mean (95% interval {} to {})",
                significant(low, 4),
                significant(high, 4)
            ),
            None => value,
        }
    }

    /// Where users were served, as the end of a sentence.
    pub(super) fn far(&self) -> String {
        let Some(d) = self.distance else {
            return String::new();
        };
        let mean = distance(d.mean, &d.unit);
        format!(", at a mean distance of {mean} from user to server")
    }
}

/// From low to high.
pub(super) fn in_order<'r, 'a>(ranked: &'r [Ranked<'a>]) -> Vec<&'r Ranked<'a>> {
    let mut order: Vec<_> = ranked.iter().collect();
    order.sort_by(|a, b| a.height.total_cmp(&b.height));
    order
}

/// `policies` when each result has its own, else `results`.
pub(super) fn things(ranked: &[Ranked<'_>]) -> &'static str {
    let policies: BTreeSet<_> = ranked.iter().map(|r| r.policy).collect();
    if policies.len() == ranked.len() { "policies" } else { "results" }
}

/// What the data do not decide between the best and the next.
pub(super) fn doubt(best: &Ranked<'_>, next: &Ranked<'_>) -> Option<String> {
    match (best.interval, next.interval) {
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

/// Who served the users nearest, and how far the best policy sent them.
pub(super) fn price(ranked: &[Ranked<'_>]) -> Option<String> {
    let best = ranked.iter().min_by(|a, b| a.height.total_cmp(&b.height))?;
    let Distance { mean: best_mean, unit, .. } = best.distance?;
    let nearest = ranked
        .iter()
        .filter_map(|r| r.distance.filter(|d| d.unit == *unit).map(|d| (r, d.mean)))
        .min_by(|a, b| a.1.total_cmp(&b.1))?;
    let far = distance(*best_mean, unit);
    if nearest.1 == *best_mean {
        return Some(format!("The mean distance from user to server was {far}, the least of all."));
    }
    Some(format!(
        "Under {}, the mean distance from user to server was {far}; {} kept it lowest, at {}, with \
         a {} of {}.",
        best.label,
        nearest.0.label,
        distance(nearest.1, unit),
        nearest.0.kind,
        significant(nearest.0.height, 4)
    ))
}
