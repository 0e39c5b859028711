//! The report: one HTML file with the answer in words, the table, the figures and how to repeat it.

mod words;

use std::io::Write;

use askama::Template;

use crate::Error;
use crate::facet;
use crate::figure::{self, Figure};
use crate::record::{LoadMap, Record, Reported};
use crate::summary::Summary;

pub(crate) use words::Worded;

/// What the record itself does not know about its making.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// Title of the page.
    pub title: String,
    /// The exact command line.
    pub command: String,
    /// Version of Evenhand.
    pub version: String,
    /// Master seed.
    pub seed: u64,
    /// The machine in words: processor, cores, system.
    pub machine: String,
    /// Start of the run, RFC 3339.
    pub started: String,
    /// Credit that the licence of the data asks for.
    pub attribution: Option<String>,
}

#[derive(Template)]
#[template(path = "report.html")]
struct Page<'a> {
    context: &'a Context,
    paragraph: String,
    summary: Summary,
    figures: Vec<Figure>,
    threads: usize,
}

/// Writes the report of `record` and `maps` to `to`.
///
/// The page is one file: no scripts, no external references, figures as inline SVG. It follows
/// the reader's choice of light or dark and prints on white.
///
/// # Errors
/// [`Error::Template`] when the page cannot be filled in, [`Error::Stream`] when `to` refuses the
/// bytes.
pub fn write<R: Reported>(
    record: &Record<R>,
    maps: &[LoadMap],
    context: &Context,
    to: &mut dyn Write,
) -> Result<(), Error> {
    let page = Page {
        context,
        paragraph: R::paragraph(record, &facet::labels(record)),
        summary: Summary::new(record),
        figures: figure::render(record, maps),
        threads: record.threads,
    };
    let html = page.render().map_err(|source| Error::Template { source })?;
    to.write_all(html.as_bytes())
        .and_then(|()| to.flush())
        .map_err(|source| Error::Stream { what: "report", source })
}
