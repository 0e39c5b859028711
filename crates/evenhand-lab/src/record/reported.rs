//! What a result must offer to every output.

use serde::Serialize;

use super::{AllocateResult, PredictedAllocation, PredictedQueue, QueueResult};
use crate::facet::Faceted;
use crate::figure::Drawn;
use crate::output::Tabular;
use crate::report::Worded;
use crate::summary::Summarised;

/// A result that can be written in every format, drawn and reported on.
///
/// Implemented by the results of this crate only. Each part (the keys that tell results apart,
/// the columns of data files, the table for people, the figures, the words of the report) is a
/// private trait beside the code that uses it.
pub trait Reported: Serialize + Faceted + Tabular + Summarised + Drawn + Worded {}

impl Reported for AllocateResult {}
impl Reported for QueueResult {}
impl Reported for PredictedAllocation {}
impl Reported for PredictedQueue {}
