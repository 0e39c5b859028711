//! Looking ahead, counting in bytes and widening change nothing: every bin's load is bit for bit
//! that of one ball at a time.

use evenhand_policies::comparisons::Comparison;
use evenhand_policies::signals::SignalSpec;
use evenhand_policies::{PolicySpec, policies};
use evenhand_topology::space::{Layout, Metric};

use super::one_at_a_time;
use crate::{Allocation, Control, Engine, Servers, Service, Spatial, Speeds, UserSource};

/// Expressions that run without places and speeds; every name of the registry that can is here.
const PLAIN: &[&str] = &[
    "one-choice",
    "random",
    "two-choice",
    "choices(3)",
    "choices(4)",
    "choices(7)",
    "choices(20)",
    "choices(2, distinct)",
    "choices(5, distinct, ties=first)",
    "left(1)",
    "left(2)",
    "left(3)",
    "one-plus-beta(0.4)",
    "one-plus-beta(0.7, d=3)",
    "memory(1)",
    "memory(3, m=2)",
    "threshold(2, 1)",
    "threshold(3, 2)",
    "threshold(5, 0.5)",
    "idle(1)",
    "idle(2)",
    "idle(3, distinct)",
    "groups(2)",
    "groups(4, count=3, compare=least)",
    "windows(3)",
    "windows(2, count=3, compare=total)",
    "ring(2)",
    "ring(3, ties=smaller)",
    "cells(2)",
    "cells(2, ties=larger)",
    "thinning",
    "twinning",
    "packing",
    "round-robin",
    "edges(regular(4))",
    "edges(circulant(1, 3))",
    "edges(gnp(0.2))",
    "edges(star)",
    "neighbors(3, ring)",
    "walks(2, regular(4))",
    "walks(3, ring, reset=meet)",
    "walks(2, circulant(1, 3), reset=intersect(2))",
    "walks(2, complete, reset=every(7), step=simple)",
    "trail(4, regular(4))",
    "hops(2, ring, weight=inverse-square)",
];

/// Expressions that need places.
const PLACED: &[&str] = &[
    "nearest(1)",
    "nearest(2)",
    "nearest(3, ties=first)",
    "near(2, 6)",
    "near(3, 6, anchored)",
    "decay(2, 8)",
    "decay(3, all, power=1.5)",
    "decay(2, 8, power=0, anchored)",
];

/// `all` picks by an index, in another order than a scan: it is tested by its law.
const BY_INDEX: &str = "all";

/// It has no meaning for balls.
const QUEUES_ONLY: &str = "least-work";

fn model(policy: &str, bins: u64, balls: u64) -> Allocation {
    let mut model = Allocation::new(PolicySpec::parse(policy).unwrap(), bins, balls);
    model.keep_loads = true;
    model
}

fn assert_same(model: &Allocation) {
    assert_eq!(model.check(), [], "{}", model.policy);
    for replication in 0..2 {
        let outcome = model.run(Engine::Bins, replication, &Control::default()).unwrap();
        let expected = one_at_a_time::loads(model, replication);
        assert_eq!(outcome.loads.as_ref(), Some(&expected), "{model:?}");
    }
}

#[test]
fn every_policy_is_covered() {
    let name = |source: &&str| source.split('(').next().unwrap().to_string();
    let tested: Vec<String> =
        PLAIN.iter().chain(PLACED).chain([&BY_INDEX, &QUEUES_ONLY]).map(name).collect();
    for info in policies() {
        assert!(tested.iter().any(|name| name == info.name), "`{}` is not tested", info.name);
    }
}

/// Numbers of balls around the size of a block, and many.
#[test]
fn plain() {
    for policy in PLAIN {
        for balls in [0, 1, 15, 16, 17, 33, 1000, 5003] {
            assert_same(&model(policy, 240, balls));
        }
    }
}

#[test]
fn with_snapshots_between_blocks() {
    for policy in PLAIN {
        let mut model = model(policy, 60, 500);
        model.snapshots = vec![0, 5, 16, 18, 19, 64, 300];
        assert_same(&model);
    }
}

/// Loads of about 1000, where a byte holds 255.
#[test]
fn counters_widen() {
    for policy in PLAIN {
        assert_same(&model(policy, 20, 20_000));
    }
    for policy in ["twinning", "packing", "two-choice", "memory(1)"] {
        for bins in [1, 2, 3] {
            let mut model = model(policy, bins, 1000 * bins);
            model.snapshots = (0..1000 * bins).step_by(7).collect();
            if model.check().is_empty() {
                assert_same(&model);
            }
        }
    }
}

#[test]
fn with_weights() {
    for policy in PLAIN.iter().filter(|&&policy| policy != "packing") {
        let mut model = model(policy, 60, 700);
        model.weights = Some(Service::parse("lognormal(2)").unwrap());
        assert_same(&model);
    }
}

