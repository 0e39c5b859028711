//! Balls into bins: which theory covers a model, and its numbers.

use std::collections::BTreeMap;

use evenhand_policies::PolicySpec;
use evenhand_policies::comparisons::Comparison;
use evenhand_policies::rules::Compare as GroupCompare;
use evenhand_policies::signals::SignalSpec;
use evenhand_sim::Allocation;
use evenhand_topology::graph::GraphSpec;
use serde::Serialize;

use super::numbers::{Computed, LoadMoment, LoadNumbers, MaxLoad, Mean};
use super::{Refined, Theorem, Unpredicted};
use crate::fluid::bounds::{self, LeadingTerm};
use crate::fluid::{
    Compare, Method, NumberOfBalls, Process, Sampling, State, corrections, maximum_load, solve,
};

/// What theory says of an allocation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AllocationPrediction {
    /// As the number of bins grows, at the model's number of balls per bin.
    pub limit: Computed<LoadNumbers>,
    /// At the number of bins of the model; null where it is not asked for.
    pub refined: Option<Refined<LoadNumbers>>,
    /// Along the way, in the limit; null when nothing was asked for.
    pub at: Option<Vec<LoadMoment>>,
    /// Leading terms of bounds on the maximum load as the number of bins grows; of a finite number
    /// they say little.
    pub bounds: Vec<LeadingTerm>,
    /// The theorem behind the limit.
    pub theorem: Theorem,
    /// What the reader should know.
    pub notes: Vec<String>,
}

impl AllocationPrediction {
    /// The best numbers there are: of the finite system where it has them, else of the limit.
    pub fn best(&self) -> LoadNumbers {
        let mut best = self.limit.numbers.clone();
        if let Some(Refined { numbers: refined, .. }) = &self.refined {
            best.max_load = refined.max_load.clone();
            best.gap = refined.gap;
            best.empty = refined.empty.or(best.empty);
            best.fraction_at_least = refined.fraction_at_least.clone().or(best.fraction_at_least);
        }
        best
    }
}

/// What theory says of `model`: in the limit of many bins with `balls_per_bin` each and, if
/// `finite`, at its number of bins and balls. `at` are numbers of balls per bin, ascending, at
/// which the state of the limit is wanted.
///
/// # Errors
/// [`Unpredicted::NoTheory`] if no theory here covers the model, [`Unpredicted::Failed`] if a
/// computation fails.
pub fn allocation(
    model: &Allocation,
    balls_per_bin: f64,
    finite: bool,
    at: &[f64],
) -> Result<AllocationPrediction, Unpredicted> {
    check(model)?;
    let process = process(&model.policy, model.bins)?;
    let end = solve(process, &[balls_per_bin])?.swap_remove(0);
    let mut prediction = AllocationPrediction {
        limit: limit(&end),
        refined: None,
        at: None,
        bounds: Vec::new(),
        theorem: theorem(&model.policy),
        notes: Vec::new(),
    };
    if finite {
        prediction.refined = Some(refined(model, process, &end)?);
        prediction.bounds = leading_terms(model);
    }
    if !at.is_empty() {
        prediction.at = Some(solve(process, at)?.iter().map(moment).collect());
    }
    Ok(prediction)
}

fn check(model: &Allocation) -> Result<(), Unpredicted> {
    let beyond = [
        (model.spatial.is_some(), "places"),
        (model.weights.is_some(), "weighted balls"),
        (!model.speeds.are_equal(), "speeds"),
        (model.deletions > 0.0, "deletions"),
        (model.signal != SignalSpec::Exact, "a signal other than exact"),
        (model.comparison != Comparison::Exact, "a comparison other than exact"),
    ];
    match beyond.iter().find(|(is_there, _)| *is_there) {
        Some((_, what)) => Err(Unpredicted::NoTheory((*what).to_string())),
        None => Ok(()),
    }
}

/// The process that has the fluid limit of the policy.
fn process(policy: &PolicySpec, bins: u64) -> Result<Process, Unpredicted> {
    Ok(match policy {
        PolicySpec::Choices(p) if !p.weighted => Process::Choices { choices: p.d },
        PolicySpec::OnePlusBeta(p) => Process::OnePlusBeta { beta: p.beta, choices: p.d },
        PolicySpec::Left(p) => Process::Left { blocks: p.d },
        PolicySpec::Threshold(p) if p.limit >= 0.0 && p.limit < f64::from(u32::MAX) => {
            Process::Threshold { choices: p.d, limit: p.limit as u32 }
        }
        PolicySpec::Memory(p) if p.m == 1 => Process::Memory { choices: p.d },
        PolicySpec::Groups(p) => Process::Groups {
            size: p.size,
            count: p.count,
            compare: match p.compare {
                GroupCompare::Total => Compare::Total,
                GroupCompare::Least => Compare::Least,
            },
        },
        PolicySpec::Walks(p) => Process::Choices { choices: p.d },
        PolicySpec::Edges(p) if super::degree(Some(&p.graph), bins).is_some() => {
            Process::Choices { choices: 2 }
        }
        policy => return Err(Unpredicted::NoTheory(policy.to_string())),
    })
}

/// Fractions without those that doubles cannot tell from nothing.
fn visible(fractions: &[f64]) -> Vec<f64> {
    const LEAST: f64 = 1e-30;
    let seen = fractions.iter().rposition(|&fraction| fraction > LEAST).map_or(1, |k| k + 1);
    fractions[..seen].to_vec()
}

