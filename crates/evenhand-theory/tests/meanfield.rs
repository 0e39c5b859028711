//! The mean field of queues with exponential service, against values from independent programs.

use evenhand_theory::meanfield::Selection;
use evenhand_theory::meanfield::heterogeneous::{Class, Drawing, heterogeneous};
use evenhand_theory::meanfield::pair::pair;
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
    }
}

#[test]
fn several_speeds() {
    let entries = entries("jsq_exp_heterogeneous");
    assert_eq!(entries.len(), 3);
    for entry in &entries {
        let list = |name: &str| numbers(&entry["parameters"][name]);
        let classes: Vec<Class> = (list("class_fractions").into_iter())
            .zip(list("class_speeds"))
            .map(|(fraction, speed)| Class { fraction, speed })
            .collect();
        let rate = parameter(entry, "lam");
        let state = heterogeneous(2, rate, &classes, Drawing::Uniform).unwrap();
        let ours = match entry["quantity"].as_str().unwrap() {
            "mean sojourn" => vec![state.mean_sojourn()],
            name if name.starts_with("overall") => state.tails[1..].to_vec(),
            _ => state.class_tails[0][1..].to_vec(),
        };
        check(entry, &ours, 1e-10);
        assert!(state.error < 1e-12, "{}", state.error);
        let little = state.mean_queue_length() / rate;
        assert!((state.mean_sojourn() / little - 1.0).abs() < 1e-12);
    }
}

#[test]
fn equal_speeds_are_the_supermarket_model() {
    let classes = [0.3, 0.7].map(|fraction| Class { fraction, speed: 1.0 });
    let equal = heterogeneous(3, 0.95, &classes, Drawing::Uniform).unwrap();
    let one = fixed_point(Selection::Choices { d: 3 }, 0.95).unwrap();
    for (a, b) in equal.tails.iter().zip(&one.tails) {
        assert!((a - b).abs() < 1e-11, "{a} {b}");
    }
    assert!((equal.sojourn_above(3.0) - one.sojourn_above(3.0)).abs() < 1e-11);
    // Draws by speed give each class the profile of the whole.
    let classes = [(0.25, 3.0), (0.75, 0.5)].map(|(fraction, speed)| Class { fraction, speed });
    let by_speed = heterogeneous(2, 0.9, &classes, Drawing::BySpeed).unwrap();
    let one = fixed_point(Selection::Choices { d: 2 }, 0.8).unwrap();
    for class in &by_speed.class_tails {
        assert!(class.iter().zip(&one.tails).all(|(a, b)| (a - b).abs() < 1e-12));
    }
}

#[test]
fn the_class_that_saturates_is_named() {
    let classes = [(0.5, 1.9), (0.5, 0.1)].map(|(fraction, speed)| Class { fraction, speed });
    let error = heterogeneous(2, 0.8, &classes, Drawing::Uniform).unwrap_err();
    assert!(error.to_string().contains("speed 0.1 saturate"), "{error}");
    assert!(heterogeneous(2, 0.8, &classes, Drawing::BySpeed).is_ok());
    assert!(heterogeneous(2, 1.0, &classes, Drawing::BySpeed).is_err());
}

/// Gast 2015, computed anew: mean queue length on the ring, by load.
#[test]
fn pairs_on_a_ring() {
    for (load, mean) in [(0.7, 1.2553), (0.9, 2.9999), (0.95, 4.5342)] {
        let state = pair(2, load).unwrap();
        let off = (state.mean_queue_length() - mean).abs();
        assert!(off < 5.1e-5, "load {load}: {}", state.mean_queue_length());
        assert!(state.error < 1e-12, "{}", state.error);
    }
    let tails = pair(2, 0.9).unwrap().tails;
    for (tail, published) in tails[1..].iter().zip([0.9, 0.7409, 0.5459, 0.3592, 0.2142, 0.1182]) {
        assert!((tail - published).abs() < 5.1e-5, "{tail} {published}");
    }
}

#[test]
fn pairs_are_exact_for_two_servers_and_in_the_limit() {
    for entry in entries("jsq_exp_exact_small_N") {
        let parameters = &entry["parameters"];
        if parameters["N"] == 2 && parameters["sampling"] == "without replacement" {
            let state = pair(1, parameter(&entry, "lam")).unwrap();
            let means = entry["quantity"].as_str().unwrap().starts_with("mean");
            let ours =
                if means { vec![state.mean_queue_length()] } else { state.tails[1..].to_vec() };
            check(&entry, &ours, 1e-11);
        }
    }
    let many = pair(1_000_000, 0.8).unwrap();
    let limit = fixed_point(Selection::Choices { d: 2 }, 0.8).unwrap();
    assert!((many.mean_queue_length() - limit.mean_queue_length()).abs() < 1e-5);
}
