//! Where games come from: which files are meant, and what is in them. The kind is told by the contents.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use camelot_core::Shard;
use camelot_core::codec::FRAME_LIMIT_BYTES;
use camelot_core::pgn::{Games, TEXT_LIMIT_BYTES};
use camelot_train::shard;

use super::game::Stored;
use crate::run_folder;

/// One file to read.
#[derive(Debug)]
pub(super) struct Source {
    /// What messages call it.
    pub(super) name: String,
    /// The file, or standard input.
    path: Option<PathBuf>,
}

/// The contents of a file.
#[derive(Debug)]
pub(super) enum Contents {
    Shard(Shard),
    Text(String),
}

/// The files that a path stands for: itself, the shards of a folder, or those of a run's window.
pub(super) fn find(path: &Path) -> Result<Vec<Source>, String> {
    if path.as_os_str() == "-" {
        return Ok(vec![Source { name: "standard input".into(), path: None }]);
    }
    if !path.is_dir() {
        return Ok(vec![Source::of(path.into())]);
    }
    let folder = if run_folder::is_run(path) { path.join(run_folder::WINDOW) } else { path.into() };
    let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut iterations = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| error.to_string())?;
        iterations.extend(entry.file_name().to_str().and_then(shard::iteration_of));
    }
    if iterations.is_empty() {
        return Err("no shards in it: expected a run folder or files such as 000001.shard".into());
    }
    iterations.sort_unstable();
    Ok(iterations.into_iter().map(|iteration| Source::of(shard::file_in(&folder, iteration))).collect())
}

impl Source {
    fn of(path: PathBuf) -> Self {
        Self { name: path.display().to_string(), path: Some(path) }
    }

    /// Reads the whole file.
    pub(super) fn read(&self) -> Result<Contents, String> {
        let bytes = match &self.path {
            Some(path) => File::open(path).and_then(read_limited),
            None => read_limited(io::stdin().lock()),
        };
        let bytes = bytes.map_err(|error| error.to_string())?;
        if Shard::is_begun_by(&bytes) {
            return Shard::from_frame(&bytes).map(Contents::Shard).map_err(|error| error.to_string());
        }
        if bytes.iter().take(4096).any(|&byte| byte == 0) {
            return Err("neither a shard nor text: expected a record shard or PGN".into());
        }
        if bytes.len() as u64 > TEXT_LIMIT_BYTES {
            return Err(format!("{} bytes of text, expected at most {TEXT_LIMIT_BYTES}", bytes.len()));
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        match Games::new(&text).next() {
            Some(_) => Ok(Contents::Text(text)),
            None => Err("it holds no games".into()),
        }
    }
}

fn read_limited(input: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(FRAME_LIMIT_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > FRAME_LIMIT_BYTES {
        return Err(io::Error::other(format!("expected at most {FRAME_LIMIT_BYTES} bytes")));
    }
    Ok(bytes)
}

impl Contents {
    /// The games, in order.
    pub(super) fn games(&self) -> Box<dyn Iterator<Item = Stored<'_>> + '_> {
        match self {
            Self::Shard(shard) => {
                Box::new(shard.records.iter().map(move |record| Stored::Record { shard, record }))
            }
            Self::Text(text) => Box::new(Games::new(text).map(Stored::Text)),
        }
    }

    /// What kind of file it is.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Shard(_) => "shard",
            Self::Text(_) => "pgn",
        }
    }

    /// The iteration of a shard.
    pub(super) fn iteration(&self) -> Option<u64> {
        match self {
            Self::Shard(shard) => Some(shard.iteration),
            Self::Text(_) => None,
        }
    }
}
