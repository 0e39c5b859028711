//! The load distribution: fraction of bins with load at least i, a line per result.

use kuva::plot::legend::{LegendEntry, LegendShape};
use kuva::plot::{LinePlot, scatter::ScatterPlot};
use kuva::render::layout::TickFormat;
use kuva::render::plots::Plot;
use kuva::render::render::render_multiple;

use super::canvas::Drawing;
use super::style;
use crate::record::Record;

const TITLE: &str = "Load distribution";
/// Up to so many loads, lines carry marks; beyond, strokes tell them apart.
const MARKED_LOADS: f64 = 40.0;

/// One result: its place among the results, its label, and (load, fraction) without zeros.
struct Series<'a> {
    index: usize,
    label: &'a str,
    points: Vec<(f64, f64)>,
}

pub(super) fn draw(record: &Record, labels: &[String]) -> Option<Drawing> {
    let all = series(record, labels);
    let last = all.iter().filter_map(|s| s.points.last()).map(|p| p.0);
    let last = last.fold(f64::NEG_INFINITY, f64::max);
    if !last.is_finite() {
        return None;
    }
    let first = first_load(&all);
    let least = all.iter().flat_map(|s| &s.points).map(|p| p.1);
    let least = least.fold(0.1, f64::min);
    let marked = last - first <= MARKED_LOADS;
    // Room for marks that stand on the edge.
    let room = 0.02 * (last - first).max(1.0);

    let plots: Vec<Plot> = all.iter().flat_map(|s| plots(s, first, marked)).collect();
    let layout = style::layout(&plots, TITLE)
        .with_x_label("load i")
        .with_y_label("fraction of bins with load at least i")
        .with_log_y()
        .with_x_axis_min(first - room)
        .with_x_axis_max(last.max(first + 1.0) + room)
        .with_x_tick_step(style::integer_step(last - first, 14.0))
        .with_x_tick_format(TickFormat::Integer)
        .with_y_axis_min(10_f64.powf((least * 0.6).log10().floor()))
        .with_y_axis_max(1.5);
    let entries = all.iter().map(|s| legend(s, marked)).collect();
    let scene = render_multiple(plots, style::with_legend(layout, entries));
    Some(Drawing::new("load-distribution".into(), TITLE.into(), alt_text(&all), scene))
}

fn series<'a>(record: &Record, labels: &'a [String]) -> Vec<Series<'a>> {
    let with_index = record.results.iter().zip(labels).enumerate();
    with_index
        .filter_map(|(index, (result, label))| {
            let fractions = result.fraction_at_least.as_ref()?;
            let points = fractions.iter().enumerate();
            let points = points
                .map(|(load, fraction)| (load as f64, *fraction))
                .filter(|(_, fraction)| *fraction > 0.0 && *fraction < 1.0 + 1e-9)
                .collect();
            Some(Series { index, label, points })
        })
        .collect()
}

/// Where the picture starts: the greatest load that practically all bins of all results have.
fn first_load(all: &[Series<'_>]) -> f64 {
    let full = all.iter().map(|s| {
        let full = s.points.iter().take_while(|p| p.1 >= 1.0 - 1e-12);
        full.last().map_or(0.0, |p| p.0)
    });
    full.fold(f64::INFINITY, f64::min)
}

fn plots(series: &Series<'_>, first: f64, marked: bool) -> Vec<Plot> {
    let color = style::color(series.index);
    let all = series.points.iter().copied();
    let shown: Vec<_> = all.filter(|point| point.0 >= first).collect();
    let line = LinePlot::new().with_data(shown.clone()).with_color(color).with_stroke_width(1.8);
    if !marked {
        return vec![line.with_line_style(style::stroke(series.index)).into()];
    }
    let marks = ScatterPlot::new()
        .with_data(shown)
        .with_marker(style::marker(series.index))
        .with_size(4.0)
        .with_color(color);
    vec![line.into(), marks.into()]
}

fn legend(series: &Series<'_>, marked: bool) -> LegendEntry {
    LegendEntry {
        label: style::text(series.label),
        color: style::color(series.index).into(),
        shape: if marked {
            LegendShape::Marker(style::marker(series.index))
        } else {
            LegendShape::Line
        },
        dasharray: style::stroke(series.index).dasharray().filter(|_| !marked),
    }
}

fn alt_text(all: &[Series<'_>]) -> String {
    let reached: Vec<_> = all
        .iter()
        .filter_map(|s| Some(format!("{} up to {}", s.label, s.points.last()?.0)))
        .collect();
    format!(
        "Line chart of the fraction of bins with load at least i against i, logarithmic. Loads \
         seen: {}.",
        style::listed(&reached)
    )
}
