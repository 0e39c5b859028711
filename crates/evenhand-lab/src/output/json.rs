//! The whole record as JSON.

use crate::Error;
use crate::record::{Record, Reported};

/// One pretty-printed object and a newline.
pub(super) fn encode<R: Reported>(record: &Record<R>) -> Result<Vec<u8>, Error> {
    let mut bytes = serde_json::to_vec_pretty(record).map_err(|source| Error::Json { source })?;
    bytes.push(b'\n');
    Ok(bytes)
}
