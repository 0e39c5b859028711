//! The bytes of a file: unzipped, without byte order mark, with line numbers.

use std::io::{self, Read};

use flate2::read::MultiGzDecoder;

use crate::space::Error;

const GZIP_MAGIC: &[u8] = &[0x1f, 0x8b];
const BYTE_ORDER_MARK: &[u8] = &[0xef, 0xbb, 0xbf];

/// The whole text of a file.
pub(super) struct Text<'a> {
    /// Name of the file, for messages.
    pub(super) file: &'a str,
    bytes: Vec<u8>,
}

impl<'a> Text<'a> {
    /// Reads everything; gzip is recognised by its first bytes.
    pub(super) fn load(reader: impl Read, file: &'a str) -> Result<Self, Error> {
        let bytes =
            read_all(reader).map_err(|source| Error::Read { file: file.to_owned(), source })?;
        let text = Text { file, bytes };
        if text.bytes().trim_ascii().is_empty() {
            return Err(Error::Empty { file: file.to_owned() });
        }
        Ok(text)
    }

    /// The text, without a byte order mark.
    pub(super) fn bytes(&self) -> &[u8] {
        self.bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&self.bytes)
    }

    /// Line, from 1, of the first byte at or after `offset` that does not end a
    /// line. The CSV parser reports a record before the line ends that precede
    /// it (blank lines, the second half of CRLF), so they are passed over here.
    pub(super) fn line_at(&self, offset: usize) -> u64 {
        let bytes = self.bytes();
        let ends = |b: &&u8| matches!(b, b'\r' | b'\n');
        let start = offset + bytes[offset..].iter().take_while(ends).count();
        let mut line = 1;
        let mut previous = 0;
        for &byte in &bytes[..start] {
            let second_half = byte == b'\n' && previous == b'\r';
            line += u64::from(matches!(byte, b'\r' | b'\n') && !second_half);
            previous = byte;
        }
        line
    }
}

fn read_all(mut reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes)?;
    if !bytes.starts_with(GZIP_MAGIC) {
        return Ok(bytes);
    }
    let mut unzipped = Vec::new();
    MultiGzDecoder::new(&bytes[..]).read_to_end(&mut unzipped)?;
    Ok(unzipped)
}
