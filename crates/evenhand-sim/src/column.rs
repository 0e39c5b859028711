//! One column of non-negative numbers from a CSV file.

use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a column could not be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ColumnError {
    /// The file cannot be read, or is not CSV.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: csv::Error,
    },
    /// The column does not exist.
    #[error("{}: no column `{column}`; there are {}", path.display(), present.join(", "))]
    NoColumn {
        /// The file.
        path: PathBuf,
        /// The column asked for.
        column: String,
        /// The columns of the file.
        present: Vec<String>,
    },
    /// No column was named and the file has several.
    #[error("{}: several columns ({}); name one with column=\"...\"", path.display(), present.join(", "))]
    WhichColumn {
        /// The file.
        path: PathBuf,
        /// The columns of the file.
        present: Vec<String>,
    },
    /// A cell is not a finite, non-negative number.
    #[error("{}, line {line}: `{cell}` is not a non-negative number", path.display())]
    Cell {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What stands there.
        cell: String,
    },
    /// There is no row.
    #[error("{}: there are no rows", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
}

/// Reads one column of non-negative numbers. A file of one column may have no header; a file of
/// several needs one, and `column` names it. A byte-order mark, CRLF and a missing last line end
/// are fine.
///
/// # Errors
/// The first problem, with the line.
pub fn read_column(path: &Path, column: Option<&str>) -> Result<Vec<f64>, ColumnError> {
    let file_error = |source| ColumnError::File { path: path.to_path_buf(), source };
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .trim(csv::Trim::All)
        .from_path(path)
        .map_err(file_error)?;
    let mut records = reader.records();
    let Some(first) = records.next() else {
        return Err(ColumnError::Empty { path: path.to_path_buf() });
    };
    let first = first.map_err(file_error)?;
    let header: Vec<String> =
        first.iter().map(|cell| cell.trim_start_matches('\u{feff}').to_string()).collect();
    let position = position(path, &header, column)?;
    let mut values = Vec::new();
    if column.is_none() && header[position].parse::<f64>().is_ok() {
        values.push(number(path, 1, &header[position])?);
    }
    for record in records {
        let record = record.map_err(file_error)?;
        let line = record.position().map_or(0, csv::Position::line);
        values.push(number(path, line, record.get(position).unwrap_or(""))?);
    }
    if values.is_empty() {
        return Err(ColumnError::Empty { path: path.to_path_buf() });
    }
    Ok(values)
}

fn position(path: &Path, header: &[String], column: Option<&str>) -> Result<usize, ColumnError> {
    let path = path.to_path_buf();
    let present = header.to_vec();
    match column {
        None if header.len() == 1 => Ok(0),
        None => Err(ColumnError::WhichColumn { path, present }),
        Some(name) => header
            .iter()
            .position(|h| h.eq_ignore_ascii_case(name))
            .ok_or_else(|| ColumnError::NoColumn { path, column: name.to_string(), present }),
    }
}

fn number(path: &Path, line: u64, cell: &str) -> Result<f64, ColumnError> {
    match cell.parse::<f64>() {
        Ok(value) if value.is_finite() && value >= 0.0 => Ok(value),
        _ => Err(ColumnError::Cell { path: path.to_path_buf(), line, cell: cell.to_string() }),
    }
}
