//! The answer in words, from the numbers.

mod allocate;
mod predict;
mod queue;
mod ranking;
mod theory;

use crate::facet::Faceted;
use crate::record::Record;

/// A result that words can be made of.
pub trait Worded: Faceted {
    /// A paragraph: what was done, which policy did best and, with places, at what distance.
    fn paragraph(record: &Record<Self>, labels: &[String]) -> String;
}

/// Stands for the results of a record without any.
const NO_RUN: &str = "No run finished.";
