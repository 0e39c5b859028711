//! Time of theory against the time of a simulation to the same accuracy.
//!
//! `cargo bench -p evenhand-theory --bench simulation`. A simulation of 10,000 servers under two
//! choices gives the mean queue with a standard error that falls like the root of its time. So its
//! time to an error of 1e-5 of the mean is extrapolated from the error of a few runs. (At 10,000
//! servers it also has a bias of 1e-4, which more servers would cure, and which is left out here.)

#![allow(clippy::print_stdout, reason = "a bench prints its figures")]

use std::hint::black_box;
use std::time::Instant;

use evenhand_policies::PolicySpec;
use evenhand_queue::{Engine, Plan, Queue};
use evenhand_sim::{Control, Service};
use evenhand_theory::hydrodynamic::{Stationary, Transient};

const SERVERS: u64 = 10_000;
const LOAD: f64 = 0.9;
const RUNS: u64 = 8;
const ACCURACY: f64 = 1e-5;

fn main() {
    for law in ["exponential", "deterministic", "lognormal(4)"] {
        let mut queue =
            Queue::new(PolicySpec::parse("two-choice").expect("a policy"), SERVERS, LOAD);
        queue.service = Service::parse(law).expect("a law");
        let rest = Plan::until(150.0, 50.0);
        let simulated = simulated(&queue, &rest, |outcome| outcome.queue_length);
        let predicted = seconds(|| {
            black_box(Stationary::solve(&queue.service, 2, LOAD)).expect("a stationary state");
        });
        row(law, "at rest", simulated, predicted);

        let in_time = Plan { at: vec![20.0], ..Plan::until(20.0, 0.0) };
        let length = |at_least: &[u64]| at_least[1..].iter().sum::<u64>() as f64 / SERVERS as f64;
        let simulated =
            self::simulated(&queue, &in_time, |outcome| length(&outcome.transient[0].at_least));
        let predicted = seconds(|| {
            let state = Transient::solve(&queue.service, 2, LOAD, &[], &[20.0], ACCURACY);
            black_box(state).expect("a state");
        });
        row(law, "at time 20", simulated, predicted);
    }
}

fn row(law: &str, what: &str, simulated: f64, predicted: f64) {
    println!(
        "{law}, {what}: simulation {simulated:.0} s, theory {:.2} ms: {:.0} times",
        1e3 * predicted,
        simulated / predicted
    );
}

/// Time that runs would take to know the mean of `number` to the accuracy.
fn simulated(queue: &Queue, plan: &Plan, number: impl Fn(&evenhand_queue::Outcome) -> f64) -> f64 {
    let mut values = Vec::new();
    let time = seconds(|| {
        let run = |i| queue.run(Engine::Lazy, plan, i, &Control::default()).expect("not stopped");
        values = (0..RUNS).map(|i| number(&run(i))).collect();
    });
    let mean = values.iter().sum::<f64>() / RUNS as f64;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let error = (squares / (RUNS - 1) as f64 / RUNS as f64).sqrt() / mean;
    time * (error / ACCURACY).powi(2)
}

fn seconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}
