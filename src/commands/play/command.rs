//! What the user can say.

use std::path::Path;

pub(super) const HELP: &str = "\
also:
  moves [SQUARE]  list the legal moves, or those from a square
  hint            what the player would do in your place
  undo            take back your last move
  board           draw the board again
  position        the position as text
  save FILE       write the game so far to a new PGN file
  resign          give up
  quit            leave";

/// A line of input.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Command<'a> {
    Nothing,
    Help,
    Quit,
    Resign,
    Board,
    Position,
    /// The legal moves that begin so.
    Moves(&'a str),
    Hint,
    Undo,
    /// To this file; none named if it is empty.
    Save(&'a Path),
    /// Anything else must be a move.
    Move(&'a str),
}

impl<'a> Command<'a> {
    pub(super) fn read(line: &'a str) -> Self {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match (word, rest) {
            ("moves", from) => Self::Moves(from),
            ("save", path) => Self::Save(Path::new(path)),
            ("", _) => Self::Nothing,
            ("help" | "?", "") => Self::Help,
            ("quit" | "exit", "") => Self::Quit,
            ("resign", "") => Self::Resign,
            ("board", "") => Self::Board,
            ("position", "") => Self::Position,
            ("hint", "") => Self::Hint,
            ("undo", "") => Self::Undo,
            _ => Self::Move(line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_command_is_a_move() {
        assert_eq!(Command::read("  \n"), Command::Nothing);
        assert_eq!(Command::read("moves d7\n"), Command::Moves("d7"));
        assert_eq!(Command::read("save my game.pgn\r\n"), Command::Save(Path::new("my game.pgn")));
        assert_eq!(Command::read("D7 H9\n"), Command::Move("D7 H9"));
        assert_eq!(Command::read("undo twice"), Command::Move("undo twice"));
    }
}
