//! The games of matches as a PGN file.

use std::fs;
use std::path::Path;

use camelot_core::Game;
use camelot_models::files::write_atomically;
use camelot_selfplay::{MatchReport, PlayerSpec, pgn};

use crate::failure::Failure;

/// Games that are written to a file when all are there.
#[derive(Debug)]
pub(crate) struct PgnFile<'a> {
    path: &'a Path,
    text: String,
    /// Pairs of games so far.
    rounds: usize,
}

impl<'a> PgnFile<'a> {
    /// A file that can be written: an unwritable place is better noticed before hours of play.
    pub(crate) fn open(path: &'a Path) -> Result<Self, Failure> {
        fs::File::options()
            .append(true)
            .create(true)
            .open(path)
            .map_err(|error| Failure::error(format!("{}: {error}", path.display())))?;
        Ok(Self { path, text: String::new(), rounds: 0 })
    }

    /// Appends the games of a match.
    pub(crate) fn add<G: Game>(&mut self, report: &MatchReport<G>, players: [&PlayerSpec; 2]) {
        let names = players.map(ToString::to_string);
        for pair in report.games.chunks(2) {
            self.rounds += 1;
            for game in pair {
                self.text += &pgn::game_text(game, [&names[0], &names[1]], self.rounds);
            }
        }
    }

    /// Writes the file.
    pub(crate) fn write(self) -> Result<(), Failure> {
        // A device or a pipe is written to, not replaced.
        let special = self.path.exists() && !self.path.is_file();
        let written = if special {
            fs::write(self.path, self.text)
        } else {
            write_atomically(self.path, self.text.as_bytes())
        };
        written.map_err(|error| Failure::error(format!("{}: {error}", self.path.display())))
    }
}
