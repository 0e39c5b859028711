//! Laws of finitely many bins: corrections of order 1/n, exact chains, maximum loads.

use evenhand_theory::fluid::{
    Compare, Method, NumberOfBalls, Process, Sampling, bounds, corrections, exact_law,
    maximum_load, maximum_load_by,
};
use serde_json::Value;

const TWO: Process = Process::Choices { choices: 2 };

fn entries(model: &str) -> Vec<Value> {
    let all: Vec<Value> = serde_json::from_str(include_str!("data/fluid.json")).unwrap();
    all.into_iter().filter(|entry| entry["model"] == model).collect()
}

fn sampling(parameters: &Value) -> Sampling {
    let distinct = parameters["sampling"] == "without replacement";
    if distinct { Sampling::Distinct } else { Sampling::Replacement }
}

fn process(parameters: &Value) -> Process {
    let choices = parameters["d"].as_u64().unwrap() as u32;
    match parameters["beta"].as_f64() {
        Some(beta) => Process::OnePlusBeta { beta, choices },
        None => Process::Choices { choices },
    }
}

#[test]
fn corrections_agree_with_references() {
    for entry in entries("static_d_choice_1_over_n") {
        let sampling = sampling(&entry["parameters"]);
        let terms = corrections(TWO, sampling, NumberOfBalls::Exact, 1.0).unwrap();
        for (i, value) in entry["value"].as_array().unwrap().iter().enumerate() {
            let value = value.as_f64().unwrap();
            let error = entry["abs_error"][i].as_f64().unwrap() + 1e-8 * value.abs();
            let found = terms.mean_correction[i + 1];
            assert!((found - value).abs() <= error, "{}: {found} {value}", entry["id"]);
        }
    }
}

#[test]
fn exact_laws_agree_with_references() {
    for entry in entries("static_exact_finite_n") {
        let parameters = &entry["parameters"];
        let size = |name: &str| parameters[name].as_u64().unwrap() as u32;
        let process = process(parameters);
        let law = exact_law(process, sampling(parameters), size("n"), size("m")).unwrap();
        let quantity = entry["quantity"].as_str().unwrap();
        if quantity.starts_with("E[max") {
            let mean: f64 = law.maximum_load.iter().enumerate().map(|(k, p)| k as f64 * p).sum();
            assert!((mean - entry["value"].as_f64().unwrap()).abs() < 1e-12);
            continue;
        }
        let maximum = quantity.starts_with("P(max");
        let first = if maximum && quantity.contains("k=[2") { 2 } else { 1 };
        let found = if maximum { &law.maximum_load } else { &law.fraction_at_least };
        for (i, value) in entry["value"].as_array().unwrap().iter().enumerate() {
            let value = value.as_f64().unwrap();
            let found = found[first + i];
            assert!((found - value).abs() < 1e-13 + 1e-11 * value, "{}: {found}", entry["id"]);
            assert!((found / value - 1.0).abs() < 1e-9, "{}: {found}", entry["id"]);
        }
    }
}

/// n (E x_i - x_i) - V_i falls like 1/n, so that extrapolation from n and 2 n leaves 1/n².
#[test]
fn corrections_are_what_exact_chains_tend_to() {
    let half = Process::OnePlusBeta { beta: 0.5, choices: 2 };
    for process in [TWO, Process::Choices { choices: 1 }, Process::Choices { choices: 3 }, half] {
        for sampling in [Sampling::Replacement, Sampling::Distinct] {
            let terms = corrections(process, sampling, NumberOfBalls::Exact, 1.0).unwrap();
            let remainders = [8, 16, 24].map(|n| {
                let law = exact_law(process, sampling, n, n).unwrap();
                [1, 2, 3].map(|i| {
                    let limit = terms.fraction_at_least[i];
                    let scaled = f64::from(n) * (law.fraction_at_least[i] - limit);
                    scaled - terms.mean_correction[i]
                })
            });
            let [at_8, at_16, at_24] = remainders;
            for ((at_8, at_16), at_24) in at_8.into_iter().zip(at_16).zip(at_24) {
                let rough = 2.0 * at_16 - at_8;
                assert!(rough.abs() < 0.02, "{process:?} {sampling:?}: {rough}");
                let close = 3.0 * at_24 - 2.0 * at_16;
                assert!(close.abs() < 0.01, "{process:?} {sampling:?}: {close}");
            }
        }
    }
}

