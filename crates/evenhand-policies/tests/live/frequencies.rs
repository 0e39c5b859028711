//! While the counters stand still, the choices of dispatchers on threads follow the exact law.
//!
//! Chi-square tests at probability 1e-9; every cell expects 200 or more, so a false alarm is below
//! 2e-8 each and below 1e-6 for each test function.

use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use evenhand_core::{Policy, Rule, Sampler};
use evenhand_policies::User;
use statrs::distribution::{ChiSquared, ContinuousCDF};

use crate::rig::*;

/// How often each server is chosen over all threads, while the counters stand still.
struct Frequencies<'c>(&'c InFlight);

const CHOICES: usize = 100_000;

impl Use for Frequencies<'_> {
    type Out = Vec<f64>;

    fn with<S, R>(self, policy: Policy<S, R>) -> Vec<f64>
    where
        S: Sampler<User> + Clone + Send + 'static,
        R: Rule<u32> + Rule<f64> + Clone + Send + 'static,
    {
        let mut counts = vec![0.0; SERVERS];
        thread::scope(|scope| {
            let dispatch = |dispatcher| {
                let policy = policy.clone();
                scope.spawn(move || choices(policy, self.0, dispatcher, CHOICES))
            };
            let threads: Vec<_> = (0..THREADS).map(dispatch).collect();
            for choice in threads.into_iter().flat_map(|thread| thread.join().expect("no panic")) {
                counts[choice.expect("all are up").server.index()] += 1.0;
            }
        });
        counts
    }
}

/// Probability of each server where one of these pairs is drawn, and the first of it wins with
/// probability `first_wins`.
fn of_pairs(draws: &[(usize, usize)], first_wins: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    let mut law = vec![0.0; SERVERS];
    for &(a, b) in draws {
        let p = first_wins(a, b);
        law[a] += p / draws.len() as f64;
        law[b] += (1.0 - p) / draws.len() as f64;
    }
    law
}

fn pairs(first: std::ops::Range<usize>, second: std::ops::Range<usize>) -> Vec<(usize, usize)> {
    first.flat_map(|a| second.clone().map(move |b| (a, b))).collect()
}

fn lesser(a: usize, b: usize) -> f64 {
    match JOBS[a].cmp(&JOBS[b]) {
        std::cmp::Ordering::Less => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Greater => 0.0,
    }
}

fn assert_law(expression: &str, law: &[f64]) {
    let counts = visit(expression, Placed(Frequencies(&InFlight::new(&JOBS))));
    assert_frequencies(expression, &counts, law);
}

fn assert_frequencies(expression: &str, counts: &[f64], law: &[f64]) {
    assert!((law.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{law:?}");
    let choices: f64 = counts.iter().sum();
    let mut statistic = 0.0;
    for (count, p) in counts.iter().zip(law) {
        if *p == 0.0 {
            assert_eq!(*count, 0.0, "{expression}: {counts:?}");
        } else {
            assert!(p * choices >= 200.0, "{law:?}");
            statistic += (count - p * choices).powi(2) / (p * choices);
        }
    }
    let cells = law.iter().filter(|&&p| p > 0.0).count();
    let p = ChiSquared::new((cells - 1) as f64).expect("two cells or more").sf(statistic);
    assert!(p > 1e-9, "{expression}: p = {p}, {counts:?}");
}

#[test]
fn frequencies_follow_the_law() {
    let all = pairs(0..12, 0..12);
    let two = of_pairs(&all, lesser);
    assert_law("two-choice", &two);
    let distinct: Vec<_> = all.iter().copied().filter(|(a, b)| a != b).collect();
    assert_law("choices(2, distinct)", &of_pairs(&distinct, lesser));
    let coin: Vec<f64> = two.iter().map(|p| 0.5 * p + 0.5 / 12.0).collect();
    assert_law("one-plus-beta(0.5)", &coin);
    let left_first = |a: usize, b: usize| f64::from(u8::from(JOBS[a] <= JOBS[b]));
    assert_law("left(2)", &of_pairs(&pairs(0..6, 6..12), left_first));
    let within = |a: usize, b: usize| match (JOBS[a] <= 2, JOBS[b] <= 2) {
        (true, _) => 1.0,
        (false, true) => 0.0,
        (false, false) => lesser(a, b),
    };
    assert_law("threshold(2, 2)", &of_pairs(&all, within));
    // The average is 2.75.
    let below = |a: usize, _: usize| f64::from(u8::from(JOBS[a] <= 2));
    assert_law("thinning", &of_pairs(&all, below));
    // Only servers 1 and 7 are idle.
    let mut idle = vec![0.0; SERVERS];
    (idle[1], idle[7]) = (0.5, 0.5);
    assert_law("all", &idle);
}

/// How often each server is the third choice of a new dispatcher, counted on threads.
struct ThirdChoices<'c>(&'c InFlight);

impl Use for ThirdChoices<'_> {
    type Out = Vec<f64>;

    fn with<S, R>(self, policy: Policy<S, R>) -> Vec<f64>
    where
        S: Sampler<User> + Clone + Send + 'static,
        R: Rule<u32> + Rule<f64> + Clone + Send + 'static,
    {
        let counts: Vec<AtomicU32> = (0..SERVERS).map(|_| AtomicU32::new(0)).collect();
        thread::scope(|scope| {
            for thread in 0..THREADS {
                let (policy, counts, in_flight) = (policy.clone(), &counts, self.0);
                scope.spawn(move || {
                    for dispatcher in 0..CHOICES as u64 {
                        let number = (thread << 32) + dispatcher;
                        let third = choices(policy.clone(), in_flight, number, 3)[2];
                        let server = third.expect("all are up").server;
                        counts[server.index()].fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
        });
        counts.iter().map(|count| f64::from(count.load(Ordering::Relaxed))).collect()
    }
}

/// A dispatcher remembers for itself: the first choice is uniform, and each further one is the
/// lesser loaded of a uniform server and the one remembered, which has the same law as the last
/// choice while the counters stand still.
#[test]
fn memory_is_of_one_dispatcher() {
    let mut law = vec![1.0 / 12.0; SERVERS];
    for _ in 0..2 {
        let mut next = vec![0.0; SERVERS];
        for (remembered, fresh) in pairs(0..12, 0..12) {
            let p = law[remembered] / 12.0;
            next[remembered] += p * lesser(remembered, fresh);
            next[fresh] += p * lesser(fresh, remembered);
        }
        law = next;
    }
    let counts = visit("memory(1)", Placed(ThirdChoices(&InFlight::new(&JOBS))));
    assert_frequencies("memory(1)", &counts, &law);
}
