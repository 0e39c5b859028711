use std::path::PathBuf;

use super::ColumnError;
use super::content::Content;

/// The cells of the wanted columns in one row, as text without spaces around it.
pub(crate) struct Row<'a> {
    pub(super) content: &'a Content,
    /// Where the row begins in the content.
    pub(super) offset: usize,
    pub(super) cells: &'a [&'a str],
}

impl Row<'_> {
    /// The text of a cell.
    pub(crate) fn cell(&self, index: usize) -> &str {
        self.cells[index]
    }

    /// The file.
    pub(crate) fn path(&self) -> PathBuf {
        self.content.path()
    }

    /// The line of the row in its file, from 1. Counts line ends, so it is for messages only.
    pub(crate) fn line(&self) -> u64 {
        self.content.line_at(self.offset)
    }

    /// The cell, which must be a finite number of at least 0, times `scale`.
    pub(crate) fn scaled_amount(&self, index: usize, scale: f64) -> Result<f64, ColumnError> {
        let cell = self.cell(index);
        let value = cell.parse().unwrap_or(f64::NAN) * scale;
        // Adding 0 makes the negative zero positive.
        if value.is_finite() && value >= 0.0 {
            return Ok(value + 0.0);
        }
        let (path, line, cell) = (self.path(), self.line(), cell.to_string());
        Err(if value.is_finite() {
            ColumnError::Negative { path, line, cell }
        } else {
            ColumnError::Cell { path, line, cell }
        })
    }
}
