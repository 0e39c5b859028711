//! The engines of Markov chains against exact values, and against the lazy engine in law.
//!
//! Means over replications are compared by Student's t; a comparison raises a false alarm with
//! probability 1e-8, a test function makes fewer than 100.

use evenhand_policies::PolicySpec;
use evenhand_policies::subsets::SubsetSpec;
use evenhand_queue::{Discipline, Engine, Initial, JobTimes, Outcome, Plan, Queue, QueueSignal};
use evenhand_sim::{Control, Service, Speeds};
use statrs::distribution::{ContinuousCDF, StudentsT};

const FALSE_ALARM: f64 = 1e-8;
const MARKOV: [Engine; 2] = [Engine::Uniformised, Engine::Profile];

fn queue(policy: &str, servers: u64, load: f64) -> Queue {
    Queue::new(PolicySpec::parse(policy).unwrap(), servers, load)
}

fn run(queue: &Queue, engine: Engine, plan: &Plan, replication: u64) -> Outcome {
    assert!(queue.check().is_empty(), "{:?}", queue.check());
    assert_eq!(queue.unsupported(engine), None);
    queue.run(engine, plan, replication, &Control::default()).unwrap()
}

fn runs(queue: &Queue, engine: Engine, plan: &Plan, count: u64) -> Vec<Outcome> {
    (0..count).map(|replication| run(queue, engine, plan, replication)).collect()
}

struct Estimate {
    mean: f64,
    error: f64,
}

fn estimate(outcomes: &[Outcome], of: impl Fn(&Outcome) -> f64) -> Estimate {
    let values: Vec<f64> = outcomes.iter().map(of).collect();
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    Estimate { mean, error: (squares / (n - 1.0) / n).sqrt() }
}

/// Errors that a mean of `runs` values exceeds with probability [`FALSE_ALARM`].
fn most_errors(runs: usize) -> f64 {
    let law = StudentsT::new(0.0, 1.0, runs as f64 - 1.0).unwrap();
    law.inverse_cdf(1.0 - FALSE_ALARM / 2.0)
}

fn assert_is(outcomes: &[Outcome], exact: f64, off: f64, what: &str, of: impl Fn(&Outcome) -> f64) {
    let Estimate { mean, error } = estimate(outcomes, of);
    let most = most_errors(outcomes.len()) * error + off;
    assert!((mean - exact).abs() <= most, "{what}: {mean}, not {exact} within {most}");
}

fn assert_same(a: &[Outcome], b: &[Outcome], what: &str, of: impl Fn(&Outcome) -> f64) {
    let (x, y) = (estimate(a, &of), estimate(b, &of));
    // Welch; the fewer degrees of freedom, as if one sample had all the variance.
    let most = most_errors(a.len().min(b.len())) * x.error.hypot(y.error) + 1e-12;
    assert!((x.mean - y.mean).abs() <= most, "{what}: {} and {} within {most}", x.mean, y.mean);
}

fn level(k: usize) -> impl Fn(&Outcome) -> f64 {
    move |outcome| outcome.at_least.get(k).copied().unwrap_or(0.0)
}

/// Mean sojourn time: recorded, or from lengths met.
fn sojourn(outcome: &Outcome) -> f64 {
    outcome.sojourn_law().map_or_else(|| outcome.sojourn.mean(), |law| law.mean())
}

/// Exact stationary values of join-the-shorter-of-two at load 0.7: mean queue length and the
/// fractions of servers with at least 1 to 5 jobs.
#[test]
fn exact_small_chains() {
    let cases = [
        (
            "two-choice",
            2,
            1.653_619_820_228_810_4,
            [0.7, 0.431_627_793_352, 0.245_879_357_862, 0.133_376_658_111, 0.070_100_782_199],
        ),
        (
            "choices(2, distinct)",
            2,
            1.475_738_091_774_171_8,
            [0.7, 0.389_539_672_243, 0.196_365_644_226, 0.096_758_296_008, 0.047_462_669_262],
        ),
        (
            "two-choice",
            3,
            1.458_232_177_925_152_8,
            [0.7, 0.406_245_832_509, 0.201_828_500_322, 0.089_871_166_208, 0.037_111_141_138],
        ),
    ];
    for (policy, servers, length, levels) in cases {
        for engine in MARKOV {
            let outcomes = runs(&queue(policy, servers, 0.7), engine, &Plan::until(2e4, 200.0), 20);
            let what = format!("{policy}, {servers} servers, {}", engine.name());
            assert_is(&outcomes, length, 0.0, &what, |outcome| outcome.queue_length);
            assert_is(&outcomes, length / 0.7, 0.0, &what, sojourn);
            let by_little = |outcome: &Outcome| outcome.sojourn_by_little(servers).unwrap();
            assert_is(&outcomes, length / 0.7, 0.0, &what, by_little);
            for (k, exact) in (1..).zip(levels) {
                assert_is(&outcomes, exact, 1e-9, &format!("{what}, {k}"), level(k));
            }
        }
    }
}

