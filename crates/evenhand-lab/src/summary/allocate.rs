//! The table of `evenhand allocate`.

use std::collections::BTreeMap;

use super::{Cell, Measure, Summarised, distances, predicted};
use crate::number::{duration, estimate, percent, plus_minus, significant, thousands};
use crate::record::{AllocateResult, MaxLoad, Snapshot};

/// At most so many values of the maximum load are listed in a cell.
const LISTED_MAXIMA: usize = 4;

const LEGEND: &str = "± is half of the 95% confidence interval; below the max load, load:share of runs, or their range";

impl Summarised for AllocateResult {
    fn measures(results: &[Self]) -> Vec<Measure<Self>> {
        let any = |test: fn(&Self) -> bool| results.iter().any(test);
        let mut measures: Vec<Measure<Self>> = vec![("max load", |r| max_load(&r.max_load))];
        if any(|r| r.prediction.as_ref().is_some_and(|p| p.difference.is_some())) {
            measures.push(("predicted", |r| {
                predicted(r.prediction.as_ref().and_then(|p| p.difference.as_ref()))
            }));
        }
        if any(|r| r.max_load_per_speed.is_some()) {
            measures.push(("max load per speed", |r| {
                Cell::optional(r.max_load_per_speed.as_ref().map(estimate))
            }));
        }
        measures.push(("gap", |r| Cell::plain(estimate(&r.gap))));
        measures.push(("empty", empty));
        measures.push(("probes per ball", |r| Cell::plain(significant(r.probes_per_ball, 4))));
        if any(|r| r.distance.is_some()) {
            measures.push(("distance", |r| distances(r.distance.as_ref())));
        }
        measures.push(("time", |r| Cell::plain(duration(r.seconds))));
        measures
    }

    fn legend(results: &[Self]) -> Option<&'static str> {
        results.iter().any(|r| r.runs > 1).then_some(LEGEND)
    }

    fn remarks(&self, label: &str) -> Vec<String> {
        let snapshots = self.snapshots.iter().flatten();
        snapshots.map(|snapshot| along_the_way(label, snapshot)).collect()
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }
}

fn max_load(max_load: &MaxLoad) -> Cell {
    Cell {
        main: plus_minus(max_load.mean, max_load.ci95),
        detail: max_load.counts.as_ref().and_then(frequent),
    }
}

/// The most frequent maximum loads with their shares of the runs, in order of load.
fn frequent(counts: &BTreeMap<u64, u64>) -> Option<String> {
    let runs: u64 = counts.values().sum();
    if runs < 2 {
        return None;
    }
    let mut kept: Vec<_> = counts.iter().collect();
    kept.sort_by_key(|&(load, count)| (std::cmp::Reverse(count), load));
    let more = kept.len() > LISTED_MAXIMA;
    kept.truncate(LISTED_MAXIMA);
    let listed: u64 = kept.iter().map(|(_, count)| **count).sum();
    if 2 * listed < runs {
        // No load is frequent: the range says more than a few of many.
        let (least, _) = counts.first_key_value()?;
        let (most, _) = counts.last_key_value()?;
        return Some(format!("{} to {}", thousands(*least), thousands(*most)));
    }
    kept.sort();
    let mut shares: Vec<_> = kept
        .into_iter()
        .map(|(load, count)| format!("{load}:{}", percent(*count as f64 / runs as f64)))
        .collect();
    if more {
        shares.push("…".into());
    }
    Some(shares.join(" "))
}

fn empty(result: &AllocateResult) -> Cell {
    let share = (result.bins > 0).then(|| percent(result.empty.mean / result.bins as f64));
    Cell { main: significant(result.empty.mean, 4), detail: share }
}

/// One snapshot in words.
fn along_the_way(label: &str, snapshot: &Snapshot) -> String {
    format!(
        "{label} after {} balls: max load {}, gap {}",
        thousands(snapshot.balls),
        significant(snapshot.max_load, 4),
        significant(snapshot.gap, 4),
    )
}
