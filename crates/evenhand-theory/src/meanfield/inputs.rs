//! What the limits take: loads below 1, and profiles that fall from 1.

use crate::Error;

/// A load at which queues settle: 0 <= load < 1.
pub(super) fn check_load(load: f64) -> Result<(), Error> {
    check_rate(load)?;
    if load < 1.0 { Ok(()) } else { Err(Error::Unstable { load }) }
}

/// A rate: finite and not negative.
pub(super) fn check_rate(rate: f64) -> Result<(), Error> {
    if rate.is_finite() && rate >= 0.0 {
        return Ok(());
    }
    Err(Error::OutOfRange(format!("a rate of arrivals is finite and not negative, not {rate}")))
}

/// A number of choices: at least 1.
pub(super) fn check_choices(d: u32) -> Result<(), Error> {
    if (1..=MOST_CHOICES).contains(&d) {
        return Ok(());
    }
    Err(Error::OutOfRange(format!("a job sees 1 to {MOST_CHOICES} servers, not {d}")))
}

/// Choices beyond this only lose time in sums over them.
const MOST_CHOICES: u32 = 1 << 20;

/// A probability strictly between 0 and 1.
pub(super) fn check_quantile(probability: f64) -> Result<(), Error> {
    if probability > 0.0 && probability < 1.0 {
        return Ok(());
    }
    Err(Error::OutOfRange(format!("a quantile is of 0 < p < 1, not {probability}")))
}

/// A profile of tails: it starts at 1, never rises, and never falls below 0.
pub(super) fn check_profile(tails: &[f64]) -> Result<(), Error> {
    let falls = tails.windows(2).all(|pair| pair[0] >= pair[1]);
    if tails.first() == Some(&1.0) && falls && tails.iter().all(|&s| s >= 0.0) {
        return Ok(());
    }
    Err(Error::OutOfRange("fractions with at least k jobs start at 1 and never rise".into()))
}

/// Times of output: finite, from 0 on, ascending.
pub(super) fn check_times(times: &[f64]) -> Result<(), Error> {
    let finite = times.iter().all(|t| t.is_finite() && *t >= 0.0);
    if finite && times.windows(2).all(|pair| pair[0] <= pair[1]) {
        return Ok(());
    }
    Err(Error::OutOfRange("times are finite, not negative, and ascend".into()))
}
