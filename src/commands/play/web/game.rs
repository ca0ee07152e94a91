//! A game as the page posts it, and what it is told of it.
//!
//! The server remembers nothing between requests: a page holds its start, its seed and its moves, and posts them each
//! time. So pages do not disturb each other. What chance shows follows from the seed and the ply.

use camelot_core::record::{PLY_LIMIT, sorted_actions};
use camelot_core::{Game, Line, RuleSet, Turn};
use serde::{Deserialize, Serialize};

use super::http::Refused;
use super::playable::{CardTable, Effect, Playable};
use crate::lines::{played, shown_by_chance};

/// Composed positions with more moves are refused: nobody could choose among them on a page.
const ACTION_LIMIT: usize = 1_000;

/// A game in progress.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Posted {
    /// The game's name on the command line.
    pub(super) game: String,
    #[serde(default)]
    rules: RuleSet,
    /// The game's own start where it is absent.
    start: Option<String>,
    /// Of what chance shows.
    #[serde(default)]
    pub(super) seed: u64,
    #[serde(default)]
    moves: Vec<String>,
}

/// What the page shows.
#[derive(Debug, Serialize)]
pub(super) struct State {
    game: &'static str,
    rules: &'static str,
    seed: u64,
    start: String,
    position: String,
    contents: String,
    caption: String,
    /// Who is to move; none in a finished game.
    turn: Option<Mover>,
    result: Option<Ending>,
    duty: Option<String>,
    actions: Vec<ActionAnswer>,
    plies: Vec<Ply>,
    cards: Option<CardTable>,
}

#[derive(Debug, Serialize)]
struct Mover {
    seat: u8,
    name: &'static str,
}

#[derive(Debug, Serialize)]
struct Ending {
    token: &'static str,
    text: String,
}

/// A legal action.
#[derive(Debug, Serialize)]
struct ActionAnswer {
    #[serde(rename = "move")]
    text: String,
    #[serde(flatten)]
    effect: Effect,
}

/// A ply of the game so far.
#[derive(Debug, Serialize)]
struct Ply {
    #[serde(rename = "move")]
    text: String,
    /// Who made it; none for chance.
    seat: Option<u8>,
    /// Whether its player had a choice.
    chosen: bool,
    route: Vec<String>,
    captures: Vec<String>,
}

impl Posted {
    /// The game played through, with what chance shows at its end.
    pub(super) fn line<G: Game>(&self) -> Result<Line<G>, Refused> {
        let start = match &self.start {
            None => G::start(self.rules),
            Some(text) => G::parse(text, self.rules).map_err(|error| Refused::bad(error.to_string()))?,
        };
        if self.moves.len() > PLY_LIMIT {
            return Err(Refused::bad(format!("`moves` has more than {PLY_LIMIT}")));
        }
        played(start, self.moves.iter().map(String::as_str)).map_err(Refused::bad)
    }

    /// [`Posted::line`], and on to where somebody has to choose.
    pub(super) fn settled_line<G: Playable>(&self) -> Result<Line<G>, Refused> {
        let mut line = self.line::<G>()?;
        let mut actions = Vec::new();
        while line.outcome().is_none() {
            let position = line.position();
            actions.clear();
            position.legal_actions(&mut actions);
            let action = match (position.turn(), &actions[..]) {
                (Turn::Chance, outcomes) => shown_by_chance(&line, outcomes, self.seed),
                (Turn::Player(_), &[only]) if G::plays_itself(only) => only,
                _ => break,
            };
            line.play(action);
        }
        Ok(line)
    }

    /// What the page shows of this game.
    pub(super) fn state<G: Playable>(&self) -> Result<State, Refused> {
        State::of::<G>(&self.settled_line::<G>()?, self.seed)
    }
}

impl State {
    pub(super) fn of<G: Playable>(line: &Line<G>, seed: u64) -> Result<Self, Refused> {
        let position = line.position();
        let outcome = line.outcome();
        let actions = if outcome.is_some() { Vec::new() } else { sorted_actions(position) };
        if actions.len() > ACTION_LIMIT {
            return Err(Refused::bad(format!("the position has more than {ACTION_LIMIT} legal moves")));
        }
        let answer =
            |&action| ActionAnswer { text: position.action_text(action), effect: position.effect(action) };
        let turn = match position.turn() {
            Turn::Player(seat) => Some(Mover { seat: seat.0, name: G::seat_name(seat) }),
            Turn::Chance => None,
        };
        Ok(Self {
            game: G::NAME,
            rules: position.rules().name(),
            seed,
            start: line.start().to_string(),
            position: position.to_string(),
            contents: position.contents(),
            caption: position.caption(),
            turn: turn.filter(|_| outcome.is_none()),
            result: outcome.map(|outcome| Ending { token: outcome.token(), text: G::verdict(outcome) }),
            duty: position.duty(&actions),
            actions: actions.iter().map(answer).collect(),
            plies: plies(line),
            cards: position.card_table(),
        })
    }
}

/// The plies of a line, as the page lists them.
fn plies<G: Playable>(line: &Line<G>) -> Vec<Ply> {
    let mut position = line.start().clone();
    let mut scratch = Vec::new();
    let ply = |&action: &G::Action| {
        let Effect { captures, routes } = position.effect(action);
        let seat = match position.turn() {
            Turn::Player(seat) => Some(seat.0),
            Turn::Chance => None,
        };
        let ply = Ply {
            text: position.action_text(action),
            seat,
            chosen: seat.is_some() && (G::SEATS > 1 || position.count_actions(&mut scratch) > 1),
            route: routes.into_iter().next().unwrap_or_default(),
            captures,
        };
        position.play(action);
        ply
    };
    line.actions().iter().map(ply).collect()
}