#[test]
fn a_poisson_number_of_single_choices_needs_no_correction() {
    let one = Process::Choices { choices: 1 };
    let terms = corrections(one, Sampling::Replacement, NumberOfBalls::Poisson, 2.0).unwrap();
    assert!(terms.mean_correction.iter().all(|v| v.abs() < 1e-9));
    let x = &terms.fraction_at_least;
    for (i, j) in [(1, 1), (1, 3), (4, 2)] {
        let bernoulli = x[i.max(j)] - x[i] * x[j];
        assert!((terms.covariance(i, j) - bernoulli).abs() < 1e-9, "{i} {j}");
    }
}

#[test]
fn threshold_chains_hold_all_balls() {
    let process = Process::Threshold { choices: 2, limit: 1 };
    for sampling in [Sampling::Replacement, Sampling::Distinct] {
        let law = exact_law(process, sampling, 7, 12).unwrap();
        assert!((law.maximum_load.iter().sum::<f64>() - 1.0).abs() < 1e-13);
        let balls: f64 = law.fraction_at_least[1..].iter().sum::<f64>() * 7.0;
        assert!((balls - 12.0).abs() < 1e-12);
    }
}

/// Published or simulated shares of a maximum load: process, n, k, P(max = k), runs.
const SHARES: [(Process, u64, usize, f64, f64); 10] = [
    (TWO, 4096, 3, 0.9750, 20_000.0),
    (TWO, 65_536, 3, 0.673, 1_000.0),
    (Process::Choices { choices: 1 }, 4096, 6, 0.6279, 20_000.0),
    (Process::Choices { choices: 1 }, 65_536, 7, 0.493, 1_000.0),
    (Process::Left { blocks: 2 }, 4096, 4, 0.000_35, 20_000.0),
    (Process::Left { blocks: 2 }, 1 << 20, 4, 0.04, 100.0),
    (Process::Left { blocks: 3 }, 4096, 3, 0.0431, 20_000.0),
    (Process::Left { blocks: 3 }, 65_536, 3, 0.490, 1_000.0),
    (Process::Memory { choices: 1 }, 4096, 4, 0.2902, 20_000.0),
    (Process::Memory { choices: 1 }, 65_536, 4, 0.996, 1_000.0),
];

#[test]
fn laws_of_the_maximum_agree_with_simulations() {
    for (process, n, load, share, runs) in SHARES {
        let law = maximum_load(process, Sampling::Replacement, n, n).unwrap();
        let found = law.probability[load - law.first_load];
        let scatter = 3.0 * (share * (1.0 - share) / runs).sqrt();
        assert!((found - share).abs() < scatter + 0.01, "{process:?} {n}: {found} {share}");
        assert!((law.probability.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }
}

#[test]
fn maxima_of_two_choices_agree_with_references() {
    for entry in entries("static_max_load") {
        let n = entry["parameters"]["n"].as_u64().unwrap();
        let (value, error) =
            (entry["value"].as_f64().unwrap(), entry["abs_error"].as_f64().unwrap());
        for method in [Method::Naive, Method::Refined] {
            let law = maximum_load_by(method, TWO, Sampling::Replacement, n, n).unwrap();
            let within: f64 = law.probability[..=3 - law.first_load].iter().sum();
            let mean = entry["quantity"] == "E[max load]";
            let found = if mean { law.mean } else { within };
            assert!((found - value).abs() < error + 0.002, "{}: {found} {value}", entry["id"]);
        }
    }
}

#[test]
fn small_systems_have_exact_laws_and_large_ones_do_not() {
    let method = |process, n, m| maximum_load(process, Sampling::Replacement, n, m).unwrap().method;
    assert_eq!(method(TWO, 16, 16), Method::Exact);
    assert_eq!(method(TWO, 1000, 1000), Method::Refined);
    assert_eq!(method(Process::Left { blocks: 2 }, 16, 16), Method::Naive);
    let groups = Process::Groups { size: 2, count: 2, compare: Compare::Total };
    assert_eq!(method(groups, 1000, 1000), Method::Naive);
    assert!(exact_law(TWO, Sampling::Replacement, 1000, 1000).is_err());
    assert!(exact_law(TWO, Sampling::Distinct, 1, 3).is_err());
    assert!(maximum_load(TWO, Sampling::Replacement, 0, 3).is_err());
}

#[test]
fn no_balls_leave_all_bins_empty() {
    let law = maximum_load(TWO, Sampling::Replacement, 1 << 30, 0).unwrap();
    assert_eq!((law.first_load, law.mean), (0, 0.0));
}

#[test]
fn leading_terms_rank_the_processes() {
    let n = 1 << 30;
    let two = bounds::choices(n, 2).unwrap().value;
    assert!(bounds::left(n, 2).unwrap().value < two);
    assert!(bounds::memory(n).unwrap().value < two);
    assert!(bounds::one_choice(n).unwrap().value > two);
}
