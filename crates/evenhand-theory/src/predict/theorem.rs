//! Where a prediction comes from, and whether it is proved.

use serde::Serialize;

/// The theorem behind a prediction.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Theorem {
    /// Author, year, and where in the work.
    pub source: String,
    /// Whether its hypotheses hold for this request; null where that is not known.
    pub holds: Option<bool>,
    /// Which hypotheses, and why they hold or not.
    pub why: String,
}

impl Theorem {
    pub(super) fn new(source: &str, holds: Option<bool>, why: impl Into<String>) -> Self {
        Self { source: source.to_string(), holds, why: why.into() }
    }

    pub(super) fn holds(source: &str, why: impl Into<String>) -> Self {
        Self::new(source, Some(true), why)
    }
}
