//! What holds for every policy at every size.

mod common;

use std::sync::Arc;

use common::*;
use evenhand_core::Stream;
use evenhand_policies::policies;
use evenhand_policies::signals::SignalSpec;
use evenhand_sim::{Allocation, Control, Engine, Outcome, Servers, Service, Spatial, UserSource};
use evenhand_topology::space::{Layout, Metric};
use proptest::prelude::*;

/// An expression for every name of the registry, some with small parameters that fit few bins.
const EXPRESSIONS: &[&str] = &[
    "one-choice",
    "random",
    "two-choice",
    "choices(3)",
    "choices(6)",
    "choices(1, distinct)",
    "choices(2, distinct)",
    "choices(4, distinct, ties=first)",
    "left(1)",
    "left(2)",
    "left(3)",
    "one-plus-beta(0.3)",
    "one-plus-beta(0.8, d=4)",
    "memory(1)",
    "memory(2, m=3)",
    "threshold(3, 1)",
    "idle(2)",
    "idle(3, distinct)",
    "groups(1)",
    "groups(2, compare=least)",
    "groups(3, count=3)",
    "windows(2)",
    "windows(3, compare=total)",
    "nearest(1)",
    "nearest(3, ties=first)",
    "near(2, 4)",
    "near(2, 2, anchored)",
    "decay(2, 4)",
    "decay(1)",
    "ring(2)",
    "ring(1, ties=larger)",
    "cells(2)",
    "cells(3, ties=smaller)",
    "thinning",
    "twinning",
    "packing",
    "all",
    "round-robin",
    "edges(regular(4))",
    "edges(ring)",
    "neighbors(2, ring)",
    "walks(2, regular(3))",
    "walks(1, ring, step=simple)",
    "walks(3, torus, reset=meet)",
    "trail(3, ring)",
    "hops(2, torus)",
];

/// It has no meaning for balls.
const QUEUES_ONLY: &str = "least-work";

fn name(expression: &str) -> &str {
    expression.split('(').next().expect("split gives a part")
}

#[test]
fn every_policy_has_an_expression() {
    for info in policies().filter(|info| info.name != QUEUES_ONLY) {
        assert!(
            EXPRESSIONS.iter().any(|expression| name(expression) == info.name),
            "`{}` is not in the list: add an expression",
            info.name
        );
    }
}

/// A model that runs, with places where the policy asks for them; `None` if the bins do not fit.
fn fitting(expression: &str, bins: u64, balls: u64) -> Option<Allocation> {
    let mut model = model(expression, bins, balls);
    if model.policy.neighbours(bins).is_some() {
        let places =
            Layout::Uniform.places(bins as usize, Metric::Torus, &mut Stream::from_seed(1));
        let servers = Servers::fixed(places.expect("at least one place")).expect("finite");
        model.spatial = Some(Spatial { servers, users: UserSource::Drawn(Layout::Uniform) });
    }
    model.check().is_empty().then_some(model)
}

fn run(model: &Allocation, engine: Engine, number: u64) -> Outcome {
    model.run(engine, number, &Control::default()).expect("nobody stops it")
}

/// Counts start with all bins, decrease, and hold `balls` balls.
fn assert_counts(counts: &[u64], bins: u64, balls: u64) {
    assert_eq!(counts[0], bins);
    assert!(counts.is_sorted_by(|a, b| a >= b), "{counts:?}");
    assert_eq!(counts[1..].iter().sum::<u64>(), balls, "{counts:?}");
}

fn assert_consistent(model: &Allocation, outcome: &Outcome) {
    let counts = outcome.at_least.as_ref().expect("unit balls");
    assert_eq!(outcome.balls, model.balls);
    assert_counts(counts, model.bins, model.balls);
    assert_eq!(outcome.max_load as usize, counts.len() - 1);
    assert_eq!(outcome.empty, model.bins - counts.get(1).copied().unwrap_or(0));
    let average = model.balls as f64 / model.bins as f64;
    assert!((outcome.average - average).abs() < 1e-9);
    if let Some(loads) = &outcome.loads {
        assert_eq!(loads.len() as u64, model.bins);
        for (level, &count) in counts.iter().enumerate() {
            assert_eq!(loads.iter().filter(|&&load| load >= level as f64).count() as u64, count);
        }
    }
    assert_snapshots(model, outcome);
}

