//! The rows of a file, one after the other.

use std::io::Read;

use csv::{ByteRecord, Reader, ReaderBuilder};

use super::columns::{Columns, Row};
use super::input::Text;
use crate::space::{Error, Places, RowProblem};

/// Walks through the records of a text.
pub(super) struct Rows<'t> {
    text: &'t Text<'t>,
    reader: Reader<&'t [u8]>,
    record: ByteRecord,
    /// Where the last record starts.
    offset: usize,
}

impl<'t> Rows<'t> {
    pub(super) fn new(text: &'t Text<'t>) -> Self {
        Rows { text, reader: csv_reader(text.bytes()), record: ByteRecord::new(), offset: 0 }
    }

    /// Reads the names of the columns, without surrounding blanks.
    pub(super) fn header(&mut self) -> Result<Vec<String>, Error> {
        if !self.advance()? {
            return Err(Error::Empty { file: self.text.file.to_owned() });
        }
        let names = self.record.iter().map(|field| {
            let name = std::str::from_utf8(field).ok()?;
            Some(name.trim().to_owned())
        });
        names.collect::<Option<_>>().ok_or_else(|| Error::HeaderNotUtf8 {
            file: self.text.file.to_owned(),
            line: self.text.line_at(self.offset),
        })
    }

    /// Reads all rows after the header.
    pub(super) fn read(mut self, columns: &Columns, skip_invalid: bool) -> Result<Places, Error> {
        let mut places = Places::new(Vec::new(), columns.metric, self.text.file);
        places.names = columns.name.map(|_| Vec::new());
        places.weights = columns.weight.map(|_| Vec::new());
        let mut first_problem: Option<(usize, RowProblem)> = None;
        let mut invalid = 0;
        let mut rows = 0;
        while self.advance()? {
            rows += 1;
            match columns.row(&self.record) {
                Ok(row) => push(&mut places, row),
                Err(problem) => {
                    invalid += 1;
                    first_problem.get_or_insert((self.offset, problem));
                }
            }
        }
        self.check_quotes()?;
        let file = || self.text.file.to_owned();
        match first_problem {
            Some((offset, problem)) if !skip_invalid => Err(Error::InvalidRow {
                file: file(),
                line: self.text.line_at(offset),
                problem,
                invalid,
                rows,
            }),
            _ if places.is_empty() => Err(Error::NoRows { file: file(), skipped: invalid }),
            _ => {
                places.skipped = invalid;
                Ok(places)
            }
        }
    }

    /// Moves to the next record; false at the end.
    fn advance(&mut self) -> Result<bool, Error> {
        let start = self.reader.position().byte();
        let more = self.reader.read_byte_record(&mut self.record);
        let more = more.map_err(|error| Error::Read {
            file: self.text.file.to_owned(),
            source: error.into(),
        })?;
        if more {
            self.offset = usize::try_from(start).unwrap_or(usize::MAX);
        }
        Ok(more)
    }

    /// An open quotation mark makes one field of all that follows, so it shows
    /// in the last record: another line after it would still belong to it.
    fn check_quotes(&self) -> Result<(), Error> {
        let last = &self.text.bytes()[self.offset..];
        let probe = csv_reader(last.chain(&b"\nanother"[..]));
        if probe.into_byte_records().nth(1).is_some() {
            return Ok(());
        }
        Err(Error::UnclosedQuote {
            file: self.text.file.to_owned(),
            line: self.text.line_at(self.offset),
        })
    }
}

fn csv_reader<R: Read>(input: R) -> Reader<R> {
    ReaderBuilder::new().has_headers(false).flexible(true).from_reader(input)
}

fn push(places: &mut Places, row: Row) {
    places.points.push(row.point);
    if let (Some(names), Some(name)) = (&mut places.names, row.name) {
        names.push(name.to_owned());
    }
    if let (Some(weights), Some(weight)) = (&mut places.weights, row.weight) {
        weights.push(weight);
    }
}
