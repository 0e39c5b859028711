//! What sets the results of a record apart: the keys of their points.
//!
//! What all results share is said once, in a caption. What differs becomes a column of the table
//! and a part of the labels in figures.

use crate::number::{significant, thousands};
use crate::record::{AllocateResult, Record};

/// One key of a point.
pub(crate) struct Facet {
    /// Column title.
    pub(crate) name: &'static str,
    /// The value; `None` when the key does not apply.
    show: fn(&AllocateResult) -> Option<String>,
    /// The value as a part of a sentence: `1,000 bins`.
    phrase: fn(&str) -> String,
    /// A value that needs no mention when all results share it.
    usual: &'static str,
}

impl Facet {
    /// The value in `result` for a cell; a dash when the key does not apply.
    pub(crate) fn cell(&self, result: &AllocateResult) -> String {
        (self.show)(result).unwrap_or_else(|| "—".into())
    }
}

const FACETS: [Facet; 11] = [
    Facet {
        name: "bins",
        show: |r| Some(thousands(r.bins)),
        phrase: |v| counted(v, "bin"),
        usual: "",
    },
    Facet {
        name: "balls",
        show: |r| Some(thousands(r.balls)),
        phrase: |v| counted(v, "ball"),
        usual: "",
    },
    Facet {
        name: "runs",
        show: |r| Some(thousands(r.runs)),
        phrase: |v| counted(v, "run"),
        usual: "",
    },
    Facet {
        name: "engine",
        show: |r| Some(r.engine.clone()),
        phrase: |v| format!("engine {v}"),
        usual: "",
    },
    Facet {
        name: "servers",
        show: |r| r.servers.clone(),
        phrase: |v| format!("servers {v}"),
        usual: "",
    },
    Facet { name: "users", show: |r| r.users.clone(), phrase: |v| format!("users {v}"), usual: "" },
    Facet {
        name: "signal",
        show: |r| Some(r.signal.clone()),
        phrase: |v| format!("signal {v}"),
        usual: "exact",
    },
    Facet {
        name: "comparison",
        show: |r| Some(r.comparison.clone()),
        phrase: |v| format!("comparison {v}"),
        usual: "exact",
    },
    Facet {
        name: "weights",
        show: |r| r.weights.clone(),
        phrase: |v| format!("weights {v}"),
        usual: "",
    },
    Facet {
        name: "speeds",
        show: |r| r.speeds.clone(),
        phrase: |v| format!("speeds {v}"),
        usual: "",
    },
    Facet {
        name: "deletions",
        show: |r| r.deletions.map(|p| significant(p, 4)),
        phrase: |v| format!("deletions {v}"),
        usual: "",
    },
];

fn counted(count: &str, noun: &str) -> String {
    let plural = if count == "1" { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// What all results of `record` share, as phrases, the seed last.
pub(crate) fn shared(record: &Record) -> Vec<String> {
    let first = record.results.first();
    let phrases = FACETS.iter().filter(|facet| !varies(facet, record));
    phrases
        .filter_map(|facet| {
            let value = (facet.show)(first?)?;
            (value != facet.usual).then(|| (facet.phrase)(&value))
        })
        .chain([format!("seed {}", record.seed)])
        .collect()
}

/// The keys in which the results of `record` differ.
pub(crate) fn varying(record: &Record) -> impl Iterator<Item = &'static Facet> {
    FACETS.iter().filter(|facet| varies(facet, record))
}

fn varies(facet: &Facet, record: &Record) -> bool {
    let mut values = record.results.iter().map(facet.show);
    let first = values.next();
    values.any(|value| Some(value) != first.clone())
}

/// A name for each result: the policy, and what else tells it from results of the same policy.
pub(crate) fn labels(record: &Record) -> Vec<String> {
    let results = &record.results;
    let told_apart = |facet: &&Facet| facet.name != "engine" && facet.name != "runs";
    let facets: Vec<_> = varying(record).filter(told_apart).collect();
    let label = |result: &AllocateResult| {
        let twins = results.iter().filter(|r| r.policy == result.policy);
        if twins.count() < 2 {
            return result.policy.clone();
        }
        let values = facets.iter().filter_map(|f| {
            let value = (f.show)(result)?;
            Some((f.phrase)(&value))
        });
        let parts: Vec<_> = values.collect();
        if parts.is_empty() {
            result.policy.clone()
        } else {
            format!("{}, {}", result.policy, parts.join(", "))
        }
    };
    results.iter().map(label).collect()
}
