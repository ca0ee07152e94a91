//! Counts of the game tree against computed ones, from the start and from published games.

use camelot_core::{Game, Position, RuleSet, Variant, divide, perft};
use serde::Deserialize;

use super::json_lines;

#[derive(Deserialize)]
pub(super) struct Case {
    pub(super) game: String,
    /// The moves from the start that lead to the position.
    moves: Vec<String>,
    pub(super) depth: u32,
    pub(super) nodes: u64,
    pub(super) source: String,
}

impl Case {
    pub(super) fn position<V: Variant>(&self) -> Position<V> {
        let mut position = Position::start(RuleSet::Classic);
        for text in &self.moves {
            position.play(position.parse_action(text).unwrap());
        }
        position
    }
}

fn check<V: Variant>(case: &Case) {
    let position = case.position::<V>();
    assert_eq!(perft(&position, case.depth), case.nodes, "{} at depth {}", case.source, case.depth);
    if case.nodes < 100_000 {
        let total: u64 = divide(&position, case.depth).iter().map(|(_, nodes)| nodes).sum();
        assert_eq!(total, case.nodes, "divided, {} at depth {}", case.source, case.depth);
    }
}

#[test]
fn every_count_is_met() {
    let cases: Vec<Case> = json_lines("perft.jsonl");
    for case in &cases {
        by_game!(case.game.as_str(), check(case));
    }
    assert_eq!(cases.len(), 42);
}

#[test]
fn the_empty_sequence_and_finished_games_count_as_defined() {
    let start = Position::<camelot_core::Cam>::start(RuleSet::Classic);
    assert_eq!(perft(&start, 0), 1);
    assert!(divide(&start, 0).is_empty());
    let won = "w/3/5/6b/7/7/7/7/7/7/5/3/1 B - 0";
    let won = Position::<camelot_core::Cam>::parse(won, RuleSet::Classic).unwrap();
    assert!(won.outcome().is_some());
    assert_eq!((perft(&won, 0), perft(&won, 1)), (1, 0));
}
