//! Made-up records.
#![allow(dead_code, reason = "each test file uses a part")]

pub(crate) mod queues;

use evenhand_lab::record::{
    AllocateResult, Distance, Estimate, LoadMap, MapPoint, MaxLoad, Record,
};

fn estimate(mean: f64, half: Option<f64>) -> Estimate {
    let ci95 = half.map(|half| [mean - half, mean + half]);
    Estimate { mean, ci95 }
}

/// A result of one million balls in as many bins, 100 runs.
pub(crate) fn sample_result(
    policy: &str,
    counts: &[(u64, u64)],
    fractions: &[f64],
) -> AllocateResult {
    let runs: u64 = counts.iter().map(|(_, count)| count).sum();
    let total: u64 = counts.iter().map(|(load, count)| load * count).sum();
    let mean = total as f64 / runs as f64;
    AllocateResult {
        policy: policy.into(),
        engine: "profile".into(),
        bins: 1_000_000,
        balls: 1_000_000,
        runs,
        signal: "exact".into(),
        comparison: "exact".into(),
        weights: None,
        speeds: None,
        deletions: None,
        servers: None,
        users: None,
        max_load: MaxLoad {
            mean,
            ci95: Some([mean - 0.125, mean + 0.125]),
            min: counts[0].0 as f64,
            max: counts[counts.len() - 1].0 as f64,
            counts: Some(counts.iter().copied().collect()),
        },
        gap: estimate(mean - 1.0, Some(0.125)),
        max_load_per_speed: None,
        fraction_at_least: Some(fractions.to_vec()),
        fraction_at_least_ci95: Some(fractions.iter().map(|x| [x * 0.5, *x]).collect()),
        empty: estimate(250_000.0, Some(16.0)),
        probes_per_ball: 2.0,
        distance: None,
        snapshots: None,
        prediction: None,
        notes: vec!["made up".into()],
        seconds: 0.5,
        balls_per_second: 2e8,
    }
}

fn record(results: Vec<AllocateResult>) -> Record<AllocateResult> {
    Record { evenhand: "0.1.0".into(), command: "allocate".into(), seed: 7, threads: 2, results }
}

/// Bins without places, two policies, 100 runs.
pub(crate) fn sample_record() -> Record<AllocateResult> {
    let mut walks = sample_result(
        "walks(2, regular(8))",
        &[(4, 75), (5, 25)],
        &[1.0, 0.75, 0.25, 0.01, 1e-6, 0.0],
    );
    walks.notes.push("a random graph per run".into());
    record(vec![sample_result("two-choice", &[(4, 100)], &[1.0, 0.75, 0.25, 0.01, 1e-6]), walks])
}

/// Servers and users at places, three policies, one run.
pub(crate) fn sample_places() -> Record<AllocateResult> {
    let placed = |policy, load: u64, mean, p95| {
        let mut result = sample_result(policy, &[(load, 1)], &[1.0, 0.5, 0.25]);
        result.bins = 200;
        result.balls = 5000;
        result.servers = Some("servers.csv".into());
        result.users = Some("users.csv".into());
        result.max_load.ci95 = None;
        result.gap = estimate(load as f64 - 25.0, None);
        result.empty = estimate(3.0, None);
        result.fraction_at_least_ci95 = None;
        result.distance = Some(Distance { unit: "m".into(), mean, p95, max: 2.0 * p95 });
        result
    };
    record(vec![
        placed("nearest(1)", 93, 812.0, 1500.0),
        placed("nearest(2)", 61, 1234.5, 4100.0),
        placed("near(2, 10)", 32, 2468.0, 9000.0),
    ])
}

/// Twelve servers on a map.
pub(crate) fn sample_map(geographic: bool) -> LoadMap {
    let point = |i: u32| MapPoint {
        x: f64::from(i % 4),
        y: 50.0 + f64::from(i / 4),
        name: (i == 5).then(|| "Bern & <Basel>".into()),
        load: f64::from(i * i % 11),
    };
    LoadMap {
        policy: "nearest(2)".into(),
        geographic,
        placed: true,
        points: (0..12).map(point).collect(),
        edges: vec![],
        first_run: false,
    }
}

/// A cycle of twelve servers that have no places.
pub(crate) fn sample_graph() -> LoadMap {
    LoadMap {
        policy: "edges(ring)".into(),
        placed: false,
        edges: (0..12).map(|v| (v, (v + 1) % 12)).collect(),
        ..sample_map(false)
    }
}
