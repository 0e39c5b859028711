use std::path::PathBuf;

use thiserror::Error;

/// Why a column could not be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ColumnError {
    /// The file cannot be read, or is not valid gzip.
    #[error("{}: {source}; check the path, and that the file is whole", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: std::io::Error,
    },
    /// A line is not a JSON object.
    #[error("{}, line {line}: not a JSON object ({source}); each line needs one", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What the JSON reader said.
        source: serde_json::Error,
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
    /// A JSON object does not have the key.
    #[error("{}, line {line}: no key `{key}`; there are {}", path.display(), present.join(", "))]
    NoKey {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// The key asked for.
        key: String,
        /// The keys of the object.
        present: Vec<String>,
    },
    /// Several columns have the name.
    #[error("{}: several columns are named `{column}`; rename all but one", path.display())]
    RepeatedColumn {
        /// The file.
        path: PathBuf,
        /// The column asked for.
        column: String,
    },
    /// No column was named and the file has several.
    #[error(
        "{}: several columns ({}); name one with column=\"...\"",
        path.display(),
        present.join(", ")
    )]
    WhichColumn {
        /// The file.
        path: PathBuf,
        /// The columns of the file.
        present: Vec<String>,
    },
    /// A row has more or fewer cells than the first.
    #[error(
        "{}, line {line}: {cells} cells where the first row has {columns}; correct the row",
        path.display()
    )]
    Cells {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// Cells of this row.
        cells: usize,
        /// Cells of the first row.
        columns: usize,
    },
    /// A cell is not a finite number.
    #[error("{}, line {line}: `{cell}` is not a finite number; correct the row", path.display())]
    Cell {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What stands there.
        cell: String,
    },
    /// A number that must not be negative is.
    #[error(
        "{}, line {line}: `{cell}` is negative; correct the row or leave it out",
        path.display()
    )]
    Negative {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What stands there.
        cell: String,
    },
    /// A cell is not an instant of the form of the first row.
    #[error(
        "{}, line {line}: `{cell}` is not {expected}, as the first row is; correct the row",
        path.display()
    )]
    Instant {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What stands there.
        cell: String,
        /// The form of the first row.
        expected: &'static str,
    },
    /// The first row is neither a number nor a timestamp.
    #[error(
        "{}, line {line}: `{cell}` is neither a number nor a timestamp such as \
         2023-11-16 18:17:03.97 or 2023-11-16T18:17:03Z",
        path.display()
    )]
    UnknownInstant {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What stands there.
        cell: String,
    },
    /// An instant is before the one of the row above.
    #[error(
        "{}, line {line}: `{cell}` is before the row above; sort the file, or write sort=true",
        path.display()
    )]
    Unsorted {
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
