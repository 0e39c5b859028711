//! Columns of numbers and instants from files.
//!
//! - `content.rs`: the bytes of a file, unzipped, with line numbers
//! - `rows.rs`: the cells of the wanted columns, row by row
//! - `csv_rows.rs`, `json_rows.rs`: rows of CSV, rows of JSON lines
//! - `instants.rs`: numbers and timestamps as seconds since the first row
//! - `error.rs`: what can be wrong

mod content;
mod csv_rows;
mod error;
mod instants;
mod json_rows;
mod rows;

use std::path::Path;

pub use error::ColumnError;
pub(crate) use instants::{Instants, Unit};
pub(crate) use rows::Row;

use content::Content;

/// Reads one column of non-negative numbers from CSV or JSON lines, gzipped or not.
///
/// A CSV file of one column may have no header; a file of several needs one, and `column` names
/// one of it: exactly or, if there is no such column, in any case. In JSON lines, `column` is a
/// key of every object. A byte-order mark, CRLF, blank lines and a missing last line end are
/// fine.
///
/// # Errors
/// The first problem, with the line.
pub fn read_column(path: &Path, column: Option<&str>) -> Result<Vec<f64>, ColumnError> {
    let mut values = Vec::new();
    for_each_row(path, &[column], |row| {
        values.push(row.scaled_amount(0, 1.0)?);
        Ok(())
    })?;
    Ok(values)
}

/// Hands the rows of a file to `each`, with the cells of the `wanted` columns in this order.
/// `None` stands for the only column of the file.
///
/// # Errors
/// The first problem of the file or of `each`; and a file without rows.
pub(crate) fn for_each_row(
    path: &Path,
    wanted: &[Option<&str>],
    mut each: impl FnMut(&Row<'_>) -> Result<(), ColumnError>,
) -> Result<(), ColumnError> {
    let content = Content::load(path)?;
    let mut rows = 0_u64;
    let mut counted = |row: &Row<'_>| {
        rows += 1;
        each(row)
    };
    if content.is_json_lines() {
        json_rows::for_each(&content, wanted, &mut counted)?;
    } else {
        csv_rows::for_each(&content, wanted, &mut counted)?;
    }
    if rows == 0 {
        return Err(ColumnError::Empty { path: path.to_path_buf() });
    }
    Ok(())
}
