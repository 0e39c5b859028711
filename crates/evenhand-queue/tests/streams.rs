//! What one replication does with its streams, files and clock, job by job.

mod common;

use std::io::Write;

use common::*;
use evenhand_queue::{End, JobRow, Plan, Queue};
use evenhand_sim::ArrivalSpec;

/// Policies are compared on the same jobs: arrival and service times are equal to the last bit.
#[test]
fn policies_see_the_same_jobs() {
    let plan = Plan::jobs(20_000, 0.0);
    let of = |policy: &str| jobs(&served(queue(policy, 50, 0.9), "lognormal(4)"), &plan);
    let first = of("one-choice");
    let same = |a: &JobRow, b: &JobRow| (a.arrival, a.service) == (b.arrival, b.service);
    for policy in ["two-choice", "memory(1)", "least-work", "walks(2, regular(4))", "round-robin"] {
        let other = of(policy);
        assert!(first.iter().zip(&other).all(|(a, b)| same(a, b)), "{policy}");
        assert_eq!((first.len(), other.len()), (20_000, 20_000));
        assert!(first.iter().zip(&other).any(|(a, b)| a.server != b.server), "{policy}");
    }
}

#[test]
fn a_replication_repeats_itself() {
    for policy in ["two-choice", "choices(3, distinct)", "memory(2, m=2)", "walks(2, regular(4))"] {
        let mut queue = served(queue(policy, 200, 0.95), "hyperexponential(10)");
        queue.dispatchers = 3;
        let mut plan = Plan::jobs(100_000, 50.0);
        plan.at = vec![1.0, 10.0, 100.0];
        let text = |queue: &Queue, number| format!("{:?}", run(queue, &plan, number));
        let first = text(&queue, 3);
        assert_eq!(first, text(&queue, 3), "{policy}");
        assert_ne!(first, text(&queue, 4), "{policy}");
        queue.seed = 2;
        assert_ne!(first, text(&queue, 3), "{policy}");
    }
}

/// Waiting times of one server, by Lindley's recursion.
fn lindley(arrivals: &[f64], services: &[f64]) -> Vec<f64> {
    let mut free = 0.0_f64;
    let wait = |(&arrival, &service): (&f64, &f64)| {
        let wait = (free - arrival).max(0.0);
        free = arrival + wait + service;
        wait
    };
    arrivals.iter().zip(services).map(wait).collect()
}

/// A trace with its own service times, of 0 among them, and ties in the order of the file.
#[test]
fn traces_are_served_in_order() {
    let (times, services) = ([0.0, 1.0, 1.0, 1.5, 7.0, 7.0], [2.5, 0.0, 1.0, 4.0, 0.5, 0.25]);
    let mut file = tempfile::NamedTempFile::with_suffix(".csv").unwrap();
    writeln!(file, "time,work").unwrap();
    for (time, service) in times.iter().zip(&services) {
        writeln!(file, "{},{service}", time + 100.0).unwrap();
    }
    let path = file.path().display();
    let trace = format!("trace(\"{path}\", column=\"time\", service=\"work\")");
    let mut queue = queue("one-choice", 1, 0.9);
    queue.arrivals = ArrivalSpec::parse(&trace).unwrap();
    queue.rate = None;
    let mut plan = Plan::until(20.0, 0.0);
    plan.at = vec![0.5, 1.0, 1.25, 7.9, 8.0, 20.0];
    let mut rows = Vec::new();
    let control = evenhand_sim::Control::default();
    let mut keep = |row: &JobRow| rows.push(*row);
    let engine = evenhand_queue::Engine::Lazy;
    let outcome = queue.run_observed(engine, &plan, 0, &control, &mut keep).unwrap();
    let waits = lindley(&times, &services);
    assert_eq!(waits, [0.0, 1.5, 1.5, 2.0, 0.5, 1.0]);
    assert_eq!(rows.iter().map(|row| row.wait).collect::<Vec<_>>(), waits);
    assert_eq!(rows.iter().map(|row| row.service).collect::<Vec<_>>(), services);
    assert!(rows.iter().all(|row| row.sojourn == row.wait + row.service && row.server == 0));
    assert_eq!((outcome.arrived, outcome.jobs(), outcome.wait.zeros()), (6, 6, 1));
    // The server works 8.25 of the 20 units of time; the jobs are there for 14.75 in all.
    assert!((outcome.utilisation[0].1 - 8.25 / 20.0).abs() < 1e-12);
    assert!((outcome.queue_length - 14.75 / 20.0).abs() < 1e-12, "{}", outcome.queue_length);
    let lengths: Vec<usize> = outcome.transient.iter().map(|t| t.at_least.len() - 1).collect();
    // At an instant of arrival: before the jobs that come then.
    assert_eq!(lengths, [1, 1, 3, 2, 1, 0]);
}

/// Jobs of a trace wait as a hand-written event loop says, at each of two servers in turn.
#[test]
fn two_servers_in_turn_are_two_recursions() {
    let queue = served(queue("round-robin", 2, 0.9), "erlang(3)");
    let rows = jobs(&queue, &Plan::jobs(10_000, 0.0));
    for server in 0..2 {
        let mine: Vec<&JobRow> = rows.iter().filter(|row| row.server == server).collect();
        let arrivals: Vec<f64> = mine.iter().map(|row| row.arrival).collect();
        let services: Vec<f64> = mine.iter().map(|row| row.service).collect();
        for (row, wait) in mine.iter().zip(lindley(&arrivals, &services)) {
            assert!((row.wait - wait).abs() < 1e-9 * (1.0 + row.arrival));
        }
    }
}

/// Queues longer than the line of a server holds are kept in full: at three times the capacity
/// the lengths that were recorded are those of the jobs' own times.
#[test]
fn long_queues_are_counted_in_full() {
    let queue = queue("two-choice", 5, 3.0);
    let mut plan = Plan::until(60.0, 0.0);
    plan.at = (1..=60).map(f64::from).collect();
    let outcome = run(&queue, &plan, 0);
    let rows = jobs(&queue, &plan);
    for transient in &outcome.transient {
        let time = transient.time;
        let there = |row: &&JobRow| row.arrival < time && row.arrival + row.sojourn > time;
        let total: u64 = transient.at_least[1..].iter().sum();
        assert_eq!(total, rows.iter().filter(there).count() as u64, "at {time}");
    }
    assert!(outcome.transient[59].at_least.len() > 80, "the queues grow");
}

#[test]
fn a_run_ends_where_its_plan_says() {
    let queue = queue("two-choice", 10, 0.5);
    let by_time = run(&queue, &Plan::until(1_000.0, 100.0), 0);
    assert_eq!(by_time.duration, 900.0);
    let rows = jobs(&queue, &Plan { warm_up: 100.0, end: End::Time(1_000.0), at: Vec::new() });
    assert!(rows.iter().all(|row| (100.0..=1_000.0).contains(&row.arrival)));
    assert_eq!(rows.len() as u64, by_time.jobs());
    let by_jobs = run(&queue, &Plan::jobs(5_000, 0.0), 0);
    assert_eq!((by_jobs.arrived, by_jobs.jobs(), by_jobs.events), (5_000, 5_000, 10_000));
    let mean = by_jobs.course.iter().sum::<f64>() / by_jobs.course.len() as f64;
    assert!((mean / by_jobs.sojourn.mean() - 1.0).abs() < 1e-9, "equal parts of equal size");
}
