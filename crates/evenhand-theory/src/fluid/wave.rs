//! Long times, when the profile of loads travels one level a time unit and no longer changes.
//!
//! Where the rates are those of any other profile of the same shape, the solution after n whole
//! time units is then the same profile, n levels higher, and need not be followed.

use super::window::Window;

/// Relative change of a fraction that may be missed.
const NEGLIGIBLE: f64 = 1e-12;

/// Relative change below which the next ones are foretold.
const SMALL: f64 = 1e-9;

/// Relative change of a fraction that may be due to rounding.
const ROUNDING: f64 = 1e-14;

/// Watches a profile settle, time unit by time unit.
pub(super) struct Wave {
    /// That of the time unit before; at first, not a number.
    change: f64,
}

impl Wave {
    pub(super) fn new() -> Self {
        Self { change: f64::NAN }
    }

    /// Whether all further changes of the profile are negligible, given it `before` and `after`
    /// one more time unit. They are taken to fall like a geometric series.
    ///
    /// Fractions below `least` may change by as much as that one.
    pub(super) fn is_settled(&mut self, before: &Window, after: &Window, least: f64) -> bool {
        let change = change(before, after, least);
        let ratio = change / self.change;
        self.change = change;
        let further = if ratio < 1.0 { change * ratio / (1.0 - ratio) } else { f64::INFINITY };
        change < ROUNDING || (change < SMALL && further < NEGLIGIBLE)
    }
}

/// Greatest relative difference of the fractions `after` from those `before`, one level lower.
fn change(before: &Window, after: &Window, least: f64) -> f64 {
    let lowest = before.full.min(after.full.saturating_sub(1)) + 1;
    let highest = before.levels().max(after.levels().saturating_sub(1));
    let pairs = (lowest..=highest).flat_map(|level| {
        (0..after.parts).map(move |part| (after.at(level + 1, part), before.at(level, part)))
    });
    pairs.map(|(a, b)| (a - b).abs() / a.max(b).max(least)).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(full: usize, x: &[f64]) -> Window {
        Window { full, parts: 1, x: x.to_vec() }
    }

    #[test]
    fn a_shifted_profile_is_settled() {
        let settled = Wave::new().is_settled(
            &window(3, &[0.9, 0.2, 0.01]),
            &window(3, &[1.0, 0.9, 0.2, 0.01]),
            1e-9,
        );
        assert!(settled);
    }

    #[test]
    fn slow_changes_are_not_settled() {
        let mut wave = Wave::new();
        for unit in 1..100_u32 {
            let at = |unit: u32| 0.5 + 1e-8 / f64::from(unit);
            let (before, after) = (window(4, &[at(unit)]), window(5, &[at(unit + 1)]));
            assert!(!wave.is_settled(&before, &after, 1e-9), "{unit}");
        }
    }
}
