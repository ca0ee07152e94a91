//! Metrics of a run: JSON lines as the record of truth, `TensorBoard` as a view of them.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use camelot_models::files::write_atomically;
use serde::Serialize;
use serde_json::Value;
use thiserror::Error;

mod board;

use board::Board;

/// The file of JSON lines in a run folder.
pub const FILE: &str = "metrics.jsonl";

/// Metrics that cannot be read or written.
#[derive(Debug, Error)]
pub enum MetricsError {
    /// The file system refused.
    #[error("metrics {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// An entry that is not a JSON object with its iteration.
    #[error("metrics {path}: the entry of iteration {iteration}: {why}")]
    Entry {
        /// The file.
        path: PathBuf,
        /// The iteration it was meant for.
        iteration: u64,
        /// What is wrong.
        why: String,
    },
}

/// Writes a run's metrics, one entry an iteration.
#[derive(Debug)]
pub struct Metrics {
    path: PathBuf,
    lines: File,
    board: Board,
}

impl Metrics {
    /// Opens the metrics in a run folder, to go on after `last_iteration`.
    ///
    /// Lines of later iterations are removed, and so is a last line that a killed process left half
    /// written. `TensorBoard` gets a fresh sub-folder of `tensorboard`, since its writer cannot append.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written.
    pub fn open(run_folder: &Path, last_iteration: u64) -> Result<Self, MetricsError> {
        let path = run_folder.join(FILE);
        let lines = open_lines(&path, last_iteration)
            .map_err(|source| MetricsError::Io { path: path.clone(), source })?;
        Ok(Self { path, lines, board: Board::open(run_folder, last_iteration + 1) })
    }

    /// Appends an iteration's entry, which must serialise to an object with `iteration` among its
    /// fields: by it [`Self::open`] knows which lines a resumed run writes again.
    ///
    /// # Errors
    ///
    /// If the entry has no such field or cannot be written.
    pub fn record(&mut self, iteration: u64, entry: &impl Serialize) -> Result<(), MetricsError> {
        let bad = |why| MetricsError::Entry { path: self.path.clone(), iteration, why };
        let value = serde_json::to_value(entry).map_err(|error| bad(error.to_string()))?;
        if iteration_of(&value) != Some(iteration) {
            return Err(bad("its field `iteration` is another or missing".into()));
        }
        // The entry itself is written, not the value, which would sort its fields.
        let mut line = serde_json::to_vec(entry).map_err(|error| bad(error.to_string()))?;
        line.push(b'\n');
        let written = self.lines.write_all(&line).and_then(|()| self.lines.sync_data());
        written.map_err(|source| MetricsError::Io { path: self.path.clone(), source })
    }

    /// Shows an iteration's numbers in `TensorBoard` under their tags.
    ///
    /// Returns a warning the first time that `TensorBoard`'s files cannot be written; after it, nothing is
    /// shown any more and nothing is said.
    #[must_use]
    pub fn show(&mut self, iteration: u64, scalars: &[(&str, f64)]) -> Option<String> {
        self.board.show(iteration, scalars)
    }
}

/// The entries of a run's metrics, oldest first; lines that cannot be read are left out. Empty where there are none.
///
/// # Errors
///
/// If the file is there and cannot be read.
pub fn read(run_folder: &Path) -> Result<Vec<Value>, MetricsError> {
    let path = run_folder.join(FILE);
    match fs::read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(source) => Err(MetricsError::Io { path, source }),
        Ok(bytes) => {
            let lines = bytes.split(|&byte| byte == b'\n');
            let entries = lines.filter_map(|line| serde_json::from_slice::<Value>(line).ok());
            Ok(entries.filter(|entry| iteration_of(entry).is_some()).collect())
        }
    }
}

fn iteration_of(entry: &Value) -> Option<u64> {
    entry.get("iteration")?.as_u64()
}

/// Removes the lines that will be written again and opens the file for appending.
fn open_lines(path: &Path, last_iteration: u64) -> io::Result<File> {
    let old = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        read => read?,
    };
    let kept = kept_lines(&old, last_iteration);
    if kept != old {
        write_atomically(path, &kept)?;
    }
    File::options().append(true).create(true).open(path)
}

/// The lines up to `last_iteration`. A line that this program cannot have written is somebody's and
/// stays, unless it is a last one without its end.
fn kept_lines(old: &[u8], last_iteration: u64) -> Vec<u8> {
    let mut kept = Vec::with_capacity(old.len());
    for line in old.split_inclusive(|&byte| byte == b'\n') {
        let iteration = serde_json::from_slice::<Value>(line).ok().as_ref().and_then(iteration_of);
        let keep = match iteration {
            Some(iteration) => iteration <= last_iteration,
            None => line.ends_with(b"\n"),
        };
        if keep {
            kept.extend_from_slice(line.strip_suffix(b"\n").unwrap_or(line));
            kept.push(b'\n');
        }
    }
    kept
}

#[cfg(test)]
mod tests;
