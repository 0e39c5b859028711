//! The common look: sizes, colours, marks and text.

use kuva::plot::legend::{LegendEntry, LegendPosition};
use kuva::plot::line::LineStyle;
use kuva::plot::scatter::MarkerShape;
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;

/// Width of every figure in points.
pub(super) const WIDTH: f64 = 760.0;
/// Height of the charts in points, legend not included.
const HEIGHT: f64 = 400.0;
/// Height of a line of the legend in points.
const LEGEND_LINE: f64 = 21.0;

/// Labels are cut beyond so many characters.
const LABEL_CHARACTERS: usize = 76;

/// Colours that stay apart for colour-blind readers and on white (after Okabe and Ito 2008,
/// without the yellow).
const COLORS: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#56b4e9", "#b07800"];

const MARKERS: [MarkerShape; 5] = [
    MarkerShape::Circle,
    MarkerShape::Square,
    MarkerShape::Triangle,
    MarkerShape::Diamond,
    MarkerShape::TriangleDown,
];

/// Logarithmic axes end here: the library draws what is smaller as this.
pub(super) const LEAST_LOGARITHMIC: f64 = 1e-10;

/// The colour of the `index`-th result.
pub(super) fn color(index: usize) -> &'static str {
    COLORS[index % COLORS.len()]
}

/// The mark of the `index`-th result: it tells apart what colour alone does not.
pub(super) fn marker(index: usize) -> MarkerShape {
    MARKERS[index % MARKERS.len()]
}

/// The stroke of the `index`-th result: it tells lines without marks apart.
pub(super) fn stroke(index: usize) -> LineStyle {
    match index % 4 {
        0 => LineStyle::Solid,
        1 => LineStyle::Dashed,
        2 => LineStyle::Dotted,
        _ => LineStyle::DashDot,
    }
}

/// Axes, grid and font sizes for `plots`. Titles with names in them come through
/// [`text_within`].
pub(super) fn layout(plots: &[Plot], title: &str) -> Layout {
    Layout::auto_from_plots(plots)
        .with_title(title)
        .with_width(WIDTH)
        .with_height(HEIGHT)
        .with_title_size(17)
        .with_label_size(14)
        .with_tick_size(12)
        .with_body_size(13)
}

/// A legend below the chart, in columns, that takes nothing from the chart's height.
pub(super) fn with_legend(layout: Layout, entries: Vec<LegendEntry>) -> Layout {
    let lengths = entries.iter().map(|entry| entry.label.chars().count());
    let entry_width = lengths.max().unwrap_or(0) as f64 * 8.0 + 50.0;
    let columns = ((WIDTH - 90.0) / entry_width).floor().max(1.0);
    let lines = (entries.len() as f64 / columns).ceil();
    layout
        .with_height(HEIGHT + LEGEND_LINE * (lines + 1.0))
        .with_legend_entries(entries)
        .with_legend_box(false)
        .with_legend_position(LegendPosition::OutsideBottomColumns)
}

/// A label for the plotting library: not too long, and no mathematics where a `$` stands.
pub(super) fn text(label: &str) -> String {
    text_within(label, LABEL_CHARACTERS)
}

/// [`text`] of at most so many characters.
pub(super) fn text_within(label: &str, characters: usize) -> String {
    let mut short: String = printable(label).take(characters).collect();
    if label.chars().nth(characters).is_some() {
        short.push('…');
    }
    short.replace('$', "\\$")
}

/// The characters of `text`; control characters, which XML does not allow, as `\u{fffd}`.
pub(super) fn printable(text: &str) -> impl Iterator<Item = char> {
    let replaced = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    text.chars().map(replaced)
}

/// The least of 1, 2, 5, 10, 20, ... that cuts `span` into at most `parts`.
pub(super) fn integer_step(span: f64, parts: f64) -> f64 {
    let mut step = 1.0;
    for factor in [2.0, 2.5, 2.0].into_iter().cycle() {
        if span / step <= parts || !span.is_finite() {
            break;
        }
        step *= factor;
    }
    step
}

/// The least of ..., 0.1, 0.2, 0.5, 1, 2, 5, ... that cuts `span` into at most `parts`.
pub(super) fn nice_step(span: f64, parts: f64) -> f64 {
    let rough = span / parts;
    if !rough.is_finite() || rough <= 0.0 {
        return 1.0;
    }
    let power = 10_f64.powf(rough.log10().floor());
    let factors = [1.0, 2.0, 5.0, 10.0];
    let factor = factors.into_iter().find(|f| f * power >= rough * 0.999_999);
    factor.unwrap_or(10.0) * power
}

/// Ticks with just the decimals that steps of `step` need; an exponent for extreme steps.
pub(super) fn ticks_of(step: f64) -> TickFormat {
    if !(1e-5..1e6).contains(&step) {
        return TickFormat::Sci;
    }
    let decimals = (-step.log10().floor()).max(0.0) as usize;
    TickFormat::Fixed(decimals)
}

/// True for numbers that an axis can show: finite and below 10^15 in size.
pub(super) fn drawable(number: f64) -> bool {
    number.abs() < 1e15
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_one_two_five() {
        assert_eq!(integer_step(5.0, 12.0), 1.0);
        assert_eq!(integer_step(30.0, 12.0), 5.0);
        assert_eq!(integer_step(130.0, 12.0), 20.0);
        assert_eq!(nice_step(0.9, 5.0), 0.2);
        assert_eq!(nice_step(40.0, 5.0), 10.0);
        assert_eq!(nice_step(0.0, 5.0), 1.0);
    }

    #[test]
    fn long_labels_are_cut_and_dollars_kept() {
        assert_eq!(text("two-choice"), "two-choice");
        assert_eq!(text("a$b$"), "a\\$b\\$");
        assert_eq!(text(&"x".repeat(200)).chars().count(), LABEL_CHARACTERS + 1);
    }
}
