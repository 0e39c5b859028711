//! Reading the expression of a law, and its canonical form.

use std::ops::Bound;

use evenhand_expr::{Args, Call, Problem, Value};

use super::Service;
use super::law::Law;
use super::samples::Samples;

const NAMES: [&str; 11] = [
    "exponential",
    "deterministic",
    "erlang",
    "hyperexponential",
    "gamma",
    "lognormal",
    "weibull",
    "uniform",
    "pareto",
    "bounded-pareto",
    "samples",
];

/// Parameters in positional order, and how many of them are required.
fn parameters(name: &str) -> (&'static [&'static str], usize) {
    match name {
        "exponential" | "deterministic" => (&["mean"], 0),
        "erlang" => (&["k", "mean"], 1),
        "hyperexponential" => (&["scv", "f", "mean"], 1),
        "gamma" | "lognormal" => (&["scv", "mean"], 1),
        "weibull" => (&["shape", "mean"], 1),
        "uniform" => (&["width", "mean"], 1),
        "pareto" => (&["alpha", "mean"], 1),
        "bounded-pareto" => (&["alpha", "ratio", "mean"], 2),
        _ => (&["file", "column", "scale", "mean"], 1),
    }
}

/// Largest squared coefficient of variation: beyond it a double cannot hold the two phases apart.
const MOST_SCV: f64 = 1e6;
/// Largest mean, scale and ratio: products of a few of them stay finite.
const MOST: f64 = 1e60;
/// Numbers above 0, and at most [`MOST`].
const POSITIVE: (Bound<f64>, Bound<f64>) = (Bound::Excluded(0.0), Bound::Included(MOST));

/// Reads a law with its mean.
pub(super) fn read(call: &Call) -> Result<Service, Vec<Problem>> {
    let name = call.name.as_str();
    if !NAMES.contains(&name) {
        return Err(vec![Problem::unknown("distribution", call, NAMES)]);
    }
    let mut args = call.args(parameters(name).0);
    let law = read_law(name, &mut args);
    let own_mean = law.as_ref().map_or(1.0, Law::mean);
    let scale = if name == "samples" { args.number_or("scale", POSITIVE, 1.0) } else { 1.0 };
    let mean = args.number_or("mean", POSITIVE, own_mean * scale);
    args.finish()?;
    let law = law.expect("no problem was found");
    Ok(Service { expression: canonical(call), law, scale: mean / own_mean, mean })
}

/// Reads a law; `None` after a problem of the file.
fn read_law(name: &str, args: &mut Args<'_>) -> Option<Law> {
    Some(match name {
        "exponential" => Law::Exponential,
        "deterministic" => Law::Deterministic,
        "erlang" => Law::erlang(args.integer("k", 1..=1_000_000) as f64),
        "hyperexponential" => {
            Law::hyperexponential(args.number("scv", 1.0..=MOST_SCV), read_share(args))
        }
        "gamma" => Law::gamma(args.number("scv", f64::MIN_POSITIVE..=MOST_SCV)),
        "lognormal" => Law::lognormal(args.number("scv", 0.0..=MOST_SCV)),
        "weibull" => Law::weibull(args.number("shape", 0.05..=1_000.0)),
        "uniform" => Law::Uniform { width: args.number("width", 0.0..=1.0) },
        "pareto" => Law::Pareto { alpha: read_alpha(args) },
        "bounded-pareto" => Law::bounded_pareto(
            args.number("alpha", 0.01..=100.0),
            args.number("ratio", 1.000_001..=MOST),
        ),
        _ => Law::Samples(Samples::read(args)?),
    })
}

fn read_share(args: &mut Args<'_>) -> f64 {
    let share = args.number_or("f", 0.0..=1.0, 0.5);
    if share == 0.0 || share == 1.0 {
        let help = "f is the share of work in the short phase; 0.5 gives balanced means";
        args.problem(args.span_of("f"), "`f` must be between 0 and 1", Some(help.into()));
    }
    share
}

fn read_alpha(args: &mut Args<'_>) -> f64 {
    let alpha = args.number("alpha", 0.0..);
    if alpha <= 1.0 && args.span_of("alpha").is_some() {
        let help = "the mean is finite only for alpha above 1; see bounded-pareto";
        args.problem(args.span_of("alpha"), "`alpha` must be above 1", Some(help.into()));
    }
    alpha
}

/// The call as it is printed: required parameters by position, others by key and only if they
/// differ from their default.
fn canonical(call: &Call) -> Call {
    let (names, required) = parameters(&call.name);
    let mut args = call.args(names);
    let mut canonical = Call::word(&call.name);
    for (index, name) in names.iter().enumerate() {
        match args.value(name) {
            Some(value) if index < required => canonical = canonical.with(value.clone()),
            Some(value) if Some(value) != default(&call.name, name).as_ref() => {
                canonical = canonical.with_key(*name, value.clone());
            }
            _ => {}
        }
    }
    canonical
}

fn default(law: &str, parameter: &str) -> Option<Value> {
    match parameter {
        "f" => Some(Value::Number(0.5)),
        "scale" => Some(Value::Number(1.0)),
        "mean" if law != "samples" => Some(Value::Number(1.0)),
        _ => None,
    }
}
