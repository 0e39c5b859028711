//! The words of `evenhand predict`.

use evenhand_theory::predict::Theorem;

use super::Worded;
use crate::number::{listed, significant};
use crate::record::{PredictedAllocation, PredictedQueue, Record};

const NOTHING: &str = "No theory covers any of the policies.";

impl Worded for PredictedQueue {
    fn paragraph(record: &Record<Self>, labels: &[String]) -> String {
        let known: Vec<String> = record
            .results
            .iter()
            .zip(labels)
            .filter_map(|(result, label)| {
                Some(format!("{} under {label}", significant(result.sojourn.mean?, 6)))
            })
            .collect();
        if known.is_empty() {
            return NOTHING.to_owned();
        }
        let theorems = record.results.iter().map(|result| result.theorem.as_ref());
        format!(
            "By theory, without a simulation, the mean sojourn time is {}. {} Times are in the \
             unit of the service law.",
            listed(&known),
            proved(theorems, labels)
        )
    }
}

impl Worded for PredictedAllocation {
    fn paragraph(record: &Record<Self>, labels: &[String]) -> String {
        let empty = |result: &PredictedAllocation| {
            let occupied = *result.fraction_at_least.as_ref()?.get(1)?;
            Some(significant(100.0 * (1.0 - occupied), 4))
        };
        let known: Vec<String> = record
            .results
            .iter()
            .zip(labels)
            .filter_map(|(result, label)| match &result.max_load {
                Some(law) => {
                    Some(format!("a maximum load of {} under {label}", significant(law.mean, 4)))
                }
                None => Some(format!("{}% empty bins under {label}", empty(result)?)),
            })
            .collect();
        if known.is_empty() {
            return NOTHING.to_owned();
        }
        let theorems = record.results.iter().map(|result| result.theorem.as_ref());
        format!(
            "Theory predicts, without a simulation, {}. {}",
            listed(&known),
            proved(theorems, labels)
        )
    }
}

/// For which results the limit is proved.
fn proved<'t>(theorems: impl Iterator<Item = Option<&'t Theorem>>, labels: &[String]) -> String {
    let open: Vec<String> = theorems
        .zip(labels)
        .filter(|(theorem, _)| theorem.is_some_and(|theorem| theorem.holds != Some(true)))
        .map(|(_, label)| label.clone())
        .collect();
    if open.is_empty() {
        return "The hypotheses of its theorems hold here.".to_owned();
    }
    format!("For {} it is not proved, or only in part: the notes say why.", listed(&open))
}
