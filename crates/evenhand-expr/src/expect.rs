//! What a typed argument must be, and how a value that is something else is described.

use std::ops::{Bound, RangeBounds, RangeInclusive};

use crate::ast::{Call, Value};
use crate::suggest;

/// How many characters of a source text a message repeats.
const SHOWN: usize = 40;

/// 2^64 as a number.
const U64_END: f64 = 18_446_744_073_709_551_616.0;

/// Why a value does not fit: what it must be, after "must be".
pub(crate) struct Mismatch {
    pub(crate) expected: String,
    pub(crate) help: Option<String>,
}

fn mismatch(expected: impl Into<String>) -> Mismatch {
    Mismatch { expected: expected.into(), help: None }
}

pub(crate) fn integer(value: &Value, range: &RangeInclusive<u64>) -> Result<u64, Mismatch> {
    let Value::Number(number) = *value else {
        return Err(mismatch("a whole number"));
    };
    if number.fract() != 0.0 {
        return Err(mismatch("a whole number"));
    }
    let whole = number as u64; // saturates, so that the next line refuses what does not fit
    if (0.0..U64_END).contains(&number) && range.contains(&whole) {
        Ok(whole)
    } else {
        Err(mismatch(integers(range)))
    }
}

pub(crate) fn number(value: &Value, range: &impl RangeBounds<f64>) -> Result<f64, Mismatch> {
    match *value {
        Value::Number(number) if !number.is_finite() => Err(mismatch("a finite number")),
        Value::Number(number) if range.contains(&number) => Ok(number),
        Value::Number(_) => Err(mismatch(numbers(range))),
        _ => Err(mismatch("a number")),
    }
}

pub(crate) fn flag(value: &Value) -> Result<bool, Mismatch> {
    match value {
        Value::Bool(flag) => Ok(*flag),
        _ => Err(mismatch("true or false")),
    }
}

