//! Games as PGN-shaped text: tags, then moves in the federation's notation (`docs/rules.md`, section 8).
//!
//! The shape is that of chess programs' Portable Game Notation, so that rating tools read the players and
//! results of any game here. What differs, and what the tags mean:
//!
//! - A round has a column a seat. `--` stands in the column of a player whose turn is skipped, and before
//!   the first mover of a game that starts in the middle of a round; a game of two that starts with the
//!   second player begins with `1...` instead. Chance plies are words of their own, in no column.
//! - A round's number is read with a dot or more behind it, and without one too where several players take
//!   turns. In a game of one a bare number is a move: `6` is a cell of the patience.
//! - `White` and `Black` are the teams. With four armies `Red`, `Green`, `Blue` and `Yellow` name the seats.
//! - `Variant` is the game, `Rules` the rule set, `FEN` the start, `SetUp` says that it is not the game's own.
//!   Without `FEN` a game begins at its own start.
//! - `Termination` is the reason of the end. A game that its rules had not ended counts as adjudicated,
//!   whatever the tag calls it; `Value` then gives a value that is neither a win nor a draw. Only where the
//!   tag is `forfeit`, alone or with `: ` and what happened behind it, is a lost game a forfeit.
//!
//! Reading takes what people and programs write and checks it: [`Games`] cuts a text into games,
//! [`RawGame::read`] plays one. Text is untrusted: sizes, depths and counts are limited, and the time taken
//! grows with the length of the text alone.

mod read;
mod scan;
mod write;

use std::fmt;

use thiserror::Error;

use crate::game::{Game, Outcome, Team};
use crate::line::Line;

pub use scan::{Games, RawGame, Tag, Word};

/// The longest text that is worth reading, in bytes; for whoever reads files.
pub const TEXT_LIMIT_BYTES: u64 = 1 << 28;

/// Stands for a player whose turn is skipped.
const SKIPPED: &str = "--";

/// The tags of the teams.
const TEAMS: [(&str, Team); 2] = [("White", Team::One), ("Black", Team::Two)];

/// The tags that are written from the game itself and never kept from a text.
const DERIVED: [&str; 7] = ["Result", "Variant", "Rules", "SetUp", "FEN", "Value", "PlyCount"];

/// The tag of the reason of the end.
const TERMINATION: &str = "Termination";

/// A game as PGN knows it; `Display` writes it, with an empty line at its end.
#[derive(Clone, Debug)]
pub struct PgnGame<G: Game> {
    /// The game as played.
    pub line: Line<G>,
    /// How it ended, if it did.
    pub outcome: Option<Outcome>,
    /// Tags, in any order, without those that follow from the game: result, variant, rules, start and
    /// counts. `Termination` counts only where the rules did not end the game.
    pub tags: Vec<(String, String)>,
}

/// A place in a text, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The character in its line.
    pub column: usize,
}

/// A game that cannot be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("line {}, column {}: {why}", place.line, place.column)]
pub struct PgnError {
    /// Where.
    pub place: Place,
    /// The ply, counted from 1, if it is about one.
    pub ply: Option<usize>,
    /// What is wrong.
    pub why: String,
}

/// The result of a game as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    One,
    Two,
    Draw,
    Open,
}

impl Mark {
    const EXPECTED: &str = "`1-0`, `0-1`, `1/2-1/2` or `*`";

    fn parse(text: &str) -> Option<Self> {
        match text {
            "1-0" => Some(Self::One),
            "0-1" => Some(Self::Two),
            "1/2-1/2" | "1/2" => Some(Self::Draw),
            "*" => Some(Self::Open),
            _ => None,
        }
    }

    fn of(outcome: Option<Outcome>) -> Self {
        match outcome.map(|outcome| outcome.winner()) {
            Some(Some(Team::One)) => Self::One,
            Some(Some(Team::Two)) => Self::Two,
            Some(None) => Self::Draw,
            None => Self::Open,
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::One => "1-0",
            Self::Two => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Open => "*",
        })
    }
}

#[cfg(test)]
mod tests;
