//! What can be wrong with places.

use super::{Metric, Point};

/// Why places could not be read, drawn or indexed.
///
/// Each message says what is wrong, where, and what to do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file cannot be opened or read, or is not valid gzip.
    #[error("cannot read {file}: {source}; check the path, and that the file is whole")]
    Read {
        /// Name of the file.
        file: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file has no content.
    #[error("{file} is empty; it needs a header line and a row for each place")]
    Empty {
        /// Name of the file.
        file: String,
    },
    /// The header line is not UTF-8 text.
    #[error("{file}, line {line}: the header is not UTF-8 text; save the file as UTF-8")]
    HeaderNotUtf8 {
        /// Name of the file.
        file: String,
        /// Line of the file, from 1.
        line: u64,
    },
    /// No column is known as a coordinate.
    #[error(
        "{file} has no coordinates: its columns are {columns}; name them lat or latitude and \
         lon, lng, long or longitude for degrees, or x and y for a plane, separated by commas",
        columns = list(columns)
    )]
    NoCoordinates {
        /// Name of the file.
        file: String,
        /// The columns of its header.
        columns: Vec<String>,
    },
    /// One coordinate is there without the other.
    #[error(
        "{file} has column `{found}` but no {missing}: its columns are {columns}; \
         name the missing one {expected}",
        columns = list(columns)
    )]
    OneCoordinate {
        /// Name of the file.
        file: String,
        /// The coordinate column that is there.
        found: String,
        /// The coordinate that is missing.
        missing: &'static str,
        /// Names by which it would be recognised.
        expected: &'static str,
        /// The columns of the header.
        columns: Vec<String>,
    },
    /// Two columns claim to be the same coordinate.
    #[error("{file} has two columns for the {coordinate}, `{first}` and `{second}`; rename one")]
    RepeatedColumn {
        /// Name of the file.
        file: String,
        /// The coordinate.
        coordinate: &'static str,
        /// The column that comes first.
        first: String,
        /// The column that comes later.
        second: String,
    },
    /// The weight column asked for is not in the header.
    #[error(
        "{file} has no column `{column}` for the weights{hint}; its columns are {columns}",
        hint = did_you_mean(similar),
        columns = list(columns)
    )]
    NoWeightColumn {
        /// Name of the file.
        file: String,
        /// The column asked for.
        column: String,
        /// Columns of a similar name, the most similar first.
        similar: Vec<String>,
        /// The columns of the header.
        columns: Vec<String>,
    },
    /// A row cannot be used.
    #[error(
        "{file}, line {line}: {problem}; correct the row, or pass --skip-invalid to leave such \
         rows out ({invalid} of {rows} rows cannot be used)"
    )]
    InvalidRow {
        /// Name of the file.
        file: String,
        /// Line of the file on which the row starts, from 1.
        line: u64,
        /// What is wrong with it.
        problem: RowProblem,
        /// Number of rows of the file that cannot be used.
        invalid: u64,
        /// Number of rows of the file.
        rows: u64,
    },
    /// A quotation mark opens a field that runs to the end of the file.
    #[error(
        "{file}, line {line}: a quoted field of this row never ends; close the quotation mark, \
         or double it if it belongs to the text"
    )]
    UnclosedQuote {
        /// Name of the file.
        file: String,
        /// Line of the file on which the row starts, from 1.
        line: u64,
    },
    /// No row is left to use.
    #[error(
        "{file} has no usable rows ({skipped} invalid rows were skipped); it needs one row for \
         each place"
    )]
    NoRows {
        /// Name of the file.
        file: String,
        /// Number of invalid rows skipped.
        skipped: u64,
    },
    /// The weights cannot be used to draw places.
    #[error(
        "{file}: the weights in column `{column}` add up to {sum}; \
         the sum must be positive and finite"
    )]
    WeightSum {
        /// Name of the file.
        file: String,
        /// The weight column.
        column: String,
        /// The sum of the weights.
        sum: f64,
    },
    /// A layout was asked for no places.
    #[error("a layout needs at least one place, not 0")]
    NoPlaces,
    /// More places than server numbers.
    #[error("{count} places are too many; there can be at most {}", u32::MAX)]
    TooMany {
        /// Number of places asked for.
        count: usize,
    },
    /// No near-square grid has this many places.
    #[error(
        "a grid of {count} places would be narrower than 1:2; the nearest counts that fit \
         are {below} and {above}"
    )]
    GridShape {
        /// Number of places asked for.
        count: usize,
        /// The largest smaller count that fits.
        below: usize,
        /// The smallest larger count that fits.
        above: usize,
    },
    /// A grid has no random points.
    #[error("a grid places servers and has no random points; draw users from uniform or clustered")]
    GridSampler,
    /// A clustered layout needs clusters.
    #[error("a clustered layout needs at least one cluster, not 0")]
    NoClusters,
    /// The spread of clusters is out of range.
    #[error(
        "the spread of clusters is {spread}; give a number from 0 to 1, the side of the square"
    )]
    Spread {
        /// The spread asked for.
        spread: f64,
    },
    /// Layouts live on the unit square.
    #[error(
        "a layout is drawn on the unit square; {metric:?} does not fit, use Euclidean or Torus"
    )]
    LayoutMetric {
        /// The metric asked for.
        metric: Metric,
    },
    /// A place has impossible coordinates.
    #[error(
        "{file}: place {index} (from 0) is at x = {}, y = {}; coordinates must be finite, \
         longitudes from -180 to 180 and latitudes from -90 to 90",
        point.x,
        point.y
    )]
    InvalidPoint {
        /// Where the places come from.
        file: String,
        /// Number of the place, from 0.
        index: usize,
        /// Its coordinates.
        point: Point,
    },
    /// A place is too far away to be triangulated.
    #[error(
        "{file}: place {index} (from 0) is at x = {}, y = {}; the largest coordinate that can be \
         used is {most:e}",
        point.x,
        point.y
    )]
    FarPlace {
        /// Where the places come from.
        file: String,
        /// Number of the place, from 0.
        index: usize,
        /// Its coordinates.
        point: Point,
        /// The largest coordinate allowed.
        most: f64,
    },
    /// A pair cell needs two servers.
    #[error("cells of pairs need at least two servers; add servers, or ask for order 1")]
    OneServer,
    /// Shares need users.
    #[error("shares need at least one user, not 0")]
    NoUsers,
    /// The weights of users cannot be counted.
    #[error("{file}: the weights of the users add up to {sum}; it must be positive and finite")]
    UserWeights {
        /// Where the users come from.
        file: String,
        /// The sum of their weights.
        sum: f64,
    },
    /// Exact areas are for flat metrics.
    #[error("areas of cells on the globe are not computed; count or draw users instead")]
    NotFlat,
    /// The torus has no window.
    #[error("users of the torus are uniform on all of it; leave out the window")]
    TorusWindow,
    /// A rectangle without area, or with corners that are not finite.
    #[error(
        "a window from ({}, {}) to ({}, {}) cannot be used; its sides must be above 0, and its \
         corners finite numbers of moderate size",
        low.x, low.y, high.x, high.y
    )]
    Window {
        /// The corner given as the least.
        low: Point,
        /// The corner given as the greatest.
        high: Point,
    },
    /// Rounding spoils the areas.
    #[error(
        "the shares of the cells add up to {sum} instead of 1, as servers are too far from the \
         window for exact areas; leave out far servers, or draw users instead"
    )]
    Imprecise {
        /// The sum of the shares.
        sum: f64,
    },
}

