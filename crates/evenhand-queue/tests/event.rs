//! The event engine: against the lazy engine job by job, and against exact and known values.

use evenhand_policies::PolicySpec;
use evenhand_policies::subsets::SubsetSpec;
use evenhand_queue::{Discipline, Engine, Initial, JobRow, Outcome, Plan, Queue, QueueSignal};
use evenhand_sim::{ArrivalSpec, Control, Service, Speeds};

fn queue(policy: &str, servers: u64, load: f64) -> Queue {
    Queue::new(PolicySpec::parse(policy).unwrap(), servers, load)
}

fn run(queue: &Queue, engine: Engine, plan: &Plan, replication: u64) -> Outcome {
    assert_eq!(queue.check(), []);
    queue.run(engine, plan, replication, &Control::default()).unwrap()
}

/// The rows of all counted jobs, in order of arrival.
fn rows(queue: &Queue, engine: Engine, plan: &Plan) -> (Outcome, Vec<JobRow>) {
    assert_eq!(queue.check(), []);
    let mut rows = Vec::new();
    let control = Control::default();
    let outcome = queue.run_observed(engine, plan, 0, &control, &mut |row| rows.push(*row));
    (outcome.unwrap(), rows)
}

/// Lazy and event give every job the same, to the last bit.
fn agree(name: &str, queue: &Queue) {
    let mut plan = Plan::jobs(20_000, 5.0);
    plan.at = vec![0.0, 1.5, 10.0];
    let (lazy, of_lazy) = rows(queue, Engine::Lazy, &plan);
    let (event, of_event) = rows(queue, Engine::Event, &plan);
    assert!(of_lazy.len() > 15_000 - lazy.lost as usize, "{name}: {} rows", of_lazy.len());
    assert_eq!(of_lazy, of_event, "{name}");
    assert_eq!(lazy.sojourn, event.sojourn, "{name}");
    assert_eq!(lazy.wait, event.wait, "{name}");
    assert_eq!((lazy.lost, lazy.probes), (event.lost, event.probes), "{name}");
    for (of_lazy, of_event) in lazy.utilisation.iter().zip(&event.utilisation) {
        assert_eq!(of_lazy.0, of_event.0, "{name}");
        assert!((of_lazy.1 / of_event.1 - 1.0).abs() < 1e-12, "{name}: {of_lazy:?}");
    }
    assert_eq!(lazy.transient, event.transient, "{name}");
    // Lazy leaves out the jobs that are there at time 0.
    if queue.initial == Initial::Empty {
        let gap = lazy.queue_length / event.queue_length - 1.0;
        assert!(gap.abs() < 1e-9, "{name}: {} and {}", lazy.queue_length, event.queue_length);
    }
}

#[test]
fn lazy_and_event_agree_job_by_job_for_policies_and_laws() {
    for policy in
        ["two-choice", "choices(3, distinct)", "memory(1)", "walks(2, torus)", "round-robin"]
    {
        for law in ["exponential", "deterministic", "lognormal(4)"] {
            let mut queue = queue(policy, 36, 0.9);
            queue.service = Service::parse(law).unwrap();
            agree(&format!("{policy}, {law}"), &queue);
        }
    }
}

#[test]
fn lazy_and_event_agree_job_by_job_for_everything_else() {
    let plain = queue("choices(2, distinct)", 30, 0.9);
    let speeds = Speeds::parse("classes(0.8, 1, 0.2, 0.25)").unwrap();
    let slow = Queue { speeds, rate: Some(23.0), ..plain.clone() };
    agree("speeds", &slow);
    agree("per speed", &Queue { signal: QueueSignal::PerSpeed { after: true }, ..slow });
    agree("buffer", &Queue { buffer: Some(2), ..plain.clone() });
    agree("buffer and memory", &Queue { buffer: Some(1), ..queue("memory(1)", 30, 0.95) });
    let many = Queue { dispatchers: 5, ..plain.clone() };
    agree("dispatchers", &many);
    agree("subsets", &Queue { subset: SubsetSpec::Balanced { k: 12 }, ..many.clone() });
    let memory = Queue { policy: PolicySpec::parse("memory(2)").unwrap(), ..many.clone() };
    agree("memory of subsets", &Queue { subset: SubsetSpec::Random { k: 12 }, ..memory });
    let shares = Some(Service::parse("lognormal(0.5)").unwrap());
    agree("shares", &Queue { shares, ..many });
    let initial = Initial::Profile(vec![1.0, 1.0, 0.8, 0.2, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1]);
    agree("initial profile", &Queue { initial, ..plain.clone() });
    let arrivals = ArrivalSpec::parse("renewal(gamma(8))").unwrap();
    agree("renewal", &Queue { arrivals, ..plain.clone() });
    let arrivals = ArrivalSpec::parse("mmpp(10, 1, 0, 20)").unwrap();
    agree("bursts", &Queue { arrivals, ..plain });
}

