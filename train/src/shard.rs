//! The files of the replay window: one shard of game records an iteration.

use std::io;
use std::path::{Path, PathBuf};

use camelot_core::codec::{self, CodecError};
use camelot_core::record::RecordError;
use camelot_core::shard::Shard;
use camelot_models::files::{read_limited, write_atomically};
use thiserror::Error;

/// The file name's ending, without the dot.
pub const EXTENSION: &str = "shard";

/// A shard that cannot be read or written.
#[derive(Debug, Error)]
pub enum ShardError {
    /// The file system refused.
    #[error("shard {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// Not a shard, or a damaged one.
    #[error("shard {path}: {source}")]
    Codec {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: CodecError,
    },
    /// A sound file with contents that do not belong there.
    #[error("shard {path}: {field} is {found}, expected {expected}")]
    Contents {
        /// The file.
        path: PathBuf,
        /// Which of the shard's fields.
        field: &'static str,
        /// What it holds.
        found: String,
        /// What it should hold.
        expected: String,
    },
    /// A record that does not hold a game.
    #[error("shard {path}: record {index}: {source}")]
    Record {
        /// The file.
        path: PathBuf,
        /// The record, from 0.
        index: usize,
        /// What is wrong with it.
        source: RecordError,
    },
}

impl ShardError {
    /// Whether the file is damaged, rather than unreadable or of another kind or version.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        match self {
            Self::Io { .. } => false,
            Self::Codec { source, .. } => source.is_damage(),
            _ => true,
        }
    }
}

/// The file of an iteration's shard in a folder.
#[must_use]
pub fn file_in(folder: &Path, iteration: u64) -> PathBuf {
    folder.join(format!("{iteration:06}.{EXTENSION}"))
}

/// The iteration that a file's name stands for, if it is the name of a shard.
#[must_use]
pub fn iteration_of(file_name: &str) -> Option<u64> {
    let (stem, extension) = file_name.split_once('.')?;
    let iteration = stem.parse().ok()?;
    (extension == EXTENSION && format!("{iteration:06}") == stem).then_some(iteration)
}

/// Writes a shard into a folder under its own name; the file is whole or absent.
///
/// # Errors
///
/// If it cannot be encoded or written.
pub fn save(shard: &Shard, folder: &Path) -> Result<PathBuf, ShardError> {
    let path = file_in(folder, shard.iteration);
    let frame = shard.to_frame().map_err(|source| ShardError::Codec { path: path.clone(), source })?;
    match write_atomically(&path, &frame) {
        Ok(()) => Ok(path),
        Err(source) => Err(ShardError::Io { path, source }),
    }
}

/// Reads an iteration's shard of `game` from a folder. The records are not replayed.
///
/// # Errors
///
/// Names the file and what is wrong with it.
pub fn load(folder: &Path, iteration: u64, game: &str) -> Result<Shard, ShardError> {
    let path = file_in(folder, iteration);
    let frame = match read_limited(&path, codec::FRAME_LIMIT_BYTES) {
        Ok(frame) => frame,
        Err(source) => return Err(ShardError::Io { path, source }),
    };
    let shard = match Shard::from_frame(&frame) {
        Ok(shard) => shard,
        Err(source) => return Err(ShardError::Codec { path, source }),
    };
    let fields = [
        ("the game", shard.game.clone(), game.to_string()),
        ("the iteration", shard.iteration.to_string(), iteration.to_string()),
    ];
    for (field, found, expected) in fields {
        if found != expected {
            return Err(ShardError::Contents { path, field, found, expected });
        }
    }
    Ok(shard)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{Cam, random_records};

    fn shard(iteration: u64) -> Shard {
        Shard { game: "cam".into(), iteration, records: random_records::<Cam>(3, iteration) }
    }

    #[test]
    fn a_shard_comes_back_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = save(&shard(7), folder.path()).unwrap();
        assert_eq!(path, folder.path().join("000007.shard"));
        assert_eq!(load(folder.path(), 7, "cam").unwrap(), shard(7));
    }

    #[test]
    fn what_is_wrong_with_a_shard_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = save(&shard(7), folder.path()).unwrap();
        let message = |iteration, game| load(folder.path(), iteration, game).unwrap_err().to_string();
        assert!(message(7, "camelot").ends_with("the game is cam, expected camelot"));
        std::fs::copy(&path, file_in(folder.path(), 8)).unwrap();
        assert!(message(8, "cam").ends_with("000008.shard: the iteration is 7, expected 8"));
        let mut bytes = std::fs::read(&path).unwrap();
        bytes.truncate(100);
        std::fs::write(&path, bytes).unwrap();
        assert!(message(7, "cam").contains("truncated"));
    }

    #[test]
    fn only_names_of_shards_are_read_as_such() {
        assert_eq!(iteration_of("000012.shard"), Some(12));
        assert_eq!(iteration_of("1234567.shard"), Some(1_234_567));
        for name in ["12.shard", "000012.shard.bad", "000012.bad", "notes.txt", ".partial-000012.shard"] {
            assert_eq!(iteration_of(name), None, "{name}");
        }
    }
}
