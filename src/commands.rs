//! The verbs of the command line, one module each.

pub(crate) mod analyze;
pub(crate) mod bench;
pub(crate) mod engine;
pub(crate) mod export;
pub(crate) mod help;
pub(crate) mod ladder;
pub(crate) mod matches;
pub(crate) mod moves;
pub(crate) mod perft;
pub(crate) mod pgn_file;
mod picture;
pub(crate) mod play;
pub(crate) mod records;
pub(crate) mod report;
pub(crate) mod tournament;
pub(crate) mod train;

use std::io::{self, Write};

use serde::Serialize;

use crate::failure::Failure;

/// Prints a line on standard output; a reader that has gone away is not our error.
pub(crate) fn print_line(line: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()?;
    Ok(())
}

/// Prints lines that are written out already.
pub(crate) fn print_text(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Prints a value as one line of JSON.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    print_line(&serde_json::to_string(value)?)
}

/// A pool of `threads` threads, or of one a core.
pub(crate) fn thread_pool(threads: Option<u16>) -> Result<rayon::ThreadPool, Failure> {
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads.map_or(0, usize::from));
    Ok(builder.build()?)
}

/// The threads asked for, or one a core.
pub(crate) fn thread_count(threads: Option<u16>) -> usize {
    threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
}