fn limit(state: &State) -> Computed<LoadNumbers> {
    let fractions = visible(&state.fraction_at_least);
    let errors = fractions.iter().map(|x| state.relative_error * x).collect();
    Computed {
        numbers: LoadNumbers { fraction_at_least: Some(fractions), ..LoadNumbers::default() },
        error: LoadNumbers { fraction_at_least: Some(errors), ..LoadNumbers::default() },
    }
}

fn moment(state: &State) -> LoadMoment {
    LoadMoment {
        balls_per_bin: state.balls_per_bin,
        fraction_at_least: visible(&state.fraction_at_least),
        error: state.relative_error,
    }
}

/// At the model's number of bins: fractions with their term of order 1/n where it is known, and
/// the law of the maximum load.
fn refined(
    model: &Allocation,
    process: Process,
    end: &State,
) -> Result<Refined<LoadNumbers>, Unpredicted> {
    let n = model.bins as f64;
    let sampling = match &model.policy {
        PolicySpec::Choices(choices) if choices.distinct => Sampling::Distinct,
        _ => Sampling::Replacement,
    };
    let terms = corrections(process, sampling, NumberOfBalls::Exact, end.balls_per_bin).ok();
    let (fractions, order) = match &terms {
        Some(terms) => {
            let pairs = terms.fraction_at_least.iter().zip(&terms.mean_correction);
            (pairs.map(|(x, v)| (x + v / n).max(0.0)).collect(), 1)
        }
        None => (end.fraction_at_least.clone(), 0),
    };
    let law = maximum_load(process, sampling, model.bins, model.balls)?;
    let empty = n * (1.0 - fractions.get(1).copied().unwrap_or(0.0));
    let loads = law.first_load as u64..;
    let probabilities: BTreeMap<u64, f64> = loads.zip(law.probability).collect();
    let method = match law.method {
        Method::Exact => "exact",
        Method::Refined => "refined",
        Method::Naive => "limit",
    };
    Ok(Refined {
        size: model.bins,
        numbers: LoadNumbers {
            fraction_at_least: Some(visible(&fractions)),
            empty: Some(Mean { mean: empty }),
            gap: Some(Mean { mean: law.mean - end.balls_per_bin }),
            max_load: Some(MaxLoad { mean: law.mean, probabilities, method }),
        },
        order,
        source: if order == 1 {
            "linear noise: the mean to the order 1/n (van Kampen 2007, chapter X)".to_string()
        } else {
            "the limit, at this number of bins".to_string()
        },
    })
}

/// Bounds that are known for the policy, as many balls as bins or fewer.
fn leading_terms(model: &Allocation) -> Vec<LeadingTerm> {
    if model.balls > model.bins && !matches!(model.policy, PolicySpec::OnePlusBeta(_)) {
        return Vec::new();
    }
    let n = model.bins;
    let terms = match &model.policy {
        PolicySpec::Choices(p) if p.d == 1 => vec![bounds::one_choice(n)],
        PolicySpec::Choices(p) => vec![bounds::choices(n, p.d)],
        PolicySpec::Left(p) => vec![bounds::left(n, p.d)],
        PolicySpec::Memory(p) if p.d == 1 => vec![bounds::memory(n)],
        PolicySpec::Groups(p) if p.count == 2 => vec![bounds::groups(n, 2 * p.size)],
        PolicySpec::OnePlusBeta(p) => vec![bounds::one_plus_beta(n, p.beta)],
        PolicySpec::Walks(p) => vec![bounds::walks(n, p.d)],
        PolicySpec::Edges(p) => match super::degree(Some(&p.graph), n) {
            Some(k) => vec![bounds::edges_lower(n, k.into()), bounds::edges_upper(n, k.into())],
            None => Vec::new(),
        },
        _ => Vec::new(),
    };
    terms.into_iter().flatten().collect()
}

fn theorem(policy: &PolicySpec) -> Theorem {
    const FRESH: &str = "fresh uniform draws for every ball, and a fixed number of balls per bin";
    match policy {
        PolicySpec::Left(_) => {
            Theorem::holds("Mitzenmacher, Vöcking 1998 (differential equations)", FRESH)
        }
        PolicySpec::Memory(_) => Theorem::holds(
            "Mitzenmacher, Prabhakar, Shah 2002; Luczak, Norris 2013",
            "fresh uniform draws, and one remembered bin whose load changes with every ball",
        ),
        PolicySpec::Groups(_) => Theorem::holds(
            "Kurtz 1970; groups are bins of a two-choice process (Kenthapadi, Panigrahy 2006)",
            "groups of a fixed size, drawn uniformly and independently",
        ),
        PolicySpec::Walks(walks) => {
            let (holds, why) = super::walkers_mix(walks);
            Theorem::new("Tang, Subramanian 2018 (arXiv 1810.02722)", holds, why)
        }
        PolicySpec::Edges(edges) => {
            let complete = matches!(edges.graph.spec(), GraphSpec::Complete);
            Theorem::new(
                "Kenthapadi, Panigrahy 2006",
                Some(complete),
                "the limit of two fresh draws is reached as the degree grows; on graphs of fixed \
                 degree, neighbours are not independent",
            )
        }
        _ => Theorem::holds("Kurtz 1970; Mitzenmacher 1996", FRESH),
    }
}