/// Arrivals and departures at whole times: a departure is gone when an arrival at the same time
/// looks, and a job without work is gone at once.
#[test]
fn a_departure_goes_before_an_arrival_at_the_same_time() {
    for (law, waits) in [
        ("deterministic", false),
        ("deterministic(mean=0.5)", false),
        ("deterministic(mean=1.25)", true),
    ] {
        let mut single = queue("one-choice", 1, 1.0);
        single.service = Service::parse(law).unwrap();
        single.arrivals = ArrivalSpec::parse("renewal(deterministic)").unwrap();
        single.buffer = Some(1);
        let plan = Plan::jobs(1000, 0.0);
        for engine in [Engine::Lazy, Engine::Event] {
            let (outcome, rows) = rows(&single, engine, &plan);
            assert_eq!(outcome.lost > 0, waits, "{law}, {}", engine.name());
            assert!(rows.iter().all(|row| row.wait == 0.0), "{law}, {}", engine.name());
        }
        agree_short(&single);
        agree_short(&Queue {
            policy: PolicySpec::parse("memory(1)").unwrap(),
            ..queue("one-choice", 3, 1.0)
        });
    }
}

fn agree_short(queue: &Queue) {
    let plan = Plan::jobs(2000, 0.0);
    assert_eq!(rows(queue, Engine::Lazy, &plan).1, rows(queue, Engine::Event, &plan).1);
}

/// Jobs without work wait their turn, and are gone at once where there is none.
#[test]
fn jobs_without_work_are_served() {
    let path = concat!(env!("CARGO_TARGET_TMPDIR"), "/event_zeros.csv");
    std::fs::write(path, "0\n1\n0\n2\n").unwrap();
    for policy in ["two-choice", "memory(1)"] {
        let mut queue = queue(policy, 10, 1.0);
        queue.service = Service::parse(&format!("samples(\"{path}\")")).unwrap();
        agree(policy, &queue);
        queue.discipline = Discipline::Ps;
        let (outcome, rows) = rows(&queue, Engine::Event, &Plan::jobs(20_000, 5.0));
        let zeros: Vec<_> = rows.iter().filter(|row| row.service == 0.0).collect();
        assert!(zeros.len() > 8000 && zeros.iter().all(|row| row.sojourn == 0.0));
        assert!(outcome.sojourn.zeros() == zeros.len() as u64);
    }
}

/// Replications of a statistical test.
const RUNS: u64 = 64;

/// Mean over [`RUNS`] replications, within `tolerance` (relative) of `expected`. The tolerance is
/// at least 6 standard errors, which is asserted: Student's t with 63 degrees of freedom is
/// beyond 6 with probability 1.1e-7.
fn close(name: &str, values: &[f64], expected: f64, tolerance: f64) {
    let (mean, error) = mean_and_error(values);
    assert!(6.0 * error < tolerance * expected, "{name}: {mean}, standard error {error}");
    assert!((mean / expected - 1.0).abs() < tolerance, "{name}: {mean} for {expected}");
}

fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let runs = values.len() as f64;
    let mean = values.iter().sum::<f64>() / runs;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / (runs - 1.0) / runs).sqrt())
}

fn outcomes(queue: &Queue, jobs: u64, warm_up: f64) -> Vec<Outcome> {
    let plan = Plan::jobs(jobs, warm_up);
    (0..RUNS).map(|number| run(queue, Engine::Event, &plan, number)).collect()
}

fn sojourns(outcomes: &[Outcome]) -> Vec<f64> {
    outcomes.iter().map(|outcome| outcome.sojourn.mean()).collect()
}

fn lengths(outcomes: &[Outcome]) -> Vec<f64> {
    outcomes.iter().map(|outcome| outcome.queue_length).collect()
}

