//! Stationary states of queues with general service, against reference values and closed forms.

mod hydrodynamic;

use evenhand_sim::Service;
use evenhand_theory::Error;
use evenhand_theory::hydrodynamic::{Delay, Stationary, processor_sharing_fractions};
use hydrodynamic::{Reference, law, references};
use proptest::prelude::*;

/// Relative error of our own that a fixed point may have.
const OWN: f64 = 1e-10;

fn solve(service: &str, choices: u32, load: f64) -> Stationary {
    Stationary::solve(&law(service), choices, load).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn fixed_points_meet_the_reference_values() {
    let mut checked = 0;
    for reference in references(|r| r.id.starts_with("general") || r.id.starts_with("pk")) {
        let Reference { service, choices, load, quantity, .. } = &reference;
        let state = solve(service, *choices, *load);
        match quantity.as_str() {
            "fractions" => reference.check(&state.fraction_at_least[1..], OWN),
            "mean queue" => reference.check(&[state.mean_queue], OWN),
            "mean sojourn" => reference.check(&[state.mean_sojourn], OWN),
            _ => continue,
        }
        assert!(state.numerical_error < 1e-11, "{}: {}", reference.id, state.numerical_error);
        checked += 1;
    }
    assert_eq!(checked, 49);
}

#[test]
fn processor_sharing_meets_the_reference_values() {
    for reference in references(|r| r.id.starts_with("ps")) {
        let fractions = processor_sharing_fractions(2, reference.load, 6).unwrap();
        reference.check(&fractions[1..], 1e-12);
    }
}

/// Mean sojourn with two choices at loads 0.5, 0.7, 0.8, 0.9 and 0.95: the data of Hellemans
/// (thesis, 2021, Figure 3.4), computed again to six digits.
#[test]
fn two_choices_meet_the_table_by_variability() {
    let table = [
        ("deterministic", [1.134_537, 1.304_450, 1.460_323, 1.763_908, 2.107_151]),
        ("erlang(8)", [1.151_080, 1.343_220, 1.521_239, 1.870_479, 2.267_525]),
        ("erlang(2)", [1.200_434, 1.459_657, 1.704_119, 2.189_631, 2.746_553]),
        ("exponential", [1.265_686, 1.614_454, 1.947_363, 2.614_057, 3.383_046]),
        ("hyperexponential(2)", [1.372_710, 1.844_866, 2.291_989, 3.182_369, 4.204_638]),
        ("hyperexponential(10)", [2.042_753, 3.317_531, 4.498_676, 6.751_345, 9.210_165]),
    ];
    for (service, sojourns) in table {
        for (load, sojourn) in [0.5, 0.7, 0.8, 0.9, 0.95].into_iter().zip(sojourns) {
            let ours = solve(service, 2, load).mean_sojourn;
            assert!((ours - sojourn).abs() < 6e-7, "{service} at {load}: {ours}");
        }
    }
}

#[test]
fn exponential_service_has_its_closed_form() {
    for (choices, load) in [(1, 0.5), (1, 0.9), (2, 0.5), (2, 0.9), (2, 0.99), (3, 0.95), (10, 0.9)]
    {
        for service in ["exponential", "erlang(1, mean=7)"] {
            let state = solve(service, choices, load);
            let mut exponent = 0.0;
            for (k, &fraction) in state.fraction_at_least.iter().enumerate() {
                let exact = load.powf(exponent);
                // What an error of the load by one rounding amounts to comes on top.
                let tolerance = 1e-12 + exponent * f64::EPSILON;
                let error = (fraction / exact - 1.0).abs();
                assert!(error < tolerance, "{choices} choices at {load}, {k} jobs: {error:e}");
                exponent = exponent * f64::from(choices) + 1.0;
            }
        }
    }
}

#[test]
fn one_choice_has_the_mean_of_pollaczek_and_khinchine() {
    for service in [
        "deterministic(mean=2)",
        "erlang(4)",
        "uniform(1)",
        "gamma(3)",
        "hyperexponential(10)",
        "weibull(0.8)",
        "bounded-pareto(1.5, 50)",
        "samples",
    ] {
        for load in [0.1, 0.5, 0.9] {
            let state = solve(service, 1, load);
            let scv = law(service).scv();
            let exact = load + load * load * (1.0 + scv) / (2.0 * (1.0 - load));
            let sum: f64 = state.fraction_at_least[1..].iter().rev().sum();
            let error = (sum / exact - 1.0).abs();
            assert!(
                error < 1e-10,
                "{service} at {load}: {error:e}, {} levels",
                state.fraction_at_least.len()
            );
        }
    }
}

#[test]
fn times_are_in_the_unit_of_the_law() {
    let (unit, scaled) = (solve("lognormal(2)", 3, 0.8), solve("lognormal(2, mean=5)", 3, 0.8));
    assert!((scaled.mean_sojourn / unit.mean_sojourn - 5.0).abs() < 1e-12);
    assert!((scaled.mean_wait / unit.mean_wait - 5.0).abs() < 1e-12);
    assert!((scaled.mean_queue / unit.mean_queue - 1.0).abs() < 1e-13);
    assert_eq!(unit.waiting_probability, 0.8_f64.powi(3));
}

/// A sample of zeros and of one other value: jobs of size 0 do not occupy a server.
#[test]
fn jobs_of_no_size_take_no_time() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/samples_with_zeros.csv");
    let state =
        Stationary::solve(&Service::parse(&format!("samples({path:?})")).unwrap(), 1, 0.6).unwrap();
    // Half are 0 and half are 2: scv 1.
    assert!((state.mean_queue - (0.6 + 0.36 * 2.0 / 0.8)).abs() < 1e-12, "{}", state.mean_queue);
}

