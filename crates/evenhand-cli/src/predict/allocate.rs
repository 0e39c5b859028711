//! Predictions of allocations.

use evenhand_lab::record::PredictedAllocation;
use evenhand_policies::comparisons::Comparison;
use evenhand_policies::signals::SignalSpec;
use evenhand_sim::Allocation;
use evenhand_theory::predict;

use super::args::PredictAllocateArgs;
use super::{finish, note_on, timed};
use crate::failure::{Failure, Problem};
use crate::request::{Written, check_outputs, issue_problem, noted, parsed, written};

/// The number of bins of a model for the limit: it divides into blocks and groups of many sizes,
/// and graphs of many kinds have so many vertices.
const MANY_BINS: u64 = 1 << 20;

pub(super) fn run(args: &PredictAllocateArgs) -> Result<(), Failure> {
    let models = models(args)?;
    let balls_per_bin = match (args.bins, models.first()) {
        (Some(bins), Some(model)) => model.balls as f64 / bins as f64,
        _ => args.balls_per_bin.unwrap_or(1.0),
    };
    let mut at = args.at.clone();
    at.sort_by(f64::total_cmp);
    at.dedup();
    let predict = |model: Allocation| predicted(&model, balls_per_bin, args.bins.is_some(), &at);
    finish(models, predict, &args.common)
}

fn models(args: &PredictAllocateArgs) -> Result<Vec<Allocation>, Failure> {
    let mut problems = Vec::new();
    let policies: Vec<Written> =
        args.policy.iter().filter_map(|source| noted(&mut problems, written(source))).collect();
    let signal = parsed("--signal", [&args.signal], SignalSpec::parse, &mut problems).pop();
    let comparison =
        parsed("--comparison", [&args.comparison], Comparison::parse, &mut problems).pop();
    check_outputs(&args.common, &mut problems);
    let per_bin = args.balls_per_bin.unwrap_or(1.0);
    let of_graph = policies.iter().find_map(|written| written.policy.vertices());
    let bins = args.bins.or(of_graph).unwrap_or(MANY_BINS);
    let balls = args.balls.unwrap_or((per_bin * bins as f64).round().max(1.0) as u64);
    if balls > 1 << 53 {
        problems.push(Problem::new("--balls-per-bin", "that is more than 2^53 balls"));
    }
    let (Some(signal), Some(comparison), true) = (signal, comparison, problems.is_empty()) else {
        return Err(Failure::Request(problems));
    };
    let mut models = Vec::new();
    for written in &policies {
        let mut model = Allocation::new(written.policy.clone(), bins, balls);
        (model.signal, model.comparison) = (signal, comparison);
        let issues = model.check();
        match issues.is_empty() {
            true => models.push(model),
            false => problems.push(issue_problem(written, issues)),
        }
    }
    if problems.is_empty() { Ok(models) } else { Err(Failure::Request(problems)) }
}

fn predicted(
    model: &Allocation,
    balls_per_bin: f64,
    finite: bool,
    at: &[f64],
) -> PredictedAllocation {
    let (prediction, seconds) = timed(|| predict::allocation(model, balls_per_bin, finite, at));
    let nothing = PredictedAllocation {
        policy: model.policy.to_string(),
        bins: finite.then_some(model.bins),
        balls: finite.then_some(model.balls),
        balls_per_bin,
        max_load: None,
        gap: None,
        fraction_at_least: None,
        empty: None,
        error: None,
        limit: None,
        refined: None,
        at: None,
        bounds: Vec::new(),
        theorem: None,
        notes: Vec::new(),
        seconds,
    };
    match prediction {
        Ok(prediction) => nothing.with(prediction),
        Err(error) => {
            let mut nothing = nothing;
            nothing.notes.push(note_on(&error));
            nothing
        }
    }
}
