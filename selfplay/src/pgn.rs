//! Match games as PGN; its form is the business of [`camelot_core::pgn`].

use camelot_core::pgn::PgnGame;
use camelot_core::{Game, Team};

use crate::matches::MatchGame;

/// Writes one game. `names` are the first and the second player of the match.
#[must_use]
pub fn game_text<G: Game>(game: &MatchGame<G>, names: [&str; 2], round: usize) -> String {
    let [white, black] = match game.first_player {
        Team::One => names,
        Team::Two => [names[1], names[0]],
    };
    // Nobody sits opposite the player of a game of one seat.
    let black = if G::SEATS > 1 { black } else { "-" };
    let round = round.to_string();
    let tags = [("Event", "camelot match"), ("Round", &round), ("White", white), ("Black", black)];
    let mut tags = tags.map(|(name, value)| (name.to_string(), value.to_string())).to_vec();
    if let Some(why) = &game.forfeit {
        tags.push(("Termination".into(), format!("{}: {why}", game.outcome.reason)));
    }
    PgnGame { line: game.line.clone(), outcome: Some(game.outcome), tags }.to_string()
}