/// Mean sojourn times of four servers at load 0.9, exact to four digits.
#[test]
fn exact_chains_of_four() {
    for (policy, exact) in [("two-choice", 4.0395), ("choices(2, distinct)", 3.7526)] {
        for engine in MARKOV {
            let plan = Plan::until(2e4, 500.0);
            let outcomes = runs(&queue(policy, 4, 0.9), engine, &plan, 24);
            let what = format!("{policy}, {}", engine.name());
            assert_is(&outcomes, exact, 1e-4, &what, sojourn);
        }
    }
}

#[test]
fn one_choice_is_m_m_1() {
    let load: f64 = 0.8;
    let mut model = queue("one-choice", 60, load);
    // A unit of time that is not the mean service time.
    model.service = Service::parse("exponential(mean=2)").unwrap();
    model.rate = Some(load * 60.0 / 2.0);
    for engine in MARKOV {
        let outcomes = runs(&model, engine, &Plan::until(5e3, 400.0), 20);
        let what = engine.name();
        assert_is(&outcomes, 2.0 / (1.0 - load), 0.0, what, sojourn);
        assert_is(&outcomes, load, 0.0, what, Outcome::waited);
        // Exponential with the mean 10.
        let quantile = |outcome: &Outcome| outcome.sojourn_law().unwrap().quantile(0.9);
        assert_is(&outcomes, 10.0 * 10_f64.ln(), 0.1, what, quantile);
        for k in 1..8 {
            assert_is(&outcomes, load.powi(k), 0.0, what, level(k as usize));
        }
        assert_is(&outcomes, load, 0.0, what, |outcome| outcome.utilisation[0].1);
    }
}

#[test]
fn many_servers_have_the_fixed_point() {
    let load: f64 = 0.9;
    let exact = |k: i32| load.powf(2_f64.powi(k) - 1.0);
    for (engine, servers, time) in [
        (Engine::Uniformised, 1 << 17, 6.0),
        (Engine::Profile, 1 << 17, 6.0),
        (Engine::Profile, 1 << 40, 0.1),
    ] {
        let mut model = queue("two-choice", servers, load);
        model.initial = Initial::Profile((1..8).map(exact).collect());
        let outcomes = runs(&model, engine, &Plan::until(time, 0.0), 8);
        // At this load the mean length is off by 4 / servers.
        let off = 4.0 / servers as f64;
        for k in 1..6 {
            let what = format!("{} at {k}", engine.name());
            assert_is(&outcomes, exact(k), off, &what, level(k as usize));
        }
        assert_is(&outcomes, load * load, off, "waited", Outcome::waited);
    }
}

#[test]
fn full_servers_lose_jobs() {
    let (load, buffer): (f64, i32) = (0.9, 3);
    let mut model = queue("one-choice", 40, load);
    model.buffer = Some(buffer as u32);
    let empty = (1.0 - load) / (1.0 - load.powi(buffer + 1));
    let loss = empty * load.powi(buffer);
    for engine in MARKOV {
        let outcomes = runs(&model, engine, &Plan::until(3e3, 50.0), 24);
        let lost = |o: &Outcome| o.lost as f64 / (o.lost + o.jobs()) as f64;
        assert_is(&outcomes, loss, 0.0, engine.name(), lost);
        assert_is(&outcomes, 1.0 - empty, 0.0, engine.name(), level(1));
        assert_is(&outcomes, loss, 0.0, engine.name(), level(3));
        assert!(outcomes.iter().all(|outcome| outcome.at_least.len() == 4));
        let mean = |o: &Outcome| o.queue_length / (load * (1.0 - loss));
        let length = (1..=3).map(|k| f64::from(k) * empty * load.powi(k)).sum::<f64>();
        assert_is(&outcomes, length / (load * (1.0 - loss)), 0.0, engine.name(), mean);
    }
}

