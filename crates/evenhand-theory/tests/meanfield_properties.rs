//! What holds for every mean field: balance, order, ends of the range, and limits in time.

use evenhand_theory::Error;
use evenhand_theory::meanfield::Selection;
use evenhand_theory::meanfield::heterogeneous::{Class, Drawing, heterogeneous};
use evenhand_theory::meanfield::least_work::least_work;
use evenhand_theory::meanfield::pair::pair;
use evenhand_theory::meanfield::refined::{Sampling, first_order, second_order};
use evenhand_theory::meanfield::supermarket::{FixedPoint, fixed_point};
use evenhand_theory::meanfield::transient::transient;
use proptest::prelude::*;

fn selections() -> impl Strategy<Value = Selection> {
    prop_oneof![
        (1_u32..8).prop_map(|d| Selection::Choices { d }),
        (0.0..=1.0, 1_u32..8).prop_map(|(beta, d)| Selection::OnePlusBeta { beta, d }),
        (1_u32..8, 0.0..6.0).prop_map(|(d, limit)| Selection::Threshold { d, limit }),
        (1_u32..8).prop_map(|d| Selection::Memory { d }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn flows_balance_and_tails_fall(selection in selections(), load in 0.0..0.98) {
        let state = fixed_point(selection, load).unwrap();
        prop_assert!(state.tails.windows(2).all(|pair| pair[0] >= pair[1] && pair[1] >= 0.0));
        for (k, selected) in state.selected.iter().enumerate().take(state.tails.len() - 1) {
            let (up, down) = (load * selected, state.tails[k + 1]);
            prop_assert!((up - down).abs() <= 1e-12 * down + 1e-15, "{k}: {up} {down}");
        }
        prop_assert!(state.error < 1e-10);
        let little = state.mean_queue_length() - load * state.mean_sojourn();
        prop_assert!(little.abs() < 1e-10 * (1.0 + state.mean_queue_length()));
        prop_assert!((state.mean_wait() + 1.0 - state.mean_sojourn()).abs() < 1e-10);
    }

    #[test]
    fn laws_invert(selection in selections(), load in 0.05..0.95, p in 0.01..0.9999) {
        let state = fixed_point(selection, load).unwrap();
        let time = state.sojourn_quantile(p).unwrap();
        prop_assert!((state.sojourn_above(time) - (1.0 - p)).abs() < 1e-12);
        let wait = state.wait_quantile(p).unwrap();
        if p < 1.0 - state.waiting_probability() {
            prop_assert_eq!(wait, 0.0);
        } else {
            prop_assert!((state.wait_above(wait) - (1.0 - p)).abs() < 1e-12);
        }
        let work = least_work(3, load).unwrap();
        prop_assert!((work.sojourn_above(work.sojourn_quantile(p).unwrap()) - 1.0 + p).abs() < 1e-12);
        let wait = work.wait_quantile(p).unwrap();
        prop_assert!(wait == 0.0 || (work.wait_above(wait) - 1.0 + p).abs() < 1e-12);
    }
}

#[test]
fn time_leads_to_the_fixed_point() {
    for selection in [
        Selection::Choices { d: 2 },
        Selection::OnePlusBeta { beta: 0.6, d: 2 },
        Selection::Threshold { d: 3, limit: 1.0 },
        Selection::Memory { d: 1 },
        Selection::Memory { d: 2 },
    ] {
        let fixed = fixed_point(selection, 0.7).unwrap();
        for start in [vec![1.0], vec![1.0, 1.0, 0.5, 0.5]] {
            let late = transient(selection, 0.7, &start, &[1.0, 300.0]).unwrap();
            for (a, b) in late.tails[1].iter().zip(&fixed.tails) {
                assert!((a - b).abs() < 1e-8, "{selection:?}: {a} {b}");
            }
        }
    }
}

#[test]
fn jobs_are_arrivals_less_departures() {
    // With no arrivals, a server's length falls at rate 1 while it is busy: Poisson departures.
    let state = transient(Selection::Choices { d: 2 }, 0.0, &[1.0, 1.0, 1.0], &[1.5]).unwrap();
    let t = 1.5_f64;
    let exact = [1.0, (-t).exp() * (1.0 + t), (-t).exp()];
    assert!(state.tails[0].iter().zip(exact).all(|(a, b)| (a - b).abs() < 1e-9));
    // Above load 1 queues grow at the rate of the excess.
    let state = transient(Selection::Choices { d: 2 }, 2.0, &[1.0], &[200.0, 201.0]).unwrap();
    let lengths = state.mean_queue_lengths();
    assert!((lengths[1] - lengths[0] - 1.0).abs() < 1e-6, "{lengths:?}");
}

#[test]
fn one_choice_is_the_queue_with_one_server() {
    let state = fixed_point(Selection::Choices { d: 1 }, 0.95).unwrap();
    assert!((state.mean_sojourn() - 20.0).abs() < 1e-10);
    let exact = 1000.0_f64.ln() / 0.05;
    assert!((state.sojourn_quantile(0.999).unwrap() / exact - 1.0).abs() < 1e-10);
    for order in [first_order, second_order] {
        let state = order(Selection::Choices { d: 1 }, Sampling::Distinct, 0.95).unwrap();
        assert!((state.mean_queue_length(5) - 19.0).abs() < 1e-10);
    }
}

/// Mean time with the least work of d draws at each load, from the thesis of Hellemans.
#[test]
fn published_least_work() {
    let loads = [0.5, 0.7, 0.8, 0.9, 0.95, 0.99];
    for (d, means) in [
        (2, [1.150728, 1.374173, 1.596330, 2.050285, 2.579394, 3.996567]),
        (3, [1.045101, 1.145776, 1.255620, 1.487517, 1.759483, 2.481048]),
        (5, [1.006361, 1.037172, 1.081100, 1.186765, 1.318714, 1.678049]),
    ] {
        for (load, mean) in loads.into_iter().zip(means) {
            let state = least_work(d, load).unwrap();
            assert!((state.mean_sojourn() - mean).abs() < 6e-7, "d {d} load {load}");
            // The mean is the integral of the tail.
            let step = 1e-3;
            let sum: f64 =
                (0..60_000).map(|i| state.sojourn_above((f64::from(i) + 0.5) * step)).sum();
            assert!((sum * step - mean).abs() < 1e-5, "d {d} load {load}: {}", sum * step);
        }
    }
    assert!((least_work(1, 0.9).unwrap().mean_sojourn() - 10.0).abs() < 1e-12);
}

/// Mean time with the fewest jobs of d draws at each load (Mitzenmacher 2001).
#[test]
fn published_supermarket() {
    let loads = [0.5, 0.7, 0.8, 0.9, 0.95, 0.99];
    for (d, means) in [
        (2, [1.265686, 1.614454, 1.947363, 2.614057, 3.383046, 5.431997]),
        (3, [1.125244, 1.356842, 1.580886, 2.027856, 2.535133, 3.857847]),
        (5, [1.031250, 1.168093, 1.328918, 1.632881, 1.988772, 2.901683]),
    ] {
        for (load, mean) in loads.into_iter().zip(means) {
            let state = fixed_point(Selection::Choices { d }, load).unwrap();
            assert!((state.mean_sojourn() - mean).abs() < 6e-7, "d {d} load {load}");
        }
    }
}

#[test]
fn no_load_is_no_queue() {
    let finite = |state: &FixedPoint| {
        assert_eq!(state.mean_queue_length(), 0.0);
        assert_eq!((state.mean_sojourn(), state.waiting_probability()), (1.0, 0.0));
    };
    for d in [1, 2] {
        finite(&fixed_point(Selection::Choices { d }, 0.0).unwrap());
        finite(&fixed_point(Selection::Memory { d }, 0.0).unwrap());
        finite(&fixed_point(Selection::Threshold { d, limit: 2.0 }, 0.0).unwrap());
        finite(&pair(d, 0.0).unwrap());
        assert_eq!(least_work(d, 0.0).unwrap().mean_sojourn(), 1.0);
    }
    let choices = Selection::Choices { d: 2 };
    let state = second_order(choices, Sampling::Distinct, 0.0).unwrap();
    assert_eq!(state.mean_queue_length(3), 0.0);
    let class = Class { fraction: 1.0, speed: 2.0 };
    let state = heterogeneous(2, 0.0, &[class], Drawing::Uniform).unwrap();
    assert_eq!((state.mean_sojourn(), state.error), (0.5, 0.0));
}

#[test]
fn bad_input_is_an_error() {
    let choices = Selection::Choices { d: 2 };
    let class = Class { fraction: 1.0, speed: 1.0 };
    for load in [1.0, 1.5] {
        assert_eq!(fixed_point(choices, load), Err(Error::Unstable { load }));
        assert!(second_order(choices, Sampling::Distinct, load).is_err());
        assert!(least_work(2, load).is_err() && pair(2, load).is_err());
        assert!(heterogeneous(2, load, &[class], Drawing::Uniform).is_err());
    }
    for load in [-0.1, f64::NAN, f64::INFINITY, 1.0 - 1e-12] {
        assert!(fixed_point(Selection::Choices { d: 1 }, load).is_err());
    }
    assert!(pair(0, 0.5).is_err() && least_work(0, 0.5).is_err());
    assert!(heterogeneous(2, 0.5, &[], Drawing::Uniform).is_err());
    let half = Class { fraction: 0.5, ..class };
    assert!(heterogeneous(2, 0.5, &[half], Drawing::Uniform).is_err());
    for start in [&[][..], &[0.9], &[1.0, 0.2, 0.3], &[1.0, f64::NAN]] {
        assert!(transient(choices, 0.5, start, &[1.0]).is_err());
    }
    assert!(transient(choices, 0.5, &[1.0], &[2.0, 1.0]).is_err());
    let memory = Selection::Memory { d: 1 };
    assert!(first_order(memory, Sampling::WithReplacement, 0.5).is_err());
    let state = fixed_point(choices, 0.5).unwrap();
    assert!(state.sojourn_quantile(1.0).is_err() && state.wait_quantile(-0.1).is_err());
}

/// Whatever the parameters, an answer is a number or an error.
#[test]
fn nothing_is_nan() {
    let mut selections = Vec::new();
    for d in [1, 2, 3, 10, 100, 1 << 20] {
        selections.extend([Selection::Choices { d }, Selection::Memory { d }]);
        for beta in [0.0, 0.01, 0.5, 1.0] {
            selections.push(Selection::OnePlusBeta { beta, d });
        }
        for limit in [0.0, 3.0, f64::INFINITY] {
            selections.push(Selection::Threshold { d, limit });
        }
    }
    for load in [1e-300, 1e-201, 1e-30, 1e-6, 0.3, 0.9, 0.999] {
        for &selection in &selections {
            let state = fixed_point(selection, load).unwrap();
            let time = state.sojourn_quantile(0.999).unwrap();
            assert!(time.is_finite() && state.mean_sojourn() >= 1.0, "{selection:?} {load}");
            for sampling in [Sampling::WithReplacement, Sampling::Distinct] {
                for order in [first_order, second_order] {
                    if matches!(selection, Selection::OnePlusBeta { beta: 0.01, .. }) {
                        continue; // Hundreds of levels: slow.
                    }
                    let Ok(state) = order(selection, sampling, load) else { continue };
                    let mean = state.mean_queue_length(1000);
                    assert!(mean.is_finite(), "{selection:?} {sampling:?} {load}: {mean}");
                }
            }
        }
        for d in [1, 2, 100] {
            let work = least_work(d, load).unwrap();
            assert!(work.mean_sojourn() >= 1.0 - 1e-14, "{d} {load} {}", work.mean_sojourn());
            assert!(work.wait_quantile(0.999).unwrap().is_finite());
        }
    }
}
