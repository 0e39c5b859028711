//! The bytes of a file: unzipped, without byte order mark, as lines.

use std::borrow::Cow;
use std::io::Read;

use flate2::read::MultiGzDecoder;

use super::error::Fault;
use super::{Problem, ReadError};

const GZIP_MAGIC: &[u8] = &[0x1f, 0x8b];
const BYTE_ORDER_MARK: &[u8] = &[0xef, 0xbb, 0xbf];
/// Greatest length of an unzipped file, in bytes.
const UNZIPPED_LIMIT: u64 = 1 << 33;

/// The content of a file.
pub(super) struct Input<'a> {
    bytes: Cow<'a, [u8]>,
}

impl<'a> Input<'a> {
    /// Unzips where needed: gzip is recognised by its first bytes.
    pub(super) fn new(bytes: &'a [u8], file: &str) -> Result<Self, ReadError> {
        let bytes = if bytes.starts_with(GZIP_MAGIC) {
            Cow::Owned(unzipped(bytes, file)?)
        } else {
            Cow::Borrowed(bytes)
        };
        let input = Input { bytes };
        if input.bytes().trim_ascii().is_empty() {
            return Err(ReadError::Empty { file: file.to_owned() });
        }
        Ok(input)
    }

    /// The content, without a byte order mark.
    pub(super) fn bytes(&self) -> &[u8] {
        self.bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&self.bytes)
    }

    /// The content as text.
    pub(super) fn text(&self) -> Result<&str, Fault> {
        let bytes = self.bytes();
        std::str::from_utf8(bytes)
            .map_err(|error| Fault::at_offset(bytes, error.valid_up_to(), Problem::NotUtf8))
    }
}

fn unzipped(bytes: &[u8], file: &str) -> Result<Vec<u8>, ReadError> {
    let file = || file.to_owned();
    let mut unzipped = Vec::new();
    let mut reader = MultiGzDecoder::new(bytes).take(UNZIPPED_LIMIT + 1);
    match reader.read_to_end(&mut unzipped) {
        Err(source) => Err(ReadError::Io { file: file(), source }),
        Ok(_) if unzipped.len() as u64 > UNZIPPED_LIMIT => {
            Err(ReadError::TooLong { file: file(), limit: UNZIPPED_LIMIT })
        }
        Ok(_) => Ok(unzipped),
    }
}

/// The lines of a text with their numbers, from 1. CRLF, LF and CR end lines.
pub(super) fn text_lines(text: &str) -> impl Iterator<Item = (u64, &str)> {
    let mut rest = Some(text);
    let mut number = 0;
    std::iter::from_fn(move || {
        let text = rest?;
        number += 1;
        let Some(end) = text.bytes().position(|byte| matches!(byte, b'\n' | b'\r')) else {
            rest = None;
            return Some((number, text));
        };
        let length = if text[end..].starts_with("\r\n") { 2 } else { 1 };
        rest = Some(&text[end + length..]);
        Some((number, &text[..end]))
    })
}