#[test]
fn servers_of_two_speeds() {
    let mut model = queue("one-choice", 40, 0.6);
    model.speeds = Speeds::parse("classes(0.5, 1, 0.5, 2)").unwrap();
    let outcomes = runs(&model, Engine::Uniformised, &Plan::until(2e3, 100.0), 24);
    for (class, speed, busy) in [(0, 1.0, 0.6), (1, 2.0, 0.3)] {
        assert_is(&outcomes, busy, 0.0, "utilisation", |outcome| outcome.utilisation[class].1);
        assert_is(&outcomes, speed, 0.0, "speed", |outcome| outcome.utilisation[class].0);
    }
    let length = f64::midpoint(0.6 / 0.4, 0.3 / 0.7);
    assert_is(&outcomes, length, 0.0, "length", |outcome| outcome.queue_length);
    assert!(matches!(outcomes[0].job_times, JobTimes::Unknown { .. }));
    assert_eq!(outcomes[0].sojourn_law(), None);
}

/// Lengths, job times and costs of one model under two engines.
fn assert_one_law(model: &Queue, engine: Engine, plan: &Plan, count: u64) {
    let (lazy, markov) = (runs(model, Engine::Lazy, plan, count), runs(model, engine, plan, count));
    let what = |part: &str| format!("{} {} {}: {part}", model.policy, model.servers, engine.name());
    for k in 1..6 {
        assert_same(&lazy, &markov, &what(&format!("level {k}")), level(k));
    }
    assert_same(&lazy, &markov, &what("length"), |outcome| outcome.queue_length);
    assert_same(&lazy, &markov, &what("duration"), |outcome| outcome.duration);
    assert_same(&lazy, &markov, &what("waited"), Outcome::waited);
    let per_job = |o: &Outcome, part: u64| part as f64 / (o.jobs() + o.lost) as f64;
    assert_same(&lazy, &markov, &what("probes"), |outcome| per_job(outcome, outcome.probes));
    assert_same(&lazy, &markov, &what("lost"), |outcome| per_job(outcome, outcome.lost));
    let course = |o: &Outcome| o.course.iter().take(100).sum::<f64>() / 100.0;
    let late = |o: &Outcome| o.course.iter().skip(250).sum::<f64>() / 250.0;
    if plan.warm_up > 0.0 {
        assert_same(&lazy, &markov, &what("later course"), late);
    }
    assert!(markov.iter().all(|outcome| course(outcome) > 0.0));
    for busy in 0..lazy[0].utilisation.len() {
        assert_same(&lazy, &markov, &what("busy"), |outcome| outcome.utilisation[busy].1);
    }
    if !matches!(markov[0].job_times, JobTimes::Erlang { .. }) {
        return;
    }
    assert_same(&lazy, &markov, &what("sojourn"), sojourn);
    for q in [0.5, 0.9, 0.99] {
        assert_same(&lazy, &markov, &what("quantile of sojourn"), |outcome| {
            let law = outcome.sojourn_law();
            law.map_or_else(|| outcome.sojourn.quantile(q), |law| law.quantile(q))
        });
        assert_same(&lazy, &markov, &what("quantile of wait"), |outcome| {
            let law = outcome.wait_law();
            law.map_or_else(|| outcome.wait.quantile(q), |law| law.quantile(q))
        });
    }
}

#[test]
fn both_engines_have_the_law_of_the_lazy_engine() {
    for policy in ["two-choice", "choices(2, distinct)", "choices(3)", "one-plus-beta(0.5)"] {
        for engine in MARKOV {
            assert_one_law(&queue(policy, 50, 0.85), engine, &Plan::until(1500.0, 100.0), 20);
        }
    }
    let mut model = queue("two-choice", 50, 0.95);
    model.buffer = Some(2);
    for engine in MARKOV {
        assert_one_law(&model, engine, &Plan::jobs(50_000, 50.0), 20);
    }
}

#[test]
fn uniformised_has_the_law_of_the_lazy_engine() {
    let plan = Plan::jobs(50_000, 50.0);
    for policy in ["left(2)", "memory(1)", "threshold(3, 1)", "walks(2, regular(4))", "round-robin"]
    {
        assert_one_law(&queue(policy, 40, 0.8), Engine::Uniformised, &plan, 20);
    }
    let mut model = queue("two-choice", 40, 0.6);
    model.speeds = Speeds::parse("classes(0.5, 1, 0.5, 2)").unwrap();
    model.signal = QueueSignal::PerSpeed { after: true };
    assert_one_law(&model, Engine::Uniformised, &plan, 20);
    let mut model = queue("memory(1)", 32, 0.7);
    model.dispatchers = 4;
    model.subset = SubsetSpec::parse("balanced(8)").unwrap();
    model.shares = Some(Service::parse("lognormal(0.5)").unwrap());
    assert_one_law(&model, Engine::Uniformised, &plan, 20);
}

