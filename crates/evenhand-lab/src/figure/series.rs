//! One line of a chart: a result, with its colour, mark and stroke.

use kuva::plot::legend::{LegendEntry, LegendShape};
use kuva::plot::{LinePlot, scatter::ScatterPlot};
use kuva::render::plots::Plot;

use super::style;
use crate::record::Record;

const STROKE_WIDTH: f64 = 1.8;
/// Radius of a mark in points.
const MARK_RADIUS: f64 = 4.0;

/// One result: its place among the results, its label and its points, from left to right.
pub(super) struct Series<'a> {
    pub(super) index: usize,
    pub(super) label: &'a str,
    pub(super) points: Vec<(f64, f64)>,
    /// What theory says of the points; empty where it says nothing.
    pub(super) theory: Vec<(f64, f64)>,
}

/// How theory stands beside runs, for titles.
pub(super) const THEORY: &str = " (marks: simulated, lines: theory)";

/// The lines of all results that have `points`.
pub(super) fn of<'a, R>(
    record: &Record<R>,
    labels: &'a [String],
    points: impl Fn(&R) -> Option<Vec<(f64, f64)>>,
    theory: impl Fn(&R) -> Option<Vec<(f64, f64)>>,
) -> Vec<Series<'a>> {
    let with_index = record.results.iter().zip(labels).enumerate();
    with_index
        .filter_map(|(index, (result, label))| {
            let theory = theory(result).unwrap_or_default();
            Some(Series { index, label, points: points(result)?, theory })
        })
        .collect()
}

impl Series<'_> {
    /// The line through `shown`, with marks at some points, or without and with a stroke of its
    /// own.
    pub(super) fn plots(
        &self,
        shown: Vec<(f64, f64)>,
        marks: Option<Vec<(f64, f64)>>,
    ) -> Vec<Plot> {
        let color = style::color(self.index);
        let line =
            LinePlot::new().with_data(shown).with_color(color).with_stroke_width(STROKE_WIDTH);
        let Some(marks) = marks else {
            return vec![line.with_line_style(style::stroke(self.index)).into()];
        };
        let marks = ScatterPlot::new()
            .with_data(marks)
            .with_marker(style::marker(self.index))
            .with_size(MARK_RADIUS)
            .with_color(color);
        vec![line.into(), marks.into()]
    }

    /// The entry of [`Series::plots`] in the legend.
    pub(super) fn legend(&self, marked: bool) -> LegendEntry {
        LegendEntry {
            label: style::text(self.label),
            color: style::color(self.index).into(),
            shape: if marked {
                LegendShape::Marker(style::marker(self.index))
            } else {
                LegendShape::Line
            },
            dasharray: style::stroke(self.index).dasharray().filter(|_| !marked),
        }
    }
}
