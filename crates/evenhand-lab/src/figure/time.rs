//! Horizontal axes of time, linear or logarithmic.

use std::sync::Arc;

use kuva::render::layout::{Layout, TickFormat};

use super::style;
use crate::number::significant;

/// What times are counted in.
pub(super) const UNIT: &str = "unit of the service law";

/// Earlier times than the last one over this are left out.
const MOST_SPAN: f64 = 1e12;

/// The part of the time axis that a chart shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TimeAxis {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) logarithmic: bool,
}

impl TimeAxis {
    /// From 0 to `last`.
    pub(super) fn linear(last: f64) -> Self {
        let to = if last > 0.0 { last } else { 1.0 };
        Self { from: 0.0, to, logarithmic: false }
    }

    /// Around `first` and `last`, which are positive, one decade at least.
    pub(super) fn logarithmic(first: f64, last: f64) -> Self {
        let first = first.max(last / MOST_SPAN).max(style::LEAST_LOGARITHMIC);
        let from = 10_f64.powf(first.log10().floor());
        Self { from, to: last.max(10.0 * from), logarithmic: true }
    }

    /// Where `t` stands, from 0 at the left to 1 at the right.
    pub(super) fn position(&self, t: f64) -> f64 {
        if self.logarithmic {
            (t / self.from).ln() / (self.to / self.from).ln()
        } else {
            (t - self.from) / (self.to - self.from)
        }
    }

    /// Gives `layout` this axis with the name of its quantity.
    pub(super) fn on(&self, layout: Layout, quantity: &str) -> Layout {
        let label = format!("{quantity} ({UNIT})");
        let layout = layout.with_x_label(label).with_x_axis_min(self.from);
        if self.logarithmic {
            return layout
                .with_log_x()
                .with_x_axis_max(self.to * 1.1)
                .with_x_tick_format(TickFormat::Custom(Arc::new(|t| significant(t, 3))));
        }
        let step = style::nice_step(self.to, 10.0);
        layout
            .with_x_axis_max(self.to * 1.02)
            .with_x_tick_step(step)
            .with_x_tick_format(style::ticks_of(step))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_run_from_left_to_right() {
        let linear = TimeAxis::linear(4.0);
        assert_eq!([0.0, 1.0, 4.0].map(|t| linear.position(t)), [0.0, 0.25, 1.0]);
        let logarithmic = TimeAxis::logarithmic(0.2, 1000.0);
        assert_eq!(logarithmic.from, 0.1);
        assert!((logarithmic.position(10.0) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn an_axis_has_a_length() {
        assert_eq!(TimeAxis::linear(0.0).to, 1.0);
        assert_eq!(TimeAxis::logarithmic(2.0, 2.0).to, 10.0);
    }
}
