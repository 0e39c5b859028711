//! The distribution of the maximum load over runs: grouped bars, a colour per result.

use std::collections::BTreeMap;

use kuva::plot::BarPlot;
use kuva::plot::legend::{LegendEntry, LegendShape};
use kuva::render::layout::TickFormat;
use kuva::render::plots::Plot;
use kuva::render::render::render_multiple;

use super::canvas::Drawing;
use super::style;
use crate::number::{listed, percent};
use crate::record::{AllocateResult, Record};

const TITLE: &str = "Maximum load over runs";
/// More values of the maximum load are put together in classes of equal width.
const CLASSES: f64 = 16.0;

/// One result: its place among the results, its label, its runs and how often each maximum came.
struct Series<'a> {
    index: usize,
    label: &'a str,
    runs: u64,
    counts: &'a BTreeMap<u64, u64>,
}

impl Series<'_> {
    fn share(&self, from: u64, to: u64) -> f64 {
        let count: u64 = self.counts.range(from..=to).map(|(_, count)| count).sum();
        count as f64 / self.runs as f64
    }
}

pub(super) fn draw(record: &Record<AllocateResult>, labels: &[String]) -> Option<Drawing> {
    let all = series(record, labels);
    let least = all.iter().filter_map(|s| s.counts.keys().next()).min()?;
    let most = all.iter().filter_map(|s| s.counts.keys().last()).max()?;
    let width = style::integer_step((most - least + 1) as f64, CLASSES) as u64;

    let mut bars = BarPlot::new().with_width(0.8);
    let start = least - least % width;
    for from in (start..=*most).step_by(usize::try_from(width).unwrap_or(usize::MAX)) {
        let to = from.saturating_add(width - 1);
        let label = if width == 1 { from.to_string() } else { format!("{from}–{to}") };
        let values = all.iter().map(|s| (s.share(from, to), style::color(s.index)));
        bars = bars.with_group(label, values.collect::<Vec<_>>());
    }
    let plots = vec![Plot::from(bars)];
    let mut layout = style::layout(&plots, TITLE)
        .with_x_label("maximum load")
        .with_y_label("share of runs")
        .with_y_axis_min(0.0)
        .with_y_axis_max(1.0)
        .with_y_tick_step(0.2)
        .with_y_tick_format(TickFormat::Custom(std::sync::Arc::new(percent)));
    layout = style::with_legend(layout, all.iter().map(legend).collect());
    if width > 1 {
        layout = layout.with_x_tick_rotate(-35.0);
    }
    Some(Drawing::new(
        "maximum-load".into(),
        TITLE.into(),
        alt_text(&all),
        render_multiple(plots, layout),
    ))
}

fn series<'a>(record: &'a Record<AllocateResult>, labels: &'a [String]) -> Vec<Series<'a>> {
    let with_index = record.results.iter().zip(labels).enumerate();
    with_index
        .filter_map(|(index, (result, label))| {
            let counts = result.max_load.counts.as_ref()?;
            let runs = counts.values().sum();
            (runs > 1).then_some(Series { index, label, runs, counts })
        })
        .collect()
}

fn legend(series: &Series<'_>) -> LegendEntry {
    LegendEntry {
        label: style::text(series.label),
        color: style::color(series.index).into(),
        shape: LegendShape::Rect,
        dasharray: None,
    }
}

fn alt_text(all: &[Series<'_>]) -> String {
    let most_frequent: Vec<_> = all
        .iter()
        .filter_map(|s| {
            let (load, count) = s.counts.iter().max_by_key(|(_, count)| **count)?;
            let share = percent(*count as f64 / s.runs as f64);
            Some(format!("{} {load} in {share} of runs", s.label))
        })
        .collect();
    format!("Bar chart of the maximum load over runs. Most frequent: {}.", listed(&most_frequent))
}