/// M/G/1-PS: the mean sojourn is 1 / (1 - load) whatever the law of service, and a job of size x
/// stays x / (1 - load) in the mean.
#[test]
fn processor_sharing_is_insensitive() {
    for law in ["deterministic", "exponential", "hyperexponential(4)"] {
        let mut queue = queue("one-choice", 100, 0.7);
        queue.service = Service::parse(law).unwrap();
        queue.discipline = Discipline::Ps;
        let outcomes = outcomes(&queue, 50_000, 100.0);
        close(law, &sojourns(&outcomes), 1.0 / 0.3, 0.04);
        close(law, &lengths(&outcomes), 0.7 / 0.3, 0.04);
        let waited: Vec<f64> = outcomes.iter().map(Outcome::waited).collect();
        // A job meets another with probability 0.7, or is met.
        assert!(waited.iter().all(|&waited| (0.7..0.95).contains(&waited)), "{law}: {waited:?}");
    }
}

/// Exponential service: numbers of jobs have the same law under both disciplines, and slow
/// refreshes make them longer, fast ones do not. The value is that of Gast, Bortolussi,
/// Tribastone 2019 for 10 servers at load 0.7, from simulation.
#[test]
fn disciplines_and_fast_refreshes_have_the_law_of_two_choices() {
    const LENGTH: f64 = 1.2193;
    let exact = queue("two-choice", 10, 0.7);
    close("fifo", &lengths(&outcomes(&exact, 30_000, 50.0)), LENGTH, 0.015);
    let shared = Queue { discipline: Discipline::Ps, ..exact.clone() };
    close("ps", &lengths(&outcomes(&shared, 30_000, 50.0)), LENGTH, 0.015);
    let stale = |period| Queue { signal: QueueSignal::Periodic { period }, ..exact.clone() };
    close("fast", &lengths(&outcomes(&stale(1e-9), 30_000, 50.0)), LENGTH, 0.015);
    let (slow, _) = mean_and_error(&lengths(&outcomes(&stale(1.0), 10_000, 50.0)));
    let (slower, _) = mean_and_error(&lengths(&outcomes(&stale(20.0), 10_000, 50.0)));
    assert!(slow > 1.1 * LENGTH && slower > 1.5 * slow, "{slow}, {slower}");
}

/// Two servers that are both looked at: the exact stationary law of the chain.
#[test]
fn the_shortest_of_two_queues_has_its_exact_law() {
    const AT_LEAST: [f64; 5] = [
        0.700_000_000_000_000_2,
        0.389_539_672_242_654_5,
        0.196_365_644_225_903_7,
        0.096_758_296_007_923_17,
        0.047_462_669_261_884_756,
    ];
    for policy in ["all", "choices(2, distinct)"] {
        let outcomes = outcomes(&queue(policy, 2, 0.7), 40_000, 100.0);
        close(policy, &lengths(&outcomes), 1.475_738_091_774_171_8, 0.02);
        for (k, &expected) in AT_LEAST.iter().enumerate().take(3) {
            let values: Vec<f64> = outcomes.iter().map(|outcome| outcome.at_least[k + 1]).collect();
            close(&format!("{policy}, s_{}", k + 1), &values, expected, 0.03);
        }
    }
}

/// As above at load 0.9: mean sojourn 5.4749.
#[test]
fn the_shortest_of_two_queues_under_load() {
    let outcomes = outcomes(&queue("all", 2, 0.9), 100_000, 500.0);
    close("all", &sojourns(&outcomes), 5.4749, 0.06);
}

/// The index of `all` against a rule that reads every load.
#[test]
fn all_is_choosing_among_all() {
    let speeds = Speeds::parse("classes(0.5, 1, 0.5, 0.5)").unwrap();
    let plain = Queue { dispatchers: 3, ..queue("all", 6, 0.8) };
    let slow = Queue { speeds, rate: Some(3.6), ..plain.clone() };
    let cases = [
        ("exact", plain.clone()),
        ("local", Queue { signal: QueueSignal::Local, ..plain.clone() }),
        ("periodic", Queue { signal: QueueSignal::Periodic { period: 0.3 }, ..plain.clone() }),
        ("subset", Queue { subset: SubsetSpec::Balanced { k: 4 }, ..plain }),
        ("per speed", Queue { signal: QueueSignal::PerSpeed { after: true }, ..slow }),
    ];
    for (name, all) in cases {
        let known = all.subset.k().unwrap_or(6);
        let policy = PolicySpec::parse(&format!("choices({known}, distinct)")).unwrap();
        let polled = Queue { policy, ..all.clone() };
        let (mean, error) = mean_and_error(&sojourns(&outcomes(&all, 15_000, 50.0)));
        let (other, its_error) = mean_and_error(&sojourns(&outcomes(&polled, 15_000, 50.0)));
        let error = error.hypot(its_error);
        assert!(error < 0.01 * mean, "{name}: {mean}, standard error {error}");
        assert!((mean - other).abs() < 6.0 * error, "{name}: {mean} and {other}, {error}");
    }
}

