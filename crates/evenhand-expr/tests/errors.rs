//! Literal snapshots of syntax errors and their layout.

use evenhand_expr::{Error, MAX_DEPTH, Problem, Span, parse};

fn shown(source: &str) -> String {
    parse(source).unwrap_err().to_string()
}

#[track_caller]
fn check(source: &str, lines: &[&str]) {
    assert_eq!(shown(source), lines.join("\n"));
}

#[test]
fn empty() {
    let help = "  help: write a name, or a name with arguments: name(arg, key=value)";
    check("", &["", "^ column 1: the expression is empty", help.trim_start()]);
    check("  ", &["  ", "  ^ column 3: the expression is empty", help]);
}

#[test]
fn other_values_at_the_top() {
    check("1_000", &["1_000", "^ column 1: an expression starts with a name, got 1000"]);
    check(
        " \"a\"",
        &[" \"a\"", " ^ column 2: an expression starts with a name, got the text \"a\""],
    );
    check("true", &["true", "^ column 1: an expression starts with a name, got `true`"]);
}

#[test]
fn after_the_end() {
    check(
        "left(2) right",
        &["left(2) right", "        ^ column 9: expected the end of the expression, found `r`"],
    );
    check(
        "left(2))",
        &["left(2))", "       ^ column 8: expected the end of the expression, found `)`"],
    );
    check("d=2", &["d=2", " ^ column 2: expected the end of the expression, found `=`"]);
}

#[test]
fn parentheses() {
    for source in ["left(2", "left(", "left(2,", "left(2, "] {
        check(source, &[source, "    ^ column 5: this `(` is not closed", "    help: add a `)`"]);
    }
    check("true(1)", &["true(1)", "    ^ column 5: expected no arguments after `true`, found `(`"]);
    check("left(2 3)", &["left(2 3)", "       ^ column 8: expected `,` or `)`, found `3`"]);
}

#[test]
fn missing_values() {
    check(
        "left(2,)",
        &[
            "left(2,)",
            "       ^ column 8: expected a value, found `)`",
            "       help: a value is a number, a \"text\", true, false or an expression",
        ],
    );
    check(
        "left(d=",
        &[
            "left(d=",
            "       ^ column 8: expected a value, found the end",
            "       help: a value is a number, a \"text\", true, false or an expression",
        ],
    );
}

#[test]
fn numbers() {
    let help = "  help: numbers are written like 12, -3, 0.5, 1e6 or 1_000";
    check("f(2d)", &["f(2d)", "  ^ column 3: `2d` is not a number", help]);
    check("f(.5)", &["f(.5)", "  ^ column 3: `.5` is not a number", help]);
    check("f(-inf)", &["f(-inf)", "  ^ column 3: `-inf` is not a number", help]);
    check(
        "f(NaN)",
        &["f(NaN)", "  ^ column 3: `NaN` is not a finite number", "  help: write a finite number"],
    );
    check(
        "f(1e999)",
        &[
            "f(1e999)",
            "  ^ column 3: `1e999` is too large",
            "  help: numbers go up to about 1.8e308",
        ],
    );
    check(
        "f(9007199254740993)",
        &[
            "f(9007199254740993)",
            "  ^ column 3: `9007199254740993` is not exact as a double-precision number",
            "  help: use a whole number up to 9007199254740992, or an exponent such as 1e18",
        ],
    );
}

#[test]
fn texts() {
    check(
        "file(\"a)",
        &[
            "file(\"a)",
            "     ^ column 6: the text is not closed",
            "     help: end the text with `\"`",
        ],
    );
    check(
        r#"file("é\d")"#,
        &[
            r#"file("é\d")"#,
            r"       ^ column 8: unknown escape `\d`",
            r#"       help: the escapes are \" \\ \n and \t; write \\ for a backslash"#,
        ],
    );
    check(
        "file('a')",
        &[
            "file('a')",
            "     ^ column 6: expected a value, found `'`",
            "     help: texts stand in plain double quotes: \"text\"",
        ],
    );
}

#[test]
fn nesting() {
    let nested = |depth: usize| "f(".repeat(depth) + "1" + &")".repeat(depth);
    assert!(parse(&nested(MAX_DEPTH)).is_ok());
    let message = shown(&nested(MAX_DEPTH + 1));
    assert!(message.contains("column 130: nested more than 64 levels deep"), "{message}");
    assert!(parse(&nested(100_000)).is_err());
}

#[test]
fn columns_count_characters_and_control_characters_take_one() {
    check(
        "f(\"😀é\t\", ?)",
        &[
            "f(\"😀é \", ?)",
            "         ^ column 10: expected a value, found `?`",
            "         help: a value is a number, a \"text\", true, false or an expression",
        ],
    );
}

#[test]
fn several_lines() {
    check(
        "walks(\n  2,\n  ring;\n)\n",
        &["  ring;", "      ^ line 3, column 7: expected `,` or `)`, found `;`"],
    );
}

#[test]
fn every_problem_is_shown() {
    let problem = |span, message: &str, help: Option<&str>| Problem {
        span,
        message: message.to_owned(),
        help: help.map(str::to_owned),
    };
    let problems = vec![
        problem(Some(Span { start: 2, end: 3 }), "first", Some("do this")),
        problem(None, "second", Some("do that")),
        problem(Some(Span { start: 900, end: 901 }), "third", None),
    ];
    let lines = [
        "f(1)",
        "  ^ column 3: first",
        "  help: do this",
        "second",
        "help: do that",
        "f(1)",
        "    ^ column 5: third",
    ];
    assert_eq!(Error::new("f(1)", problems).to_string(), lines.join("\n"));
}
