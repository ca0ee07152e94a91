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

/// How many bytes tell what a file is.
const HEAD_BYTES: u64 = 4096;

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
        match &self.path {
            Some(path) => File::open(path).map_err(|error| error.to_string()).and_then(read),
            None => read(io::stdin().lock()),
        }
    }
}

/// Reads everything. What it is shows in its first bytes, and so how much of it may come.
fn read(mut input: impl Read) -> Result<Contents, String> {
    let mut bytes = Vec::new();
    let mut read_on = |bytes: &mut Vec<u8>, limit: u64| {
        let left = limit - bytes.len() as u64;
        input.by_ref().take(left).read_to_end(bytes).map_err(|error| error.to_string())
    };
    read_on(&mut bytes, HEAD_BYTES)?;
    let is_shard = Shard::is_begun_by(&bytes);
    if !is_shard && bytes.contains(&0) {
        return Err("neither a shard nor text: expected a record shard or PGN".into());
    }
    let (limit, what) = if is_shard { (FRAME_LIMIT_BYTES, "shard") } else { (TEXT_LIMIT_BYTES, "text") };
    read_on(&mut bytes, limit + 1)?;
    if bytes.len() as u64 > limit {
        return Err(format!("a {what} of more than {limit} bytes, expected no more"));
    }
    if is_shard {
        return Shard::from_frame(&bytes).map(Contents::Shard).map_err(|error| error.to_string());
    }
    let text = String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    match Games::new(&text).next() {
        Some(_) => Ok(Contents::Text(text)),
        None => Err("it holds no games".into()),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Endless bytes; counts how many were taken.
    struct Endless<'a> {
        byte: u8,
        taken: &'a mut u64,
    }

    impl Read for Endless<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            buffer.fill(self.byte);
            *self.taken += buffer.len() as u64;
            Ok(buffer.len())
        }
    }

    #[test]
    fn no_more_is_read_than_the_kind_of_file_may_hold() {
        for (byte, limit, part) in
            [(0, HEAD_BYTES, "neither a shard"), (b' ', TEXT_LIMIT_BYTES + 1, "a text of")]
        {
            let mut taken = 0;
            let error = read(Endless { byte, taken: &mut taken }).unwrap_err();
            assert!(error.contains(part), "{error}");
            assert_eq!(taken, limit);
        }
    }

    #[test]
    fn text_of_another_code_is_read_as_far_as_it_goes() {
        let Ok(Contents::Text(text)) = read(&b"[White \"Zo\xeb\"] 1. C4-C6 *"[..]) else { panic!("no text") };
        assert_eq!(text, "[White \"Zo\u{fffd}\"] 1. C4-C6 *");
    }
}
