//! What can go wrong between a record and the reader.

use std::io;
use std::path::PathBuf;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be written.
    #[error("cannot write the file {}: {source}; check that its folder exists and is writable", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The stream refused the bytes. A closed pipe arrives here as `BrokenPipe`.
    #[error("cannot write the {what}: {source}; check the space and the reader at the other end")]
    Stream {
        /// What was written: `table`, `json`, `csv`, `parquet` or `report`.
        what: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// The record could not be written as JSON.
    #[error("cannot write the record as JSON: {source}; choose another format")]
    Json {
        /// What the encoder said.
        source: serde_json::Error,
    },
    /// The record could not be written as CSV.
    #[error("cannot write the results as CSV: {source}; choose another format")]
    Csv {
        /// What the encoder said.
        source: csv::Error,
    },
    /// The record could not be written as Parquet.
    #[error("cannot write the results as Parquet: {source}; choose another format")]
    Parquet {
        /// What the encoder said.
        source: parquet::errors::ParquetError,
    },
    /// The jobs of a run could not be written.
    #[error("cannot write the jobs as Parquet: {source}; check the space on the disk")]
    Jobs {
        /// What the encoder said.
        source: parquet::errors::ParquetError,
    },
    /// A name that is no output format.
    #[error("there is no output format `{name}`; choose table, json, csv or parquet")]
    UnknownFormat {
        /// The name as given.
        name: String,
    },
    /// A picture whose name ends neither in `.svg` nor in `.png`.
    #[error("cannot tell the kind of picture from the name {}; end it in .svg or .png", path.display())]
    PlotExtension {
        /// The file asked for.
        path: PathBuf,
    },
    /// There is nothing to draw.
    #[error("there is nothing to draw: {reason}")]
    NothingToDraw {
        /// Why, and what to do.
        reason: &'static str,
    },
    /// A picture could not be turned into pixels.
    #[error(
        "cannot draw a PNG of {width_px:.0} x {height_px:.0} points: {reason}; write an .svg instead, or compare fewer policies"
    )]
    Raster {
        /// Width of the picture in points.
        width_px: f64,
        /// Height of the picture in points.
        height_px: f64,
        /// What the rasteriser said.
        reason: String,
    },
    /// The report could not be filled in.
    #[error("cannot write the report: {source}; this is a defect of its template")]
    Template {
        /// What the template engine said.
        source: askama::Error,
    },
}
