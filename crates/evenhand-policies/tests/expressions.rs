//! Expressions of policies, signals and comparisons: canonical forms, errors, checks.

use evenhand_policies::comparisons::{Bounded, Comparison};
use evenhand_policies::signals::SignalSpec;
use evenhand_policies::{Issue, PolicySpec, Setting, policies};
use evenhand_topology::space::Metric;
use proptest::prelude::*;
use proptest::strategy::Union;

fn parse(source: &str) -> PolicySpec {
    PolicySpec::parse(source).unwrap_or_else(|error| panic!("{error}"))
}

fn error(source: &str) -> String {
    PolicySpec::parse(source).expect_err(source).to_string()
}

type Text = BoxedStrategy<String>;

fn number(from: u64, to: u64) -> Text {
    (from..=to).prop_map(|x| x.to_string()).boxed()
}

fn real(from: f64, to: f64) -> Text {
    (from..to).prop_map(|x| x.to_string()).boxed()
}

/// One of these words, or nothing.
fn maybe(words: &'static [&'static str]) -> Text {
    (0..=words.len()).prop_map(|i| words.get(i).copied().unwrap_or_default().to_string()).boxed()
}

/// A graph expression.
fn graph() -> Text {
    let graphs = [
        "ring",
        "torus",
        "torus(3, 5)",
        "hypercube",
        "regular(8)",
        "regular(3, seed=2)",
        "circulant(1, 5)",
        "lps(5, 29)",
        "star",
        "gnp(0.5)",
        "complete",
    ];
    (0..graphs.len()).prop_map(move |i| graphs[i].to_string()).boxed()
}

/// Arguments of the policy with this name.
fn arguments(name: &str) -> Vec<Text> {
    let any_d = || number(1, 65_536);
    let distinct = || maybe(&["distinct", "distinct=true", "distinct=false"]);
    let weighted = || maybe(&["weighted", "weighted=false"]);
    let ties = || maybe(&["ties=random", "ties=first"]);
    let region_ties = || maybe(&["ties=random", "ties=smaller", "ties=larger"]);
    let anchored = || maybe(&["anchored", "anchored=true", "anchored=false"]);
    let count = || maybe(&["count=1", "count=2", "count=5"]);
    let compare = || maybe(&["compare=total", "compare=least"]);
    match name {
        "choices" => vec![any_d(), distinct(), weighted(), ties()],
        "one-choice" | "random" | "two-choice" => vec![distinct(), weighted(), ties()],
        "left" => vec![any_d()],
        "one-plus-beta" => vec![real(0.0, 1.0), maybe(&["d=1", "d=2", "d=7"])],
        "memory" => vec![number(1, 64), maybe(&["m=1", "m=2", "64"])],
        "threshold" => vec![any_d(), real(0.0, 1e9)],
        "idle" => vec![any_d(), distinct()],
        "least-work" => vec![maybe(&["d=1", "d=2", "d=5", "3"]), distinct()],
        "groups" | "windows" => vec![number(1, 13_000), count(), compare()],
        "nearest" => vec![any_d(), ties()],
        "near" => vec![number(1, 9), number(9, 65_536), anchored()],
        "decay" => {
            let k = maybe(&["all", "k=all", "9", "k=100"]);
            vec![number(1, 9), k, maybe(&["power=0", "power=2", "power=1.5"]), anchored()]
        }
        "ring" | "cells" => vec![any_d(), region_ties()],
        "thinning" | "twinning" | "packing" | "all" | "round-robin" => Vec::new(),
        "edges" => vec![graph()],
        "neighbors" => vec![number(1, 64), graph()],
        "walks" => {
            let reset =
                maybe(&["reset=never", "reset=meet", "reset=every(3)", "reset=intersect(9)"]);
            vec![number(1, 64), graph(), reset, maybe(&["step=simple", "step=non-backtracking"])]
        }
        "trail" => vec![number(1, 4_096), graph()],
        "hops" => vec![number(1, 1_000), graph(), maybe(&["weight=uniform", "inverse-square"])],
        other => panic!("`{other}` has no arguments here: add them"),
    }
}

/// Any expression of the policy with this name.
fn expressions(name: &'static str) -> Text {
    let source = move |args: Vec<String>| {
        let args: Vec<String> = args.into_iter().filter(|arg| !arg.is_empty()).collect();
        if args.is_empty() { name.to_string() } else { format!("{name}({})", args.join(", ")) }
    };
    arguments(name).prop_map(source).boxed()
}