pub(crate) fn word(value: &Value, allowed: &[&'static str]) -> Result<&'static str, Mismatch> {
    let find = |name: &str| allowed.iter().copied().find(|word| *word == name);
    let help = match value {
        Value::Call(call) if call.is_word() => match find(&call.name) {
            Some(word) => return Ok(word),
            None => suggest::help(&call.name, allowed.iter().copied()),
        },
        Value::Text(text) => find(text).map(|word| format!("write it without quotes: {word}")),
        _ => None,
    };
    let expected = one_of(allowed);
    Err(Mismatch { expected, help })
}

pub(crate) fn text(value: &Value) -> Result<String, Mismatch> {
    let help = match value {
        Value::Text(text) => return Ok(text.clone()),
        Value::Call(call) if call.is_word() => Some(format!("write it in quotes: \"{call}\"")),
        _ => None,
    };
    let expected = "a text in quotes".to_owned();
    Err(Mismatch { expected, help })
}

pub(crate) fn call(value: &Value) -> Result<&Call, Mismatch> {
    match value {
        Value::Call(call) => Ok(call),
        _ => Err(mismatch("a word or an expression")),
    }
}

/// The range of a whole number in words, after "must be".
pub(crate) fn integers(range: &RangeInclusive<u64>) -> String {
    match (*range.start(), *range.end()) {
        (start, u64::MAX) => format!("at least {start}"),
        (start, end) if start == end => start.to_string(),
        (start, end) => format!("between {start} and {end}"),
    }
}

/// The range of a number in words, after "must be".
pub(crate) fn numbers(range: &impl RangeBounds<f64>) -> String {
    use Bound::{Excluded, Included, Unbounded};
    let show = |bound: f64| Value::Number(bound);
    let lower = match range.start_bound() {
        Included(&bound) => Some(format!("at least {}", show(bound))),
        Excluded(&bound) => Some(format!("greater than {}", show(bound))),
        Unbounded => None,
    };
    let upper = match range.end_bound() {
        Included(&bound) => Some(format!("at most {}", show(bound))),
        Excluded(&bound) => Some(format!("less than {}", show(bound))),
        Unbounded => None,
    };
    if let (Included(&start), Included(&end)) = (range.start_bound(), range.end_bound()) {
        return format!("between {} and {}", show(start), show(end));
    }
    match (lower, upper) {
        (Some(lower), Some(upper)) => format!("{lower} and {upper}"),
        (Some(only), None) | (None, Some(only)) => only,
        (None, None) => "finite".to_owned(),
    }
}

/// A number in the range, to go on with after a problem.
pub(crate) fn number_in(range: &impl RangeBounds<f64>) -> f64 {
    use Bound::{Excluded, Included, Unbounded};
    match (range.start_bound(), range.end_bound()) {
        (Included(&bound), _) | (_, Included(&bound)) => bound,
        (Excluded(&start), Excluded(&end)) => start + (end - start) / 2.0,
        (Excluded(&start), Unbounded) => start + 1.0,
        (Unbounded, Excluded(&end)) => end - 1.0,
        (Unbounded, Unbounded) => 1.0,
    }
}

/// The words as alternatives: "`a`, `b` or `c`".
pub(crate) fn one_of(words: &[&str]) -> String {
    match words {
        [] => "left out".to_owned(),
        [only] => format!("`{only}`"),
        [first @ .., last] => {
            let first: Vec<String> = first.iter().map(|word| format!("`{word}`")).collect();
            format!("{} or `{last}`", first.join(", "))
        }
    }
}

/// A value in words, after "got".
pub(crate) fn describe(value: &Value) -> String {
    let shown = shorten(&value.to_string());
    match value {
        Value::Number(_) => shown,
        Value::Text(_) => format!("the text {shown}"),
        Value::Bool(_) => format!("`{shown}`"),
        Value::Call(call) if call.is_word() => format!("the word `{shown}`"),
        Value::Call(_) => format!("the expression `{shown}`"),
    }
}

/// The text, or its beginning if it is long.
pub(crate) fn shorten(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Bound::{Excluded, Included, Unbounded};

    #[test]
    fn ranges_in_words() {
        assert_eq!(integers(&(1..=4096)), "between 1 and 4096");
        assert_eq!(integers(&(3..=u64::MAX)), "at least 3");
        assert_eq!(integers(&(2..=2)), "2");
        assert_eq!(numbers(&(0.0..=1.0)), "between 0 and 1");
        assert_eq!(numbers(&(0.5..)), "at least 0.5");
        assert_eq!(numbers(&(..=2.0)), "at most 2");
        assert_eq!(numbers(&(0.0..1.0)), "at least 0 and less than 1");
        let positive = (Excluded(0.0), Unbounded);
        assert_eq!(numbers(&positive), "greater than 0");
        let share = (Excluded(0.0), Included(1.0));
        assert_eq!(numbers(&share), "greater than 0 and at most 1");
    }

    #[test]
    fn fallbacks_are_in_range() {
        assert_eq!(number_in(&(2.0..3.0)), 2.0);
        assert_eq!(number_in(&(..=3.0)), 3.0);
        assert_eq!(number_in(&(Excluded(0.0), Included(1.0))), 1.0);
        assert_eq!(number_in(&(Excluded(0.0), Excluded(1.0))), 0.5);
        assert_eq!(number_in(&(Excluded(0.0), Unbounded)), 1.0);
        assert_eq!(number_in(&(..1.0)), 0.0);
        assert_eq!(number_in(&(..)), 1.0);
    }

    #[test]
    fn whole_numbers_up_to_the_largest() {
        let any = 0..=u64::MAX;
        assert_eq!(integer(&Value::Number(1e18), &any).ok(), Some(10u64.pow(18)));
        assert_eq!(integer(&Value::Number(0.0), &any).ok(), Some(0));
        for refused in [U64_END, -1.0, 0.5, f64::NAN, f64::INFINITY] {
            assert!(integer(&Value::Number(refused), &any).is_err(), "{refused}");
        }
    }

    #[test]
    fn long_values_are_shortened_between_characters() {
        assert_eq!(shorten(&"é".repeat(40)), "é".repeat(40));
        assert_eq!(shorten(&"é".repeat(41)), "é".repeat(40) + "…");
    }
}
