//! Counts of the game tree by the slow rules alone, so that the listed numbers lean on more than one
//! generator.

use std::collections::BTreeMap;

use camelot_core::{RuleSet, Variant};

use super::super::json_lines;
use super::super::perft::Case;
use super::super::sheet::Sheet;
use super::aftermath::{self, Verdict};
use super::{POSITIONS, positions, printed};

/// The number of move sequences of length `depth`; `sheet.army` must be able to move.
fn slow_perft(game: &str, sheet: &Sheet, depth: u32) -> u64 {
    let routes = printed::legal_routes(sheet, RuleSet::Classic);
    let moves: BTreeMap<_, _> = routes.iter().map(|route| (route.effect(), route)).collect();
    if depth == 1 {
        return moves.len() as u64;
    }
    let deeper = |route: &printed::Route| {
        let mut after = aftermath::make(sheet, route);
        match aftermath::judge(game, &after, RuleSet::Classic) {
            Verdict::Over(..) => 0,
            Verdict::Next(army) => {
                after.army = army;
                slow_perft(game, &after, depth - 1)
            }
        }
    };
    moves.into_values().map(deeper).sum()
}

fn check<V: Variant>(case: &Case) {
    let sheet = Sheet::read(V::NAME, &case.position::<V>().to_string());
    assert_eq!(slow_perft(V::NAME, &sheet, case.depth), case.nodes, "{} to {}", case.source, case.depth);
}

/// The smaller cases; all of them with `CAMELOT_SLOW_POSITIONS` at their number of nodes.
#[test]
fn the_slow_rules_meet_the_counts() {
    let most = if positions() == POSITIONS { 11_000 } else { positions() as u64 };
    let cases: Vec<Case> = json_lines("perft.jsonl");
    let cases: Vec<Case> = cases.into_iter().filter(|case| case.nodes <= most).collect();
    for case in &cases {
        by_game!(case.game.as_str(), check(case));
    }
    assert!(cases.len() >= 20 || most < 11_000, "{} cases", cases.len());
}