fn any_policy() -> impl Strategy<Value = String> {
    Union::new(policies().map(|info| expressions(info.name)))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, ..ProptestConfig::default() })]

    #[test]
    fn canonical_forms_read_back(source in any_policy()) {
        let policy = parse(&source);
        let canonical = policy.to_string();
        let again = parse(&canonical);
        prop_assert_eq!(&again, &policy, "{} became {}", source, canonical);
        prop_assert_eq!(again.to_string(), canonical);
    }

    /// Nothing that a person may write makes the parser panic.
    #[test]
    fn any_text_is_read_or_refused(source in "[a-z(),=0-9. \"-]{0,40}") {
        let _ = PolicySpec::parse(&source);
        let _ = Comparison::parse(&source);
        let _ = SignalSpec::parse(&source);
    }

    #[test]
    fn any_arguments_are_read_or_refused(
        which in 0..policies().count(),
        args in prop::collection::vec("[a-z]{0,8}=?-?[0-9]{0,6}(\\.[0-9])?", 0..4),
    ) {
        let name = policies().nth(which).expect("below the count").name;
        let source = format!("{name}({})", args.join(", "));
        match PolicySpec::parse(&source) {
            Ok(policy) => prop_assert_eq!(parse(&policy.to_string()), policy),
            Err(error) => prop_assert!(!error.problems.is_empty()),
        }
    }

    #[test]
    fn comparisons_read_back(size in 0.0..1e6_f64, which in 0..4_usize) {
        let source = ["noisy", "bounded", "myopic"]
            .get(which)
            .map_or("exact".to_string(), |name| format!("{name}({size})"));
        let comparison = Comparison::parse(&source).expect("in range");
        prop_assert_eq!(Comparison::parse(&comparison.to_string()).ok(), Some(comparison));
    }

    #[test]
    fn signals_read_back(b in 1..=1_u64 << 53) {
        let signal = SignalSpec::parse(&format!("batched({b})")).expect("in range");
        prop_assert_eq!(signal, SignalSpec::Batched { b });
        prop_assert_eq!(SignalSpec::parse(&signal.to_string()).ok(), Some(signal));
    }
}

#[test]
fn canonical_forms() {
    for (source, canonical) in [
        ("choices(2)", "two-choice"),
        ("choices(1)", "one-choice"),
        ("random", "one-choice"),
        ("choices(d=2, distinct=false)", "two-choice"),
        ("two-choice(distinct)", "choices(2, distinct)"),
        ("choices(3, distinct=true)", "choices(3, distinct)"),
        ("choices(2, ties=first)", "choices(2, ties=first)"),
        ("choices(2, ties=random)", "two-choice"),
        ("one-plus-beta(0.50, d=2)", "one-plus-beta(0.5)"),
        ("memory(1, 1)", "memory(1)"),
        ("memory(1, 2)", "memory(1, m=2)"),
        ("groups(2, 2, total)", "groups(2)"),
        ("groups(2, compare=least)", "groups(2, compare=least)"),
        ("windows(2, compare=least)", "windows(2)"),
        ("windows(2, 3, total)", "windows(2, count=3, compare=total)"),
        ("nearest(2, ties=random)", "nearest(2)"),
        ("near(2, k=10, anchored=true)", "near(2, 10, anchored)"),
        ("decay(2, all, power=2)", "decay(2)"),
        ("ring(2, smaller)", "ring(2, ties=smaller)"),
        ("threshold(2, 1e0)", "threshold(2, 1)"),
        ("left( 1_0 )", "left(10)"),
        ("idle(2, distinct=false)", "idle(2)"),
        ("least-work(2)", "least-work"),
        ("least-work(d=3, distinct)", "least-work(d=3, distinct)"),
    ] {
        assert_eq!(parse(source).to_string(), canonical, "{source}");
        assert_eq!(parse(canonical), parse(source));
    }
}

#[test]
fn names_are_unique_and_documented() {
    let mut names: Vec<&str> = policies().map(|info| info.name).collect();
    for info in policies() {
        assert!(info.syntax.starts_with(info.name), "{info:?}");
        assert!(!info.meaning.is_empty() && !info.source.is_empty(), "{info:?}");
    }
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
}

#[test]
fn unknown_names() {
    let text = error("choises(2)");
    assert!(text.contains("column 1: unknown policy `choises`"), "{text}");
    assert!(text.contains("did you mean `choices`?"), "{text}");
    let text = error("zzzzzz");
    assert!(text.contains("`evenhand policies` lists them all"), "{text}");
    assert!(!text.contains("did you mean"), "{text}");
    assert!(error("choices(2, distnict)").contains("did you mean `distinct`?"));
    assert!(error("choices(2, ties=frist)").contains("did you mean `first`?"));
}

