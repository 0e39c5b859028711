//! The mean field of queues with exponential service, against values from independent programs.

use evenhand_theory::meanfield::Selection;
use evenhand_theory::meanfield::refined::{Refined, Sampling, first_order, second_order};
use evenhand_theory::meanfield::supermarket::fixed_point;
use evenhand_theory::meanfield::transient::transient;
use serde_json::Value;

fn entries(model: &str) -> Vec<Value> {
    let text = include_str!("data/meanfield.json");
    let all: Vec<Value> = serde_json::from_str(text).unwrap();
    all.into_iter().filter(|entry| entry["model"] == model).collect()
}

fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(all) => all.iter().map(|one| one.as_f64().unwrap()).collect(),
        one => vec![one.as_f64().unwrap()],
    }
}

fn parameter(entry: &Value, name: &str) -> f64 {
    entry["parameters"][name].as_f64().unwrap()
}

fn choices(entry: &Value) -> Selection {
    Selection::Choices { d: parameter(entry, "d") as u32 }
}

fn sampling(entry: &Value) -> Sampling {
    if entry["parameters"]["sampling"] == "with replacement" {
        Sampling::WithReplacement
    } else {
        Sampling::Distinct
    }
}

/// Checks each number against the entry: its own error, and ours, relative.
fn check(entry: &Value, ours: &[f64], relative: f64) {
    let (values, errors) = (numbers(&entry["value"]), numbers(&entry["abs_error"]));
    for (i, value) in values.iter().enumerate() {
        let error = errors.get(i).unwrap_or(&errors[0]) + relative * value.abs();
        let off = (ours[i] - value).abs();
        assert!(off <= error, "{} [{i}]: {} for {value}", entry["id"], ours[i]);
    }
}

#[test]
fn fixed_points() {
    let entries = entries("jsq_exp_fixed_point");
    assert_eq!(entries.len(), 12);
    for entry in &entries {
        let state = fixed_point(choices(entry), parameter(entry, "lam")).unwrap();
        let ours = match entry["quantity"].as_str().unwrap() {
            "mean sojourn time" => vec![state.mean_sojourn()],
            "P(wait>0)" => vec![state.waiting_probability()],
            _ => state.tails[1..].to_vec(),
        };
        check(entry, &ours, 1e-13);
    }
}

#[test]
fn transients() {
    let entries = entries("jsq_exp_transient");
    assert_eq!(entries.len(), 7);
    for entry in &entries {
        let start: &[f64] =
            if entry["parameters"]["start"] == "empty" { &[1.0] } else { &[1.0, 1.0, 1.0] };
        let times = [parameter(entry, "t")];
        let state = transient(choices(entry), parameter(entry, "lam"), start, &times).unwrap();
        check(entry, &state.tails[0][1..], 1e-8);
        assert!(state.error < 1e-8);
    }
}

#[test]
fn refined_values() {
    let entries = entries("jsq_exp_refined_mean_field");
    assert_eq!(entries.len(), 30);
    for entry in &entries {
        let state = first_order(choices(entry), sampling(entry), parameter(entry, "lam")).unwrap();
        let ours = match entry["quantity"].as_str().unwrap() {
            "sum_i V_i" => vec![state.first.iter().sum()],
            name if name.starts_with("V_1") => state.first[1..].to_vec(),
            _ => vec![state.mean_queue_length(parameter(entry, "N") as u64)],
        };
        check(entry, &ours, 1e-10);
        assert!(state.error_of_first < 1e-10, "{}", state.error_of_first);
    }
}

fn with_replacement(d: u32, load: f64) -> Refined {
    second_order(Selection::Choices { d }, Sampling::WithReplacement, load).unwrap()
}

/// Gast, Bortolussi, Tribastone 2018, table "supermarket": N, d, load; mean queue length of the
/// mean field, to order 1/N, and to order 1/N².
const PUBLISHED: [(u64, u32, f64, [f64; 3]); 9] = [
    (10, 2, 0.7, [1.1301, 1.2150, 1.2191]),
    (10, 2, 0.9, [2.3527, 2.7513, 2.8045]),
    (10, 2, 0.95, [3.2139, 4.1017, 4.3265]),
    (10, 3, 0.9, [1.8251, 2.2364, 2.3322]),
    (50, 3, 0.9, [1.8251, 1.9073, 1.9112]),
    (100, 3, 0.9, [1.8251, 1.8662, 1.8672]),
    (10, 4, 0.95, [2.0771, 2.9834, 3.8704]),
    (50, 4, 0.95, [2.0771, 2.2584, 2.2939]),
    (100, 4, 0.95, [2.0771, 2.1678, 2.1766]),
];

#[test]
fn published_expansions() {
    for (servers, d, load, published) in PUBLISHED {
        let second = with_replacement(d, load);
        let mut first = second.clone();
        first.second = None;
        let limit: f64 = second.tails[1..].iter().sum();
        let ours = [limit, first.mean_queue_length(servers), second.mean_queue_length(servers)];
        for (ours, published) in ours.iter().zip(published) {
            let off = (ours - published).abs();
            assert!(off < 5.1e-5, "N {servers} d {d} load {load}: {ours} {published}");
        }
        println!("{d} {load}: errors {} {}", second.error_of_first, second.error_of_second);
    }
}
