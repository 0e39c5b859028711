//! Time of the theory of queues with general service.
//!
//! `cargo bench -p evenhand-theory --bench hydrodynamic` runs all rows; a word after `--` picks
//! rows whose name holds it. Each time is the least of some repetitions, and is also given over
//! that of the first row of its kind.

#![allow(clippy::print_stdout, reason = "a bench prints its figures")]

use std::hint::black_box;
use std::time::Instant;

use evenhand_sim::Service;
use evenhand_theory::hydrodynamic::{Delay, Stationary, Transient};

const LAWS: [&str; 4] = ["exponential", "deterministic", "lognormal(4)", "hyperexponential(10)"];
const LOAD: f64 = 0.9;

type Work = fn(&Service);

fn main() {
    let filter = std::env::args().skip(1).find(|arg| !arg.starts_with("--"));
    let kinds: [(&str, Work); 3] =
        [("fixed point", fixed_point), ("99th percentile", percentile), ("time 20", transient)];
    for (kind, work) in kinds {
        let mut first = None;
        for law in LAWS {
            let name = format!("{kind} {law}");
            if filter.as_ref().is_some_and(|word| !name.contains(word.as_str())) {
                continue;
            }
            let service = Service::parse(law).expect("a law");
            let seconds = least(5, || work(&service));
            let over = seconds / *first.get_or_insert(seconds);
            println!("{name}: {:.2} ms, {over:.1} times", 1e3 * seconds);
        }
    }
}

/// Least time of some repetitions, in seconds.
fn least(repetitions: usize, mut work: impl FnMut()) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..repetitions {
        let start = Instant::now();
        work();
        least = least.min(start.elapsed().as_secs_f64());
    }
    least
}

fn solve(service: &Service) -> Stationary {
    Stationary::solve(service, 2, LOAD).expect("a stationary state")
}

fn fixed_point(service: &Service) {
    black_box(solve(service));
}

/// With the fixed point.
fn percentile(service: &Service) {
    black_box(solve(service).delay_quantile(Delay::Sojourn, 0.99)).expect("a quantile");
}

/// From idle servers, with an error of at most 1e-5.
fn transient(service: &Service) {
    black_box(Transient::solve(service, 2, LOAD, &[], &[20.0], 1e-5)).expect("a state");
}