fn assert_snapshots(model: &Allocation, outcome: &Outcome) {
    assert_eq!(outcome.snapshots.len(), model.snapshots.len());
    let mut before = vec![model.bins];
    for (snapshot, &asked) in outcome.snapshots.iter().zip(&model.snapshots) {
        // Policies that place several balls at once may step over the number asked for.
        assert!(snapshot.balls >= asked && snapshot.balls <= model.balls);
        let counts = snapshot.at_least.as_ref().expect("unit balls");
        assert_counts(counts, model.bins, snapshot.balls);
        let grown = before.iter().enumerate().all(|(i, &b)| counts.get(i).is_some_and(|&c| c >= b));
        assert!(grown, "{before:?}, then {counts:?}");
        before = counts.clone();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn balls_are_conserved(bins in 1_u64..300, per_bin in 0.0..6.0, cut in 0.0..1.0, seed: u64) {
        let balls = (per_bin * bins as f64) as u64;
        for expression in EXPRESSIONS {
            let Some(mut model) = fitting(expression, bins, balls) else { continue };
            model.seed = seed;
            model.snapshots = vec![0, (cut * balls as f64) as u64, balls];
            model.snapshots.dedup();
            for engine in engines(&model) {
                assert_consistent(&model, &run(&model, engine, 0));
            }
            model.keep_loads = true;
            assert_consistent(&model, &run(&model, Engine::Bins, 1));
        }
    }

    /// With deletion probability 1 a ball leaves before each choice but the first.
    #[test]
    fn balls_that_leave_are_gone(bins in 1_u64..100, balls in 1_u64..400, seed: u64) {
        for expression in EXPRESSIONS {
            let Some(mut model) = fitting(expression, bins, balls) else { continue };
            model.seed = seed;
            model.deletions = 1.0;
            let outcome = run(&model, Engine::Bins, 0);
            let counts = outcome.at_least.as_ref().expect("unit balls");
            let there = counts[1..].iter().sum::<u64>();
            prop_assert_eq!(outcome.balls, balls);
            let several = ["twinning", "packing"].contains(expression);
            let expected = if several { 1..=balls } else { 1..=1 };
            prop_assert!(expected.contains(&there), "{}: {} left", expression, there);
            prop_assert!((outcome.average * bins as f64 - there as f64).abs() < 1e-9);
        }
    }

    #[test]
    fn weights_are_conserved(bins in 1_u64..100, balls in 1_u64..400, seed: u64) {
        let mut totals = Vec::new();
        for expression in EXPRESSIONS {
            let Some(mut model) = fitting(expression, bins, balls) else { continue };
            if model.spatial.is_some() || *expression == "packing" {
                continue;
            }
            model.seed = seed;
            model.weights = Some(Service::parse("exponential").expect("a law"));
            model.keep_loads = true;
            let outcome = run(&model, Engine::Bins, 0);
            prop_assert!(outcome.at_least.is_none());
            let total: f64 = outcome.loads.expect("asked for").iter().sum();
            prop_assert!((total - outcome.average * bins as f64).abs() < 1e-9 * total);
            totals.push(total);
        }
        // All policies are compared on the same balls.
        for total in &totals {
            prop_assert!((total - totals[0]).abs() < 1e-9 * total);
        }
    }

    #[test]
    fn same_seed_same_outcome(bins in 2_u64..200, seed: u64, number in 0_u64..1000) {
        for expression in EXPRESSIONS {
            let Some(mut model) = fitting(expression, bins, 2 * bins) else { continue };
            model.seed = seed;
            for engine in engines(&model) {
                prop_assert_eq!(run(&model, engine, number), run(&model, engine, number));
            }
        }
    }
}

/// 300 balls in 300 bins: two equal vectors of loads by chance are out of the question, except
/// where no chance is involved.
#[test]
fn replications_and_seeds_differ() {
    for expression in EXPRESSIONS.iter().filter(|&&expression| expression != "round-robin") {
        let mut model = fitting(expression, 300, 301).expect("300 bins fit all policies");
        model.keep_loads = true;
        let first = run(&model, Engine::Bins, 0);
        assert_ne!(first.loads, run(&model, Engine::Bins, 1).loads, "{expression}: replications");
        model.seed = 2;
        assert_ne!(first.loads, run(&model, Engine::Bins, 0).loads, "{expression}: seeds");
    }
}

/// Sum of each bin's load over many replications.
fn sums(model: &Allocation, runs: u64) -> Vec<f64> {
    let mut sums = vec![0.0; model.bins as usize];
    for outcome in replications(model, Engine::Bins, runs) {
        let loads = outcome.loads.expect("asked for");
        sums.iter_mut().zip(loads).for_each(|(sum, load)| *sum += load);
    }
    sums
}

/// Where bins are alike every one has the same mean load: each within 6 standard errors, over 12
/// bins and 33 policies below 1e-6 in all.
#[test]
fn bins_are_alike() {
    let labelled = ["left(2)", "left(3)", "round-robin"];
    let alike = EXPRESSIONS.iter().filter(|expression| !labelled.contains(expression));
    for expression in alike {
        let mut model = fitting(expression, 12, 18).expect("12 bins fit all policies");
        if let Some(spatial) = &mut model.spatial {
            spatial.servers = Servers::Drawn { layout: Layout::Uniform, metric: Metric::Torus };
        }
        model.keep_loads = true;
        let mut means = [Mean::default(); 12];
        for outcome in replications(&model, Engine::Bins, 4_000) {
            let loads = outcome.loads.expect("asked for");
            means.iter_mut().zip(loads).for_each(|(mean, load)| mean.add(load));
        }
        // The arcs of a ring are numbered around the circle from a fixed point, which cuts the
        // arc that holds it: server 0 owns two pieces.
        let from = usize::from(name(expression) == "ring");
        for mean in &means[from..] {
            let expected = if from == 0 { 1.5 } else { mean_of(&means[from..]) };
            let off = (mean.value() - expected).abs();
            assert!(off <= 6.0 * mean.standard_error(), "{expression}: {mean:?}");
        }
    }
}

fn mean_of(means: &[Mean]) -> f64 {
    means.iter().map(Mean::value).sum::<f64>() / means.len() as f64
}

/// Every bin of the left block of always-go-left is more loaded than any of the right one.
#[test]
fn left_prefers_left() {
    let mut model = model("left(2)", 12, 18);
    model.keep_loads = true;
    let sums = sums(&model, 4_000);
    let (left, right) = sums.split_at(6);
    let least_of_left = left.iter().copied().fold(f64::INFINITY, f64::min);
    let most_of_right = right.iter().copied().fold(0.0, f64::max);
    assert!(least_of_left > most_of_right, "{sums:?}");
}

/// A stopped run says so.
#[test]
fn control_stops_a_run() {
    let control = Control::default();
    control.stop();
    for engine in [Engine::Bins, Engine::Profile] {
        assert!(model("two-choice", 100, 100).run(engine, 0, &control).is_err());
    }
}

/// A signal refreshed after each ball is the exact signal: one law of the maximum load. False
/// alarm below 2e-8.
#[test]
fn batches_of_one_ball_are_exact() {
    let law = |signal| {
        let mut model = model("two-choice", 50, 500);
        model.signal = signal;
        max_loads(replications(&model, Engine::Bins, 20_000))
    };
    let p = p_of_two_samples(&law(SignalSpec::Exact), &law(SignalSpec::Batched { b: 1 }));
    assert!(p > LEAST_P, "p = {p}");
}

/// Users of a file in order: as many balls as rows, each at its own place.
#[test]
fn users_in_order_go_to_their_nearest_servers() {
    let mut stream = Stream::from_seed(3);
    let mut places = |count| Layout::Uniform.places(count, Metric::Torus, &mut stream).unwrap();
    let (servers, users) = (places(40), Arc::new(places(100)));
    let nearest = |user: &_| {
        let by_distance = |s: &usize| Metric::Torus.distance(servers.points[*s], *user);
        (0..40).min_by(|a, b| by_distance(a).total_cmp(&by_distance(b))).unwrap()
    };
    let mut expected = vec![0.0; 40];
    users.points.iter().for_each(|user| expected[nearest(user)] += 1.0);
    let mut model = model("nearest(1)", 40, 100);
    model.keep_loads = true;
    let servers = Servers::fixed(servers.clone()).unwrap();
    model.spatial = Some(Spatial { servers, users: UserSource::InOrder(users.clone()) });
    assert_eq!(run(&model, Engine::Bins, 0).loads, Some(expected));
}
