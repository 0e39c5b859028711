//! The load distribution: fraction of bins with load at least i, a line per result.

use kuva::plot::legend::{LegendEntry, LegendPosition, LegendShape};
use kuva::plot::{LinePlot, scatter::ScatterPlot};
use kuva::render::layout::TickFormat;
use kuva::render::plots::Plot;
use kuva::render::render::render_multiple;

use super::canvas::Drawing;
use super::style;
use crate::record::Record;

const TITLE: &str = "Load distribution";
/// Longer lines go without marks.
const MARKED_POINTS: usize = 40;

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
    let least = least.fold(1.0, f64::min);

    let plots: Vec<Plot> = all.iter().flat_map(|s| plots(s, first)).collect();
    let layout = style::layout(&plots, TITLE)
        .with_x_label("load i")
        .with_y_label("fraction of bins with load at least i")
        .with_log_y()
        .with_x_axis_min(first)
        .with_x_axis_max(last.max(first + 1.0))
        .with_x_tick_step(style::integer_step(last - first, 14.0))
        .with_x_tick_format(TickFormat::Integer)
        .with_y_axis_min(10_f64.powf(least.log10().floor().min(-1.0)))
        .with_y_axis_max(1.0)
        .with_legend_entries(all.iter().map(legend).collect())
        .with_legend_position(LegendPosition::OutsideBottomColumns);
    let scene = render_multiple(plots, layout);
    Some(Drawing::new(
        "load-distribution".into(),
        TITLE.into(),
        alt_text(&all),
        scene,
    ))
}

fn series<'a>(record: &Record, labels: &'a [String]) -> Vec<Series<'a>> {
    let with_index = record.results.iter().zip(labels).enumerate();
    with_index
        .filter_map(|(index, (result, label))| {
            let fractions = result.fraction_at_least.as_ref()?;
            let points = fractions.iter().enumerate();
            let points = points
                .map(|(load, fraction)| (load as f64, *fraction))
                .filter(|(_, fraction)| *fraction > 0.0 && fraction.is_finite())
                .collect();
            Some(Series {
                index,
                label,
                points,
            })
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

fn plots(series: &Series<'_>, first: f64) -> Vec<Plot> {
    let color = style::color(series.index);
    let shown: Vec<_> = series
        .points
        .iter()
        .copied()
        .filter(|p| p.0 >= first)
        .collect();
    let marks = ScatterPlot::new()
        .with_data(shown.clone())
        .with_marker(style::marker(series.index))
        .with_size(4.0)
        .with_color(color);
    let marked = shown.len() <= MARKED_POINTS;
    let line = LinePlot::new()
        .with_data(shown)
        .with_color(color)
        .with_stroke_width(1.8);
    let marks = marked.then(|| Plot::from(marks));
    [Plot::from(line)].into_iter().chain(marks).collect()
}

fn legend(series: &Series<'_>) -> LegendEntry {
    LegendEntry {
        label: style::text(series.label),
        color: style::color(series.index).into(),
        shape: LegendShape::Marker(style::marker(series.index)),
        dasharray: None,
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
