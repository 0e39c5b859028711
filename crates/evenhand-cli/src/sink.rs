//! Files that results go to, tried before a run starts.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

use crate::failure::Problem;

/// Makes sure that `path` can be written, without touching what stands there. A file that did not
/// exist is left as it was: absent.
pub(crate) fn check_writable(option: &str, path: &Path) -> Option<Problem> {
    let existed = path.exists();
    let opened = OpenOptions::new().append(true).create(true).open(path);
    match opened {
        Ok(_) => {
            if !existed {
                // It only served to try.
                let _ = std::fs::remove_file(path);
            }
            None
        }
        Err(error) => Some(
            Problem::new(option, format!("cannot write {}: {error}", path.display()))
                .with_help("check that the folder exists and may be written"),
        ),
    }
}

/// Writes a file by way of a neighbour, so that a failure leaves no half file.
pub(crate) fn write_file(
    path: &Path,
    write: impl FnOnce(&mut File) -> Result<(), String>,
) -> Result<(), String> {
    let failed = |error: io::Error| format!("cannot write {}: {error}", path.display());
    // Devices and pipes have no neighbours.
    if path.exists() && !path.is_file() {
        return write(&mut OpenOptions::new().write(true).open(path).map_err(failed)?);
    }
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".part");
    let part = path.with_file_name(name);
    let mut file = File::create(&part).map_err(failed)?;
    let written = write(&mut file)
        .and_then(|()| file.sync_all().map_err(failed))
        .and_then(|()| std::fs::rename(&part, path).map_err(failed));
    if written.is_err() {
        let _ = std::fs::remove_file(&part);
    }
    written
}
