//! Typed reading of arguments.

use std::ops::Bound::{Excluded, Unbounded};

use evenhand_expr::{Args, Call, Error, Problem, Value, parse};

/// Reads the arguments of `source` and shows its problems, if there are any.
fn read<T>(
    source: &str,
    parameters: &[&'static str],
    getters: impl FnOnce(&mut Args<'_>) -> T,
) -> Result<T, String> {
    let call = parse(source).unwrap();
    let mut args = call.args(parameters);
    let value = getters(&mut args);
    let result = args.finish().map(|()| value);
    result.map_err(|problems| Error::new(source, problems).to_string())
}

fn choices(source: &str) -> Result<(u64, bool, &'static str), String> {
    read(source, &["d", "distinct", "ties"], |args| {
        let d = args.integer("d", 1..=4096);
        let distinct = args.flag("distinct");
        let ties = args.word_or("ties", &["random", "first"], "random");
        (d, distinct, ties)
    })
}

#[track_caller]
fn refused(source: &str, lines: &[&str]) {
    let mut expected = Vec::new();
    for line in lines {
        if !line.trim_start().starts_with("help") {
            expected.push(source);
        }
        expected.push(line);
    }
    assert_eq!(choices(source), Err(expected.join("\n")));
}

#[test]
fn binds_by_position_key_and_bare_flag() {
    for source in [
        "choices(2, true, first)",
        "choices(2, distinct, ties=first)",
        "choices(distinct, 2, ties=first)",
        "choices(ties=first, distinct=true, d=2)",
        "choices(ties=first, 2, distinct)",
    ] {
        assert_eq!(choices(source), Ok((2, true, "first")), "{source}");
    }
    assert_eq!(choices("choices(1_000)"), Ok((1000, false, "random")));
    assert_eq!(choices("choices(1e3, distinct=false)"), Ok((1000, false, "random")));
}

#[test]
fn wrong_types_and_ranges() {
    refused("choices(d=0)", &["          ^ column 11: `d` must be between 1 and 4096, got 0"]);
    refused("choices(-3)", &["        ^ column 9: `d` must be between 1 and 4096, got -3"]);
    refused("choices(1e30)", &["        ^ column 9: `d` must be between 1 and 4096, got 1e30"]);
    refused("choices(2.5)", &["        ^ column 9: `d` must be a whole number, got 2.5"]);
    refused(
        "choices(two)",
        &["        ^ column 9: `d` must be a whole number, got the word `two`"],
    );
    refused(
        "choices(\"2\")",
        &["        ^ column 9: `d` must be a whole number, got the text \"2\""],
    );
    refused("choices(true)", &["        ^ column 9: `d` must be a whole number, got `true`"]);
    refused(
        "choices(f(1))",
        &["        ^ column 9: `d` must be a whole number, got the expression `f(1)`"],
    );
    refused(
        "choices(2, ties=\"first\")",
        &[
            "                ^ column 17: `ties` must be `random` or `first`, got the text \"first\"",
            "                help: write it without quotes: first",
        ],
    );
}

#[test]
fn near_misses() {
    refused(
        "choices(2, distnct)",
        &[
            "           ^ column 12: `distinct` must be true or false, got the word `distnct`",
            "           help: did you mean `distinct`?",
        ],
    );
    refused(
        "choices(2, tie=first)",
        &[
            "           ^ column 12: `choices` has no parameter `tie`",
            "           help: did you mean `ties`?",
        ],
    );
    refused(
        "choices(2, weight=1)",
        &[
            "           ^ column 12: `choices` has no parameter `weight`",
            "           help: the parameters are d, distinct, ties",
        ],
    );
}

#[test]
fn missing_twice_and_too_many() {
    refused("choices", &["^ column 1: `choices` needs `d`: a whole number, between 1 and 4096"]);
    refused(
        "choices(2, d=3)",
        &["             ^ column 14: `d` is given twice", "             help: leave one out"],
    );
    refused(
        "choices(2, distinct, distinct)",
        &[
            "                     ^ column 22: `distinct` is given twice",
            "                     help: leave one out",
        ],
    );
    refused(
        "choices(2, true, first, 4, 5)",
        &[
            "                        ^ column 25: `choices` takes at most 3 arguments",
            "                        help: the parameters are d, distinct, ties",
        ],
    );
}

#[test]
fn all_problems_in_the_order_of_their_place() {
    refused(
        "choices(ties=last, q=1, d=x)",
        &[
            "             ^ column 14: `ties` must be `random` or `first`, got the word `last`",
            "                   ^ column 20: `choices` has no parameter `q`",
            "                   help: the parameters are d, distinct, ties",
            "                          ^ column 27: `d` must be a whole number, got the word `x`",
        ],
    );
}

#[test]
fn numbers() {
    let beta = |source| {
        read(source, &["beta", "power"], |args| {
            let beta = args.number("beta", 0.0..=1.0);
            (beta, args.number_or("power", (Excluded(0.0), Unbounded), 2.0))
        })
    };
    assert_eq!(beta("f(0.5)"), Ok((0.5, 2.0)));
    assert_eq!(beta("f(1, 3)"), Ok((1.0, 3.0)));
    let problems = beta("f(1.5, 0)").unwrap_err();
    assert!(problems.contains("`beta` must be between 0 and 1, got 1.5"), "{problems}");
    assert!(problems.contains("`power` must be greater than 0, got 0"), "{problems}");
    let problems = beta("f(power=no)").unwrap_err();
    assert!(problems.contains("`f` needs `beta`: a number, between 0 and 1"), "{problems}");
    assert!(problems.contains("`power` must be a number, got the word `no`"), "{problems}");
}

#[test]
fn integers_with_a_default() {
    let size = |source| read(source, &["m"], |args| args.integer_or("m", 1..=u64::MAX, 7));
    assert_eq!(size("f"), Ok(7));
    assert_eq!(size("f(1e18)"), Ok(10u64.pow(18)));
    assert!(size("f(-1)").unwrap_err().contains("`m` must be at least 1, got -1"));
}

#[test]
fn texts_and_required_words() {
    let file = |source| {
        read(source, &["path", "kind", "column"], |args| {
            let path = args.text("path");
            let kind = args.word("kind", &["csv", "gml"]);
            (path, kind, args.text_or_none("column"))
        })
    };
    assert_eq!(file(r#"f("a\tb", gml)"#), Ok(("a\tb".to_owned(), "gml", None)));
    assert_eq!(file(r#"f("a", csv, "c")"#), Ok(("a".to_owned(), "csv", Some("c".to_owned()))));
    let problems = file("f(column=c)").unwrap_err();
    assert!(problems.contains("`f` needs `path`: a text in quotes"), "{problems}");
    assert!(problems.contains("`f` needs `kind`: `csv` or `gml`"), "{problems}");
    assert!(problems.contains("`column` must be a text in quotes, got the word `c`"), "{problems}");
    assert!(problems.contains("help: write it in quotes: \"c\""), "{problems}");
}

#[test]
fn raw_values_and_expressions() {
    let decay = |source| {
        read(source, &["k", "graph"], |args| {
            let k = args.value("k").map(Value::to_string);
            let graph = args.call_or_none("graph").map(Call::to_string);
            (k, graph, args.span_of("k").map(|span| span.start))
        })
    };
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(decay("f(k=all)"), Ok((some("all"), None, Some(4))));
    assert_eq!(decay("f(5, ring)"), Ok((some("5"), some("ring"), Some(2))));
    assert_eq!(decay("f"), Ok((None, None, None)));
    let problems = decay("f(1, 2)").unwrap_err();
    assert!(problems.contains("`graph` must be a word or an expression, got 2"), "{problems}");
}

#[test]
fn the_rest_as_numbers() {
    let classes = |source| {
        read(source, &["mean"], |args| {
            let rest = args.numbers_rest();
            let numbers: Vec<f64> = rest.iter().map(|&(number, _)| number).collect();
            (numbers, args.number_or("mean", 0.0.., 1.0))
        })
    };
    assert_eq!(classes("classes(0.8, 1, 0.2, 0.25)"), Ok((vec![0.8, 1.0, 0.2, 0.25], 1.0)));
    assert_eq!(classes("classes(3, mean=2, 4)"), Ok((vec![3.0, 4.0], 2.0)));
    assert_eq!(
        classes("classes(1, fast, slow)"),
        Err("\
classes(1, fast, slow)
           ^ column 12: argument 2 must be a number, got the word `fast`
classes(1, fast, slow)
                 ^ column 18: argument 3 must be a number, got the word `slow`"
            .to_owned())
    );
    let after_first = read("f(\"a\", 1, 2)", &["path"], |args| {
        args.text("path");
        args.numbers_rest().len()
    });
    assert_eq!(after_first, Ok(2));
}

#[test]
fn cross_checks_and_nested_problems() {
    let nested = |call: &Call| -> Result<u64, Vec<Problem>> {
        let mut args = call.args(&["k"]);
        let k = args.integer("k", 3..=64);
        args.finish().map(|()| k)
    };
    let walks = |source| {
        read(source, &["d", "graph"], |args| {
            let d = args.integer("d", 1..=64);
            let graph = args.call_or_none("graph").map(nested);
            let k = graph.and_then(|result| args.nested(result)).unwrap_or(3);
            if !args.has_problems() && d > k {
                let help = Some(format!("use at most {k}"));
                args.problem(args.span_of("d"), "`d` is more than the degree", help);
            }
            d
        })
    };
    assert_eq!(walks("walks(2, regular(8))"), Ok(2));
    assert_eq!(
        walks("walks(0, regular(2))"),
        Err("\
walks(0, regular(2))
      ^ column 7: `d` must be between 1 and 64, got 0
walks(0, regular(2))
                 ^ column 18: `k` must be between 3 and 64, got 2"
            .to_owned())
    );
    assert_eq!(
        walks("walks(9, regular(8))"),
        Err("\
walks(9, regular(8))
      ^ column 7: `d` is more than the degree
      help: use at most 8"
            .to_owned())
    );
}

#[test]
fn an_argument_that_nobody_reads_is_a_problem() {
    assert_eq!(
        read("f(1, seed=2)", &["k", "seed"], |args| args.integer("k", 1..=9)),
        Err("\
f(1, seed=2)
          ^ column 11: `seed` has no effect here
          help: leave it out"
            .to_owned())
    );
    assert_eq!(
        read("f(1)", &[], |_| ()),
        Err("f(1)\n  ^ column 3: `f` takes no arguments".to_owned())
    );
}

#[test]
fn unknown_names_list_what_is_known() {
    let problem = Problem::unknown("graph", &parse("tree(2)").unwrap(), ["ring", "star"]);
    assert_eq!(
        Error::new("tree(2)", vec![problem]).to_string(),
        "tree(2)\n^ column 1: unknown graph `tree`\nhelp: known are ring, star"
    );
}

#[test]
fn equality_ignores_spans_and_calls_parse_from_str() {
    let built = Call::word("f").with(2u64).with_key("name", "a\"b").with(true);
    assert_eq!("f ( 2, name = \"a\\\"b\", true)".parse(), Ok(built.clone()));
    assert_ne!(built, Call::word("f").with(2u64));
    assert_eq!("f()".parse(), Ok(Call::word("f")));
}
