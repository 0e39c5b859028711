//! Queues whose law is known in closed form, or from an equation in one unknown.

mod common;

use common::*;
use evenhand_queue::Plan;
use evenhand_sim::{ArrivalSpec, Speeds};

const NONE: f64 = 0.0;

/// Hundred independent queues: every server of one-choice is an M/G/1 queue.
fn one_choice(service: &str, load: f64) -> Measured {
    let queue = served(queue("one-choice", 100, load), service);
    Measured::new(&queue, load, &Plan::until(2_000.0 / (1.0 - load), 400.0 / (1.0 - load)))
}

/// Mean wait in M/G/1 for service of mean 1 (Pollaczek, Khinchine).
fn mean_wait(load: f64, scv: f64) -> f64 {
    load * (1.0 + scv) / (2.0 * (1.0 - load))
}

/// The sojourn time in M/M/1 is exponential with mean 1 / (1 - load), and the length geometric.
#[test]
fn m_m_1() {
    for load in [0.5, 0.8] {
        let measured = one_choice("exponential", load);
        let mean = 1.0 / (1.0 - load);
        measured.sojourn().assert_near("sojourn", mean, NONE, 0.02);
        measured.wait().assert_near("wait", mean - 1.0, NONE, 0.03);
        measured.length().assert_near("length", load * mean, NONE, 0.02);
        measured.estimate(|o| o.waited()).assert_near("P(wait)", load, NONE, 0.01);
        for k in 1..5 {
            let expected = load.powi(k as i32);
            measured.at_least(k).assert_near(&format!("s_{k}"), expected, NONE, 0.08);
        }
        for q in [0.5, 0.9, 0.99] {
            let quantile = measured.estimate(|o| o.sojourn.quantile(q));
            // Quantiles of a histogram are within 0.1 %.
            let expected = -mean * f64::ln(1.0 - q);
            quantile.assert_near(&format!("quantile {q}"), expected, 1e-3 * expected, 0.04);
        }
        assert!(measured.outcomes.iter().all(|outcome| outcome.probes == 0));
    }
}

#[test]
fn m_g_1() {
    for (service, scv) in [
        ("deterministic", 0.0),
        ("erlang(2)", 0.5),
        ("hyperexponential(10)", 10.0),
        ("lognormal(2)", 2.0),
    ] {
        for load in [0.4, 0.8] {
            let measured = one_choice(service, load);
            let wait = mean_wait(load, scv);
            let what = format!("{service} at {load}");
            measured.wait().assert_near(&what, wait, NONE, 0.12);
            measured.length().assert_near(&what, load * (wait + 1.0), NONE, 0.12);
            measured.at_least(1).assert_near(&what, load, NONE, 0.06);
        }
    }
}

/// In M/D/1 a job that meets nobody waits not at all, and P(wait <= 1) is
/// (1 - load) e^load (Erlang 1909).
#[test]
fn m_d_1() {
    let load = 0.7_f64;
    let measured = one_choice("deterministic", load);
    measured.estimate(|o| o.waited()).assert_near("P(wait)", load, NONE, 0.01);
    measured.sojourn().assert_near("sojourn", 1.0 + mean_wait(load, 0.0), NONE, 0.01);
    let short = |outcome: &evenhand_queue::Outcome| {
        let below: u64 = outcome.wait.iter().filter(|(w, _)| *w < 1.0).map(|(_, n)| n).sum();
        below as f64 / outcome.wait.count() as f64
    };
    let expected = (1.0 - load) * load.exp();
    // The cell that holds 1 is 0.1 % wide.
    measured.estimate(short).assert_near("P(wait <= 1)", expected, 1e-3, 0.01);
}

/// Servers of each speed are M/M/1 queues with that service rate.
#[test]
fn classes_of_speeds() {
    let mut queue = queue("one-choice", 200, 0.7);
    queue.speeds = Speeds::parse("classes(0.5, 2, 0.5, 1)").unwrap();
    let measured = Measured::without_load(&queue, &Plan::until(3_000.0, 500.0));
    let (slow, fast) = (1.0 / (1.0 - 0.7), 1.0 / (2.0 - 0.7));
    measured.sojourn().assert_near("sojourn", 0.5 * (slow + fast), NONE, 0.02);
    measured.estimate(|o| o.utilisation[0].1).assert_near("slow", 0.7, NONE, 0.01);
    measured.estimate(|o| o.utilisation[1].1).assert_near("fast", 0.35, NONE, 0.01);
    assert!(measured.outcomes.iter().all(|o| o.utilisation.len() == 2));
    assert!(
        measured.outcomes.iter().all(|o| (o.utilisation[0].0, o.utilisation[1].0) == (1.0, 2.0))
    );
}

/// The root of s = A(1 - s), where A is the transform of Erlang-2 times between arrivals.
fn erlang_root(load: f64) -> f64 {
    let transform = |s: f64| (2.0 * load / (2.0 * load + s)).powi(2);
    (0..1_000).fold(0.5, |root, _| transform(1.0 - root))
}

