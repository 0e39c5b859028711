//! Policies as a live balancer uses them: clones on threads, shared counters, servers that must
//! not be chosen, the boxed form.
//!
//! Frequencies are compared with exact laws by chi-square tests at probability 1e-9; every cell
//! expects 200 or more, so a false alarm is below 2e-8 each and below 1e-6 for each test function.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::thread;

use evenhand_core::{
    ErasedPolicy, Policy, Role, Rule, Sampler, ServerId, Signal, Stream, Streams, unit_f64,
};
use evenhand_policies::comparisons::Comparison;
use evenhand_policies::{PolicySpec, User, Visit, World, policies};
use evenhand_topology::space::{Metric, NearestIndex, Places, Point};
use statrs::distribution::{ChiSquared, ContinuousCDF};

const THREADS: u64 = 4;
const SERVERS: usize = 12;

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
];

/// Jobs in flight at each server, shared by all dispatchers.
struct InFlight {
    jobs: Vec<AtomicU32>,
    /// Bit `s` is set if server `s` is up.
    up: AtomicU64,
}

impl InFlight {
    fn new(jobs: &[u32]) -> Self {
        let jobs: Vec<_> = jobs.iter().map(|&jobs| AtomicU32::new(jobs)).collect();
        let up = AtomicU64::new((1 << jobs.len()) - 1);
        Self { jobs, up }
    }

    fn lease(&self, server: ServerId, jobs: u32) -> Lease<'_> {
        let slot = &self.jobs[server.index()];
        slot.fetch_add(jobs, Ordering::Relaxed);
        Lease { slot, jobs }
    }
}

impl Signal for InFlight {
    type Load = u32;

    fn load(&self, server: ServerId) -> u32 {
        self.jobs[server.index()].load(Ordering::Relaxed)
    }

    fn average(&self) -> Option<f64> {
        let total: u32 = self.jobs.iter().map(|jobs| jobs.load(Ordering::Relaxed)).sum();
        Some(f64::from(total) / self.jobs.len() as f64)
    }

    fn eligible(&self, server: ServerId) -> bool {
        self.up.load(Ordering::Relaxed) >> server.0 & 1 == 1
    }
}

/// Jobs on a server, given back when dropped.
struct Lease<'c> {
    slot: &'c AtomicU32,
    jobs: u32,
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        self.slot.fetch_sub(self.jobs, Ordering::Relaxed);
    }
}

/// Builds the policy on 12 servers with speeds and places, the same world every time.
fn visit<V: Visit>(expression: &str, visitor: V) -> V::Out {
    let places = (0..SERVERS).map(|s| Point { x: s as f64 / 12.0, y: (s * 5 % 12) as f64 / 12.0 });
    let places = Places::new(places.collect(), Metric::Torus, "a lattice");
    let speeds: Vec<f64> = (0..SERVERS).map(|s| 1.0 + (s % 3) as f64).collect();
    let world = World {
        bins: SERVERS as u64,
        speeds: Some(speeds.into()),
        places: Some(Arc::new(NearestIndex::new(&places).expect("finite"))),
        neighbours: None,
        comparison: Comparison::Exact,
        stream: &mut Stream::from_seed(5),
    };
    PolicySpec::parse(expression).expect("a policy").visit(world, visitor)
}

fn streams(dispatcher: u64) -> Streams {
    Streams::from_seed(100 + dispatcher)
}

/// Where the users of a dispatcher are: anywhere.
fn users(dispatcher: u64) -> impl FnMut() -> User {
    let mut stream = evenhand_core::ReplicationSeed {
        master: dispatcher,
        point: evenhand_core::PointHash(1),
        replication: 0,
    }
    .stream(Role::Users);
    move || User { index: 0, point: Point { x: unit_f64(&mut stream), y: unit_f64(&mut stream) } }
}

/// A use of a policy that does not depend on its types.
trait Use {
    type Out;
    fn with<S, R>(self, policy: Policy<S, R>) -> Self::Out
    where
        S: Sampler<User> + Clone + Send + 'static,
        R: Rule<u32> + Rule<f64> + Clone + Send + 'static;
}

/// All arrivals have places; policies that have no use for them ignore them.
struct Placed<U>(U);

impl<U: Use> Visit for Placed<U> {
    type Out = U::Out;

    fn visit<S, R>(self, policy: Policy<S, R>) -> U::Out
    where
        S: Sampler<()> + Sampler<User> + Clone + Send + 'static,
        R: Rule<u32> + Rule<f64> + Clone + Send + 'static,
    {
        self.0.with(policy)
    }

    fn visit_placed<S, R>(self, policy: Policy<S, R>) -> U::Out
    where
        S: Sampler<User> + Clone + Send + 'static,
        R: Rule<u32> + Rule<f64> + Clone + Send + 'static,
    {
        self.0.with(policy)
    }
}

#[test]
fn every_policy_has_an_expression() {
    for info in policies() {
        let named = |e: &&str| e.split('(').next() == Some(info.name);
        assert!(EXPRESSIONS.iter().any(|e| named(&e)), "`{}` is not in the list", info.name);
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
                        let take = |choice: &evenhand_core::Choice| {
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

/// Choices of one dispatcher.
fn choices<S, R>(
    mut policy: Policy<S, R>,
    in_flight: &InFlight,
    dispatcher: u64,
    count: usize,
) -> Vec<Option<evenhand_core::Choice>>
where
    S: Sampler<User>,
    R: Rule<u32>,
{
    let (mut streams, mut next_user) = (streams(dispatcher), users(dispatcher));
    (0..count).map(|_| policy.choose_with(&next_user(), in_flight, &mut streams, |_| {})).collect()
}

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

const JOBS: [u32; SERVERS] = [4, 0, 1, 2, 2, 7, 1, 0, 3, 3, 1, 9];

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

/// Choices with some servers down.
struct Choose<'c>(&'c InFlight);

impl Use for Choose<'_> {
    type Out = Vec<Option<evenhand_core::Choice>>;

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
    type Out = [Vec<Option<evenhand_core::Choice>>; 2];

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
