//! The rules crate from the outside: games, positions, moves, records.
//!
//! Cases with a source stand in `tests/data`; what needs no case is checked on random play. All random
//! numbers come from constant seeds, so a failure repeats.
#![cfg(test)]

/// Calls a function that is generic over the variant for the game of a given name.
macro_rules! by_game {
    ($name:expr, $function:ident($($argument:expr),*)) => {
        match $name {
            "cam" => $function::<camelot_core::Cam>($($argument),*),
            "cam-all-knights" => $function::<camelot_core::CamAllKnights>($($argument),*),
            "camelot" => $function::<camelot_core::Camelot>($($argument),*),
            "grand-camelot" => $function::<camelot_core::GrandCamelot>($($argument),*),
            other => panic!("no game is called `{other}`"),
        }
    };
}

#[path = "rules/conformance.rs"]
mod conformance;
#[path = "rules/endgames.rs"]
mod endgames;
#[path = "rules/four_armies.rs"]
mod four_armies;
#[path = "rules/patience.rs"]
mod patience;
#[path = "rules/perft.rs"]
mod perft;
#[path = "rules/properties.rs"]
mod properties;
#[path = "rules/published.rs"]
mod published;
#[path = "rules/records.rs"]
mod records;
#[path = "rules/scenarios.rs"]
mod scenarios;
#[path = "rules/sheet.rs"]
mod sheet;
#[path = "rules/slow.rs"]
mod slow;
#[path = "rules/text_errors.rs"]
mod text_errors;
#[path = "rules/vectors.rs"]
mod vectors;

use std::collections::BTreeSet;
use std::path::Path;

use camelot_core::record::sorted_actions;
use camelot_core::{Game, Line, Move, Position, RuleSet, Square, Variant};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::de::DeserializeOwned;

use sheet::At;

const RULE_SETS: [RuleSet; 2] = [RuleSet::Classic, RuleSet::Wcf];

/// A move by its effect, in plain coordinates that share nothing with the crate's square numbers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Effect {
    from: At,
    to: At,
    captured: Vec<At>,
}

impl Effect {
    /// Captured squares count as a set, so they are kept sorted.
    fn new(from: At, to: At, mut captured: Vec<At>) -> Self {
        captured.sort_unstable();
        Self { from, to, captured }
    }

    fn of(action: Move) -> Self {
        let at = |square: Square| sheet::at(&square.to_string());
        Self::new(at(action.from), at(action.to), action.captured.squares().map(at).collect())
    }

    fn mapped(&self, map: impl Fn(At) -> At) -> Self {
        Self::new(map(self.from), map(self.to), self.captured.iter().map(|&at| map(at)).collect())
    }
}

/// The legal moves of a position, checked to be free of duplicates.
fn effects<V: Variant>(position: &Position<V>) -> BTreeSet<Effect> {
    let actions = legal(position);
    let effects: BTreeSet<Effect> = actions.iter().map(|&action| Effect::of(action)).collect();
    assert_eq!(effects.len(), actions.len(), "duplicate moves in {position}");
    effects
}

fn legal<G: Game>(position: &G) -> Vec<G::Action> {
    let mut actions = Vec::new();
    position.legal_actions(&mut actions);
    actions
}

fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// Plays uniformly at random to the end, calling `visit` before each ply and once at the end.
fn random_game<G: Game>(start: G, rng: &mut Xoshiro256PlusPlus, mut visit: impl FnMut(&Line<G>)) -> Line<G> {
    let mut line = Line::new(start);
    loop {
        visit(&line);
        if line.outcome().is_some() {
            return line;
        }
        let actions = sorted_actions(line.position());
        line.play(actions[rng.random_range(0..actions.len())]);
    }
}

fn read_data(file: &str) -> String {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data"));
    std::fs::read_to_string(folder.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn json<T: DeserializeOwned>(file: &str) -> T {
    serde_json::from_str(&read_data(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn json_lines<T: DeserializeOwned>(file: &str) -> Vec<T> {
    let parse = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{file}: {error}: {line}"));
    read_data(file).lines().map(parse).collect()
}
