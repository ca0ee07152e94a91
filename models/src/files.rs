//! Writing files so that a reader sees the old contents or the new, never a part.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// Replaces `path` by `contents`: a temporary file in the same folder, flushed to the disk, renamed.
///
/// # Errors
///
/// Whatever the file system says; the old contents are then still there.
pub fn write_atomically(path: &Path, contents: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().prefix(".partial-").tempfile_in(folder)?;
    file.write_all(contents)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    sync_folder(folder)
}

/// Flushes a folder's entries to the disk, where the system can.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// The prefix of files that a killed process may leave behind; safe to delete.
pub const PARTIAL_PREFIX: &str = ".partial-";
