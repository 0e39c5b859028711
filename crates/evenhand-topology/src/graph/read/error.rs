//! What can go wrong on the way to a graph.

use std::fmt;
use std::io;

use super::{Format, Problem};

/// Why a graph could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file could not be read or unzipped.
    #[error("cannot read {file}: {source}")]
    Io {
        /// Name of the file.
        file: String,
        /// The error of the operating system, or of unzipping.
        source: io::Error,
    },
    /// The unzipped file is too long.
    #[error("{file} is longer than {limit} bytes when unzipped; split it, or unzip it first")]
    TooLong {
        /// Name of the file.
        file: String,
        /// Greatest length allowed, in bytes.
        limit: u64,
    },
    /// The file holds nothing but blanks.
    #[error("{file} is empty; it needs a graph")]
    Empty {
        /// Name of the file.
        file: String,
    },
    /// The content does not follow its format.
    #[error("{file}, {place} ({format}): {problem}")]
    Malformed {
        /// Name of the file.
        file: String,
        /// The format that the file was read as.
        format: Format,
        /// Where it is wrong.
        place: Place,
        /// What is wrong, and what to do.
        problem: Problem,
    },
    /// The file has fewer graphs.
    #[error("{file} has no graph {index}, counted from 0; the number of its graphs is {graphs}")]
    NoSuchGraph {
        /// Name of the file.
        file: String,
        /// The graph asked for, from 0.
        index: usize,
        /// Number of graphs in the file.
        graphs: usize,
    },
}

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Line, from 1. CRLF, LF and CR end lines.
    pub line: u64,
    /// Byte of the line, from 1, in formats where a graph is one line.
    pub byte: Option<u64>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        match self.byte {
            Some(byte) => write!(f, ", byte {byte}"),
            None => Ok(()),
        }
    }
}

/// A problem and its place, in a file that is not named yet.
#[derive(Debug)]
pub(super) struct Fault {
    place: Place,
    problem: Problem,
}

impl Fault {
    pub(super) fn on_line(line: u64, problem: Problem) -> Self {
        Fault { place: Place { line, byte: None }, problem }
    }

    /// `byte` counts from 0.
    pub(super) fn at_byte(line: u64, byte: usize, problem: Problem) -> Self {
        Fault { place: Place { line, byte: Some(byte as u64 + 1) }, problem }
    }

    /// On the line of the byte at `offset`.
    pub(super) fn at_offset(bytes: &[u8], offset: usize, problem: Problem) -> Self {
        Fault::on_line(line_of(bytes, offset), problem)
    }

    /// What is wrong, to be put elsewhere.
    pub(super) fn into_problem(self) -> Problem {
        self.problem
    }

    pub(super) fn into_error(self, file: &str, format: Format) -> ReadError {
        let Fault { place, problem } = self;
        ReadError::Malformed { file: file.to_owned(), format, place, problem }
    }
}

/// Line, from 1, of the byte at `offset`.
fn line_of(bytes: &[u8], offset: usize) -> u64 {
    let before = &bytes[..offset.min(bytes.len())];
    let mut line = 1;
    let mut previous = 0;
    for &byte in before {
        let second_half = byte == b'\n' && previous == b'\r';
        line += u64::from(matches!(byte, b'\r' | b'\n') && !second_half);
        previous = byte;
    }
    line
}
