//! A tail: the fraction of bins or servers with at least i balls or jobs, a line per result.

use std::ops::RangeInclusive;

use kuva::render::layout::TickFormat;
use kuva::render::plots::Plot;
use kuva::render::render::render_multiple;

use super::canvas::Drawing;
use super::series::{self, Series};
use super::style;
use crate::number::listed;
use crate::record::Record;

/// Up to so many loads, lines carry marks; beyond, strokes tell them apart.
const MARKED_LOADS: f64 = 40.0;

/// What is counted, and how it is called.
pub(super) struct Tail<R> {
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    pub(super) x_label: &'static str,
    /// As a part of a sentence, too.
    pub(super) y_label: &'static str,
    /// What the values of i are, at the start of a sentence.
    pub(super) values: &'static str,
    /// Fraction with at least i (index = i); `None` where there is none.
    pub(super) fractions: fn(&R) -> Option<&[f64]>,
    /// What theory says of them.
    pub(super) theory: fn(&R) -> Option<&[f64]>,
}

impl<R> Tail<R> {
    pub(super) fn draw(&self, record: &Record<R>, labels: &[String]) -> Option<Drawing> {
        let all = series::of(
            record,
            labels,
            |result| (self.fractions)(result).map(points),
            |result| (self.theory)(result).map(points),
        );
        let last = all.iter().filter_map(|s| s.points.iter().rfind(drawn)).map(|p| p.0);
        let last = last.fold(f64::NEG_INFINITY, f64::max);
        if !last.is_finite() {
            return None;
        }
        let first = first_load(&all);
        let least = all.iter().flat_map(|s| &s.points).filter(drawn).map(|p| p.1);
        let least = least.fold(0.1, f64::min);
        let has_theory = all.iter().any(|s| !s.theory.is_empty());
        let marked = last - first <= MARKED_LOADS || has_theory;
        // Room for marks that stand on the edge.
        let room = 0.02 * (last - first).max(1.0);

        let title = format!("{}{}", self.title, if has_theory { series::THEORY } else { "" });
        let plots: Vec<Plot> = all.iter().flat_map(|s| plots(s, first..=last, marked)).collect();
        let layout = style::layout(&plots, &title)
            .with_x_label(self.x_label)
            .with_y_label(self.y_label)
            .with_log_y()
            .with_x_axis_min(first - room)
            .with_x_axis_max(last.max(first + 1.0) + room)
            .with_x_tick_step(style::integer_step(last - first, 14.0))
            .with_x_tick_format(TickFormat::Integer)
            .with_y_axis_min(10_f64.powf((least * 0.6).log10().floor()))
            .with_y_axis_max(1.5);
        let entries = all.iter().map(|s| s.legend(marked)).collect();
        let scene = render_multiple(plots, style::with_legend(layout, entries));
        Some(Drawing::new(self.id.into(), title, self.alt_text(&all), scene))
    }

    fn alt_text(&self, all: &[Series<'_>]) -> String {
        let reached: Vec<_> = all
            .iter()
            .filter_map(|s| Some(format!("{} up to {}", s.label, s.points.last()?.0)))
            .collect();
        format!(
            "Line chart of the {} against i, logarithmic. {} seen: {}.",
            self.y_label,
            self.values,
            listed(&reached)
        )
    }
}

/// (i, fraction) without zeros.
fn points(fractions: &[f64]) -> Vec<(f64, f64)> {
    let points = fractions.iter().enumerate().map(|(load, fraction)| (load as f64, *fraction));
    points.filter(|(_, fraction)| *fraction > 0.0 && *fraction < 1.0 + 1e-9).collect()
}

/// Where the picture starts: the greatest load that practically all bins of all results have.
fn first_load(all: &[Series<'_>]) -> f64 {
    let full = all.iter().map(|s| {
        let full = s.points.iter().take_while(|p| p.1 >= 1.0 - 1e-12);
        full.last().map_or(0.0, |p| p.0)
    });
    full.fold(f64::INFINITY, f64::min)
}

/// The part of the line over `loads`: theory, where there is one.
fn plots(series: &Series<'_>, loads: RangeInclusive<f64>, marked: bool) -> Vec<Plot> {
    let part = |points: &[(f64, f64)]| -> Vec<_> {
        points.iter().filter(|point| loads.contains(&point.0)).filter(drawn).copied().collect()
    };
    let shown = part(&series.points);
    let line = if series.theory.is_empty() { shown.clone() } else { part(&series.theory) };
    series.plots(line, marked.then_some(shown))
}

/// True for fractions that a logarithmic axis can show.
fn drawn(point: &&(f64, f64)) -> bool {
    point.1 >= style::LEAST_LOGARITHMIC
}
