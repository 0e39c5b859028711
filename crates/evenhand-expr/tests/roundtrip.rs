//! Properties over generated expressions and arbitrary texts.

use evenhand_expr::{Call, Error, Problem, Span, Value, parse};
use proptest::prelude::*;

fn name() -> impl Strategy<Value = String> {
    "[A-Za-z][A-Za-z0-9_-]{0,8}".prop_filter("a reserved word", |name| {
        let lower = name.to_lowercase();
        !["nan", "inf", "infinity"].contains(&lower.as_str())
            && !["true", "false"].contains(&name.as_str())
    })
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<f64>().prop_filter("finite", |number| number.is_finite()),
        any::<i64>().prop_map(|number| number as f64),
        any::<u64>().prop_map(|number| number as f64),
        (-1000i32..1000).prop_map(f64::from),
        (-1000i32..1000).prop_map(|number| f64::from(number) / 100.0),
    ]
}

fn call() -> impl Strategy<Value = Call> {
    let word = name().prop_map(|name| Call::word(&name));
    word.prop_recursive(6, 40, 5, |inner| {
        let value = prop_oneof![
            number().prop_map(Value::from),
            any::<String>().prop_map(Value::Text),
            any::<bool>().prop_map(Value::from),
            inner.prop_map(Value::from),
        ];
        let arg = (proptest::option::of(name()), value);
        (name(), proptest::collection::vec(arg, 0..5)).prop_map(|(name, args)| {
            let call = Call::word(&name);
            args.into_iter().fold(call, |call, (key, value)| match key {
                Some(key) => call.with_key(key, value),
                None => call.with(value),
            })
        })
    })
}

/// Texts that are nearly expressions.
fn scraps() -> impl Strategy<Value = String> {
    "([a-z]{1,3}|[0-9_.e+-]{1,4}|[(),=\"\\\\ \n]|é|true|nan|“){0,30}"
}

/// Reads a call with every getter. Only that nothing panics counts.
fn read(call: &Call) -> Result<(), Vec<Problem>> {
    let mut args = call.args(&["a", "b", "c", "d", "e", "f", "g", "h"]);
    args.integer("a", 1..=10);
    args.number("b", 0.5..);
    args.flag("c");
    args.word("d", &["first", "random"]);
    args.text("e");
    if let Some(call) = args.call_or_none("f") {
        let nested = read(call);
        args.nested(nested);
    }
    args.value("g");
    args.numbers_rest();
    args.finish()
}

fn check_any(source: &str) {
    match parse(source) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(call) => {
            assert_eq!(parse(&call.to_string()), Ok(call.clone()));
            if let Err(problems) = read(&call) {
                assert!(!Error::new(source, problems).to_string().is_empty());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn the_canonical_form_reads_back(call in call()) {
        let canonical = call.to_string();
        let read = parse(&canonical);
        prop_assert_eq!(read.as_ref().map(Call::to_string), Ok(canonical));
        prop_assert_eq!(read, Ok(call));
    }

    #[test]
    fn spans_cover_what_they_name(call in call()) {
        let source = format!(" {call}\n");
        let read = parse(&source).unwrap();
        prop_assert_eq!(&source[read.span.start..read.span.end], source.trim());
        prop_assert_eq!(&source[read.name_span.start..read.name_span.end], &call.name);
        for arg in &read.args {
            prop_assert_eq!(&source[arg.span.start..arg.span.end], arg.value.to_string());
            prop_assert_eq!(arg.key_span.map(|span| &source[span.start..span.end]), arg.key.as_deref());
        }
    }

    #[test]
    fn no_text_panics(source in any::<String>()) {
        check_any(&source);
    }

    #[test]
    fn no_near_expression_panics(source in scraps()) {
        check_any(&source);
        check_any(&format!("f({source})"));
    }

    #[test]
    fn typed_reading_never_panics(call in call()) {
        check_any(&call.to_string());
    }

    #[test]
    fn any_span_can_be_shown(source in any::<String>(), start in 0usize..200, length in 0usize..9) {
        let span = Some(Span { start, end: start + length });
        let problem = Problem { span, message: "é\n".to_owned(), help: Some(source.clone()) };
        prop_assert!(Error::new(&source, vec![problem]).to_string().contains("column"));
    }
}
