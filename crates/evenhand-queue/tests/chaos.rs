//! Propagation of chaos: any two servers become independent as their number grows, and their
//! correlation falls like 1/N.
//!
//! Servers are exchangeable, so the variance of the number of jobs T in the system is
//! N v + N (N - 1) c, where v is the variance of a queue length and c the covariance of two. Both
//! come from snapshots: with m the mean length, known from the work of Gast (2017) or from all
//! replications, (T - N m)^2 - (sum of (q - m)^2) has mean N (N - 1) c. No pair of servers is
//! picked, all enter.

mod common;

use common::*;
use evenhand_queue::{Outcome, Plan, Transient};

/// Number of jobs, and of their ordered pairs at one server, in a snapshot.
fn moments(snapshot: &Transient) -> (f64, f64) {
    let at_least = |k: usize| snapshot.at_least[k] as f64;
    let levels = 1..snapshot.at_least.len();
    // The sum over servers of q is that of at_least(k), and that of q^2 of (2k - 1) at_least(k).
    let jobs = levels.clone().map(at_least).sum();
    let squares = levels.map(|k| (2 * k - 1) as f64 * at_least(k)).sum();
    (jobs, squares)
}

/// N times the correlation of two queue lengths: one value for each replication.
fn scaled_correlations(servers: u64, load: f64, snapshots: usize) -> Vec<f64> {
    let queue = queue("two-choice", servers, load);
    const WARM_UP: f64 = 200.0;
    const EVERY: f64 = 5.0;
    let end = WARM_UP + EVERY * snapshots as f64;
    let mut plan = Plan::until(end, WARM_UP);
    plan.at = (0..snapshots).map(|i| WARM_UP + EVERY * i as f64).collect();
    let outcomes: Vec<Outcome> = (0..RUNS).map(|number| run(&queue, &plan, number)).collect();
    let n = servers as f64;
    let all = || outcomes.iter().flat_map(|outcome| &outcome.transient).map(moments);
    let count = (snapshots as u64 * RUNS) as f64;
    let mean = all().map(|(jobs, _)| jobs).sum::<f64>() / count / n;
    let variance = all().map(|(_, squares)| squares).sum::<f64>() / count / n - mean * mean;
    let covariance = |outcome: &Outcome| {
        let of = |(jobs, squares): (f64, f64)| {
            let own = squares - 2.0 * mean * jobs + n * mean * mean;
            ((jobs - n * mean).powi(2) - own) / (n * (n - 1.0))
        };
        outcome.transient.iter().map(|t| of(moments(t))).sum::<f64>() / snapshots as f64
    };
    outcomes.iter().map(|outcome| n * covariance(outcome) / variance).collect()
}

/// N times the correlation is positive, and levels off as N grows: between N=100 and N=1000 the
/// correlation falls by ten, to within the error.
#[test]
fn correlation_of_two_servers_falls_like_one_over_n() {
    let of = |servers, snapshots| Estimate::plain(&scaled_correlations(servers, 0.7, snapshots));
    let (few, some, many) = (of(10, 20_000), of(100, 5_000), of(1_000, 1_000));
    for (servers, estimate) in [(10, few), (100, some), (1_000, many)] {
        estimate.assert_above(&format!("N={servers}"), 0.0);
    }
    some.assert_near("N=100 against N=1000", many.mean, 7.0 * many.standard_error, 0.2);
    // One term of the expansion in 1/N is not enough at N=10.
    few.assert_near("N=10 against N=1000", many.mean, 0.3 * many.mean, 0.2);
}
