//! The results as rows of text, for the terminal and for the report.

use std::collections::BTreeMap;

use crate::facet;
use crate::number::{distance, duration, estimate, percent, plus_minus, significant, thousands};
use crate::record::{AllocateResult, MaxLoad, Record, Snapshot};

/// At most so many values of the maximum load are listed in a cell.
const LISTED_MAXIMA: usize = 4;

const LEGEND: &str = "± is half of the 95% confidence interval; below the max load, load:share of runs, or their range";

/// A table of text.
pub(crate) struct Summary {
    /// What all rows share.
    pub(crate) caption: Vec<String>,
    /// Column titles and alignment.
    pub(crate) columns: Vec<Column>,
    /// One row a result.
    pub(crate) rows: Vec<Vec<Cell>>,
    /// How to read the cells, where that needs a word.
    pub(crate) legend: Option<&'static str>,
    /// What the reader should know, each said once.
    pub(crate) notes: Vec<String>,
}

/// The head of a column.
pub(crate) struct Column {
    pub(crate) title: &'static str,
    /// Numbers stand right, text left.
    pub(crate) numeric: bool,
}

/// A value and, below it, a detail.
pub(crate) struct Cell {
    pub(crate) main: String,
    pub(crate) detail: Option<String>,
}

impl Cell {
    fn plain(main: String) -> Self {
        Self { main, detail: None }
    }
}

/// A column title and what stands below it.
type Measure = (&'static str, fn(&AllocateResult) -> Cell);

impl Summary {
    /// The table of `record`.
    pub(crate) fn new(record: &Record) -> Self {
        let facets: Vec<_> = facet::varying(record).collect();
        let measures = measures(record);
        let text = |title| Column {
            title,
            numeric: matches!(title, "bins" | "balls" | "runs" | "deletions"),
        };
        let columns = [text("policy")]
            .into_iter()
            .chain(facets.iter().map(|facet| text(facet.name)))
            .chain(measures.iter().map(|(title, _)| Column { title, numeric: true }))
            .collect();
        let row = |result: &AllocateResult| {
            let keys = facets.iter().map(|facet| Cell::plain(facet.cell(result)));
            let values = measures.iter().map(|(_, cell)| cell(result));
            [Cell::plain(result.policy.clone())].into_iter().chain(keys).chain(values).collect()
        };
        Self {
            caption: facet::shared(record),
            columns,
            rows: record.results.iter().map(row).collect(),
            legend: record.results.iter().any(|r| r.runs > 1).then_some(LEGEND),
            notes: notes(record),
        }
    }
}

fn measures(record: &Record) -> Vec<Measure> {
    let any = |test: fn(&AllocateResult) -> bool| record.results.iter().any(test);
    let mut measures: Vec<Measure> = vec![("max load", |r| max_load(&r.max_load))];
    if any(|r| r.max_load_per_speed.is_some()) {
        measures.push(("max load per speed", |r| {
            Cell::plain(optional(r.max_load_per_speed.as_ref().map(estimate)))
        }));
    }
    measures.push(("gap", |r| Cell::plain(estimate(&r.gap))));
    measures.push(("empty", empty));
    measures.push(("probes per ball", |r| Cell::plain(significant(r.probes_per_ball, 4))));
    if any(|r| r.distance.is_some()) {
        measures.push(("distance", distances));
    }
    measures.push(("time", |r| Cell::plain(duration(r.seconds))));
    measures
}

fn optional(text: Option<String>) -> String {
    text.unwrap_or_else(|| "—".into())
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

fn distances(result: &AllocateResult) -> Cell {
    let Some(d) = &result.distance else {
        return Cell::plain("—".into());
    };
    Cell {
        main: distance(d.mean, &d.unit),
        detail: Some(format!("p95 {}", distance(d.p95, &d.unit))),
    }
}

/// Notes that all results share once; the others behind the label of their result.
fn notes(record: &Record) -> Vec<String> {
    let results = &record.results;
    let labels = facet::labels(record);
    let mut lines: Vec<String> = Vec::new();
    for (result, label) in results.iter().zip(&labels) {
        lines.extend(
            result.snapshots.iter().flatten().map(|snapshot| along_the_way(label, snapshot)),
        );
    }
    for (result, label) in results.iter().zip(&labels) {
        for note in &result.notes {
            let shared = results.iter().all(|other| other.notes.contains(note));
            let line = if shared { note.clone() } else { format!("{label}: {note}") };
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    lines
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
