//! Choices along graphs: neighbours on a ring, and walkers.

mod common;

use common::*;
use evenhand_queue::Plan;

/// A job goes to a random server or one of its two neighbours: mean length and fractions of
/// servers, from an independent program with N=10^4 (compare the pair approximation of Gast
/// 2015).
#[test]
fn neighbours_on_a_ring() {
    for (load, expected, allowed) in [(0.7, 1.2555, 1e-3), (0.9, 2.990, 5e-3)] {
        let queue = queue("neighbors(2, ring)", 10_000, load);
        let measured = Measured::new(&queue, load, &Plan::until(220.0, 120.0));
        measured.length().assert_near(&format!("length at {load}"), expected, allowed, 0.01);
        if load == 0.9 {
            let tail = [0.9, 0.7416, 0.5482, 0.3627, 0.2161, 0.1170];
            for (k, fraction) in (1..).zip(tail) {
                let what = format!("s_{k}");
                measured.at_least(k).assert_near(&what, fraction, 2e-3, 0.06);
            }
        }
    }
}

/// Two walkers on a random 4-regular graph are as good as two fresh choices: the mean of the
/// limit is 2.614 (Tang, Subramanian 2019). On the torus they come back too often.
#[test]
fn walkers_on_expanders_and_tori() {
    let plan = Plan::until(220.0, 120.0);
    let of = |policy: &str| Measured::new(&queue(policy, 10_000, 0.9), 0.9, &plan).sojourn();
    of("walks(2, regular(4))").assert_near("regular", 2.614057, 0.026, 0.01);
    of("walks(2, torus)").assert_above("torus", 2.75);
}

/// Near capacity walkers keep the queues bounded: late jobs stay no longer than those of the
/// middle of the run, and about as long as with fresh choices (5.43 for N=1000).
#[test]
fn walkers_near_capacity_are_stable() {
    let queue = queue("walks(2, regular(4))", 1_000, 0.99);
    let outcome = run(&queue, &Plan::until(60_000.0, 2_000.0), 0);
    let course = &outcome.course;
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
    let (middle, late) = (mean(&course[200..350]), mean(&course[350..]));
    assert!(late < 1.3 * middle, "{middle}, then {late}");
    let mean = outcome.sojourn.mean();
    assert!((5.0..7.0).contains(&mean), "{mean}");
    assert!(outcome.at_least.len() < 40, "{} jobs at a server", outcome.at_least.len() - 1);
}
