//! How runs and theory compare, in words.

use crate::number::{listed, significant};
use crate::record::Difference;

/// A sentence for each kind of answer: which results agree with theory, and which do not.
///
/// `quantity` is what was compared: `mean sojourn time`.
pub(super) fn sentences<'r>(
    quantity: &str,
    compared: impl Iterator<Item = (&'r str, &'r Difference)>,
) -> Vec<String> {
    let (mut agreeing, mut differing, mut single) = (Vec::new(), Vec::new(), Vec::new());
    for (label, difference) in compared {
        let predicted = significant(difference.predicted, 5);
        match difference.standard_errors {
            Some(errors) if difference.agrees() == Some(true) => {
                agreeing.push(format!("{label} ({predicted}, {errors:+.1} standard errors)"));
            }
            Some(errors) => differing.push(format!(
                "{label} ({predicted}; measured {:+.2}%, {errors:+.1} standard errors)",
                100.0 * difference.relative()
            )),
            None => single.push(format!(
                "{label} ({predicted}; measured {:+.2}%)",
                100.0 * difference.relative()
            )),
        }
    }
    let mut sentences = Vec::new();
    if !agreeing.is_empty() {
        sentences.push(format!(
            "The {quantity} agrees with theory, but for noise, under {}.",
            listed(&agreeing)
        ));
    }
    if !differing.is_empty() {
        sentences.push(format!(
            "It differs from theory beyond noise under {}: theory speaks of many servers or bins, \
             and its hypotheses may not hold; the table says which do.",
            listed(&differing)
        ));
    }
    if !single.is_empty() {
        sentences.push(format!("Theory predicts for {}.", listed(&single)));
    }
    sentences
}
