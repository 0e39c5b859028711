//! The results as a table for a terminal.

use comfy_table::{
    Cell, CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Table, TableStyle, Width,
};

use crate::record::{Record, Reported};
use crate::summary::{self, Summary};

/// Tables are not wider than this where wrapped words suffice.
const WIDTH_COLUMNS: u16 = 100;
/// Tables are not wider than this where that keeps a number and its error on one line.
const MOST_COLUMNS: u16 = 120;

/// Spaces at the sides of every cell, both together.
const PADDING_COLUMNS: u16 = 2;
/// A space at which no line is broken.
const NO_BREAK: &str = "\u{a0}";

/// Lines above and below the header and at the end, none at the sides.
const STYLE: TableStyle = {
    let line = LineStyle::none().fill('─').junction('─');
    TableStyle::new().top_border(line).header_separator(line).bottom_border(line)
};

/// Caption, table, legend and notes, each line ended.
pub(super) fn encode<R: Reported>(record: &Record<R>) -> String {
    let summary = Summary::new(record);
    let mut text = summary.caption.join(" · ");
    text.push('\n');
    if !summary.rows.is_empty() {
        text.push_str(&grid(&summary));
        text.push('\n');
    }
    if let Some(legend) = summary.legend {
        text.push_str(legend);
        text.push('\n');
    }
    for note in &summary.notes {
        text.push_str("note: ");
        text.push_str(note);
        text.push('\n');
    }
    text
}

fn grid(summary: &Summary) -> String {
    let numeric: Vec<bool> = summary.columns.iter().map(|c| c.numeric).collect();
    let unbroken = lines(summary, NO_BREAK);
    let least = total(&longest_words(&unbroken));
    let (lines, width) = match u16::try_from(least).unwrap_or(u16::MAX) {
        least if least <= MOST_COLUMNS => (unbroken, least.max(WIDTH_COLUMNS)),
        _ => (lines(summary, " "), WIDTH_COLUMNS),
    };
    let mut table = Table::new();
    table.load_style(STYLE).set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    for (index, line) in lines.iter().enumerate() {
        let cells = line.iter().zip(&numeric).map(|(text, numeric)| cell(text, *numeric));
        if index == 0 {
            table.set_header(cells);
        } else {
            table.add_row(cells);
        }
    }
    let longest = longest_words(&lines);
    table.set_constraints(
        least_widths(&longest, width)
            .map(|width| ColumnConstraint::LowerBoundary(Width::Fixed(width))),
    );
    let trimmed: Vec<_> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    trimmed.join("\n").replace(NO_BREAK, " ")
}

fn cell(text: &str, numeric: bool) -> Cell {
    let alignment = if numeric { CellAlignment::Right } else { CellAlignment::Left };
    Cell::new(text).set_alignment(alignment)
}

/// Titles and cells as text, with `space` inside of quantities.
fn lines(summary: &Summary, space: &str) -> Vec<Vec<String>> {
    let content = |cell: &summary::Cell, numeric: bool| {
        let main = if numeric { cell.main.replace(' ', space) } else { cell.main.clone() };
        match &cell.detail {
            Some(detail) => format!("{main}\n{detail}"),
            None => main,
        }
    };
    let titles = summary.columns.iter().map(|column| column.title.to_owned()).collect();
    let cells = summary.rows.iter().map(|row| {
        let columns = row.iter().zip(&summary.columns);
        columns.map(|(cell, column)| content(cell, column.numeric)).collect()
    });
    [titles].into_iter().chain(cells).collect()
}

/// For each column the width of its longest word.
fn longest_words(lines: &[Vec<String>]) -> Vec<u16> {
    let mut widths = vec![0; lines.first().map_or(0, Vec::len)];
    for (cell, width) in lines.iter().flat_map(|line| line.iter().zip(0..)) {
        let lengths = cell.split([' ', '\n']).map(|word| word.chars().count());
        let longest = u16::try_from(lengths.max().unwrap_or(0)).unwrap_or(u16::MAX);
        widths[width] = longest.max(widths[width]);
    }
    widths
}

/// Width of a table whose columns have room for so many characters.
fn total(widths: &[u16]) -> u32 {
    // Two spaces of padding and one character between two columns.
    widths.iter().map(|width| u32::from(*width) + u32::from(PADDING_COLUMNS) + 1).sum()
}

/// The longest words and padding, but not more than lets all columns stand side by side.
fn least_widths(longest: &[u16], width: u16) -> impl Iterator<Item = u16> {
    let capped = |cap: u16| -> Vec<u16> { longest.iter().map(|width| *width.min(&cap)).collect() };
    let fits = |cap: &u16| total(&capped(*cap)) <= u32::from(width);
    let cap = (1..=width).rev().find(fits).unwrap_or(1);
    capped(cap).into_iter().map(|width| width + PADDING_COLUMNS)
}
