//! Reading places from CSV.
//!
//! Reading is strict: what is not understood is an error with its line, unless
//! invalid rows are to be skipped. A byte order mark, CRLF, a missing final
//! newline, blank lines and gzip are fine.

mod columns;
mod input;
mod rows;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use columns::Columns;
use input::Text;
use rows::Rows;

use super::{Error, Places};

/// What to read, and how strictly.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Leave out rows that cannot be used, and count them, instead of failing.
    pub skip_invalid: bool,
    /// Name of the column of weights, if weights are wanted. Weights are finite
    /// and at least 0, with a positive sum.
    pub weight_column: Option<String>,
}

/// Reads places from a CSV file, gzipped or not.
///
/// The first line names the columns. Coordinates are recognised by name, in
/// any case and order: `lat` or `latitude` with `lon`, `lng`, `long` or
/// `longitude` (degrees, [`Metric::GreatCircle`](super::Metric)), else `x` with
/// `y` ([`Metric::Euclidean`](super::Metric)). Names are taken from the first
/// of `name`, `city`, `colo`, `site_id` and `id` that is there. All other
/// columns are ignored.
///
/// # Errors
/// [`Error::Read`] for a file that cannot be read; else as for
/// [`read_places_from`].
pub fn read_places(path: &Path, options: &ReadOptions) -> Result<Places, Error> {
    let file = path.display().to_string();
    match File::open(path) {
        Ok(reader) => read_places_from(reader, &file, options),
        Err(source) => Err(Error::Read { file, source }),
    }
}

/// Reads places as [`read_places`] does, from any reader. `source_name` stands
/// for the file in messages and in [`Places::source`].
///
/// # Errors
/// An [`Error`] that names the file, and the line where there is one: nothing
/// to read, coordinates or weights missing from the header, the first row that
/// cannot be used, a quotation mark never closed, no rows, weights without a
/// positive finite sum.
pub fn read_places_from(
    reader: impl Read,
    source_name: &str,
    options: &ReadOptions,
) -> Result<Places, Error> {
    let text = Text::load(reader, source_name)?;
    let mut rows = Rows::new(&text);
    let header = rows.header()?;
    let columns = Columns::new(header, source_name, options.weight_column.as_deref())?;
    let places = rows.read(&columns, options.skip_invalid)?;
    columns.check_weights(&places)?;
    Ok(places)
}
