//! The price of balance: mean distance against maximum load, a point per result.

use kuva::plot::legend::{LegendEntry, LegendShape};
use kuva::plot::scatter::ScatterPlot;
use kuva::plot::volcano::LabelStyle;
use kuva::render::plots::Plot;
use kuva::render::render::render_multiple;

use super::canvas::Drawing;
use super::style;
use crate::number::{distance, significant};
use crate::record::Record;

const TITLE: &str = "Distance against maximum load";
/// Radius of a mark in points.
const MARK_RADIUS: f64 = 6.0;
/// More points get a legend instead of labels.
const NAMED_POINTS: usize = 8;
/// Labels are cut beyond so many characters: the library needs them narrower than the chart.
const NAME_CHARACTERS: usize = 36;
/// How far labels stand above their marks, as a share of the axis.
const LABEL_LIFT: f64 = 0.025;

struct Point<'a> {
    index: usize,
    label: &'a str,
    distance: f64,
    max_load: f64,
}

/// `None` without places, for a single result, or when distances have different units.
pub(super) fn draw(record: &Record, labels: &[String]) -> Option<Drawing> {
    let unit = &record.results.first()?.distance.as_ref()?.unit;
    let points = points(record, labels, unit);
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
    let [bottom, top] = loads_shown(&points);
    let x_step = style::nice_step(right, 7.0);
    let y_step = load_step(top - bottom);

    let named = points.len() <= NAMED_POINTS;
    let names = named.then(|| names(&points, scale, (top - bottom) * LABEL_LIFT));
    let marks = points.iter().map(|p| mark(p, scale));
    let plots: Vec<Plot> = names.into_iter().chain(marks).collect();
    let mut layout = style::layout(&plots, TITLE)
        .with_x_label(format!("mean distance from user to server{shown_unit}"))
        .with_y_label("maximum load (mean over runs)")
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
        TITLE.into(),
        alt_text(&points, unit),
        render_multiple(plots, layout),
    ))
}

fn points<'a>(record: &Record, labels: &'a [String], unit: &str) -> Vec<Point<'a>> {
    let with_index = record.results.iter().zip(labels).enumerate();
    with_index
        .filter_map(|(index, (result, label))| {
            let distance = result.distance.as_ref()?;
            let point =
                Point { index, label, distance: distance.mean, max_load: result.max_load.mean };
            let drawable = style::drawable(point.distance) && style::drawable(point.max_load);
            (distance.unit == unit && drawable).then_some(point)
        })
        .collect()
}

/// The range of the load axis: from zero, unless that would press the points together.
fn loads_shown(points: &[Point<'_>]) -> [f64; 2] {
    let loads = points.iter().map(|p| p.max_load);
    let highest = loads.clone().fold(0.0, f64::max);
    let lowest = loads.fold(highest, f64::min);
    let spread = highest - lowest;
    if spread > 0.0 && spread < 0.25 * highest {
        [lowest - 0.4 * spread, highest + 0.4 * spread]
    } else {
        [0.0, (highest * 1.15).max(1.0)]
    }
}

/// Whole loads, unless the axis shows hardly any.
fn load_step(span: f64) -> f64 {
    if span >= 3.0 { style::integer_step(span, 10.0) } else { style::nice_step(span, 6.0) }
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
        .with_data(vec![(point.distance * scale, point.max_load)])
        .with_marker(style::marker(point.index))
        .with_size(MARK_RADIUS)
        .with_color(style::color(point.index))
        .into()
}

/// The labels, placed together so that they keep clear of each other. They belong to invisible
/// points `lift` above the marks, so that they keep clear of these as well.
fn names(points: &[Point<'_>], scale: f64, lift: f64) -> Plot {
    let places = points.iter().map(|p| (p.distance * scale, p.max_load + lift));
    ScatterPlot::new()
        .with_data(places.collect::<Vec<_>>())
        .with_marker_opacity(0.0)
        .with_size(MARK_RADIUS)
        .with_labels(points.iter().map(|p| style::text_within(p.label, NAME_CHARACTERS)))
        .with_label_style(LabelStyle::Repel)
        .into()
}

fn alt_text(points: &[Point<'_>], unit: &str) -> String {
    let read: Vec<_> = points
        .iter()
        .map(|p| {
            let load = significant(p.max_load, 4);
            format!("{} load {load} at {}", p.label, distance(p.distance, unit))
        })
        .collect();
    format!("Scatter chart of mean distance against maximum load: {}.", style::listed(&read))
}
