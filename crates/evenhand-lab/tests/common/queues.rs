//! Made-up records of queues.

use evenhand_lab::record::{
    Class, Curve, Distance, Estimate, Moment, QueueResult, Record, Times, Waits,
};

/// 95 % interval of this half-width around a mean.
fn around(mean: f64, half: f64) -> Option<[f64; 2]> {
    Some([mean - half, mean + half])
}

/// Times whose tail falls like exp(-t / scale).
fn times(mean: f64, scale: f64) -> Times {
    let quantile = |longer: f64| Some(-scale * longer.ln());
    Times {
        mean: Some(mean),
        ci95: around(mean, 0.0625),
        p50: quantile(0.5),
        p90: quantile(0.1),
        p99: quantile(0.01),
        p99_ci95: around(-scale * 0.01_f64.ln(), 0.25),
        p999: quantile(0.001),
        max: Some(scale * 14.0),
    }
}

/// A thousand servers at load 0.9 whose fraction with at least i jobs is 0.9^(power of i).
pub(crate) fn sample_queue(policy: &str, mean: f64, power: fn(i32) -> i32) -> QueueResult {
    let fraction = |i: i32| 0.9_f64.powi(power(i));
    let fractions: Vec<f64> = (0..60).map(fraction).take_while(|x| *x > 1e-7).collect();
    let tail = |t: f64| (t, (-t / mean).exp());
    QueueResult {
        policy: policy.into(),
        engine: "lazy".into(),
        servers: 1000,
        load: Some(0.9),
        rate: Some(900.0),
        service: "exponential".into(),
        arrivals: "poisson".into(),
        discipline: "fifo".into(),
        buffer: None,
        dispatchers: 1,
        dispatcher_shares: None,
        subset: "all".into(),
        signal: "exact".into(),
        comparison: "exact".into(),
        speeds: None,
        server_places: None,
        users: None,
        runs: 10,
        jobs: 9_000_000,
        events: 20_000_000,
        warm_up: 50.0,
        stable: true,
        sojourn: times(mean, mean),
        wait: Waits { probability: Some(0.75), times: times(mean - 1.0, mean) },
        queue_length: Some(Estimate { mean: 0.9 * mean, ci95: around(0.9 * mean, 0.03125) }),
        fraction_at_least_ci95: Some(fractions.iter().map(|x| [x * 0.5, *x]).collect()),
        fraction_at_least: Some(fractions),
        sojourn_by_little: Some(mean),
        utilisation: vec![Class { speed: 1.0, utilisation: 0.9 }],
        probes_per_job: 2.0,
        lost: 0.0,
        distance: None,
        transient: None,
        prediction: None,
        notes: vec!["made up".into()],
        seconds: 0.5,
        events_per_second: 4e7,
        curve: Curve((0..4000).map(|i| tail(f64::from(i) * 0.004 * mean)).collect()),
    }
}

/// A result whose queues grew.
pub(crate) fn sample_unstable(policy: &str) -> QueueResult {
    QueueResult {
        load: Some(0.9),
        stable: false,
        sojourn: Times::default(),
        wait: Waits::default(),
        queue_length: None,
        fraction_at_least: None,
        fraction_at_least_ci95: None,
        sojourn_by_little: None,
        curve: Curve::default(),
        notes: vec!["made up".into(), "the queues kept growing".into()],
        ..sample_queue(policy, 2.0, |i| i)
    }
}

/// Queue lengths that approach those of the result.
pub(crate) fn sample_moments(result: &QueueResult, times: &[f64]) -> Vec<Moment> {
    let fractions = result.fraction_at_least.clone().unwrap_or_default();
    let moment = |&t: &f64| {
        let part = |(i, x): (usize, &f64)| x * (1.0 - (-t).exp()).powi(i as i32);
        let fraction_at_least: Vec<f64> = fractions.iter().enumerate().map(part).collect();
        let queue_length = fraction_at_least.iter().skip(1).sum();
        Moment {
            t,
            fraction_at_least,
            queue_length,
            queue_length_ci95: around(queue_length, 0.03125),
        }
    };
    times.iter().map(moment).collect()
}

pub(crate) fn queue_record(results: Vec<QueueResult>) -> Record<QueueResult> {
    Record { evenhand: "0.1.0".into(), command: "queue".into(), seed: 7, threads: 2, results }
}

/// One choice, two choices and a policy whose queues grew.
pub(crate) fn sample_queues() -> Record<QueueResult> {
    queue_record(vec![
        sample_queue("one-choice", 10.0, |i| i),
        sample_queue("two-choice", 2.625, |i| (1 << i.min(20)) - 1),
        sample_unstable("walks(2, star)"),
    ])
}

/// Two policies at places, with their lengths on the way from an empty start.
pub(crate) fn sample_placed_queues() -> Record<QueueResult> {
    let placed = |policy: &str, mean, metres, power| {
        let mut result = sample_queue(policy, mean, power);
        result.server_places = Some("servers.csv".into());
        result.users = Some("users.csv".into());
        result.distance =
            Some(Distance { unit: "m".into(), mean: metres, p95: 3.0 * metres, max: 9.0 * metres });
        result.transient = Some(sample_moments(&result, &[0.0, 0.5, 1.0, 2.0, 3.0, 4.0, 6.0]));
        result
    };
    queue_record(vec![
        placed("nearest(1)", 10.0, 812.0, |i| i),
        placed("nearest(2)", 3.25, 1234.5, |i| (1 << i.min(20)) - 1),
    ])
}