#[test]
fn with_stale_loads() {
    for policy in PLAIN {
        for b in [1, 3, 7, 60, 1000] {
            let mut model = model(policy, 60, 700);
            model.signal = SignalSpec::Batched { b };
            assert_same(&model);
        }
    }
}

#[test]
fn with_deletions() {
    for policy in PLAIN {
        for deletions in [0.5, 1.0] {
            let mut model = model(policy, 60, 700);
            model.deletions = deletions;
            assert_same(&model);
            model.weights = Some(Service::parse("exponential").unwrap());
            model.signal = SignalSpec::Batched { b: 13 };
            if model.check().is_empty() {
                assert_same(&model);
            }
        }
    }
}

#[test]
fn with_speeds() {
    let weighted = [
        "choices(1, weighted)",
        "choices(2, weighted)",
        "choices(3, distinct, weighted)",
        "choices(2, distinct, weighted, ties=first)",
    ];
    for policy in PLAIN.iter().chain(&weighted) {
        for signal in [
            SignalSpec::Exact,
            SignalSpec::PerSpeed { after: true },
            SignalSpec::PerSpeed { after: false },
        ] {
            let mut model = model(policy, 60, 700);
            model.speeds = Speeds::parse("classes(0.5, 1, 0.5, 3)").unwrap();
            model.signal = signal;
            assert_same(&model);
        }
    }
}

#[test]
fn with_inexact_comparisons() {
    let comparable = [
        "choices(2)",
        "choices(3)",
        "choices(2, distinct)",
        "left(2)",
        "left(3)",
        "one-plus-beta(0.4)",
        "one-plus-beta(0.7, d=3)",
        "ring(2)",
        "cells(2)",
    ];
    for policy in comparable {
        for comparison in ["noisy(1)", "bounded(1)", "myopic(2)"] {
            let mut model = model(policy, 60, 1500);
            model.comparison = Comparison::parse(comparison).unwrap();
            assert_same(&model);
        }
    }
}

#[test]
fn at_places() {
    let layout = |count, seed| {
        let mut stream = evenhand_core::Stream::from_seed(seed);
        Layout::Uniform.places(count, Metric::Torus, &mut stream).unwrap()
    };
    let rows = std::sync::Arc::new(layout(700, 1));
    let mut heavy = layout(700, 1);
    heavy.weights = Some((0..700).map(f64::from).collect());
    let drawn = Servers::Drawn { layout: Layout::Uniform, metric: Metric::Torus };
    for policy in PLACED.iter().chain(&["two-choice", "left(3)", "memory(1)", "packing"]) {
        for users in [
            UserSource::InOrder(rows.clone()),
            UserSource::Rows(rows.clone()),
            UserSource::Rows(std::sync::Arc::new(heavy.clone())),
            UserSource::Drawn(Layout::Clustered { clusters: 3, spread: 0.1 }),
        ] {
            for servers in [drawn.clone(), Servers::fixed(layout(60, 2)).unwrap()] {
                let mut model = model(policy, 60, 700);
                model.spatial = Some(Spatial { servers, users: users.clone() });
                assert_same(&model);
            }
        }
    }
}

/// The index of `all` picks a least loaded bin each time: loads stay level.
#[test]
fn all_keeps_level() {
    for balls in [1, 59, 60, 61, 700] {
        let outcome = model(BY_INDEX, 60, balls).run(Engine::Bins, 0, &Control::default()).unwrap();
        let level = balls / 60;
        let above =
            outcome.loads.unwrap().iter().filter(|&&load| load == level as f64 + 1.0).count();
        assert_eq!(above as u64, balls % 60);
        assert!(outcome.max_load <= level as f64 + 1.0);
    }
}

/// Replications that run interleaved are bit for bit those that run alone, whatever the group.
#[test]
fn together_as_alone() {
    for policy in [
        "walks(2, regular(4, seed=3))",
        "walks(3, regular(3, seed=5), reset=meet)",
        "walks(2, lps(5, 13), reset=every(100))",
        "two-choice",
    ] {
        let mut model = model(policy, 2_184, 5_000);
        model.snapshots = vec![17, 2_500];
        let alone = |run| model.run(Engine::Bins, run, &Control::default()).unwrap();
        let expected: Vec<_> = (0..7).map(alone).collect();
        for borders in [&[0, 7][..], &[0, 3, 4, 7]] {
            let groups = borders.windows(2).map(|ends| ends[0]..ends[1]);
            let run = |group| model.run_together(Engine::Bins, group, &Control::default());
            let found: Vec<_> = groups.flat_map(run).map(Result::unwrap).collect();
            assert_eq!(found, expected, "{policy}");
        }
    }
    // A counter that fills up: 300 balls a bin.
    let model = model("walks(2, regular(4, seed=3))", 20, 6_000);
    let together = model.run_together(Engine::Bins, 0..3, &Control::default());
    for (run, outcome) in together.into_iter().enumerate() {
        let alone = model.run(Engine::Bins, run as u64, &Control::default());
        assert_eq!(outcome, alone);
    }
}
