//! Match games as PGN-shaped text: tags, then moves in the federation's notation.

use std::fmt::Write;

use camelot_core::{Game, Team};

use crate::games::positions_of;
use crate::matches::MatchGame;

/// Columns of move text.
const LINE_WIDTH: usize = 80;

/// Writes one game. `names` are the first and the second player of the match.
#[must_use]
pub fn game_text<G: Game>(game: &MatchGame<G>, names: [&str; 2], round: usize) -> String {
    let [white, black] = match game.first_player {
        Team::One => names,
        Team::Two => [names[1], names[0]],
    };
    // Nobody sits opposite the player of a game of one seat.
    let black = if G::SEATS > 1 { black } else { "-" };
    let result = match game.outcome.winner() {
        Some(Team::One) => "1-0",
        Some(Team::Two) => "0-1",
        None => "1/2-1/2",
    };
    let mut text = String::new();
    let rules = game.line.start().rules().name();
    let start = game.line.start().to_string();
    for (tag, value) in [
        ("Event", "camelot match"),
        ("Round", &round.to_string()),
        ("White", white),
        ("Black", black),
        ("Result", result),
        ("Variant", G::NAME),
        ("Rules", rules),
        ("FEN", &start),
        ("Termination", &game.outcome.reason.to_string()),
    ] {
        let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(text, "[{tag} \"{escaped}\"]").expect("writing to a string succeeds");
    }
    let moves = positions_of(&game.line);
    let mut words: Vec<String> = Vec::new();
    for (ply, (position, action)) in moves.iter().enumerate() {
        if ply % usize::from(G::SEATS) == 0 {
            words.push(format!("{}.", ply / usize::from(G::SEATS) + 1));
        }
        words.push(position.action_text(*action));
    }
    words.push(result.into());
    text.push('\n');
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() > LINE_WIDTH {
            text.push('\n');
            column = 0;
        }
        if column > 0 {
            text.push(' ');
            column += 1;
        }
        column += word.len();
        text.push_str(&word);
    }
    text.push_str("\n\n");
    text
}
