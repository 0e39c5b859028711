//! Number literals: reading and the canonical form.

use std::fmt::{self, Formatter};

/// Whole numbers of at least this size are written with an exponent.
const EXPONENT_FROM: f64 = 1e15;

/// Why a literal is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BadNumber {
    /// Not a number of the language.
    Malformed,
    /// Beyond the largest double.
    TooLarge,
    /// A whole number written out that a double cannot hold exactly.
    Inexact,
}

/// Reads a literal such as `12`, `-3`, `0.5`, `1e6` or `1_000`.
pub(crate) fn read(literal: &str) -> Result<f64, BadNumber> {
    if !is_well_formed(literal) {
        return Err(BadNumber::Malformed);
    }
    let plain = literal.replace('_', "");
    let number: f64 = plain.parse().map_err(|_| BadNumber::Malformed)?;
    if number.is_infinite() {
        return Err(BadNumber::TooLarge);
    }
    let whole = plain.strip_prefix('-').unwrap_or(&plain);
    if is_digits(whole) && !is_exact(whole, number.abs()) {
        return Err(BadNumber::Inexact);
    }
    Ok(number)
}

/// Writes the shortest form that is read back as the same number.
pub(crate) fn write(f: &mut Formatter<'_>, number: f64) -> fmt::Result {
    if number == 0.0 {
        f.write_str("0") // also for the negative zero, which equals it
    } else if number.fract() != 0.0 || !number.is_finite() {
        write!(f, "{number:?}")
    } else if number.abs() < EXPONENT_FROM {
        write!(f, "{number}")
    } else {
        write!(f, "{number:e}")
    }
}

fn is_well_formed(literal: &str) -> bool {
    let unsigned = literal.strip_prefix('-').unwrap_or(literal);
    let (mantissa, exponent) = split(unsigned, &['e', 'E']);
    let (whole, fraction) = split(mantissa, &['.']);
    let exponent = exponent.map(|digits| digits.strip_prefix(['+', '-']).unwrap_or(digits));
    is_digits(whole) && fraction.is_none_or(is_digits) && exponent.is_none_or(is_digits)
}

fn split<'s>(text: &'s str, at: &[char]) -> (&'s str, Option<&'s str>) {
    match text.split_once(at) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}

/// Digits, in groups separated by single underscores.
fn is_digits(text: &str) -> bool {
    text.split('_')
        .all(|group| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit()))
}

fn is_exact(digits: &str, number: f64) -> bool {
    digits.parse::<u128>().is_ok_and(|written| written == number as u128)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Canonical(f64);

    impl fmt::Display for Canonical {
        fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
            write(f, self.0)
        }
    }

    #[test]
    fn reads_numbers() {
        for (literal, number) in [
            ("0", 0.0),
            ("007", 7.0),
            ("-3", -3.0),
            ("0.5", 0.5),
            ("1_000.000_1", 1000.0001),
            ("1e6", 1e6),
            ("1E+6", 1e6),
            ("25e-1", 2.5),
            ("9007199254740992", 9007199254740992.0),
            ("1e23", 1e23),
        ] {
            assert_eq!(read(literal), Ok(number), "{literal}");
        }
    }

    #[test]
    fn refuses_what_is_no_number() {
        for literal in [
            "", "-", "+3", ".5", "5.", "1.2.3", "1e", "e5", "1e+", "1__0", "_1", "1_", "1_.5",
            "0x10", "2d", "1-2", "-inf", "--1", "1e5e5", "1e0.5",
        ] {
            assert_eq!(read(literal), Err(BadNumber::Malformed), "{literal}");
        }
        assert_eq!(read("1e309"), Err(BadNumber::TooLarge));
        assert_eq!(read("-1e99999999999999999999"), Err(BadNumber::TooLarge));
        assert_eq!(read("9007199254740993"), Err(BadNumber::Inexact));
        assert_eq!(read("-18_446_744_073_709_551_615"), Err(BadNumber::Inexact));
    }

    #[test]
    fn writes_the_canonical_form() {
        for (number, form) in [
            (0.0, "0"),
            (-0.0, "0"),
            (1000.0, "1000"),
            (-3.0, "-3"),
            (0.1, "0.1"),
            (1e-7, "1e-7"),
            (1234.5, "1234.5"),
            (999_999_999_999_999.0, "999999999999999"),
            (1e15, "1e15"),
            (1.5e300, "1.5e300"),
        ] {
            assert_eq!(Canonical(number).to_string(), form);
        }
    }
}
