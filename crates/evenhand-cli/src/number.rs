//! Numbers as people write them: `1e6`, `1_000_000`, `0.5`.

/// A whole number of at least 1.
pub(crate) fn count(text: &str) -> Result<u64, String> {
    match whole(text)? {
        0 => Err("it must be at least 1".to_string()),
        number => Ok(number),
    }
}

/// A whole number of at least 0.
pub(crate) fn whole(text: &str) -> Result<u64, String> {
    /// Beyond 2^53 doubles skip whole numbers, and 1e20 is more than any count here.
    const GREATEST: f64 = 9_007_199_254_740_992.0;
    let plain = text.replace('_', "");
    if let Ok(number) = plain.parse::<u64>()
        && number as f64 <= GREATEST
    {
        return Ok(number);
    }
    let number = real(text)?;
    if number < 0.0 {
        return Err("it must not be negative".to_string());
    }
    if number.fract() != 0.0 {
        return Err("it must be a whole number".to_string());
    }
    if number > GREATEST {
        return Err("it must be at most 2^53, about 9e15".to_string());
    }
    Ok(number as u64)
}

/// A finite real number.
pub(crate) fn real(text: &str) -> Result<f64, String> {
    let starts_as_number =
        text.trim_start_matches(['+', '-']).starts_with(|c: char| c.is_ascii_digit() || c == '.');
    match text.replace('_', "").parse::<f64>() {
        Ok(number) if number.is_finite() && starts_as_number => Ok(number),
        _ => Err("it must be a number, such as 1000, 1e6 or 1_000_000".to_string()),
    }
}

/// A positive real number.
pub(crate) fn positive(text: &str) -> Result<f64, String> {
    match real(text)? {
        number if number > 0.0 => Ok(number),
        _ => Err("it must be above 0".to_string()),
    }
}

/// A real number of at least 0.
pub(crate) fn not_negative(text: &str) -> Result<f64, String> {
    match real(text)? {
        number if number >= 0.0 => Ok(number),
        _ => Err("it must not be negative".to_string()),
    }
}

/// A number from 0 to 1.
pub(crate) fn probability(text: &str) -> Result<f64, String> {
    match real(text)? {
        number if (0.0..=1.0).contains(&number) => Ok(number),
        _ => Err("it must be between 0 and 1".to_string()),
    }
}

/// A number above 0, at most 1.
pub(crate) fn part(text: &str) -> Result<f64, String> {
    match real(text)? {
        number if number > 0.0 && number <= 1.0 => Ok(number),
        _ => Err("it must be above 0 and at most 1".to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_numbers_as_people_write_them() {
        assert_eq!(count("1e6"), Ok(1_000_000));
        assert_eq!(count("1_000_000"), Ok(1_000_000));
        assert_eq!(count("1.5e3"), Ok(1_500));
        for bad in ["-5", "0", "1.5", "1e20", "nan", "inf", "ten", "", "99999999999999999999"] {
            assert!(count(bad).is_err(), "{bad}");
        }
        assert_eq!(probability("0.25"), Ok(0.25));
        assert!(probability("1.01").is_err());
        assert!(part("0").is_err());
    }
}
