//! What sets the results of a record apart: the keys of their points.
//!
//! What all results share is said once, in a caption. What differs becomes a column of the table
//! and a part of the labels in figures.

mod allocate;
mod predict;
mod queue;

use crate::record::Record;

/// A result with keys.
pub trait Faceted: Sized + 'static {
    /// What was done, for titles.
    const WHAT: &'static str;

    /// False for what does not depend on the seed.
    const IS_RANDOM: bool = true;

    /// Every key but the policy, in the order in which they are said.
    const FACETS: &'static [Facet<Self>];

    /// Canonical policy expression.
    fn policy(&self) -> &str;
}

/// One key of a point.
pub struct Facet<R> {
    /// Column title.
    pub(crate) name: &'static str,
    /// True when the values stand right in a table.
    pub(crate) numeric: bool,
    /// The value; `None` when the key does not apply.
    show: fn(&R) -> Option<String>,
    /// The value as a part of a sentence: `1,000 bins`.
    phrase: fn(&str) -> String,
    /// A value that needs no mention when all results share it.
    usual: &'static str,
    /// False for what a result owes to the way it was computed: it names no result.
    names: bool,
}

impl<R> Facet<R> {
    const fn new(
        name: &'static str,
        show: fn(&R) -> Option<String>,
        phrase: fn(&str) -> String,
    ) -> Self {
        Self { name, numeric: false, show, phrase, usual: "", names: true }
    }

    const fn numeric(mut self) -> Self {
        self.numeric = true;
        self
    }

    const fn usual(mut self, value: &'static str) -> Self {
        self.usual = value;
        self
    }

    const fn nameless(mut self) -> Self {
        self.names = false;
        self
    }

    /// The value in `result` for a cell; a dash when the key does not apply.
    pub(crate) fn cell(&self, result: &R) -> String {
        (self.show)(result).unwrap_or_else(|| "—".into())
    }
}

fn counted(count: &str, noun: &str) -> String {
    let plural = if count == "1" { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// What all results of `record` share, as phrases, the seed last.
pub(crate) fn shared<R: Faceted>(record: &Record<R>) -> Vec<String> {
    let first = record.results.first();
    let phrases = R::FACETS.iter().filter(|facet| !varies(facet, record));
    phrases
        .filter_map(|facet| {
            let value = (facet.show)(first?)?;
            (value != facet.usual).then(|| (facet.phrase)(&value))
        })
        .chain(R::IS_RANDOM.then(|| format!("seed {}", record.seed)))
        .collect()
}

/// The keys in which the results of `record` differ.
pub(crate) fn varying<R: Faceted>(record: &Record<R>) -> impl Iterator<Item = &'static Facet<R>> {
    R::FACETS.iter().filter(|facet| varies(facet, record))
}

fn varies<R>(facet: &Facet<R>, record: &Record<R>) -> bool {
    let mut values = record.results.iter().map(facet.show);
    let first = values.next();
    values.any(|value| Some(value) != first.clone())
}

/// A name for each result: the policy, and what else tells it from results of the same policy.
pub(crate) fn labels<R: Faceted>(record: &Record<R>) -> Vec<String> {
    let results = &record.results;
    let facets: Vec<_> = varying(record).filter(|facet| facet.names).collect();
    let label = |result: &R| {
        let twins = results.iter().filter(|r| r.policy() == result.policy());
        if twins.count() < 2 {
            return result.policy().to_owned();
        }
        let values = facets.iter().filter_map(|f| {
            let value = (f.show)(result)?;
            Some((f.phrase)(&value))
        });
        let parts: Vec<_> = values.collect();
        if parts.is_empty() {
            result.policy().to_owned()
        } else {
            format!("{}, {}", result.policy(), parts.join(", "))
        }
    };
    results.iter().map(label).collect()
}
