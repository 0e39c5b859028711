//! From models to predictions: what is covered, and what is said of it.

use evenhand_policies::PolicySpec;
use evenhand_queue::{Discipline, Queue};
use evenhand_sim::{Allocation, Service, Speeds};
use evenhand_theory::predict::{self, QueuePrediction, Unpredicted};

/// One expression for each policy that draws servers without places.
const POLICIES: [&str; 26] = [
    "one-choice",
    "two-choice",
    "choices(3, distinct)",
    "choices(20)",
    "left(2)",
    "one-plus-beta(0.5)",
    "memory(1)",
    "memory(2)",
    "memory(1, 2)",
    "threshold(3, 1)",
    "groups(4)",
    "groups(2, compare=least)",
    "windows(4)",
    "edges(torus)",
    "edges(star)",
    "neighbors(2, ring)",
    "neighbors(3, torus)",
    "walks(2, regular(4))",
    "walks(2, ring)",
    "walks(3, hypercube, step=simple)",
    "trail(4, torus)",
    "hops(2, torus)",
    "round-robin",
    "all",
    "ring(2)",
    "least-work(3)",
];

fn queue(policy: &str, load: f64) -> Queue {
    Queue::new(PolicySpec::parse(policy).unwrap(), 1024, load)
}

fn with_service(policy: &str, load: f64, service: &str) -> Queue {
    Queue { service: Service::parse(service).unwrap(), ..queue(policy, load) }
}

fn predicted(queue: &Queue) -> QueuePrediction {
    predict::queue(queue, true, &[]).unwrap_or_else(|error| panic!("{}: {error}", queue.policy))
}

fn sound(name: &str, prediction: &QueuePrediction) {
    let best = prediction.best();
    let mean = best.sojourn.mean.unwrap();
    assert!(mean.is_finite() && mean >= 0.0, "{name}: {mean}");
    let times = [best.sojourn.p50, best.sojourn.p90, best.sojourn.p99, best.sojourn.p999];
    let times: Vec<f64> = times.into_iter().flatten().collect();
    assert!(times.is_sorted() && times.iter().all(|time| time.is_finite()), "{name}: {times:?}");
    let fractions = prediction.limit.numbers.fraction_at_least.clone().unwrap_or(vec![1.0]);
    assert!(fractions[0] == 1.0 && fractions.is_sorted_by(|a, b| a >= b), "{name}: {fractions:?}");
    assert!(!prediction.theorem.source.is_empty() && !prediction.theorem.why.is_empty());
}

#[test]
fn every_policy_has_a_prediction_or_a_reason() {
    let (mut queues, mut allocations) = (0, 0);
    for policy in POLICIES {
        match predict::queue(&queue(policy, 0.7), true, &[1.0]) {
            Ok(prediction) => {
                sound(policy, &prediction);
                queues += 1;
            }
            Err(Unpredicted::NoTheory(what)) => assert!(!what.is_empty()),
            Err(error) => panic!("{policy}: {error}"),
        }
        let model = Allocation::new(PolicySpec::parse(policy).unwrap(), 1024, 1024);
        match predict::allocation(&model, 1.0, true, &[0.5]) {
            Ok(prediction) => {
                let fractions = prediction.limit.numbers.fraction_at_least.unwrap();
                let balls: f64 = fractions[1..].iter().sum();
                assert!((balls - 1.0).abs() < 1e-8, "{policy}: {balls}");
                let law = prediction.refined.unwrap().numbers.max_load.unwrap();
                let total: f64 = law.probabilities.values().sum();
                assert!((total - 1.0).abs() < 1e-9, "{policy}: {total}");
                allocations += 1;
            }
            Err(Unpredicted::NoTheory(what)) => assert!(!what.is_empty()),
            Err(error) => panic!("{policy}: {error}"),
        }
    }
    assert_eq!((queues, allocations), (14, 15));
}

#[test]
fn hypotheses_are_told_apart() {
    let holds =
        |policy: &str, service: &str| predicted(&with_service(policy, 0.6, service)).theorem.holds;
    assert_eq!(holds("two-choice", "exponential"), Some(true));
    assert_eq!(holds("two-choice", "weibull(0.5)"), Some(true));
    assert_eq!(holds("two-choice", "erlang(4)"), None);
    assert_eq!(holds("one-choice", "erlang(4)"), Some(true));
    assert_eq!(holds("walks(2, ring)", "exponential"), Some(false));
    assert_eq!(holds("walks(2, regular(4), step=simple)", "exponential"), Some(false));
    assert_eq!(holds("walks(2, regular(4))", "exponential"), None);
    assert_eq!(holds("walks(2, torus)", "lognormal(4)"), Some(false));
    assert_eq!(holds("neighbors(2, ring)", "exponential"), Some(false));
    let lps = Queue { servers: 12_180, ..queue("walks(2, lps(5, 29))", 0.6) };
    assert_eq!(predicted(&lps).theorem.holds, Some(true));
}

#[test]
fn walkers_have_the_limit_of_fresh_draws() {
    for discipline in [Discipline::Fifo, Discipline::Ps] {
        for service in ["exponential", "erlang(2)"] {
            let [walkers, fresh] = ["walks(2, regular(4))", "two-choice"].map(|policy| {
                let mut queue = with_service(policy, 0.9, service);
                queue.discipline = discipline;
                predicted(&queue).limit.numbers
            });
            assert_eq!(walkers, fresh, "{service}");
        }
    }
}

#[test]
fn processor_sharing_is_insensitive() {
    let sharing = |service: &str| {
        let mut queue = with_service("two-choice", 0.8, service);
        queue.discipline = Discipline::Ps;
        predicted(&queue).limit.numbers
    };
    let (lognormal, deterministic) = (sharing("lognormal(4)"), sharing("deterministic"));
    assert_eq!(lognormal, deterministic);
    assert_eq!(lognormal.sojourn.p99, None);
}

#[test]
fn speeds_are_classes() {
    let mut model = queue("choices(2)", 0.8);
    model.speeds = Speeds::parse("classes(0.5, 1.5, 0.5, 0.5)").unwrap();
    sound("speeds", &predicted(&model));
    model.policy = PolicySpec::parse("memory(1)").unwrap();
    assert!(matches!(predict::queue(&model, true, &[]), Err(Unpredicted::NoTheory(_))));
}

/// Extremes of loads and laws give numbers or a reason, within seconds.
#[test]
fn extremes_are_answered() {
    for service in ["exponential", "deterministic", "pareto(2.5)", "pareto(1.2)", "gamma(20)"] {
        for policy in ["one-choice", "two-choice", "choices(64)"] {
            for load in [1e-9, 0.5, 0.99] {
                let queue = with_service(policy, load, service);
                match predict::queue(&queue, true, &[]) {
                    Ok(prediction) => sound(&format!("{policy}, {service}, {load}"), &prediction),
                    Err(Unpredicted::Failed(error)) => assert!(!error.to_string().is_empty()),
                    Err(error) => panic!("{policy}, {service}, {load}: {error}"),
                }
            }
        }
    }
}
