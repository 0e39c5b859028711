//! The results as a table for a terminal.

use comfy_table::{Cell, CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};

use crate::record::Record;
use crate::summary::{self, Summary};

/// Wider tables wrap their cells.
const WIDTH_COLUMNS: u16 = 100;

/// Lines above and below the header and at the end, none at the sides.
const STYLE: TableStyle = {
    let line = LineStyle::none().fill('─').junction('─');
    TableStyle::new()
        .top_border(line)
        .header_separator(line)
        .bottom_border(line)
};

/// Caption, table and notes, each line ended.
pub(super) fn encode(record: &Record) -> String {
    let summary = Summary::new(record);
    let mut text = summary.caption.join(" · ");
    text.push('\n');
    if !summary.rows.is_empty() {
        text.push_str(&grid(&summary));
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
    let alignment = |column: &summary::Column| {
        if column.numeric {
            CellAlignment::Right
        } else {
            CellAlignment::Left
        }
    };
    let mut table = Table::new();
    table
        .load_style(STYLE)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(WIDTH_COLUMNS)
        .set_header(
            summary
                .columns
                .iter()
                .map(|column| Cell::new(column.title).set_alignment(alignment(column))),
        );
    for row in &summary.rows {
        table.add_row(
            row.iter()
                .zip(&summary.columns)
                .map(|(cell, column)| Cell::new(lines(cell)).set_alignment(alignment(column))),
        );
    }
    let trimmed: Vec<_> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    trimmed.join("\n")
}

fn lines(cell: &summary::Cell) -> String {
    match &cell.detail {
        Some(detail) => format!("{}\n{detail}", cell.main),
        None => cell.main.clone(),
    }
}
