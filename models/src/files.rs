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
    let mut builder = tempfile::Builder::new();
    builder.prefix(PARTIAL_PREFIX);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(contents)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    sync_folder(folder)
}

/// Flushes a folder's entries to the disk, where the system can.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Reads a file of at most `limit_bytes`; a larger one is refused before it is read.
///
/// # Errors
///
/// Whatever the file system says, or that the file is too large.
pub fn read_limited(path: &Path, limit_bytes: u64) -> io::Result<Vec<u8>> {
    let bytes = std::fs::metadata(path)?.len();
    if bytes > limit_bytes {
        return Err(io::Error::other(format!("{bytes} bytes, expected at most {limit_bytes}")));
    }
    std::fs::read(path)
}

/// Deletes what killed processes left half written in a folder.
///
/// # Errors
///
/// Whatever the file system says.
pub fn remove_partial_files(folder: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(PARTIAL_PREFIX) {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// The prefix of files that a killed process may leave behind; safe to delete.
pub const PARTIAL_PREFIX: &str = ".partial-";
