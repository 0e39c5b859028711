//! The results as rows of text, for the terminal and for the report.

mod allocate;
mod predict;
mod queue;

use crate::facet::{self, Faceted};
use crate::number::{distance, significant};
use crate::record::{Difference, Distance, Record};

/// A result that fits in a row of text.
pub trait Summarised: Faceted {
    /// The columns of numbers that `results` call for, in order.
    fn measures(results: &[Self]) -> Vec<Measure<Self>>;

    /// How to read the cells, where that needs a word.
    fn legend(results: &[Self]) -> Option<&'static str>;

    /// What the record has beyond the columns, as lines for below the table.
    fn remarks(&self, label: &str) -> Vec<String>;

    /// What the reader should know.
    fn notes(&self) -> Vec<String>;
}

/// A note that is for more results than this is not named after all.
const MOST_NAMED: usize = 3;

/// A column title and what stands below it.
pub(crate) type Measure<R> = (&'static str, fn(&R) -> Cell);

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
pub struct Cell {
    pub(crate) main: String,
    pub(crate) detail: Option<String>,
}

impl Cell {
    fn plain(main: String) -> Self {
        Self { main, detail: None }
    }

    /// A dash where there is no value.
    fn optional(main: Option<String>) -> Self {
        Self::plain(main.unwrap_or_else(|| "—".into()))
    }
}

impl Summary {
    /// The table of `record`.
    pub(crate) fn new<R: Summarised>(record: &Record<R>) -> Self {
        let facets: Vec<_> = facet::varying(record).collect();
        let measures = R::measures(&record.results);
        let columns = [Column { title: "policy", numeric: false }]
            .into_iter()
            .chain(facets.iter().map(|f| Column { title: f.name, numeric: f.numeric }))
            .chain(measures.iter().map(|(title, _)| Column { title, numeric: true }))
            .collect();
        let row = |result: &R| {
            let keys = facets.iter().map(|facet| Cell::plain(facet.cell(result)));
            let values = measures.iter().map(|(_, cell)| cell(result));
            [Cell::plain(result.policy().to_owned())]
                .into_iter()
                .chain(keys)
                .chain(values)
                .collect()
        };
        Self {
            caption: facet::shared(record),
            columns,
            rows: record.results.iter().map(row).collect(),
            legend: R::legend(&record.results),
            notes: notes(record),
        }
    }
}

/// A predicted number and, below, how far the measured one is from it.
fn predicted(difference: Option<&Difference>) -> Cell {
    let Some(difference) = difference else { return Cell::optional(None) };
    let errors = |errors: f64| format!("{errors:+.1}\u{a0}s.e.");
    Cell {
        main: significant(difference.predicted, 5),
        detail: Some(match difference.standard_errors {
            Some(standard_errors) => errors(standard_errors),
            None => format!("{:+.2}%", 100.0 * difference.relative()),
        }),
    }
}

/// Mean distance and, below, its 95th percentile.
fn distances(distances: Option<&Distance>) -> Cell {
    match distances {
        None => Cell::optional(None),
        Some(d) => Cell {
            main: distance(d.mean, &d.unit),
            detail: Some(format!("p95 {}", distance(d.p95, &d.unit))),
        },
    }
}

/// Notes, each once: those that not all results share behind the labels of theirs.
fn notes<R: Summarised>(record: &Record<R>) -> Vec<String> {
    let results = &record.results;
    let labels = facet::labels(record);
    let named = || results.iter().zip(&labels);
    let mut lines: Vec<String> = named().flat_map(|(r, label)| r.remarks(label)).collect();
    let notes: Vec<Vec<String>> = results.iter().map(Summarised::notes).collect();
    let mut told: Vec<&String> = Vec::new();
    for note in notes.iter().flatten() {
        if told.contains(&note) {
            continue;
        }
        told.push(note);
        let of = notes.iter().zip(&labels).filter(|(notes, _)| notes.contains(note));
        let of: Vec<_> = of.map(|(_, label)| label.as_str()).collect();
        lines.push(match of.len() {
            count if count == results.len() => note.clone(),
            count if count > MOST_NAMED => {
                format!("{}, and {} more: {note}", of[..MOST_NAMED].join("; "), count - MOST_NAMED)
            }
            _ => format!("{}: {note}", of.join("; ")),
        });
    }
    lines
}