/// Every dispatcher uses all the servers that it knows, and no other.
#[test]
fn policies_keep_to_their_subset() {
    let signals = [QueueSignal::Exact, QueueSignal::Local, QueueSignal::Periodic { period: 1.0 }];
    for policy in ["all", "memory(1)", "choices(2)", "round-robin"] {
        for signal in signals {
            let mut queue = queue(policy, 20, 0.6);
            (queue.signal, queue.dispatchers) = (signal, 4);
            queue.subset = SubsetSpec::Contiguous { k: 5 };
            let (_, rows) = rows(&queue, Engine::Event, &Plan::jobs(4000, 0.0));
            for dispatcher in 0..4 {
                let own = rows.iter().filter(|row| row.dispatcher == dispatcher);
                let used: std::collections::BTreeSet<u32> = own.map(|row| row.server).collect();
                let known: Vec<u32> = (0..5).map(|i| (5 * dispatcher + i) % 20).collect();
                assert!(used.iter().copied().eq(known), "{policy}, {signal}: {used:?}");
            }
        }
    }
}

/// Counts of one's own jobs, and subsets in which every server is known equally often: values of
/// an independent simulation, in three digits.
#[test]
fn local_counts_of_subsets_beat_those_of_all() {
    let shared = Queue { dispatchers: 8, ..queue("choices(2, distinct)", 16, 0.75) };
    let local = Queue { signal: QueueSignal::Local, ..shared.clone() };
    let balanced = Queue { subset: SubsetSpec::Balanced { k: 4 }, ..local.clone() };
    for (name, queue, expected) in
        [("shared", shared, 1.81), ("all", local, 2.60), ("balanced(4)", balanced, 2.11)]
    {
        close(name, &sojourns(&outcomes(&queue, 200_000, 100.0)), expected, 0.01);
    }
}

/// Mean-thinning reads the average; it is between one choice and two.
#[test]
fn thinning_is_between_one_choice_and_two() {
    let length = |policy: &str| {
        run(&queue(policy, 50, 0.8), Engine::Event, &Plan::jobs(100_000, 50.0), 0).queue_length
    };
    let (one, thinned, two) = (length("one-choice"), length("thinning"), length("two-choice"));
    assert!(two < 0.95 * thinned && thinned < 0.9 * one, "{one}, {thinned}, {two}");
}

/// Little's law and jobs agree, and every counted job has a row, those at the end of the run too.
#[test]
fn sharing_counts_every_job() {
    let mut queue = queue("two-choice", 40, 0.9);
    queue.discipline = Discipline::Ps;
    queue.initial = Initial::Profile(vec![1.0, 0.5]);
    queue.service = Service::parse("hyperexponential(4)").unwrap();
    let mut plan = Plan::until(500.0, 20.0);
    plan.at = vec![0.0, 500.0];
    let (outcome, rows) = rows(&queue, Engine::Event, &plan);
    assert_eq!(outcome.transient[0].at_least, [40, 40, 20]);
    let counted = outcome.jobs();
    assert!(counted == rows.len() as u64 && counted > 16_000);
    let little = outcome.queue_length * 40.0 * 480.0 / counted as f64;
    assert!((little / outcome.sojourn.mean() - 1.0).abs() < 0.02, "{little}");
    assert!(rows.iter().all(|row| row.wait >= 0.0 && row.sojourn == row.wait + row.service));
}

#[test]
fn a_stopped_run_ends() {
    let control = Control::default();
    control.stop();
    let plan = Plan::jobs(1000, 0.0);
    assert!(queue("all", 10, 0.9).run(Engine::Event, &plan, 0, &control).is_err());
}

#[test]
fn what_cannot_be_is_refused() {
    for policy in ["twinning", "packing"] {
        assert_eq!(queue(policy, 10, 0.9).check().len(), 1, "{policy}");
    }
    let many =
        Queue { dispatchers: 1 << 12, signal: QueueSignal::Local, ..queue("all", 1 << 20, 0.9) };
    assert!(many.check()[0].message.contains("4294967296 counts"), "{:?}", many.check());
}
