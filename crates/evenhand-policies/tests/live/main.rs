//! Policies as a live balancer uses them: clones on threads, shared counters, servers that must
//! not be chosen, the boxed form.

mod frequencies;
mod rig;

use std::sync::atomic::Ordering;
use std::thread;

use evenhand_core::{Choice, ErasedPolicy, Policy, Rule, Sampler};
use evenhand_policies::{User, policies};

use rig::*;

/// An expression for every name, on 12 servers.
const EXPRESSIONS: &[&str] = &[
    "one-choice",
    "random",
    "two-choice",
    "choices(3)",
    "choices(2, distinct)",
    "choices(5)",
    "choices(2, weighted)",
    "choices(2, distinct, weighted)",
    "left(2)",
    "left(5)",
    "one-plus-beta(0.5)",
    "one-plus-beta(0.5, d=3)",
    "memory(1)",
    "memory(2, m=2)",
    "threshold(3, 1)",
    "idle(3)",
    "idle(2, distinct)",
    "least-work",
    "groups(3)",
    "groups(3, compare=least)",
    "windows(2)",
    "windows(2, compare=total)",
    "nearest(2)",
    "near(2, 6)",
    "decay(2, 6)",
    "ring(2)",
    "ring(2, ties=smaller)",
    "cells(2)",
    "cells(2, ties=larger)",
    "thinning",
    "twinning",
    "packing",
    "all",
    "round-robin",
    "edges(ring)",
    "neighbors(2, ring)",
    "walks(2, ring)",
    "trail(2, ring)",
    "hops(2, ring)",
];

#[test]
fn every_policy_has_an_expression() {
    for info in policies() {
        let named = |e: &str| e.split('(').next() == Some(info.name);
        assert!(EXPRESSIONS.iter().any(|e| named(e)), "`{}` is not in the list", info.name);
    }
}

/// Dispatchers on threads, each with a clone of the policy, up to 32 jobs at a time each.
struct Serve<'c>(&'c InFlight);

impl Use for Serve<'_> {
    type Out = ();

    fn with<S, R>(self, policy: Policy<S, R>)
    where
        S: Sampler<User> + Clone + Send + 'static,
        R: Rule<u32> + Rule<f64> + Clone + Send + 'static,
    {
        thread::scope(|scope| {
            for dispatcher in 0..THREADS {
                let mut policy = policy.clone();
                scope.spawn(move || {
                    let (mut streams, mut next_user) = (streams(dispatcher), users(dispatcher));
                    let mut jobs = std::collections::VecDeque::new();
                    for _ in 0..5_000 {
                        let take = |choice: &Choice| {
                            jobs.push_back(self.0.lease(choice.server, choice.balls as u32));
                        };
                        let choice = policy.choose_with(&next_user(), self.0, &mut streams, take);
                        assert!(choice.expect("all are up").server.index() < SERVERS);
                        if jobs.len() > 32 {
                            jobs.pop_front();
                        }
                    }
                });
            }
        });
    }
}

#[test]
fn counters_return_to_zero() {
    for expression in EXPRESSIONS {
        let in_flight = InFlight::new(&[0; SERVERS]);
        visit(expression, Placed(Serve(&in_flight)));
        for jobs in &in_flight.jobs {
            assert_eq!(jobs.load(Ordering::Relaxed), 0, "{expression}");
        }
    }
}

/// Choices with some servers down.
struct Choose<'c>(&'c InFlight);

impl Use for Choose<'_> {
    type Out = Vec<Option<Choice>>;

    fn with<S, R>(self, policy: Policy<S, R>) -> Self::Out
    where
        S: Sampler<User> + Clone + Send + 'static,
        R: Rule<u32> + Rule<f64> + Clone + Send + 'static,
    {
        choices(policy, self.0, 0, 5_000)
    }
}

