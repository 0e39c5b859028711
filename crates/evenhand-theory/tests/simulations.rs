//! Predictions against simulations of 100,000 servers under two choices, at rest and in time.

use evenhand_policies::PolicySpec;
use evenhand_queue::{Engine, Outcome, Plan, Queue};
use evenhand_sim::{Control, Service};
use evenhand_theory::predict;

const SERVERS: u64 = 100_000;
const LOAD: f64 = 0.9;
const RUNS: u64 = 16;
/// Student's t with 15 degrees of freedom is beyond 8.5 with probability 4e-7.
const STANDARD_ERRORS: f64 = 8.5;
/// Terms of order 1/N: several jobs among the servers.
const OF_SIZE: f64 = 10.0 / SERVERS as f64;

fn queue(service: &str) -> Queue {
    let mut queue = Queue::new(PolicySpec::parse("two-choice").unwrap(), SERVERS, LOAD);
    queue.service = Service::parse(service).unwrap();
    queue
}

fn outcomes(queue: &Queue, plan: &Plan) -> Vec<Outcome> {
    let run = |number| queue.run(Engine::Lazy, plan, number, &Control::default()).unwrap();
    (0..RUNS).map(run).collect()
}

/// Runs and a prediction are one number but for noise.
fn agree(what: &str, values: &[f64], predicted: f64, of_size: f64) {
    let runs = values.len() as f64;
    let mean = values.iter().sum::<f64>() / runs;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let error = (squares / (runs - 1.0) / runs).sqrt();
    assert!(
        (mean - predicted).abs() < STANDARD_ERRORS * error + of_size,
        "{what}: {mean} for {predicted}, standard error {error}"
    );
    assert!(error < 0.004 * predicted.max(0.1), "{what}: the test is too weak: {error}");
}

#[test]
fn at_rest() {
    // Lognormal service comes to rest slowly: the mean queue is 0.03 % off after 150 services.
    for (service, warm_up, of_rest) in
        [("exponential", 60.0, 0.0), ("deterministic", 40.0, 0.0), ("lognormal(4)", 150.0, 2e-3)]
    {
        let queue = queue(service);
        let prediction = predict::queue(&queue, false, &[]).unwrap().limit.numbers;
        let outcomes = outcomes(&queue, &Plan::until(warm_up + 20.0, warm_up));
        let lengths: Vec<f64> = outcomes.iter().map(|outcome| outcome.queue_length).collect();
        let length = prediction.queue_length.unwrap().mean;
        agree(&format!("{service}: mean queue"), &lengths, length, 10.0 * OF_SIZE + of_rest);
        let fractions = prediction.fraction_at_least.unwrap();
        for (level, &predicted) in fractions.iter().enumerate().take(4).skip(1) {
            let seen: Vec<f64> = outcomes.iter().map(|outcome| outcome.at_least[level]).collect();
            let of_size = OF_SIZE + of_rest / 4.0;
            agree(&format!("{service}: s_{level}"), &seen, predicted, of_size);
        }
        for (p, predicted) in [(0.5, prediction.sojourn.p50), (0.99, prediction.sojourn.p99)] {
            let seen: Vec<f64> =
                outcomes.iter().map(|outcome| outcome.sojourn.quantile(p)).collect();
            let predicted = predicted.unwrap();
            // The histogram is within 0.1 %.
            let of_size = 1.5e-3 * predicted + of_rest;
            agree(&format!("{service}: quantile {p}"), &seen, predicted, of_size);
        }
    }
}

#[test]
fn in_time() {
    let times = [0.5, 1.0, 2.0, 5.0, 10.0];
    for service in ["exponential", "deterministic", "lognormal(4)"] {
        let queue = queue(service);
        let prediction = predict::queue(&queue, false, &times).unwrap().at.unwrap();
        let plan = Plan { at: times.to_vec(), ..Plan::until(10.0, 0.0) };
        let outcomes = outcomes(&queue, &plan);
        for (i, moment) in prediction.iter().enumerate() {
            for level in 1..4 {
                let Some(&predicted) = moment.fraction_at_least.get(level) else { continue };
                let seen: Vec<f64> = outcomes
                    .iter()
                    .map(|outcome| {
                        let at_least = &outcome.transient[i].at_least;
                        at_least.get(level).copied().unwrap_or(0) as f64 / SERVERS as f64
                    })
                    .collect();
                let what = format!("{service}: s_{level} at {}", moment.t);
                agree(&what, &seen, predicted, OF_SIZE + moment.error);
            }
        }
    }
}
