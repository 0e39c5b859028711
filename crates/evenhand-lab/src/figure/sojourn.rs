//! The distribution of the sojourn time: fraction of jobs that stay longer than t, a line per
//! result.

use kuva::render::plots::Plot;
use kuva::render::render::render_multiple;

use super::canvas::Drawing;
use super::series::{self, Series};
use super::style;
use super::time::TimeAxis;
use crate::number::{listed, significant};
use crate::record::Record;

const TITLE: &str = "Sojourn times";
/// Times are shown on a logarithmic axis where the 99.9th percentile is so many medians.
const LONG_TAIL: f64 = 50.0;
/// A logarithmic axis starts where so many jobs stay longer.
const NEARLY_ALL: f64 = 0.99;
/// Points of a line are left out when they come nearer to the one before, as a share of the chart.
const LEAST_STEP: f64 = 0.001;
/// Marks stand so far apart.
const MARK_STEP: f64 = 0.07;

/// Points of a line, from left to right.
type Points = [(f64, f64)];

/// The law of sojourn times of a kind of result.
pub(super) struct Sojourns<R> {
    /// (time, fraction of jobs that stay longer), from short to long times.
    pub(super) curve: fn(&R) -> Option<&Points>,
    /// What theory says of it.
    pub(super) theory: fn(&R) -> Option<&Points>,
    /// Median, 99th and 99.9th percentile.
    pub(super) quantiles: fn(&R) -> Option<[f64; 3]>,
}

impl<R> Sojourns<R> {
    pub(super) fn draw(&self, record: &Record<R>, labels: &[String]) -> Option<Drawing> {
        let points = |result: &R| (self.curve)(result).map(drawable);
        let theory = |result: &R| (self.theory)(result).map(drawable);
        let mut all = series::of(record, labels, points, theory);
        all.retain(|s| !s.points.is_empty());
        let axis = self.axis(record, &all)?;
        let least = all.iter().flat_map(|s| &s.points).map(|p| p.1).fold(0.1, f64::min);
        let lowest = 10_f64.powf(least.log10().floor());
        let has_theory = all.iter().any(|s| !s.theory.is_empty());
        let title = format!("{TITLE}{}", if has_theory { series::THEORY } else { "" });

        let shown = |s: &Series<'_>| {
            let marks = thinned(&s.points, &axis, lowest, MARK_STEP);
            let line = if s.theory.is_empty() { s.points.clone() } else { within(s, least) };
            s.plots(thinned(&line, &axis, lowest, LEAST_STEP), Some(marks))
        };
        let plots: Vec<Plot> = all.iter().flat_map(shown).collect();
        let layout = style::layout(&plots, &title)
            .with_y_label("fraction of jobs that stay longer than t")
            .with_log_y()
            .with_y_axis_min(lowest)
            .with_y_axis_max(1.5);
        let layout = axis.on(layout, "t");
        let entries = all.iter().map(|s| s.legend(true)).collect();
        let scene = render_multiple(plots, style::with_legend(layout, entries));
        Some(Drawing::new("sojourn".into(), title, self.alt_text(record, labels), scene))
    }

    fn axis(&self, record: &Record<R>, all: &[Series<'_>]) -> Option<TimeAxis> {
        let last = all.iter().filter_map(|s| s.points.last()).map(|p| p.0).reduce(f64::max)?;
        let quantiles = record.results.iter().filter_map(self.quantiles);
        let long = quantiles.into_iter().any(|[median, _, high]| high > LONG_TAIL * median);
        let start = |s: &Series<'_>| {
            let positive = || s.points.iter().filter(|p| p.0 > 0.0);
            Some(positive().find(|p| p.1 <= NEARLY_ALL).or_else(|| positive().next())?.0)
        };
        let first = all.iter().filter_map(start).reduce(f64::min).filter(|_| long);
        Some(first.map_or(TimeAxis::linear(last), |first| TimeAxis::logarithmic(first, last)))
    }

    fn alt_text(&self, record: &Record<R>, labels: &[String]) -> String {
        let read: Vec<_> = record
            .results
            .iter()
            .zip(labels)
            .filter_map(|(r, label)| {
                let [median, high, _] = (self.quantiles)(r)?;
                Some(format!("{label} {} and {}", significant(median, 4), significant(high, 4)))
            })
            .collect();
        let chart =
            "Line chart of the fraction of jobs that stay longer than t against t, logarithmic.";
        if read.is_empty() {
            return chart.into();
        }
        format!("{chart} Median and 99th percentile: {}.", listed(&read))
    }
}

/// What a logarithmic axis can show.
fn drawable(curve: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let can = |&&(t, longer): &&(f64, f64)| {
        style::drawable(t) && t >= 0.0 && (style::LEAST_LOGARITHMIC..1.0 + 1e-9).contains(&longer)
    };
    curve.iter().filter(can).copied().collect()
}

/// The part of theory over the times of the simulated points.
fn within(series: &Series<'_>, least: f64) -> Vec<(f64, f64)> {
    let last = series.points.last().map_or(0.0, |point| point.0);
    series.theory.iter().copied().filter(|point| point.0 <= last && point.1 >= least).collect()
}

/// Points at least `step` apart, as a share of the chart, and the last one, without those left of
/// the chart.
fn thinned(points: &[(f64, f64)], axis: &TimeAxis, lowest: f64, step: f64) -> Vec<(f64, f64)> {
    let paper = |&(t, longer): &(f64, f64)| (axis.position(t), longer.ln() / lowest.ln());
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for (index, point) in points.iter().enumerate().filter(|(_, p)| p.0 >= axis.from) {
        let (x, y) = paper(point);
        let far = |last: &(f64, f64)| {
            let (last_x, last_y) = paper(last);
            (x - last_x).abs() >= step || (y - last_y).abs() >= step
        };
        if kept.last().is_none_or(far) || index + 1 == points.len() {
            kept.push(*point);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dense_curves_are_thinned_and_keep_their_ends() {
        let points: Vec<_> =
            (0..100_000).map(|i| f64::from(i) * 1e-4).map(|t| (t, (-t).exp())).collect();
        let axis = TimeAxis::linear(10.0);
        let kept = thinned(&points, &axis, 1e-5, LEAST_STEP);
        assert!(kept.len() < 2000, "{}", kept.len());
        assert_eq!(kept.first(), points.first());
        assert_eq!(kept.last(), points.last());
    }
}
