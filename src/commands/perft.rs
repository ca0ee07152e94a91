//! `camelot perft`: counts of the game tree.

use std::time::Instant;

use camelot_core::{Game, divide, perft};
use serde::Serialize;

use super::{print_json, print_line};
use crate::arguments::PerftArguments;
use crate::failure::Failure;
use crate::games::with_game;

#[derive(Debug, Serialize)]
struct Answer {
    nodes: u64,
    seconds: f64,
}

pub(crate) fn run(arguments: &PerftArguments) -> Result<(), Failure> {
    with_game!(arguments.game.game, G => count::<G>(arguments))
}

fn count<G: Game>(arguments: &PerftArguments) -> Result<(), Failure> {
    let rules = arguments.game.rules;
    let position = match &arguments.position {
        Some(text) => G::parse(text, rules)?,
        None => G::start(rules),
    };
    let started = Instant::now();
    let nodes = if arguments.divide && arguments.depth > 0 {
        let mut counts = divide(&position, arguments.depth);
        counts.sort_unstable_by_key(|&(action, _)| action);
        for &(action, nodes) in counts.iter().filter(|_| !arguments.json) {
            print_line(&format!("{}: {nodes}", position.action_text(action)))?;
        }
        counts.iter().map(|(_, nodes)| nodes).sum()
    } else {
        perft(&position, arguments.depth)
    };
    let seconds = started.elapsed().as_secs_f64();
    if arguments.json {
        return print_json(&Answer { nodes, seconds });
    }
    let speed = nodes as f64 / seconds.max(1e-9) / 1e6;
    print_line(&format!("{nodes} nodes in {seconds:.3} s ({speed:.1} million a second)"))
}
