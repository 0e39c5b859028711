//! Laws of waiting times and times in system, against reference values and closed forms.

mod hydrodynamic;

use evenhand_theory::hydrodynamic::{Delay, Stationary};
use hydrodynamic::{law, references};

fn solve(service: &str, choices: u32, load: f64) -> Stationary {
    Stationary::solve(&law(service), choices, load).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn percentiles_meet_the_reference_values() {
    let references = references(|r| r.quantity.starts_with("p99"));
    assert_eq!(references.len(), 30);
    for reference in references {
        let state = solve(&reference.service, reference.choices, reference.load);
        let delay = if reference.quantity == "p99 wait" { Delay::Wait } else { Delay::Sojourn };
        let quantile = state.delay_quantile(delay, 0.99).unwrap();
        assert!(quantile.error < 1e-5 * quantile.value, "{}: {quantile:?}", reference.id);
        reference.check(&[quantile.value], 1e-5);
    }
}

/// P(sojourn > w) = sum over n of e^-w w^n / n! load^(d (d^n - 1) / (d - 1)).
#[test]
fn exponential_service_has_its_closed_form() {
    for (choices, load) in [(2, 0.5), (2, 0.9), (2, 0.99), (3, 0.9)] {
        let state = solve("exponential(mean=3)", choices, load);
        for time in [0.0_f64, 0.1, 1.0, 5.0, 20.0] {
            let (mut term, mut exponent, mut exact) = ((-time).exp(), 0.0, 0.0);
            for n in 1..200 {
                exact += term * load.powf(exponent);
                term *= time / f64::from(n);
                exponent = f64::from(choices) * (exponent + 1.0);
            }
            let tail = state.delay_tail(Delay::Sojourn, 3.0 * time).unwrap();
            let error = (tail.value / exact - 1.0).abs();
            assert!(error < 1e-5, "{choices} choices at {load}, {time}: {error:e}, {tail:?}");
        }
    }
}

/// With one choice and exponential service, P(wait > w) = load e^(-(1 - load) w).
#[test]
fn one_choice_has_the_queue_of_one_server() {
    let state = solve("exponential", 1, 0.8);
    for probability in [0.1, 0.5, 0.9, 0.99] {
        let quantile = state.delay_quantile(Delay::Sojourn, probability).unwrap().value;
        let exact = -(1.0_f64 - probability).ln() / 0.2;
        assert!((quantile / exact - 1.0).abs() < 1e-5, "{probability}: {quantile}, not {exact}");
        let quantile = state.delay_quantile(Delay::Wait, probability).unwrap().value;
        let exact = (-((1.0_f64 - probability) / 0.8).ln() / 0.2).max(0.0);
        assert!((quantile - exact).abs() <= 1e-5 * exact, "{probability}: {quantile}, not {exact}");
    }
}

#[test]
fn quantiles_at_atoms_are_the_atoms() {
    let state = solve("deterministic(mean=4)", 2, 0.5);
    // Three of four arrivals find an idle server and stay for exactly 4.
    let median = state.delay_quantile(Delay::Sojourn, 0.5).unwrap();
    assert!((median.value - 4.0).abs() < 1e-9, "{median:?}");
    assert_eq!(state.delay_quantile(Delay::Wait, 0.5).unwrap().value, 0.0);
    assert!((state.delay_tail(Delay::Wait, 0.0).unwrap().value - 0.25).abs() < 1e-12);
}

#[test]
fn extreme_quantiles_are_found() {
    for service in
        ["deterministic", "samples", "weibull(0.5)", "pareto(2.5)", "hyperexponential(10)"]
    {
        let state = solve(service, 2, 0.9);
        let mut last = 0.0;
        for probability in [0.5, 0.9, 0.99, 0.999] {
            let quantile = state.delay_quantile(Delay::Sojourn, probability).unwrap();
            assert!(
                quantile.error <= 1e-5 * quantile.value,
                "{service}, {probability}: {quantile:?}"
            );
            assert!(quantile.value > last);
            last = quantile.value;
        }
    }
    let idle = solve("exponential", 2, 0.0);
    let median = idle.delay_quantile(Delay::Sojourn, 0.5).unwrap().value;
    assert!((median - std::f64::consts::LN_2).abs() < 1e-9);
}

#[test]
fn wrong_parameters_are_errors() {
    let state = solve("exponential", 2, 0.5);
    for probability in [0.0, 1.0, f64::NAN] {
        assert!(state.delay_quantile(Delay::Wait, probability).is_err());
    }
    assert!(state.delay_tail(Delay::Wait, -1.0).is_err());
}
