use std::io::{self, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;

use super::ColumnError;

const GZIP_MAGIC: &[u8] = &[0x1f, 0x8b];
const BYTE_ORDER_MARK: &[u8] = &[0xef, 0xbb, 0xbf];
/// Greatest length of an unzipped file, in bytes.
const UNZIPPED_LIMIT: u64 = 1 << 33;

/// The bytes of a file: unzipped, without byte-order mark.
pub(super) struct Content {
    path: PathBuf,
    bytes: Vec<u8>,
}

impl Content {
    /// Reads everything. Gzip is recognised by its first bytes, whatever the name.
    pub(super) fn load(path: &Path) -> Result<Self, ColumnError> {
        let bytes = std::fs::read(path)
            .and_then(unzipped)
            .map_err(|source| ColumnError::File { path: path.to_path_buf(), source })?;
        Ok(Self { path: path.to_path_buf(), bytes })
    }

    pub(super) fn path(&self) -> PathBuf {
        self.path.clone()
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&self.bytes)
    }

    /// True if the first line begins an object.
    pub(super) fn is_json_lines(&self) -> bool {
        self.bytes().trim_ascii_start().starts_with(b"{")
    }

    /// Line, from 1, of the first byte at or after `offset` that does not end a line. (The CSV
    /// reader gives the place of a record before the line ends that precede it.)
    pub(super) fn line_at(&self, offset: usize) -> u64 {
        let bytes = self.bytes();
        let ends = |byte: &&u8| matches!(byte, b'\r' | b'\n');
        let start = offset + bytes[offset..].iter().take_while(ends).count();
        let before = &bytes[..start];
        let pairs = before.windows(2).filter(|pair| pair == b"\r\n").count();
        1 + (before.iter().filter(ends).count() - pairs) as u64
    }
}

fn unzipped(bytes: Vec<u8>) -> io::Result<Vec<u8>> {
    if !bytes.starts_with(GZIP_MAGIC) {
        return Ok(bytes);
    }
    let mut unzipped = Vec::new();
    MultiGzDecoder::new(&bytes[..]).take(UNZIPPED_LIMIT + 1).read_to_end(&mut unzipped)?;
    if unzipped.len() as u64 > UNZIPPED_LIMIT {
        return Err(io::Error::other("more than 8 GiB when unzipped"));
    }
    Ok(unzipped)
}