/// What is wrong with one row of a file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RowProblem {
    /// The row has too many or too few fields.
    #[error("the field count is {found}, but the header has {expected} columns")]
    FieldCount {
        /// Number of fields of the row.
        found: usize,
        /// Number of columns of the header.
        expected: usize,
    },
    /// A field is not UTF-8 text.
    #[error("column `{column}` is not UTF-8 text")]
    NotUtf8 {
        /// Name of the column.
        column: String,
    },
    /// A field that must hold a number is blank.
    #[error("no {what} (column `{column}` is blank)")]
    Blank {
        /// What the column holds.
        what: &'static str,
        /// Name of the column.
        column: String,
    },
    /// A field is not a finite number.
    #[error("the {what} is not a finite number (column `{column}` is {value:?})")]
    NotANumber {
        /// What the column holds.
        what: &'static str,
        /// Name of the column.
        column: String,
        /// The text found, shortened if it is long.
        value: String,
    },
    /// A number is out of range.
    #[error("the {what} is not from {low} to {high} (column `{column}` is {value})")]
    OutOfRange {
        /// What the column holds.
        what: &'static str,
        /// Name of the column.
        column: String,
        /// The number found.
        value: f64,
        /// The smallest number allowed.
        low: f64,
        /// The largest number allowed.
        high: f64,
    },
    /// A weight is negative.
    #[error("the weight is negative (column `{column}` is {value})")]
    NegativeWeight {
        /// Name of the column.
        column: String,
        /// The number found.
        value: f64,
    },
}

/// At most this many columns are listed in a message.
const LISTED: usize = 20;

fn list(columns: &[String]) -> String {
    let mut text = quoted(&columns[..columns.len().min(LISTED)]);
    if columns.len() > LISTED {
        text.push_str(&format!(" and {} more", columns.len() - LISTED));
    }
    text
}

fn did_you_mean(similar: &[String]) -> String {
    match similar {
        [] => String::new(),
        _ => format!(" (did you mean {}?)", quoted(similar)),
    }
}

fn quoted(columns: &[String]) -> String {
    let quoted: Vec<_> = columns.iter().map(|c| format!("`{c}`")).collect();
    quoted.join(", ")
}
