//! Processor sharing: queue lengths do not depend on the service law.

use super::exponential::limit;
use super::{Asked, QueuePrediction};
use crate::meanfield::Selection;
use crate::meanfield::supermarket::fixed_point;
use crate::predict::{Theorem, Unpredicted};

pub(super) fn predict(
    asked: Asked<'_>,
    selection: Selection,
) -> Result<QueuePrediction, Unpredicted> {
    let state = fixed_point(selection, asked.load)?;
    let theorem = Theorem::new(
        "Bramson, Lu, Prabhakar 2012",
        None,
        "if servers become independent, each is a queue with processor sharing whose rate of \
         arrivals depends on its length: such a queue is insensitive to the service law. The \
         independence is not proved for all laws",
    );
    let mut prediction = QueuePrediction::new(limit(asked, &state)?, theorem);
    if !asked.at.is_empty() {
        let note = "the state in time depends on the service law, and is not computed";
        prediction.notes.push(note.to_string());
    }
    Ok(prediction)
}
