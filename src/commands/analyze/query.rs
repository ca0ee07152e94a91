//! One question and its answer.

use camelot_core::{Game, Line, RuleSet, Turn};
use camelot_models::Encode;
use camelot_selfplay::players::{Analysis, Candidate, NetPlayer};
use camelot_selfplay::search::Limits;
use camelot_selfplay::ugi::LineError;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::lines::{played, texts};

/// The most simulations of a query.
const SIMULATIONS_LIMIT: u32 = 100_000_000;

/// What is asked.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Query {
    /// Echoed in the answer: a text or a number.
    id: Value,
    /// The start position where it is absent.
    position: Option<String>,
    /// Played from there on, in the notation of `camelot moves`.
    #[serde(default)]
    moves: Vec<String>,
    /// The player's own effort where it is absent.
    simulations: Option<u32>,
}

/// What is answered.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Answer {
    Known(Box<Known>),
    Refused { id: Value, error: String },
}

/// Of a position. Values and shares are in the view of the player to move.
#[derive(Debug, Serialize)]
pub(super) struct Known {
    id: Value,
    position: String,
    /// In a finished game, of which nothing else is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    searched: Option<Searched>,
}

#[derive(Debug, Serialize)]
struct Searched {
    value: f32,
    win: f32,
    draw: f32,
    loss: f32,
    /// Whether the result is certain.
    exact: bool,
    simulations: u32,
    network: Shares,
    /// The move to play first.
    moves: Vec<MoveAnswer>,
}

/// What the network says without a search.
#[derive(Debug, Serialize)]
struct Shares {
    value: f32,
    win: f32,
    draw: f32,
    loss: f32,
}

#[derive(Debug, Serialize)]
struct MoveAnswer {
    #[serde(rename = "move")]
    text: String,
    visits: u32,
    prior: f32,
    /// The network's own.
    logit: f32,
    /// Absent where the search did not try it.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<f32>,
    exact: bool,
    line: Vec<String>,
}

/// Answers a line, whatever is in it.
pub(super) fn answer<G: Encode>(
    player: &mut NetPlayer<G>,
    line: Result<String, LineError>,
    rules: RuleSet,
) -> Answer {
    let text = match line {
        Ok(text) => text,
        Err(error) => return Answer::Refused { id: Value::Null, error: error.to_string() },
    };
    let query: Query = match serde_json::from_str(&text) {
        Ok(query) => query,
        Err(error) => return Answer::Refused { id: id_of(&text), error: format!("not a query: {error}") },
    };
    let id = query.id.clone();
    match known(player, query, rules) {
        Ok(known) => Answer::Known(Box::new(known)),
        Err(error) => Answer::Refused { id, error },
    }
}

/// The id of a query that is none, where it has one.
fn id_of(text: &str) -> Value {
    let object: Option<Value> = serde_json::from_str(text).ok();
    object.and_then(|mut object| Some(object.get_mut("id")?.take())).unwrap_or_default()
}

fn known<G: Encode>(player: &mut NetPlayer<G>, query: Query, rules: RuleSet) -> Result<Known, String> {
    if !(query.id.is_string() || query.id.is_number()) {
        return Err("`id`: expected a text or a number".into());
    }
    let limits = match query.simulations {
        None => Limits::default(),
        Some(count) if (1..=SIMULATIONS_LIMIT).contains(&count) => Limits::simulations(count),
        Some(count) => {
            return Err(format!("`simulations` is {count}: expected from 1 to {SIMULATIONS_LIMIT}"));
        }
    };
    let line = line_of::<G>(&query, rules)?;
    let position = line.position();
    let (id, text) = (query.id, position.to_string());
    if let Some(outcome) = line.outcome() {
        return Ok(Known { id, position: text, result: Some(outcome.token()), searched: None });
    }
    if position.turn() == Turn::Chance {
        return Err("chance decides at the end of `moves`: expected a player to move".into());
    }
    let searched = searched(&line, &player.analyse(&line, &limits));
    Ok(Known { id, position: text, result: None, searched: Some(searched) })
}

/// The position with the moves that led to it.
fn line_of<G: Game>(query: &Query, rules: RuleSet) -> Result<Line<G>, String> {
    let start = match &query.position {
        None => G::start(rules),
        Some(text) => G::parse(text, rules).map_err(|error| format!("`position`: {error}"))?,
    };
    played(start, query.moves.iter().map(String::as_str)).map_err(|why| format!("`moves`: {why}"))
}

fn searched<G: Game>(line: &Line<G>, analysis: &Analysis<G::Action>) -> Searched {
    let move_answer = |Candidate { edge, logit, line: follows }: &Candidate<G::Action>| MoveAnswer {
        text: line.position().action_text(edge.action),
        visits: edge.visits,
        prior: edge.prior,
        logit: *logit,
        value: edge.value,
        exact: edge.settled,
        line: texts(line.position(), follows),
    };
    Searched {
        value: analysis.wdl.value(),
        win: analysis.wdl.win,
        draw: analysis.wdl.draw,
        loss: analysis.wdl.loss,
        exact: analysis.settled,
        simulations: analysis.simulations,
        network: Shares {
            value: analysis.network.value(),
            win: analysis.network.win,
            draw: analysis.network.draw,
            loss: analysis.network.loss,
        },
        moves: analysis.candidates.iter().map(move_answer).collect(),
    }
}