/// Each problem stands under its column.
#[test]
fn wrong_arguments() {
    for (source, expected) in [
        ("choices", "column 1: `choices` needs `d`"),
        ("choices()", "column 1: `choices` needs `d`"),
        ("left(0)", "column 6: `d` must be between 1 and 65536, got 0"),
        ("choices(0)", "column 9: `d` must be between 1 and 65536, got 0"),
        ("choices(-2)", "column 9: `d` must be between 1 and 65536, got -2"),
        ("choices(2.5)", "column 9: `d` must be a whole number, got 2.5"),
        ("choices(65_537)", "column 9: `d` must be between 1 and 65536"),
        ("choices(d=\"two\")", "column 11: `d` must be a whole number, got the text \"two\""),
        ("choices(2, ties=3)", "column 17: `ties` must be `random` or `first`, got 3"),
        ("choices(2, distinct=1)", "column 21: `distinct` must be true or false, got 1"),
        ("two-choice(3)", "column 12: `d` must be 2, got 3"),
        ("one-plus-beta(1.5)", "column 15: `beta` must be between 0 and 1, got 1.5"),
        ("one-plus-beta(-0.1)", "column 15: `beta` must be between 0 and 1, got -0.1"),
        ("memory(65)", "column 8: `d` must be between 1 and 64, got 65"),
        ("memory(1, m=0)", "column 13: `m` must be between 1 and 64, got 0"),
        ("threshold(2)", "column 1: `threshold` needs `limit`"),
        ("threshold(2, -1)", "column 14: `limit` must be at least 0, got -1"),
        ("groups(65536, count=2)", "column 8: size x count is 131072 candidates a ball"),
        ("near(3, 2)", "column 6: `near` cannot draw 3 distinct servers of 2"),
        ("decay(3, 2)", "column 7: `decay` cannot draw 3 distinct servers"),
        ("decay(2, k=some)", "column 12: `k` must be a whole number, got the word `some`"),
        ("ring(2, ties=bigger)", "column 14: `ties` must be"),
    ] {
        let text = error(source);
        assert!(text.contains(expected), "{source} gave:\n{text}");
    }
}

#[test]
fn too_many_twice_or_unknown_arguments() {
    for source in
        ["thinning(1)", "left(2, 3)", "left(2, d=2)", "left(2, x=3)", "all(1)", "choices(2, d=3)"]
    {
        let error = PolicySpec::parse(source).expect_err(source);
        assert!(error.problems.iter().all(|problem| problem.span.is_some()), "{error}");
    }
    for source in
        ["", "choices(", "choices(2))", "choices(2,,3)", "2", "choices 2", "choices(1e999)"]
    {
        assert!(PolicySpec::parse(source).is_err(), "{source}");
    }
}

/// All problems are shown, not the first only.
#[test]
fn several_problems() {
    let error = PolicySpec::parse("choices(0, ties=frist, x=1)").expect_err("three problems");
    assert_eq!(error.problems.len(), 3, "{error}");
}

fn setting(bins: u64) -> Setting {
    Setting {
        bins,
        metric: None,
        has_speeds: false,
        has_weights: false,
        has_jobs: false,
        comparison: Comparison::Exact,
    }
}

fn issues(source: &str, setting: &Setting) -> Vec<Issue> {
    parse(source).check(setting)
}

#[test]
fn checks_against_the_number_of_bins() {
    for (source, bins, parameter) in [
        ("choices(5, distinct)", 4, "d"),
        ("idle(5, distinct)", 4, "d"),
        ("left(5)", 4, "d"),
        ("groups(3)", 10, "size"),
        ("windows(11)", 10, "size"),
    ] {
        let found = issues(source, &setting(bins));
        assert_eq!(found.len(), 1, "{source}: {found:?}");
        assert_eq!(found[0].parameter, Some(parameter), "{source}");
        assert!(found[0].help.is_some(), "{source}");
    }
    for (source, bins) in [
        ("choices(5)", 4),
        ("choices(4, distinct)", 4),
        ("left(4)", 4),
        ("groups(5)", 10),
        ("windows(10)", 10),
        ("memory(3, m=5)", 1),
    ] {
        assert_eq!(issues(source, &setting(bins)), [], "{source}");
    }
}

