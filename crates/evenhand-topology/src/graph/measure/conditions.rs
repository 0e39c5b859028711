//! Conditions of theorems about allocation on graphs, with the numbers that decide them.

use std::collections::BTreeMap;

use serde::Serialize;

use super::record::GraphRecord;

/// A condition of a theorem, and whether a graph meets it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Condition {
    /// Where the condition is from.
    pub source: &'static str,
    /// What it says.
    pub statement: &'static str,
    /// Whether the graph meets it; `None` where one finite graph does not decide it, or where
    /// a number is missing.
    pub holds: Option<bool>,
    /// The numbers that it is about.
    pub numbers: BTreeMap<&'static str, Number>,
}

/// A number of a condition. `Unknown` is serialised as null.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Number {
    /// Yes or no.
    Flag(bool),
    /// A whole number.
    Count(usize),
    /// A real number.
    Real(f64),
    /// Undefined or not computed.
    Unknown,
}

/// What the theorems ask of the graph of `record`.
pub(super) fn conditions(record: &GraphRecord) -> Vec<Condition> {
    vec![regular(record), connected(record), high_girth_expander(record), dense_enough(record)]
}

/// The common degree of a regular graph.
fn degree(record: &GraphRecord) -> Option<usize> {
    let degrees = record.degree?;
    (degrees.min == degrees.max).then_some(degrees.max)
}

fn regular(record: &GraphRecord) -> Condition {
    Condition {
        source: "definition",
        statement: "regular: all vertices have the same degree",
        holds: Some(degree(record).is_some()),
        numbers: BTreeMap::from([
            ("degree_min", record.degree.map(|degree| degree.min).into()),
            ("degree_max", record.degree.map(|degree| degree.max).into()),
        ]),
    }
}

fn connected(record: &GraphRecord) -> Condition {
    Condition {
        source: "definition",
        statement: "connected: one component",
        holds: Some(record.components == 1),
        numbers: BTreeMap::from([("components", Number::Count(record.components))]),
    }
}

fn high_girth_expander(record: &GraphRecord) -> Condition {
    let degree = degree(record);
    let connected = record.components == 1;
    let possible = connected && degree.is_some_and(|degree| degree >= 3);
    let scale = degree
        .filter(|&degree| degree >= 3 && record.vertices >= 2)
        .map(|degree| (record.vertices as f64).ln() / ((degree - 1) as f64).ln());
    let ratio = record.girth.zip(scale).map(|(girth, scale)| girth as f64 / scale);
    let expansion = record.lambda.zip(degree).map(|(lambda, degree)| lambda / degree as f64);
    Condition {
        source: "Tang, Subramanian 2019, arXiv 1901.09094",
        statement: "k-regular graphs with girth of the order of log n to base k - 1 and lambda/k \
                    bounded below 1 let non-backtracking walkers replace independent choices; \
                    the theorem is about n to infinity, so a connected regular graph with \
                    k >= 3 is not decided, the numbers show how near it is",
        holds: if possible { None } else { Some(false) },
        numbers: BTreeMap::from([
            ("regular", Number::Flag(degree.is_some())),
            ("connected", Number::Flag(connected)),
            ("bipartite", Number::Flag(record.bipartite)),
            ("girth", record.girth.into()),
            ("log_n_base_k_minus_1", scale.into()),
            ("girth_ratio", ratio.into()),
            ("lambda", record.lambda.into()),
            ("lambda_over_degree", expansion.into()),
        ]),
    }
}

fn dense_enough(record: &GraphRecord) -> Condition {
    let degree = degree(record);
    let log = (record.vertices as f64).log2();
    let log_log = Some(log.log2()).filter(|_| record.vertices > 2);
    let log_to_4 = Some(log.powi(4)).filter(|_| record.vertices > 0);
    let edges_needed = log_to_4.zip(degree).map(|(least, degree)| degree as f64 > least);
    // Leading terms: log log n + log n / log of what the degree is compared with.
    let leading = |compared: f64| {
        log_log.filter(|_| compared > 1.0).map(|log_log| log_log + log / compared.log2())
    };
    let upper = degree.zip(log_to_4).and_then(|(degree, least)| leading(degree as f64 / least));
    let lower = degree.and_then(|degree| leading(degree as f64 * log));
    Condition {
        source: "Kenthapadi, Panigrahy 2006",
        statement: "two choices at the ends of a random edge of a regular graph have maximum \
                    load at most log log n + O(log n / log(degree / log^4 n)) + O(1), for degree \
                    > log^4 n, and at least log log n + log n / log(degree log n), up to \
                    constants, for n balls; the bounds here are leading terms with constant 1 \
                    and without O(1); logarithms to base 2",
        holds: Some(edges_needed.unwrap_or(false)),
        numbers: BTreeMap::from([
            ("regular", Number::Flag(degree.is_some())),
            ("degree", degree.into()),
            ("log2_n_to_4", log_to_4.into()),
            ("upper_leading_terms", upper.into()),
            ("lower_leading_terms", lower.into()),
        ]),
    }
}

impl From<Option<usize>> for Number {
    fn from(value: Option<usize>) -> Self {
        value.map_or(Self::Unknown, Self::Count)
    }
}

impl From<Option<f64>> for Number {
    fn from(value: Option<f64>) -> Self {
        value.map_or(Self::Unknown, Self::Real)
    }
}