#[test]
fn servers_that_are_down_are_never_chosen() {
    for expression in EXPRESSIONS {
        let in_flight = InFlight::new(&JOBS);
        // The idle servers are down, and one more.
        let down = [1, 7, 10];
        in_flight.up.fetch_and(!(1 << 1 | 1 << 7 | 1 << 10), Ordering::Relaxed);
        let chosen = visit(expression, Placed(Choose(&in_flight)));
        for choice in chosen.iter().flatten() {
            assert!(!down.contains(&choice.server.0), "{expression}: {choice:?}");
        }
        assert!(chosen.iter().flatten().count() > 1000, "{expression}: hardly a choice");
        in_flight.up.store(0, Ordering::Relaxed);
        let chosen = visit(expression, Placed(Choose(&in_flight)));
        assert!(chosen.iter().all(Option::is_none), "{expression}: all are down");
    }
}

/// `None` says that no candidate was eligible. Groups and windows with a server that is up in
/// every one of them always have one.
#[test]
fn a_choice_is_made_if_a_candidate_is_up() {
    let one_per_group = 1 | 1 << 3 | 1 << 6 | 1 << 9;
    let one_per_pair = 0b0101_0101_0101;
    let right_groups = 0b1111_1100_0000;
    for (expression, up) in [
        ("groups(3)", one_per_group),
        ("groups(3, compare=least)", one_per_group),
        ("windows(2)", one_per_pair),
        ("windows(2, compare=total)", one_per_pair),
        ("left(2)", right_groups),
        ("all", 1 << 11),
    ] {
        let in_flight = InFlight::new(&JOBS);
        in_flight.up.store(up, Ordering::Relaxed);
        let chosen = visit(expression, Placed(Choose(&in_flight)));
        assert!(chosen.iter().all(Option::is_some), "{expression}");
    }
    // Two groups of two are up. A ball that draws one of them and one that is down is served.
    let in_flight = InFlight::new(&JOBS);
    in_flight.up.store(0b0000_1100_1100, Ordering::Relaxed);
    for compare in ["total", "least"] {
        let expression = format!("groups(2, compare={compare})");
        let chosen = visit(&expression, Placed(Choose(&in_flight)));
        let served = chosen.iter().flatten().count() as f64 / chosen.len() as f64;
        // 1 - (4/6)^2, within 6 standard errors of 5000 choices.
        assert!((served - 5.0 / 9.0).abs() < 6.0 * (20.0 / 81.0 / 5000.0_f64).sqrt(), "{served}");
    }
}

/// Choices of a policy and of its boxed form on the same streams, while counters change.
struct Boxed;

impl Use for Boxed {
    type Out = [Vec<Option<Choice>>; 2];

    fn with<S, R>(self, mut policy: Policy<S, R>) -> Self::Out
    where
        S: Sampler<User> + Clone + Send + 'static,
        R: Rule<u32> + Rule<f64> + Clone + Send + 'static,
    {
        let mut boxed: Box<dyn ErasedPolicy<User, u32>> = Box::new(policy.clone());
        let typed = InFlight::new(&[0; SERVERS]);
        let (mut own, mut next_user) = (streams(0), users(0));
        let first = (0..2_000).map(|_| {
            policy.choose_with(&next_user(), &typed, &mut own, |choice| {
                std::mem::forget(typed.lease(choice.server, choice.balls as u32));
            })
        });
        let first = first.collect();
        let erased = InFlight::new(&[0; SERVERS]);
        let (mut own, mut next_user) = (streams(0), users(0));
        let second = (0..2_000).map(|_| {
            boxed.choose(&next_user(), &erased, &mut own, &mut |choice| {
                std::mem::forget(erased.lease(choice.server, choice.balls as u32));
            })
        });
        [first, second.collect()]
    }
}

#[test]
fn the_boxed_form_chooses_alike() {
    for expression in EXPRESSIONS {
        let [typed, boxed] = visit(expression, Placed(Boxed));
        assert_eq!(typed, boxed, "{expression}");
        assert!(typed.iter().all(Option::is_some), "{expression}");
    }
}
