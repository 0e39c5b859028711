//! Few servers, whose Markov chain was solved exactly, and what other simulators get wrong there.

mod common;

use common::*;
use evenhand_queue::Plan;

const NONE: f64 = 0.0;

/// Two choices of N servers with exponential service: load, whether the choices are distinct,
/// exact mean length, exact fractions of servers with at least 2, 3, 4, 5 jobs.
struct Chain {
    servers: u64,
    load: f64,
    distinct: bool,
    length: f64,
    at_least: [f64; 4],
}

/// Stationary laws from a sparse solve of the chain of queue lengths, truncated where less than
/// 1e-14 of the mass is cut.
const CHAINS: &[Chain] = &[
    Chain {
        servers: 2,
        load: 0.7,
        distinct: false,
        length: 1.6536198202,
        at_least: [0.4316277934, 0.2458793579, 0.1333766581, 0.0701007822],
    },
    Chain {
        servers: 2,
        load: 0.7,
        distinct: true,
        length: 1.4757380918,
        at_least: [0.3895396722, 0.1963656442, 0.0967582960, 0.0474626693],
    },
    Chain {
        servers: 3,
        load: 0.7,
        distinct: false,
        length: 1.4582321779,
        at_least: [0.4062458325, 0.2018285003, 0.0898711662, 0.0371111411],
    },
    Chain {
        servers: 2,
        load: 0.9,
        distinct: false,
        length: 5.2782163850,
        at_least: [0.7793243200, 0.6575316262, 0.5459153186, 0.4488166413],
    },
];

fn policy(distinct: bool) -> &'static str {
    if distinct { "choices(2, distinct)" } else { "two-choice" }
}

fn measured(servers: u64, load: f64, distinct: bool) -> Measured {
    let queue = queue(policy(distinct), servers, load);
    let warm_up = 5.0 / (1.0 - load).powi(2);
    Measured::new(&queue, load, &Plan::until(warm_up + 400_000.0 / servers as f64, warm_up))
}

#[test]
fn exact_chains() {
    for chain in CHAINS {
        let measured = measured(chain.servers, chain.load, chain.distinct);
        let what = format!("N={} load {} {}: ", chain.servers, chain.load, policy(chain.distinct));
        measured.length().assert_near(&(what.clone() + "length"), chain.length, NONE, 0.03);
        let sojourn = chain.length / chain.load;
        measured.sojourn().assert_near(&(what.clone() + "sojourn"), sojourn, NONE, 0.03);
        measured.at_least(1).assert_near(&(what.clone() + "s_1"), chain.load, NONE, 0.01);
        for (k, &fraction) in (2..).zip(&chain.at_least) {
            // The exact values have ten digits.
            let what = format!("{what}s_{k}");
            measured.at_least(k).assert_near(&what, fraction, 1e-10, 0.1);
        }
    }
}

/// Drawing the two servers with or without replacement is two models, which small systems tell
/// apart: a simulator that calls both "two choices" is wrong in one of them.
#[test]
fn with_and_without_replacement_are_two_models() {
    for (servers, load, with, without, digits) in
        [(2, 0.6, 1.890, 1.682, 5e-4), (3, 0.5, 1.478, 1.352, 5e-4), (4, 0.9, 4.0395, 3.7526, 5e-5)]
    {
        for (distinct, sojourn) in [(false, with), (true, without)] {
            let what = format!("N={servers} load {load} {}", policy(distinct));
            let estimate = measured(servers, load, distinct).sojourn();
            estimate.assert_near(&what, sojourn, digits, 0.02);
        }
    }
}

/// Two distinct choices of two servers are the shortest queue.
#[test]
fn two_of_two() {
    measured(2, 0.9, true).sojourn().assert_near("N=2", 5.4749, 5e-5, 0.03);
}

/// The number of jobs at the start enters no average: with a start of one job at every server
/// the stationary mean length is that of an empty start, not one more.
#[test]
fn the_start_does_not_shift_lengths() {
    let mut queue = queue("two-choice", 10, 0.9);
    queue.initial = evenhand_queue::Initial::Profile(vec![1.0]);
    let measured = Measured::new(&queue, 0.9, &Plan::until(60_500.0, 500.0));
    measured.length().assert_near("length", 2.8025, 3e-3, 0.01);
    measured.sojourn().assert_near("sojourn", 2.8025 / 0.9, 3.3e-3, 0.01);
}

/// Jobs that wait count as load, not only those in service. A balancer that sees only who is idle
/// gives each busy server the load squared: 1 / (1 - 0.81) in place of 2.659.
#[test]
fn waiting_jobs_are_load() {
    let plan = Plan::until(10_500.0, 500.0);
    let of = |policy: &str| Measured::new(&queue(policy, 100, 0.9), 0.9, &plan).sojourn();
    of("two-choice").assert_near("two-choice", 2.6590, 1e-3, 0.005);
    // The limit of many servers; 1/N terms are a few percent.
    of("idle(2)").assert_near("idle(2)", 1.0 / (1.0 - 0.81), 0.15, 0.02);
}
