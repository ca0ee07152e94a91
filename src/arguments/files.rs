//! The arguments of the verbs that read and write files of runs.

use std::path::PathBuf;

use camelot_core::RuleSet;
use clap::{Args, ValueEnum};

use crate::games::name_argument;

/// `camelot records`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  camelot records runs/cam-quick                     a summary of each shard in a run's window
  camelot records runs/cam-quick --verify            replay every game to its stored result
  camelot records games.pgn --games 3..5             single games, move by move
  camelot records runs/cam-quick --pgn > games.pgn   all games as PGN

Games and plies count from 1. Whether a file is a shard or PGN is told by its contents.
Exit code 1 if a file or a game is broken; each is named, of a file the first 1000, and the others go on.")]
pub(crate) struct RecordsArguments {
    /// Shards, PGN files, folders of shards, run folders, or `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Check that every game replays legally to its stored result
    #[arg(long, conflicts_with = "pgn")]
    pub(crate) verify: bool,
    /// Write the games as PGN
    #[arg(long, conflicts_with = "json")]
    pub(crate) pgn: bool,
    /// Only these games of each file, such as 3, 3..5 or 3..; alone it shows them move by move
    #[arg(long, value_name = "RANGE", value_parser = parse_range)]
    pub(crate) games: Option<(usize, usize)>,
    /// The game of PGN that does not name it
    #[arg(long, value_name = "GAME", value_parser = name_argument())]
    pub(crate) game: Option<&'static str>,
    /// The rule set of PGN that does not name it: classic or wcf
    #[arg(long, value_name = "RULES", default_value = "classic", value_parser = str::parse::<RuleSet>)]
    pub(crate) rules: RuleSet,
    /// One JSON object a file, or a game where games are shown
    #[arg(long)]
    pub(crate) json: bool,
}

/// `camelot report`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  camelot report runs/cam-quick          writes runs/cam-quick/report.html

The page needs nothing but a browser. A run can be reported on while it trains.")]
pub(crate) struct ReportArguments {
    /// The run folder
    pub(crate) run: PathBuf,
    /// The file to write [default: report.html in the run folder]
    #[arg(short, long = "output", value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// The path and size of the page as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// `camelot export`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  camelot export runs/cam-quick --format bundle -o cam.bundle --licence 'CC0-1.0'
  camelot play net:cam.bundle
  camelot export runs/cam-quick --format safetensors -o cam.safetensors
  camelot export cam.bundle --format onnx -o cam.onnx --json
  camelot moves - --json < positions.jsonl | python3 docs/python/evaluate.py cam.onnx

A bundle is a player wherever a checkpoint is one. Networks of either architecture become ONNX models for any number of
positions at a time, which say in their metadata what they are. What goes in and what comes out stands in
docs/encoding.md; docs/python is a program that does it. The file is whole or absent.")]
pub(crate) struct ExportArguments {
    /// A checkpoint, a run folder (its best checkpoint), or a bundle
    pub(crate) network: PathBuf,
    /// What to write
    #[arg(long, value_enum)]
    pub(crate) format: ExportFormat,
    /// The file to write
    #[arg(short, long = "output", value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Under which terms others may use the weights, one line in a bundle [default: those of the bundle, or "none stated"]
    #[arg(long, value_name = "TEXT")]
    pub(crate) licence: Option<String>,
    /// What was written as one JSON object, with shapes and hash
    #[arg(long)]
    pub(crate) json: bool,
}

/// What a network can be exported as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// A model for ONNX Runtime and other engines.
    Onnx,
    /// Every matrix under its name.
    Safetensors,
    /// One file to play with: weights, game, rules, configuration, licence, checksum.
    Bundle,
}

/// Reads numbers such as `3`, `3..5` or `3..`, as the first and the last.
fn parse_range(text: &str) -> Result<(usize, usize), String> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let last = if last.is_empty() { Some(usize::MAX) } else { last.parse().ok() };
    let range =
        first.parse().ok().zip(last).filter(|&(first, last): &(usize, usize)| 1 <= first && first <= last);
    range.ok_or_else(|| "expected numbers from 1, such as 3, 3..5 or 3..".into())
}
