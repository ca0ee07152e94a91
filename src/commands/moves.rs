//! `camelot moves`: the legal moves of positions.

use std::io::{BufRead, BufReader, Read};

use camelot_core::movegen::Move;
use camelot_core::{Game, Patience, Position, RuleSet, Square, Variant};
use serde::{Deserialize, Serialize};

use super::{print_json, print_line};
use crate::arguments::MovesArguments;
use crate::failure::Failure;
use crate::games::with_game;

/// Longer lines are refused unread.
const LINE_LIMIT_BYTES: u64 = 1 << 20;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    game: String,
    position: String,
}

#[derive(Debug, Serialize)]
struct Answer {
    game: &'static str,
    position: String,
    moves: Vec<MoveAnswer>,
    result: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct MoveAnswer {
    #[serde(rename = "move")]
    text: String,
    #[serde(flatten)]
    squares: Option<Squares>,
}

/// The effect of a move on a board; absent in the patience.
#[derive(Debug, Serialize)]
struct Squares {
    from: String,
    to: String,
    captures: Vec<String>,
}

/// A game whose moves can be listed.
trait Listed: Game {
    /// The squares of a move, where there are any.
    fn squares(action: Self::Action) -> Option<Squares>;
}

impl<V: Variant> Listed for Position<V> {
    fn squares(action: Move) -> Option<Squares> {
        let name = |square: Square| square.to_string();
        Some(Squares {
            from: name(action.from),
            to: name(action.to),
            captures: action.captured.squares().map(name).collect(),
        })
    }
}

impl Listed for Patience {
    fn squares(_: Self::Action) -> Option<Squares> {
        None
    }
}

pub(crate) fn run(arguments: &MovesArguments) -> Result<(), Failure> {
    let positions: Vec<&str> = arguments.positions.iter().map(String::as_str).collect();
    if positions.contains(&"-") {
        if positions != ["-"] {
            return Err(Failure::usage("`-` stands alone: expected either positions or `-`"));
        }
        return answer_lines(arguments);
    }
    let game = arguments.game.ok_or_else(|| {
        Failure::usage("no game: expected --game GAME, or `-` and JSON lines on standard input")
    })?;
    if positions.is_empty() {
        return with_game!(game, G => {
            print_answer(&G::start(arguments.rules), arguments.json)
        });
    }
    for text in positions {
        answer(game, text, arguments.rules, arguments.json)?;
    }
    Ok(())
}

fn answer(game: &str, text: &str, rules: RuleSet, json: bool) -> Result<(), Failure> {
    with_game!(game, G => {
        print_answer(&G::parse(text, rules)?, json)
    })
}

fn answer_lines(arguments: &MovesArguments) -> Result<(), Failure> {
    let mut input = BufReader::new(std::io::stdin().lock());
    let mut line = String::new();
    for number in 1.. {
        line.clear();
        let read = input.by_ref().take(LINE_LIMIT_BYTES).read_line(&mut line);
        let at_line = |why: String| Failure::error(format!("standard input, line {number}: {why}"));
        let bytes = read.map_err(|error| at_line(error.to_string()))?;
        if bytes == 0 {
            return Ok(());
        }
        if bytes as u64 == LINE_LIMIT_BYTES && !line.ends_with('\n') {
            return Err(at_line(format!("longer than {LINE_LIMIT_BYTES} bytes")));
        }
        if line.trim().is_empty() {
            continue;
        }
        let request: Request = serde_json::from_str(&line).map_err(|error| {
            at_line(format!("{error}: expected an object {{\"game\": ..., \"position\": ...}}"))
        })?;
        answer(&request.game, &request.position, arguments.rules, arguments.json).map_err(|failure| {
            match failure {
                Failure::Error(error) if error.downcast_ref::<std::io::Error>().is_none() => {
                    at_line(error.to_string())
                }
                Failure::Usage(why) => at_line(why),
                other => other,
            }
        })?;
    }
    Ok(())
}

fn print_answer<G: Listed>(position: &G, json: bool) -> Result<(), Failure> {
    let outcome = position.outcome();
    let mut actions = Vec::new();
    if outcome.is_none() {
        position.legal_actions(&mut actions);
        actions.sort_unstable();
    }
    if json {
        return print_json(&Answer {
            game: G::NAME,
            position: position.to_string(),
            moves: actions
                .iter()
                .map(|&action| MoveAnswer { text: position.action_text(action), squares: G::squares(action) })
                .collect(),
            result: outcome.map(|outcome| outcome.token()),
        });
    }
    print_line(&position.to_string())?;
    if let Some(outcome) = outcome {
        return print_line(&format!("{} by {}", outcome.token(), outcome.reason));
    }
    let texts: Vec<String> = actions.iter().map(|&action| position.action_text(action)).collect();
    print_line(&format!("{} legal moves: {}", texts.len(), texts.join(" ")))
}
