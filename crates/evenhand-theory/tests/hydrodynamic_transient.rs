//! States in time of queues with general service, against reference values and each other.

mod hydrodynamic;

use evenhand_theory::hydrodynamic::{InitialJobs, Stationary, Transient, solve_by_stays};
use hydrodynamic::{law, references};
use proptest::prelude::*;

/// Half of the servers have two jobs and half three; all services start at time 0.
fn aged() -> Vec<InitialJobs> {
    vec![InitialJobs { age: 0.0, fraction_at_least: vec![1.0, 1.0, 0.5] }]
}

#[test]
fn states_meet_the_reference_values() {
    let references = references(|r| r.id.starts_with("transient"));
    assert_eq!(references.len(), 50);
    for reference in references {
        let start = if reference.starts_empty { Vec::new() } else { aged() };
        let times = [reference.time.unwrap()];
        let service = law(&reference.service);
        let (choices, load) = (reference.choices, reference.load);
        let state = Transient::solve(&service, choices, load, &start, &times, 1e-7).unwrap();
        assert!(state.numerical_error[0] <= 1e-7, "{}: {:?}", reference.id, state.numerical_error);
        match reference.quantity.as_str() {
            "fractions" => reference.check_absolute(&state.fraction_at_least[0][1..], 1e-7),
            _ => reference.check_absolute(&state.mean_queue, 1e-7),
        }
    }
}

#[test]
fn one_call_gives_all_times_on_or_off_the_grid() {
    let service = law("lognormal(2)");
    let times = [0.0, 0.37, 1.0, 2.0_f64.sqrt(), 3.0];
    let all = Transient::solve(&service, 2, 0.8, &[], &times, 1e-6).unwrap();
    for (index, time) in times.into_iter().enumerate() {
        let one = Transient::solve(&service, 2, 0.8, &[], &[time], 1e-6).unwrap();
        assert!((all.mean_queue[index] - one.mean_queue[0]).abs() < 2e-6, "at {time}");
    }
    assert_eq!(all.fraction_at_least[0][..2], [1.0, 0.0]);
}

#[test]
fn no_job_leaves_before_the_least_service_time() {
    for service in ["deterministic(mean=2)", "uniform(0.25, mean=3)"] {
        let state = Transient::solve(&law(service), 2, 0.9, &[], &[1.5], 1e-8).unwrap();
        let arrived = 0.9 * 1.5 / law(service).mean();
        assert!((state.mean_queue[0] - arrived).abs() < 1e-9, "{service}: {}", state.mean_queue[0]);
    }
}

/// Two jobs a server that all start at once, and no arrivals: all leave at 2 and at 4.
#[test]
fn jobs_of_one_start_and_size_leave_together() {
    let start = [InitialJobs { age: 0.0, fraction_at_least: vec![1.0, 1.0] }];
    let service = law("deterministic(mean=2)");
    let state = Transient::solve(&service, 2, 0.0, &start, &[1.5, 2.5, 5.0], 1e-6).unwrap();
    for (row, queue) in [2.0, 1.0, 0.0].into_iter().enumerate() {
        assert!((state.mean_queue[row] - queue).abs() < 1e-12, "{}", state.mean_queue[row]);
    }
}

#[test]
fn states_approach_the_stationary_one() {
    for service in ["erlang(3)", "hyperexponential(2)", "samples"] {
        let service = law(service);
        let state = Transient::solve(&service, 2, 0.7, &[], &[100.0], 1e-6).unwrap();
        let limit = Stationary::solve(&service, 2, 0.7).unwrap();
        for (a, b) in state.fraction_at_least[0].iter().zip(&limit.fraction_at_least) {
            assert!((a - b).abs() < 1e-5, "{service}: {a}, not {b}");
        }
    }
}

/// Another equation, another scheme: the same answer.
#[test]
fn two_solvers_agree() {
    for service in ["erlang(4)", "lognormal(4)", "hyperexponential(4)"] {
        let service = law(service);
        let ours = Transient::solve(&service, 2, 0.9, &[], &[2.0], 1e-8).unwrap();
        let solve = |steps| solve_by_stays(&service, 2, 0.9, 2.0, steps).unwrap();
        let [coarse, middle, fine] = [400, 800, 1600].map(solve);
        for k in 1..5 {
            let order = ((coarse[k] - middle[k]) / (middle[k] - fine[k])).log2();
            assert!((order - 2.0).abs() < 0.15, "{service}, {k} jobs: order {order}");
            let value = fine[k] + (fine[k] - middle[k]) / 3.0;
            let off = (value - ours.fraction_at_least[0][k]).abs();
            assert!(off < 2e-6, "{service}, {k} jobs: off {off:e}");
        }
    }
}

/// The estimate of the error covers the distance to a much finer answer.
#[test]
fn the_error_is_estimated() {
    for service in
        ["exponential", "weibull(0.5)", "samples", "bounded-pareto(1.5, 1000)", "gamma(10)"]
    {
        let service = law(service);
        let solve =
            |accuracy| Transient::solve(&service, 2, 0.9, &[], &[1.0, 7.0], accuracy).unwrap();
        let (rough, fine) = (solve(1e-4), solve(1e-7));
        for row in 0..2 {
            let off = (rough.mean_queue[row] - fine.mean_queue[row]).abs();
            assert!(off <= 1e-4 && rough.numerical_error[row] <= 1e-4, "{service}: off {off:e}");
        }
    }
}

#[test]
fn wrong_parameters_are_errors() {
    let service = law("uniform(1)");
    let solve = |start: &[InitialJobs], times: &[f64], load: f64| {
        Transient::solve(&service, 2, load, start, times, 1e-4).is_ok()
    };
    let jobs =
        |age: f64, fractions: &[f64]| [InitialJobs { age, fraction_at_least: fractions.to_vec() }];
    assert!(solve(&jobs(1.5, &[0.5, 0.2]), &[1.0], 0.5));
    assert!(solve(&[], &[], 0.5));
    assert!(!solve(&jobs(2.5, &[0.5]), &[1.0], 0.5));
    assert!(!solve(&jobs(0.0, &[0.5, 0.7]), &[1.0], 0.5));
    assert!(!solve(&jobs(0.0, &[1.5]), &[1.0], 0.5));
    assert!(!solve(&[], &[2.0, 1.0], 0.5));
    assert!(!solve(&[], &[f64::NAN], 0.5));
    assert!(!solve(&[], &[1.0], -0.5));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Fractions fall with the number of jobs and stay between 0 and 1; with one level of
    /// busy servers and no load, the start decays like the survival function.
    #[test]
    fn random_starts_decay(scv in 0.1..5.0_f64, age in 0.0..2.0_f64, busy in 0.1..1.0_f64) {
        let service = law(&format!("lognormal({scv})"));
        let start = [InitialJobs { age, fraction_at_least: vec![busy] }];
        let state = Transient::solve(&service, 2, 0.0, &start, &[1.0], 1e-6).unwrap();
        let exact = busy * service.survival(age + 1.0) / service.survival(age);
        prop_assert!((state.mean_queue[0] - exact).abs() < 1e-12);
        let loaded = Transient::solve(&service, 2, 0.9, &start, &[1.0], 1e-5).unwrap();
        prop_assert!(loaded.fraction_at_least[0].windows(2).all(|pair| pair[0] >= pair[1]));
    }
}
