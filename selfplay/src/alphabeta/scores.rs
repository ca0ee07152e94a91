//! Scores, of the team to move: hundredths of a Man, and beyond them wins and losses by their distance.

use camelot_core::{Game, Outcome};

use super::MAX_PLY;

/// The score of a win on the spot; one that takes `n` plies is worth `n` less.
pub(super) const WIN: i32 = 30_000;
/// Scores beyond this are wins within [`MAX_PLY`]; judgements stay below.
pub(super) const WINNING: i32 = WIN - MAX_PLY as i32 - 1;
/// Above every score.
pub(super) const INFINITY: i32 = WIN + 1;
/// Nobody wins.
pub(super) const DRAW: i32 = 0;

/// The score of a win so many plies from the root.
pub(super) fn win_at(ply: usize) -> i32 {
    WIN - ply as i32
}

/// The score of a finished game.
pub(super) fn finished<G: Game>(position: &G, outcome: Outcome, ply: usize) -> i32 {
    match outcome.value.for_team(position.team_to_move()) {
        value if value > 0.0 => win_at(ply),
        value if value < 0.0 => -win_at(ply),
        _ => DRAW,
    }
}

/// A score as the table keeps it: wins count from the position, not from the root.
pub(super) fn to_table(score: i32, ply: usize) -> i16 {
    let from_here = match score {
        _ if score >= WINNING => score + ply as i32,
        _ if score <= -WINNING => score - ply as i32,
        _ => score,
    };
    from_here as i16
}

/// A score of the table, seen from the root.
pub(super) fn from_table(score: i16, ply: usize) -> i32 {
    match i32::from(score) {
        score if score >= WINNING => score - ply as i32,
        score if score <= -WINNING => score + ply as i32,
        score => score,
    }
}
