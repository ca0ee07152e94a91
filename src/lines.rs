//! Lines of play between text and games.

use camelot_core::{Game, Line};
use camelot_selfplay::rollout::draw_outcome;
use camelot_selfplay::{Purpose, generator};

/// Plays moves in notation from a position on.
///
/// # Errors
///
/// The first that cannot be played, by its number, counted from 1.
pub(crate) fn played<'a, G: Game>(
    start: G,
    moves: impl IntoIterator<Item = &'a str>,
) -> Result<Line<G>, String> {
    let mut line = Line::new(start);
    for (number, text) in moves.into_iter().enumerate() {
        let wrong = |why: String| format!("move {}: {why}", number + 1);
        if let Some(outcome) = line.outcome() {
            return Err(wrong(format!("`{}` after the end of the game by {}", short(text), outcome.reason)));
        }
        let action = line.position().parse_action(text).map_err(|error| wrong(error.to_string()))?;
        line.play(action);
    }
    Ok(line)
}

/// Actions that follow each other from a position on, in notation.
pub(crate) fn texts<G: Game>(position: &G, actions: &[G::Action]) -> Vec<String> {
    let mut position = position.clone();
    let text = |&action: &G::Action| {
        let text = position.action_text(action);
        position.play(action);
        text
    };
    actions.iter().map(text).collect()
}

/// What chance shows a person at the end of a line: it follows from the seed and the ply, so that a move taken back
/// does not change what comes.
pub(crate) fn shown_by_chance<G: Game>(line: &Line<G>, outcomes: &[G::Action], seed: u64) -> G::Action {
    let ply = line.actions().len() as u64;
    draw_outcome(line.position(), outcomes, &mut generator(seed, Purpose::Chance, ply))
}

/// At most 60 printable characters, for answers of one line.
pub(crate) fn short(text: &str) -> String {
    let mut short: String = text.chars().take(60).flat_map(char::escape_debug).collect();
    if text.chars().nth(60).is_some() {
        short.push('…');
    }
    short
}