/// A hundred thousand distinct samples of an exponential law come close to it, and cost little.
#[test]
fn many_samples_are_as_good_as_few() {
    let path = std::env::temp_dir().join(format!("evenhand-samples-{}.csv", std::process::id()));
    let quantile = |i: usize| format!("{}\n", -((i as f64 + 0.5) / 1e5).ln());
    std::fs::write(&path, (0..100_000).map(quantile).collect::<String>()).unwrap();
    let service =
        Service::parse(&format!("samples({:?}, mean=1)", path.to_str().unwrap())).unwrap();
    std::fs::remove_file(&path).unwrap();
    let start = std::time::Instant::now();
    let state = Stationary::solve(&service, 2, 0.9).unwrap();
    let p99 = state.delay_quantile(Delay::Sojourn, 0.99).unwrap();
    assert!(start.elapsed().as_secs_f64() < 2.0, "{:?}", start.elapsed());
    assert!(state.numerical_error < 1e-10);
    let exact = solve("exponential", 2, 0.9);
    assert!((state.mean_queue / exact.mean_queue - 1.0).abs() < 1e-4);
    assert!((p99.value / 8.790_970_2 - 1.0).abs() < 1e-3, "{p99:?}");
}

#[test]
fn a_power_law_is_cut_with_a_stated_rest() {
    let state = solve("pareto(1.6)", 2, 0.8);
    // Exponent 0.6 / 0.4: the rest is small but not negligible.
    assert!(state.remaining > 1e-7 && state.remaining < 1e-3, "{}", state.remaining);
    let s = &state.fraction_at_least;
    let k = s.len() - 1;
    let slope = -(s[k] / s[k / 2]).ln() / (k as f64 / (k / 2) as f64).ln();
    assert!((slope - 1.5).abs() < 0.02, "{slope}");
    assert!(state.numerical_error > 1e-8);
    let infinite = Stationary::solve(&law("pareto(1.4)"), 2, 0.8);
    assert!(matches!(infinite, Err(Error::OutOfRange(_))));
}

/// The ends of the ranges of all laws, at light and heavy load: an answer or an error, never NaN.
#[test]
fn extreme_laws_give_numbers() {
    for service in [
        "gamma(1e6)",
        "gamma(1e-300)",
        "weibull(0.05)",
        "weibull(1000)",
        "hyperexponential(1e6)",
        "hyperexponential(1e6, f=0.01)",
        "lognormal(1e6)",
        "lognormal(1e-12)",
        "lognormal(0)",
        "uniform(0)",
        "uniform(1e-9)",
        "bounded-pareto(0.01, 1e60)",
        "bounded-pareto(100, 1.000001)",
        "erlang(1000000)",
        "pareto(1.0000001)",
        "pareto(50)",
    ] {
        for (choices, load) in [(1, 0.01), (2, 0.999), (3, 0.5), (50, 0.9)] {
            let Ok(state) = Stationary::solve(&law(service), choices, load) else {
                assert_eq!(service, "pareto(1.0000001)");
                continue;
            };
            let s = &state.fraction_at_least;
            assert!(s.windows(2).all(|pair| pair[0] >= pair[1]), "{service}: {s:?}");
            assert!(state.mean_queue >= load * (1.0 - 1e-9) && state.numerical_error >= 0.0);
            if load > 0.9 || s.len() > 500 {
                continue;
            }
            let p99 = state.delay_quantile(Delay::Sojourn, 0.99);
            assert!(p99.is_err() || p99.is_ok_and(|p99| p99.value >= 0.0 && p99.error >= 0.0));
        }
    }
}

#[test]
fn wrong_parameters_are_errors() {
    let exponential = law("exponential");
    assert_eq!(Stationary::solve(&exponential, 2, 1.0).unwrap_err(), Error::Unstable { load: 1.0 });
    for (choices, load) in [(0, 0.5), (2, -0.1), (2, f64::NAN)] {
        let error = Stationary::solve(&exponential, choices, load).unwrap_err();
        assert!(matches!(error, Error::OutOfRange(_)), "{error}");
    }
    let empty = Stationary::solve(&exponential, 2, 0.0).unwrap();
    assert_eq!((empty.mean_queue, empty.mean_sojourn), (0.0, 1.0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Fractions fall, servers are busy as often as work arrives, and more choices help.
    #[test]
    fn random_laws_give_states(scv in 0.05..8.0_f64, load in 0.05..0.97_f64, kind in 0..4) {
        let service = match kind {
            0 => format!("gamma({scv})"),
            1 => format!("lognormal({scv})"),
            2 => format!("hyperexponential({})", scv + 1.0),
            _ => format!("weibull({})", 0.4 + scv / 2.0),
        };
        let mut last = f64::INFINITY;
        for choices in [2, 3, 5] {
            let state = solve(&service, choices, load);
            let s = &state.fraction_at_least;
            prop_assert_eq!(s[1], load);
            prop_assert!(s.windows(2).all(|pair| pair[0] >= pair[1]));
            prop_assert!(state.mean_queue < last && state.numerical_error < 1e-9);
            last = state.mean_queue;
        }
    }
}
