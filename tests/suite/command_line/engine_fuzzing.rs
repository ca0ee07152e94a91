//! `camelot engine` under a hail of broken commands: the valid ones among them are answered as if nothing were.

use camelot_core::position::mix;
use camelot_core::{Cam, Game, Line, Position, RuleSet, Turn};

use super::engine::Engine;
use crate::fuzzing::mutated;

/// Broken lines in all, and how many come between two questions.
const LINES: u64 = 100_000;
const LINES_BETWEEN: u64 = 200;

/// What is broken: commands of every kind.
const COMMANDS: &[&str] = &[
    "position startpos moves C4-C6 C9-C8 D5-D6",
    "position fen 1/3/5/2B1B2/1bbbbb1/7/7/7/1wwwww1/2W1W2/5/3/1 W - 0 moves C4-C6",
    "setoption name Game value cam",
    "setoption name Game value patience",
    "setoption name Rules value wcf",
    "setoption name Simulations value 3",
    "setoption name Threads value 2",
    "go nodes 5",
    "go movetime 1 depth 2",
    "go p1time 100 p2time 100 p1inc 1 p2inc 1",
    "go perft 2",
    "go infinite",
    "query p1turn",
    "query result",
    "uginewgame",
    "isready",
    "stop",
    "ugi",
    "\u{1b}[31m ♔ \u{0} \u{feff}",
    "",
];

/// A line of any bytes; never one that ends the conversation.
fn broken_line(seeds: &[Vec<u8>], number: u64) -> Vec<u8> {
    let mut line = mutated(seeds, number);
    line.retain(|&byte| byte != b'\n');
    let quits = String::from_utf8_lossy(&line).split_whitespace().next() == Some("quit");
    if quits { Vec::new() } else { line }
}

/// A game of random moves, and its moves as words.
fn random_line(mut state: u64) -> (Line<Position<Cam>>, String) {
    let mut line = Line::new(Position::<Cam>::start(RuleSet::Classic));
    let mut words = String::new();
    for _ in 0..state % 60 {
        if line.outcome().is_some() {
            break;
        }
        let mut actions = Vec::new();
        line.position().legal_actions(&mut actions);
        state = mix(state);
        let action = actions[state as usize % actions.len()];
        words.push(' ');
        words.push_str(&line.position().action_text(action));
        line.play(action);
    }
    (line, words)
}

/// Leaves whatever the broken lines began, and asks about a game whose answers are known.
fn assert_answers(engine: &mut Engine, number: u64) {
    engine.tell("stop");
    engine.ask_until(
        &format!("fence-{number}"),
        &format!("info string error: unknown command `fence-{number}`"),
    );
    let (line, words) = random_line(mix(number));
    let moves = if words.is_empty() { String::new() } else { format!(" moves{words}") };
    for setting in ["Game value cam", "Rules value classic"] {
        engine.tell(&format!("setoption name {setting}"));
    }
    engine.tell(&format!("position startpos{moves}"));
    let first = matches!(line.position().turn(), Turn::Player(seat) if seat.0 == 0);
    let result = line.outcome().map_or("none", |outcome| outcome.token());
    let over = line.outcome().is_some();
    assert_eq!(engine.ask("query p1turn"), format!("response {}", first && !over), "{moves}");
    assert_eq!(engine.ask("query gameover"), format!("response {over}"), "{moves}");
    assert_eq!(engine.ask("query result"), format!("response {result}"), "{moves}");
    let mut legal = Vec::new();
    if !over {
        line.position().legal_actions(&mut legal);
    }
    let best = engine.ask_until("go nodes 2", "bestmove ").pop().unwrap();
    let best = best.strip_prefix("bestmove ").unwrap();
    let known = |text: &str| legal.iter().any(|&action| line.position().action_text(action) == text);
    assert!(if over { best == "none" } else { known(best) }, "{moves}: {best}");
}

#[test]
fn an_engine_answers_rightly_among_a_hundred_thousand_broken_lines() {
    let seeds: Vec<Vec<u8>> = COMMANDS.iter().map(|command| command.as_bytes().to_vec()).collect();
    let mut engine = Engine::start(&["mcts:sims=2"]);
    for number in 0..LINES {
        let mut line = broken_line(&seeds, number);
        line.push(b'\n');
        engine.tell_bytes(&line);
        if number % LINES_BETWEEN == LINES_BETWEEN - 1 {
            assert_answers(&mut engine, number);
        }
    }
    engine.tell("quit");
    engine.assert_ends();
}