#[test]
fn transients_agree() {
    let mut averages = Vec::new();
    for engine in MARKOV {
        let mut plan = Plan::until(4.0, 0.0);
        plan.at = vec![0.0, 0.5, 2.0, 4.0];
        let mut model = queue("two-choice", 200, 0.9);
        model.initial = Initial::Profile(vec![0.25, 0.1]);
        let (lazy, markov) =
            (runs(&model, Engine::Lazy, &plan, 400), runs(&model, engine, &plan, 400));
        for (number, &time) in plan.at.iter().enumerate() {
            for k in 0..5 {
                let count = |outcome: &Outcome| {
                    assert_eq!(outcome.transient[number].time, time);
                    outcome.transient[number].at_least.get(k).map_or(0.0, |&c| c as f64)
                };
                let what = format!("{} at {time}, {k}", engine.name());
                assert_same(&lazy, &markov, &what, count);
                // The variance too.
                let mean = estimate(&lazy, count).mean;
                assert_same(&lazy, &markov, &what, |outcome| (count(outcome) - mean).powi(2));
            }
        }
        averages.push(markov);
    }
    for k in 1..5 {
        assert_same(&averages[0], &averages[1], "average over the transient", level(k));
    }
}

/// Queues beyond 255: jobs in the end are those that came less those that left.
#[test]
fn overload_loses_no_job() {
    for policy in ["two-choice", "choices(3)"] {
        for engine in MARKOV {
            let model = queue(policy, 3, 1.6);
            let mut plan = Plan::until(1000.0, 0.0);
            plan.at = vec![1000.0];
            let outcome = run(&model, engine, &plan, 0);
            let present: u64 = outcome.transient[0].at_least[1..].iter().sum();
            let left = outcome.events - outcome.arrived;
            assert_eq!(outcome.arrived - left, present);
            assert!(outcome.transient[0].at_least.len() > 400);
            assert_eq!(outcome.jobs(), outcome.arrived);
        }
    }
}

#[test]
fn plans_are_kept_and_runs_repeat() {
    for servers in [10, 50_000] {
        for engine in MARKOV {
            let model = queue("two-choice", servers, 0.9);
            let mut plan = Plan::jobs(100_001, 0.5);
            plan.at = vec![0.25, 1e9];
            let outcome = run(&model, engine, &plan, 3);
            assert_eq!(outcome.arrived, 100_001);
            assert_eq!(outcome.transient.len(), 1);
            assert!(outcome.jobs() < outcome.arrived);
            let again = run(&model, engine, &plan, 3);
            assert_eq!(outcome.at_least, again.at_least);
            assert_eq!((outcome.met, outcome.course), (again.met, again.course));
            // A warm-up that outlasts the run, a run without a job, a run without time.
            for plan in [Plan::until(1.0, 2.0), Plan::jobs(0, 0.0), Plan::until(0.0, 0.0)] {
                let outcome = run(&model, engine, &plan, 0);
                assert_eq!((outcome.jobs(), outcome.queue_length, outcome.waited()), (0, 0.0, 0.0));
                assert!(outcome.at_least.iter().all(|fraction| fraction.is_finite()));
                assert_eq!(outcome.sojourn_by_little(servers), None);
            }
        }
    }
}

#[test]
fn engines_say_what_they_do_not_do() {
    let base = queue("two-choice", 100, 0.9);
    let refused = |model: &Queue, engine: Engine, word: &str| {
        let reason = model.unsupported(engine).expect(word);
        assert!(reason.contains(word), "{reason}");
    };
    let service = Service::parse("erlang(2)").unwrap();
    for engine in MARKOV {
        refused(&Queue { service: service.clone(), ..base.clone() }, engine, "exponential");
        refused(&Queue { signal: QueueSignal::Local, ..base.clone() }, engine, "signal");
        refused(&queue("all", 100, 0.9), engine, "policy");
        let ps = Queue { discipline: Discipline::Ps, ..base.clone() };
        let outcome = run(&ps, engine, &Plan::until(10.0, 0.0), 0);
        assert!(matches!(outcome.job_times, JobTimes::Unknown { .. }));
        assert!(outcome.sojourn_by_little(100).is_some());
    }
    refused(&queue("left(2)", 100, 0.9), Engine::Profile, "policy");
    assert_eq!(base.auto_engine(), Engine::Lazy);
    assert_eq!(queue("two-choice", 1 << 27, 0.9).auto_engine(), Engine::Profile);
    let huge = queue("two-choice", 1 << 50, 0.9);
    assert!(huge.check().is_empty());
    assert_eq!(huge.auto_engine(), Engine::Profile);
    refused(&huge, Engine::Uniformised, "2^32");
    let message = format!("{:?}", queue("left(2)", 1 << 50, 0.9).check());
    assert!(message.contains("profile"), "{message}");
}
