//! A record as a table for people and as JSON, CSV and Parquet for programs; jobs as Parquet.

mod columns;
mod csv;
mod jobs;
mod json;
mod parquet;
mod table;

use std::io::Write;
use std::str::FromStr;

use crate::Error;
use crate::record::{Record, Reported};

pub(crate) use columns::Tabular;
pub use jobs::JobsWriter;

/// The form of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// A table for a terminal, 100 columns wide or, where that keeps numbers whole, 120.
    #[default]
    Table,
    /// The whole record as one JSON object.
    Json,
    /// One row a result; lists are JSON text.
    Csv,
    /// One row a result; the columns of CSV, with real lists of numbers.
    Parquet,
}

impl Format {
    /// Every format, in the order in which help shows them.
    pub const ALL: [Self; 4] = [Self::Table, Self::Json, Self::Csv, Self::Parquet];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Json => "json",
            Self::Csv => "csv",
            Self::Parquet => "parquet",
        }
    }
}

impl FromStr for Format {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Self::ALL
            .into_iter()
            .find(|format| format.name() == name)
            .ok_or_else(|| Error::UnknownFormat { name: name.into() })
    }
}

/// Writes `record` to `to` in the given format.
///
/// Nothing is written unless the whole answer could be encoded.
///
/// # Errors
/// [`Error::Json`], [`Error::Csv`] or [`Error::Parquet`] when a value cannot be encoded,
/// [`Error::Stream`] when `to` refuses the bytes.
pub fn write<R: Reported>(
    record: &Record<R>,
    format: Format,
    to: &mut dyn Write,
) -> Result<(), Error> {
    let bytes = match format {
        Format::Table => table::encode(record).into_bytes(),
        Format::Json => json::encode(record)?,
        Format::Csv => csv::encode(record)?,
        Format::Parquet => parquet::encode(record)?,
    };
    to.write_all(&bytes)
        .and_then(|()| to.flush())
        .map_err(|source| Error::Stream { what: format.name(), source })
}