/// In GI/M/1 the sojourn time is exponential with mean 1 / (1 - root), and an arrival waits with
/// the probability of the root.
#[test]
fn gi_m_1() {
    let load = 0.8;
    let root = erlang_root(load);
    let mut renewal = queue("one-choice", 1, load);
    renewal.arrivals = ArrivalSpec::parse("renewal(erlang(2))").unwrap();
    // Two servers in turn halve a Poisson process into renewal processes of that kind.
    let in_turn = queue("round-robin", 2, load);
    for queue in [renewal, in_turn] {
        let servers = queue.servers as f64;
        let measured = Measured::new(&queue, load, &Plan::until(400_000.0 / servers, 500.0));
        measured.sojourn().assert_near("sojourn", 1.0 / (1.0 - root), NONE, 0.03);
        measured.estimate(|o| o.waited()).assert_near("P(wait)", root, NONE, 0.02);
        measured.length().assert_near("length", load / (1.0 - root), NONE, 0.03);
    }
}

type Matrix = [[f64; 2]; 2];

fn product(a: Matrix, b: Matrix) -> Matrix {
    [0, 1].map(|i| [0, 1].map(|j| a[i][0] * b[0][j] + a[i][1] * b[1][j]))
}

fn inverse(a: Matrix) -> Matrix {
    let determinant = a[0][0] * a[1][1] - a[0][1] * a[1][0];
    [[a[1][1], -a[0][1]], [-a[1][0], a[0][0]]].map(|row| row.map(|x| x / determinant))
}

fn sum(a: Matrix, b: Matrix) -> Matrix {
    [0, 1].map(|i| [0, 1].map(|j| a[i][j] + b[i][j]))
}

/// Mean length of MMPP/M/1 with service rate 1 and phases of equal mean stay, by the matrix-
/// geometric method (Neuts 1981).
fn mmpp_length(rates: [f64; 2], stay: f64) -> f64 {
    let leave = 1.0 / stay;
    let up = [[rates[0], 0.0], [0.0, rates[1]]];
    let empty = [[-leave - rates[0], leave], [leave, -leave - rates[1]]];
    let minus_local = [[leave + rates[0] + 1.0, -leave], [-leave, leave + rates[1] + 1.0]];
    let step = inverse(minus_local);
    let ratio = (0..100_000).fold([[0.0; 2]; 2], |r, _| product(sum(up, product(r, r)), step));
    // The chain at length 0: its row vector solves first * (empty + ratio) = 0.
    let [[a, _], [c, _]] = sum(empty, ratio);
    let first = [c, -a];
    let minus_ratio = ratio.map(|row| row.map(|x| -x));
    let all = inverse(sum([[1.0, 0.0], [0.0, 1.0]], minus_ratio));
    let total = |m: Matrix| -> f64 { [0, 1].map(|i| first[i] * (m[i][0] + m[i][1])).iter().sum() };
    total(product(ratio, product(all, all))) / total(all)
}

#[test]
fn mmpp_m_1() {
    assert!((mmpp_length([0.5, 0.5], 7.0) - 1.0).abs() < 1e-9);
    let mut queue = queue("one-choice", 1, 0.5);
    queue.arrivals = ArrivalSpec::parse("mmpp(1, 10, 3, 10)").unwrap();
    let measured = Measured::new(&queue, 0.5, &Plan::until(500_000.0, 500.0));
    let expected = mmpp_length([0.25, 0.75], 10.0);
    measured.length().assert_near("length", expected, NONE, 0.04);
    measured.sojourn().assert_near("sojourn", expected / 0.5, NONE, 0.04);
}

/// In M/M/1/B a job is lost with probability (1 - load) load^B / (1 - load^(B + 1)), also above
/// capacity.
#[test]
fn finite_buffers() {
    for (load, buffer) in [(0.9_f64, 1), (0.9, 5), (1.3, 5), (1.3, 12)] {
        let mut queue = queue("one-choice", 50, load);
        queue.buffer = Some(buffer);
        let measured = Measured::without_load(&queue, &Plan::until(2_500.0, 500.0));
        let b = buffer as i32;
        let full = (1.0 - load) * load.powi(b) / (1.0 - load.powi(b + 1));
        let loss = |o: &evenhand_queue::Outcome| o.lost as f64 / (o.lost + o.jobs()) as f64;
        let what = format!("loss at {load} with {buffer} places");
        measured.estimate(loss).assert_near(&what, full, NONE, 0.05);
        // Accepted jobs keep a server busy whenever it is not empty.
        let busy = 1.0 - full / load.powi(b);
        measured.estimate(|o| o.utilisation[0].1).assert_near(&what, busy, NONE, 0.01);
        measured.at_least(1).assert_near(&what, busy, NONE, 0.04);
        assert!(measured.outcomes.iter().all(|o| o.at_least.len() <= buffer as usize + 1));
    }
}
