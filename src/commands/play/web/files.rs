//! Games as PGN: written for the page to save, read from what it loads.

use camelot_core::RuleSet;
use camelot_core::pgn::{Games, PgnGame, RawGame};
use serde::{Deserialize, Serialize};

use super::game::Posted;
use super::http::Refused;
use super::playable::Playable;
use crate::lines::texts;

/// The longest name of a player.
const NAME_LIMIT: usize = 200;

/// A game to be written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ToWrite {
    pub(super) play: Posted,
    /// Who played, a name a team.
    names: Vec<String>,
}

/// A game to be read.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ToRead {
    text: String,
    /// Where the text does not say which game it is.
    pub(super) game: String,
    #[serde(default)]
    rules: RuleSet,
}

/// A game as text.
#[derive(Debug, Serialize)]
pub(super) struct Written {
    pgn: String,
}

/// A game that was read, as the page posts it from then on.
#[derive(Debug, Serialize)]
pub(super) struct Read {
    game: &'static str,
    rules: &'static str,
    start: String,
    moves: Vec<String>,
}

impl ToWrite {
    pub(super) fn write<G: Playable>(&self) -> Result<Written, Refused> {
        let line = self.play.settled_line::<G>()?;
        let mut tags = vec![("Event".to_string(), "camelot play --web".to_string())];
        for (team, name) in ["White", "Black"].into_iter().zip(&self.names) {
            tags.push((team.into(), name.chars().filter(|c| !c.is_control()).take(NAME_LIMIT).collect()));
        }
        let outcome = line.outcome();
        Ok(Written { pgn: PgnGame { line, outcome, tags }.to_string() })
    }
}

impl ToRead {
    /// The first game of the text.
    pub(super) fn first(&self) -> Result<RawGame<'_>, Refused> {
        Games::new(&self.text).next().ok_or_else(|| Refused::bad("no game in the text: expected PGN"))
    }

    pub(super) fn read<G: Playable>(&self) -> Result<Read, Refused> {
        let game = self.first()?.read::<G>(self.rules).map_err(|error| Refused::bad(error.to_string()))?;
        let start = game.line.start();
        Ok(Read {
            game: G::NAME,
            rules: start.rules().name(),
            start: start.to_string(),
            moves: texts(start, game.line.actions()),
        })
    }
}
