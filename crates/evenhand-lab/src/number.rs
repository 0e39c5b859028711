//! Numbers as people read them.

use crate::record::Estimate;

/// `1234567` as `1,234,567`.
pub(crate) fn thousands(integer: u64) -> String {
    let digits = integer.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A number with about `digits` significant digits, thousands separators, and no exponent
/// between 0.0001 and 10^15.
pub(crate) fn significant(number: f64, digits: i32) -> String {
    let size = number.abs();
    if !number.is_finite() {
        return "—".into();
    }
    if size != 0.0 && !(1e-4..1e15).contains(&size) {
        let decimals = usize::try_from(digits - 1).unwrap_or(0);
        return format!("{number:.decimals$e}");
    }
    trim(&fixed(number, decimals_for(size, digits)))
}

/// Mean and half-width of a 95 % interval, `3.327 ± 0.092`; the mean alone without interval.
pub(crate) fn plus_minus(mean: f64, ci95: Option<[f64; 2]>) -> String {
    let Some(half) = ci95.map(|[low, high]| (high - low) / 2.0).filter(|h| h.is_finite()) else {
        return significant(mean, 4);
    };
    if half <= 0.0 {
        return format!("{} ± 0", significant(mean, 4));
    }
    let decimals = decimals_for(half, 2);
    if decimals > 8 {
        return format!("{} ± {}", significant(mean, 4), significant(half, 2));
    }
    format!("{} ± {}", fixed(mean, decimals), fixed(half, decimals))
}

/// [`plus_minus`] of an estimate.
pub(crate) fn estimate(estimate: &Estimate) -> String {
    plus_minus(estimate.mean, estimate.ci95)
}

/// A share as a percentage with three significant digits, `36.8%`.
pub(crate) fn percent(share: f64) -> String {
    format!("{}%", significant(share * 100.0, 3))
}

/// A distance with its unit: metres, kilometres from 1000 m on, bare on the unit square.
pub(crate) fn distance(value: f64, unit: &str) -> String {
    match unit {
        "1" => significant(value, 3),
        "m" if value.abs() >= 1000.0 => format!("{} km", significant(value / 1000.0, 3)),
        _ => format!("{} {unit}", significant(value, 3)),
    }
}

/// A wall time in seconds as `12 ms`, `3.4 s` or `2 min 5 s`.
pub(crate) fn duration(seconds: f64) -> String {
    if seconds.is_finite() && seconds >= 119.5 {
        let whole = seconds.round() as u64;
        return format!("{} min {} s", thousands(whole / 60), whole % 60);
    }
    match seconds {
        s if s >= 1.0 => format!("{} s", significant(s, 3)),
        s if s >= 1e-3 => format!("{} ms", significant(s * 1e3, 3)),
        s => format!("{} µs", significant(s * 1e6, 3)),
    }
}

/// `a, b and c`.
pub(crate) fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [head @ .., last] => format!("{} and {last}", head.join(", ")),
    }
}

/// Decimals that show `digits` significant digits of a number of this size.
fn decimals_for(size: f64, digits: i32) -> usize {
    if size == 0.0 {
        return 0;
    }
    let magnitude = size.log10().floor() as i32;
    usize::try_from(digits - 1 - magnitude).unwrap_or(0)
}

/// A number with a fixed count of decimals and thousands separators.
fn fixed(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    let (sign, text) = match text.strip_prefix('-') {
        Some(rest) if rest.bytes().any(|b| (b'1'..=b'9').contains(&b)) => ("-", rest),
        Some(rest) => ("", rest),
        None => ("", text.as_str()),
    };
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let whole = whole.parse().map_or_else(|_| whole.to_owned(), |integer: u64| thousands(integer));
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{whole}{point}{fraction}")
}

/// Without zeros at the end of the decimals.
fn trim(text: &str) -> String {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_grouped_by_three() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_000), "1,000");
        assert_eq!(thousands(1_000_000_000_000), "1,000,000,000,000");
    }

    #[test]
    fn numbers_keep_sensible_digits() {
        assert_eq!(significant(4.0, 4), "4");
        assert_eq!(significant(2.0 / 3.0, 3), "0.667");
        assert_eq!(significant(367_879.4, 4), "367,879");
        assert_eq!(significant(1.5e-7, 3), "1.50e-7");
        assert_eq!(significant(-0.000_1, 1), "-0.0001");
        assert_eq!(significant(f64::NAN, 3), "—");
        assert_eq!(significant(0.0, 3), "0");
    }

    #[test]
    fn the_half_width_sets_the_decimals() {
        assert_eq!(plus_minus(3.3271, Some([3.2351, 3.4191])), "3.327 ± 0.092");
        assert_eq!(plus_minus(1234.6, Some([1200.6, 1268.6])), "1,235 ± 34");
        assert_eq!(plus_minus(4.0, Some([4.0, 4.0])), "4 ± 0");
        assert_eq!(plus_minus(3.5, None), "3.5");
    }

    #[test]
    fn units_follow_the_size() {
        assert_eq!(distance(0.012_34, "1"), "0.0123");
        assert_eq!(distance(812.3, "m"), "812 m");
        assert_eq!(distance(12_345.0, "m"), "12.3 km");
        assert_eq!(duration(0.000_012), "12 µs");
        assert_eq!(duration(0.0123), "12.3 ms");
        assert_eq!(duration(1.234), "1.23 s");
        assert_eq!(duration(125.0), "2 min 5 s");
        assert_eq!(percent(0.367_88), "36.8%");
    }
}
