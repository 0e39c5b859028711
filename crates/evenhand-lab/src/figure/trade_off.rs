//! The price of balance: mean distance against maximum load or sojourn time, a point per result.

use kuva::plot::legend::{LegendEntry, LegendShape};
use kuva::plot::scatter::ScatterPlot;
use kuva::plot::volcano::LabelStyle;
use kuva::render::plots::Plot;
use kuva::render::render::render_multiple;

use super::canvas::Drawing;
use super::style;
use crate::number::{distance, listed, significant};
use crate::record::{Distance, Record};

/// Radius of a mark in points.
const MARK_RADIUS: f64 = 6.0;
/// More points get a legend instead of labels.
const NAMED_POINTS: usize = 8;
/// Labels are cut beyond so many characters: the library needs them narrower than the chart.
const NAME_CHARACTERS: usize = 36;
/// How far labels stand above their marks, as a share of the axis.
const LABEL_LIFT: f64 = 0.025;

/// What stands against the distance, and how it is called.
pub(super) struct TradeOff<R> {
    pub(super) title: &'static str,
    pub(super) y_label: &'static str,
    /// As a part of a sentence.
    pub(super) kind: &'static str,
    /// The same where it was said before.
    pub(super) short_kind: &'static str,
    /// True for whole numbers.
    pub(super) whole: bool,
    pub(super) distance: fn(&R) -> Option<&Distance>,
    pub(super) height: fn(&R) -> Option<f64>,
}

struct Point<'a> {
    index: usize,
    label: &'a str,
    distance: f64,
    height: f64,
}

impl<R> TradeOff<R> {
    /// `None` without places, for a single result, or when distances have different units.
    pub(super) fn draw(&self, record: &Record<R>, labels: &[String]) -> Option<Drawing> {
        let unit = &(self.distance)(record.results.first()?)?.unit;
        let points = self.points(record, labels, unit);
        if points.len() < 2 {
            return None;
        }
        let farthest = points.iter().map(|p| p.distance).fold(0.0, f64::max);
        let (scale, shown_unit) = match unit.as_str() {
            "m" if farthest >= 1000.0 => (1e-3, " (km)".to_owned()),
            "1" => (1.0, " (side of the square = 1)".to_owned()),
            unit => (1.0, format!(" ({unit})")),
        };
        let right = (farthest * scale * 1.12).max(f64::MIN_POSITIVE);
        let [bottom, top] = self.heights_shown(&points);
        let x_step = style::nice_step(right, 7.0);
        let y_step = self.step(top - bottom);

        let named = points.len() <= NAMED_POINTS;
        let names = named.then(|| names(&points, scale, (top - bottom) * LABEL_LIFT));
        let marks = points.iter().map(|p| mark(p, scale));
        let plots: Vec<Plot> = names.into_iter().chain(marks).collect();
        let mut layout = style::layout(&plots, self.title)
            .with_x_label(format!("mean distance from user to server{shown_unit}"))
            .with_y_label(self.y_label)
            .with_x_axis_min(0.0)
            .with_x_axis_max(right)
            .with_x_tick_step(x_step)
            .with_x_tick_format(style::ticks_of(x_step))
            .with_y_axis_min(bottom)
            .with_y_axis_max(top)
            .with_y_tick_step(y_step)
            .with_y_tick_format(style::ticks_of(y_step));
        if !named {
            layout = style::with_legend(layout, points.iter().map(legend).collect());
        }
        Some(Drawing::new(
            "trade-off".into(),
            self.title.into(),
            self.alt_text(&points, unit),
            render_multiple(plots, layout),
        ))
    }

    fn points<'a>(&self, record: &Record<R>, labels: &'a [String], unit: &str) -> Vec<Point<'a>> {
        let with_index = record.results.iter().zip(labels).enumerate();
        with_index
            .filter_map(|(index, (result, label))| {
                let distance = (self.distance)(result)?;
                let height = (self.height)(result)?;
                let point = Point { index, label, distance: distance.mean, height };
                let drawable = style::drawable(point.distance) && style::drawable(point.height);
                (distance.unit == unit && drawable).then_some(point)
            })
            .collect()
    }

    /// The range of the vertical axis: from zero, unless that would press the points together.
    fn heights_shown(&self, points: &[Point<'_>]) -> [f64; 2] {
        let heights = points.iter().map(|p| p.height);
        let highest = heights.clone().fold(0.0, f64::max);
        let lowest = heights.fold(highest, f64::min);
        let spread = highest - lowest;
        if spread > 0.0 && spread < 0.25 * highest {
            [lowest - 0.4 * spread, highest + 0.4 * spread]
        } else {
            let least = if self.whole { 1.0 } else { f64::MIN_POSITIVE };
            [0.0, (highest * 1.15).max(least)]
        }
    }

    /// Whole numbers where they fit, unless the axis shows hardly any.
    fn step(&self, span: f64) -> f64 {
        if self.whole && span >= 3.0 {
            style::integer_step(span, 10.0)
        } else {
            style::nice_step(span, 6.0)
        }
    }

    fn alt_text(&self, points: &[Point<'_>], unit: &str) -> String {
        let read: Vec<_> = points
            .iter()
            .map(|p| {
                let height = significant(p.height, 4);
                let far = distance(p.distance, unit);
                format!("{} {} {height} at {far}", p.label, self.short_kind)
            })
            .collect();
        format!("Scatter chart of mean distance against {}: {}.", self.kind, listed(&read))
    }
}

fn legend(point: &Point<'_>) -> LegendEntry {
    LegendEntry {
        label: style::text(point.label),
        color: style::color(point.index).into(),
        shape: LegendShape::Marker(style::marker(point.index)),
        dasharray: None,
    }
}

fn mark(point: &Point<'_>, scale: f64) -> Plot {
    ScatterPlot::new()
        .with_data(vec![(point.distance * scale, point.height)])
        .with_marker(style::marker(point.index))
        .with_size(MARK_RADIUS)
        .with_color(style::color(point.index))
        .into()
}

/// The labels, placed together so that they keep clear of each other. They belong to invisible
/// points `lift` above the marks, so that they keep clear of these as well.
fn names(points: &[Point<'_>], scale: f64, lift: f64) -> Plot {
    let places = points.iter().map(|p| (p.distance * scale, p.height + lift));
    ScatterPlot::new()
        .with_data(places.collect::<Vec<_>>())
        .with_marker_opacity(0.0)
        .with_size(MARK_RADIUS)
        .with_labels(points.iter().map(|p| style::text_within(p.label, NAME_CHARACTERS)))
        .with_label_style(LabelStyle::Repel)
        .into()
}
