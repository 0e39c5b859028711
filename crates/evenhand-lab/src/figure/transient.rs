//! Queue lengths over time: fraction of servers with at least 1, 2, ... jobs, a colour per result
//! and a stroke per level.

use kuva::plot::legend::{LegendEntry, LegendShape};
use kuva::plot::{LinePlot, scatter::ScatterPlot};
use kuva::render::plots::Plot;
use kuva::render::render::render_multiple;

use super::canvas::Drawing;
use super::time::TimeAxis;
use super::{series, style};
use crate::number::{listed, significant};
use crate::record::Record;

/// Levels shown of few results, and of many.
const LEVELS: usize = 4;
const LEVELS_OF_MANY: usize = 2;
const FEW_RESULTS: usize = 3;
/// Levels that no result reaches with more servers than that would lie on the axis.
const LEAST_FRACTION: f64 = 0.004;
/// Up to so many moments, lines carry marks.
const MARKED_MOMENTS: usize = 25;
/// Moments are crowded at the start, and shown on a logarithmic axis, where the middle one of
/// them is earlier than the last by this factor.
const CROWDED: f64 = 5.0;
const STROKE_WIDTH: f64 = 1.8;
/// Radius of a mark in points.
const MARK_RADIUS: f64 = 3.5;

/// Queue lengths at one time.
pub(super) struct Instant {
    pub(super) t: f64,
    /// Fraction of servers with at least i jobs (index = i).
    pub(super) fractions: Vec<f64>,
    pub(super) queue_length: f64,
}

/// The queue lengths over time of a kind of result.
pub(super) struct Course<R> {
    pub(super) moments: fn(&R) -> Vec<Instant>,
    /// What theory says of them.
    pub(super) theory: fn(&R) -> Vec<Instant>,
}

/// One result: its place among the results, its label and its moments in order.
struct Path<'a> {
    index: usize,
    label: &'a str,
    moments: Vec<Instant>,
    theory: Vec<Instant>,
}

impl<R> Course<R> {
    pub(super) fn draw(&self, record: &Record<R>, labels: &[String]) -> Option<Drawing> {
        let all = self.paths(record, labels);
        let axis = axis(&all)?;
        let levels = levels(&all);
        let plots: Vec<Plot> = all
            .iter()
            .flat_map(|path| (1..=levels).flat_map(|level| line(path, level, &axis)))
            .collect();
        let highest = all.iter().flat_map(|path| points(&path.moments, 1)).map(|p| p.1);
        let highest = highest.fold(0.0, f64::max);
        let top = if highest > 0.5 { 1.0 } else { (highest * 1.15).max(LEAST_FRACTION) };
        let step = style::nice_step(top, 6.0);
        let has_theory = all.iter().any(|path| !path.theory.is_empty());
        let title = format!("{}{}", title(levels), if has_theory { series::THEORY } else { "" });
        let layout = style::layout(&plots, &title)
            .with_y_label("fraction of servers with at least i jobs")
            .with_y_axis_min(0.0)
            .with_y_axis_max(top)
            .with_y_tick_step(step)
            .with_y_tick_format(style::ticks_of(step));
        let layout = axis.on(layout, "time");
        let entries = all.iter().map(result_entry).collect();
        let scene = render_multiple(plots, style::with_legend(layout, entries));
        Some(Drawing::new("transient".into(), title, alt_text(&all), scene))
    }

    fn paths<'a>(&self, record: &Record<R>, labels: &'a [String]) -> Vec<Path<'a>> {
        let with_index = record.results.iter().zip(labels).enumerate();
        with_index
            .filter_map(|(index, (result, label))| {
                let (moments, theory) = ((self.moments)(result), (self.theory)(result));
                let (moments, theory) = (in_order(moments), in_order(theory));
                (!moments.is_empty()).then_some(Path { index, label, moments, theory })
            })
            .collect()
    }
}

fn in_order(mut moments: Vec<Instant>) -> Vec<Instant> {
    moments.retain(|m| style::drawable(m.t) && m.t >= 0.0);
    moments.sort_by(|a, b| a.t.total_cmp(&b.t));
    moments
}

/// (time, fraction with at least `level` jobs).
fn points(moments: &[Instant], level: usize) -> impl Iterator<Item = (f64, f64)> {
    let point = move |m: &Instant| (m.t, m.fractions.get(level).copied().unwrap_or(0.0));
    moments.iter().map(point).filter(|p| (0.0..1.0 + 1e-9).contains(&p.1))
}

/// Lines of one colour never cross: their order says which is which.
fn title(levels: usize) -> String {
    match levels {
        1 => "Queue lengths over time, i = 1".into(),
        levels => format!("Queue lengths over time, from the top: i = 1 to {levels}"),
    }
}

fn axis(all: &[Path<'_>]) -> Option<TimeAxis> {
    let mut times: Vec<f64> = all.iter().flat_map(|path| &path.moments).map(|m| m.t).collect();
    times.sort_by(f64::total_cmp);
    let (first, last) = (*times.first()?, *times.last()?);
    let middle = times[times.len() / 2];
    Some(if first > 0.0 && CROWDED * middle < last {
        TimeAxis::logarithmic(first, last)
    } else {
        TimeAxis::linear(last)
    })
}

/// How many levels are shown.
fn levels(all: &[Path<'_>]) -> usize {
    let most = if all.len() > FEW_RESULTS { LEVELS_OF_MANY } else { LEVELS };
    let seen = |level: &usize| {
        all.iter().any(|path| points(&path.moments, *level).any(|p| p.1 >= LEAST_FRACTION))
    };
    (1..=most).rev().find(seen).unwrap_or(1)
}

fn line(path: &Path<'_>, level: usize, axis: &TimeAxis) -> Vec<Plot> {
    let color = style::color(path.index);
    let part = |moments: &[Instant]| -> Vec<_> {
        points(moments, level).filter(|p| p.0 >= axis.from).collect()
    };
    let simulated = part(&path.moments);
    let line = if path.theory.is_empty() { simulated.clone() } else { part(&path.theory) };
    let line = LinePlot::new()
        .with_data(line)
        .with_color(color)
        .with_stroke_width(STROKE_WIDTH)
        .with_line_style(style::stroke(level - 1));
    if path.moments.len() > MARKED_MOMENTS && path.theory.is_empty() {
        return vec![line.into()];
    }
    let marks = ScatterPlot::new()
        .with_data(simulated)
        .with_marker(style::marker(path.index))
        .with_size(MARK_RADIUS)
        .with_color(color);
    vec![line.into(), marks.into()]
}

fn result_entry(path: &Path<'_>) -> LegendEntry {
    LegendEntry {
        label: style::text(path.label),
        color: style::color(path.index).into(),
        shape: if path.moments.len() > MARKED_MOMENTS && path.theory.is_empty() {
            LegendShape::Rect
        } else {
            LegendShape::Marker(style::marker(path.index))
        },
        dasharray: None,
    }
}

fn alt_text(all: &[Path<'_>]) -> String {
    let reached: Vec<_> = all
        .iter()
        .filter_map(|path| {
            let last = path.moments.last()?;
            let (length, t) = (significant(last.queue_length, 4), significant(last.t, 4));
            Some(format!("{} {length} at time {t}", path.label))
        })
        .collect();
    format!(
        "Line chart of the fraction of servers with at least i jobs over time. Mean queue \
         lengths at the end: {}.",
        listed(&reached)
    )
}