#[test]
fn checks_against_places_and_speeds() {
    for source in ["nearest(2)", "near(2, 5)", "decay(2)", "decay(2, 5)"] {
        assert_eq!(issues(source, &setting(10)).len(), 1, "{source}");
        let placed = Setting { metric: Some(Metric::Torus), ..setting(10) };
        assert_eq!(issues(source, &placed), [], "{source}");
    }
    let placed = Setting { metric: Some(Metric::Torus), ..setting(4) };
    for (source, parameter) in [("near(2, 5)", "k"), ("nearest(5)", "k"), ("decay(5)", "d")] {
        assert_eq!(issues(source, &placed)[0].parameter, Some(parameter), "{source}");
    }
    let weighted = "choices(2, weighted)";
    assert_eq!(issues(weighted, &setting(4))[0].parameter, Some("weighted"));
    assert_eq!(issues(weighted, &Setting { has_speeds: true, ..setting(4) }), []);
    assert_eq!(issues("packing", &Setting { has_weights: true, ..setting(4) }).len(), 1);
    assert_eq!(issues("twinning", &Setting { has_weights: true, ..setting(4) }), []);
}

#[test]
fn checks_against_balls_and_jobs() {
    let queues = Setting { has_jobs: true, ..setting(12) };
    assert_eq!(issues("least-work", &queues), []);
    let found = issues("least-work", &setting(12));
    assert!(found[0].message.contains("never finish"), "{found:?}");
    assert!(found[0].help.as_ref().is_some_and(|help| help.contains("--weights")), "{found:?}");
    assert_eq!(issues("least-work(13, distinct)", &queues)[0].parameter, Some("d"));
    for source in ["twinning", "packing"] {
        assert_eq!(issues(source, &setting(12)), [], "{source}");
        let found = issues(source, &queues);
        assert!(found[0].message.contains("several balls at once"), "{source}: {found:?}");
    }
    assert_eq!(issues("thinning", &queues), []);
}

#[test]
fn policies_say_what_they_read() {
    for (source, average, work) in [
        ("thinning", true, false),
        ("twinning", true, false),
        ("packing", true, false),
        ("least-work", false, true),
        ("idle(2)", false, false),
        ("two-choice", false, false),
    ] {
        let policy = parse(source);
        assert_eq!((policy.reads_average(), policy.reads_work()), (average, work), "{source}");
    }
}

#[test]
fn checks_against_inexact_comparisons() {
    let inexact = Setting { comparison: Comparison::Bounded(Bounded { g: 1.0 }), ..setting(12) };
    for source in [
        "memory(1)",
        "threshold(2, 1)",
        "idle(2)",
        "groups(2)",
        "windows(2)",
        "ring(2, ties=smaller)",
        "cells(2, ties=larger)",
        "thinning",
        "twinning",
        "packing",
        "all",
    ] {
        let found = issues(source, &inexact);
        assert_eq!(found.len(), 1, "{source}: {found:?}");
        assert!(found[0].message.contains("bounded(1)"), "{source}: {found:?}");
    }
    for source in ["choices(2)", "left(2)", "one-plus-beta(0.5)", "ring(2)", "cells(2)"] {
        assert_eq!(issues(source, &inexact), [], "{source}");
    }
}

#[test]
fn comparisons_and_signals() {
    for (source, canonical) in
        [("exact", "exact"), ("noisy(sigma=2)", "noisy(2)"), ("myopic(1.5)", "myopic(1.5)")]
    {
        assert_eq!(Comparison::parse(source).unwrap().to_string(), canonical);
    }
    for (source, canonical) in [
        ("exact", "exact"),
        ("batched(1_000)", "batched(1000)"),
        ("per-speed", "per-speed"),
        ("per-speed(after=true)", "per-speed"),
        ("per-speed(after)", "per-speed"),
        ("per-speed(after=false)", "per-speed(after=false)"),
    ] {
        let signal = SignalSpec::parse(source).unwrap();
        assert_eq!(signal.to_string(), canonical);
        assert_eq!(SignalSpec::parse(canonical).ok(), Some(signal));
    }
    let text = |error: evenhand_expr::Error| error.to_string();
    let wrong = |source| text(Comparison::parse(source).expect_err(source));
    assert!(wrong("noisi(1)").contains("did you mean `noisy`?"));
    assert!(wrong("noisy").contains("needs `sigma`"));
    assert!(wrong("bounded(-1)").contains("column 9: `g` must be at least 0"));
    let wrong = |source| text(SignalSpec::parse(source).expect_err(source));
    assert!(wrong("bathced(3)").contains("did you mean `batched`?"));
    assert!(wrong("batched(0)").contains("column 9: `b` must be between 1"));
    assert!(wrong("batched(2.5)").contains("whole number"));
    assert!(wrong("per-speed(maybe)").contains("column 11"));
}
