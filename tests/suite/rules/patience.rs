//! The patience: the listed situations P01 to P20, published games, and a slow statement of the rules.

#[path = "patience/play.rs"]
mod play;
#[path = "patience/slow.rs"]
mod slow;
#[path = "patience/text.rs"]
mod text;

use std::collections::BTreeSet;

use camelot_core::{Game, Outcome, Patience, Reason, RuleSet, Value};

use super::legal;

const RANKS: &str = "A23456789TJQK";

/// A position whose stock holds what is neither in the grid nor the waste nor gone.
fn position(grid: &str, waste: char, removal: char, gone: &str) -> Patience {
    let count = |rank: char| {
        let seen = grid.chars().chain([waste]).chain(gone.chars()).filter(|&card| card == rank).count();
        char::from_digit(4 - seen as u32, 10).unwrap()
    };
    let stock: String = RANKS.chars().map(count).collect();
    read(&format!("{grid} {waste} {removal} {} {stock}", gone.len()))
}

fn read(text: &str) -> Patience {
    Patience::parse(text, RuleSet::Classic).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn actions(position: &Patience) -> BTreeSet<String> {
    legal(position).iter().map(ToString::to_string).collect()
}

fn assert_actions(position: &Patience, expected: &[&str]) {
    assert_eq!(actions(position), expected.iter().map(ToString::to_string).collect(), "{position}");
}

/// Plays actions by their texts.
fn after(mut position: Patience, played: &[&str]) -> Patience {
    for text in played {
        let action = position.parse_action(text).unwrap_or_else(|error| panic!("{position}: {error}"));
        position.play(action);
    }
    position
}

fn placements(cells: impl IntoIterator<Item = usize>) -> BTreeSet<String> {
    cells.into_iter().map(|cell| format!("place:{cell}")).collect()
}

fn assert_lost(position: &Patience, removed: u8) {
    let value = Value::new(f32::from(removed) / 40.0 - 1.0).unwrap();
    assert_eq!(position.outcome(), Some(Outcome { value, reason: Reason::Stalemate }), "{position}");
    assert_eq!(Patience::points(value), Some(f32::from(removed)));
}

#[test]
fn p01_a_new_game_can_only_deal() {
    let start = Patience::start(RuleSet::Classic);
    assert_eq!(start.to_string(), "..../..../..../.... - - 0 4444444444444");
    assert_actions(&start, &["deal"]);
}

#[test]
fn p02_to_p04_kings_queens_and_jacks_have_their_cells() {
    assert_actions(&position("7..K/..../..../....", 'K', '-', ""), &["place:12", "place:15"]);
    assert_actions(&position(".Q../..../..../.5..", 'Q', '-', ""), &["place:2", "place:14"]);
    assert_actions(&position("..../J.../...2/....", 'J', '-', ""), &["place:7", "place:8"]);
    let empty = "..../..../..../....";
    assert_eq!(actions(&position(empty, 'K', '-', "")), placements([0, 3, 12, 15]));
    assert_eq!(actions(&position(empty, 'Q', '-', "")), placements([1, 2, 13, 14]));
    assert_eq!(actions(&position(empty, 'J', '-', "")), placements([4, 7, 8, 11]));
}

#[test]
fn p05_number_cards_go_anywhere() {
    for rank in RANKS.chars().take(10) {
        let empty = position("..../..../..../....", rank, '-', "");
        assert_eq!(actions(&empty), placements(0..16));
        let some = position("K.7./..../.8.J/..Q.", rank, '-', "");
        assert_eq!(actions(&some), placements([1, 3, 4, 5, 6, 7, 8, 10, 12, 13, 15]));
    }
}

#[test]
fn p06_a_card_in_the_waste_must_be_placed() {
    let full_waste = position("TT55/A9.A/982./7373", '4', '-', "");
    assert_eq!(actions(&full_waste), placements([6, 11]));
}

#[test]
fn p07_and_p08_removal_begins_with_the_sixteenth_card() {
    let fifteen = position("TT55/A987/2346/8A2.", '-', '-', "");
    assert_actions(&fifteen, &["deal"]);
    let full = after(fifteen, &["deal", "draw:K", "place:15"]);
    assert!(full.removal());
    let removals = actions(&full);
    assert!(removals.contains("remove:0") && removals.contains("pair:2+3") && !removals.contains("deal"));
    assert!(full.parse_action("deal").is_err());
}

#[test]
fn p09_a_ten_goes_alone() {
    let full = position("T222/3333/4444/AAAA", '-', 'r', "");
    assert_actions(&full, &["remove:0"]);
    let cleared = after(full, &["remove:0"]);
    assert_eq!((cleared.removed(), cleared.to_string().chars().next()), (1, Some('.')));
}

#[test]
fn p10_and_p11_pairs_sum_to_ten() {
    assert_actions(&position("5225/3333/4444/AAAA", '-', 'r', ""), &["pair:0+3"]);
    let mixed = position("KQA9/J283/74A6/T222", '-', 'r', "");
    let expected = [
        "pair:2+3",
        "pair:3+10",
        "pair:5+6",
        "pair:6+13",
        "pair:6+14",
        "pair:6+15",
        "pair:7+8",
        "pair:9+11",
        "remove:12",
    ];
    assert_actions(&mixed, &expected);
    assert_eq!(mixed.parse_action("pair:10+3").unwrap().to_string(), "pair:3+10");
    assert_eq!(mixed.parse_action("10+3").unwrap().to_string(), "pair:3+10");
    assert_eq!(mixed.parse_action("12").unwrap().to_string(), "remove:12");
    for wrong in ["remove:3", "pair:12+2", "pair:0+3", "pair:3+3", "pair:2+10", "place:3", "draw:A"] {
        assert!(mixed.parse_action(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn p12_a_full_grid_without_removals_is_lost() {
    assert_lost(&position("AAAA/2222/3333/4444", '-', 'r', ""), 0);
    assert_lost(&position("KQQK/J22J/3333/KQ4K", '-', 'r', "TT"), 2);
}

#[test]
fn p13_and_p14_after_a_removal_the_player_may_go_on_or_deal() {
    let one_gone = after(position("T222/3337/4444/AAA9", '-', 'r', ""), &["remove:0"]);
    assert_actions(
        &one_gone,
        &["deal", "pair:4+7", "pair:5+7", "pair:6+7", "pair:12+15", "pair:13+15", "pair:14+15"],
    );
    let dealt = after(one_gone, &["deal", "draw:8"]);
    assert_actions(&dealt, &["place:0"]);
    let full_again = after(dealt, &["place:0"]);
    assert!(full_again.removal() && !actions(&full_again).contains("deal"));
    let two_gone = after(one_gone, &["pair:7+4", "deal", "draw:8", "place:4"]);
    assert_eq!((two_gone.removal(), two_gone.removed()), (false, 3));
    assert_actions(&two_gone, &["deal"]);
}

#[test]
fn p15_a_king_without_a_corner_loses_at_once() {
    for (grid, card) in [
        ("T..T/.TT./..../5..5", 'K'),
        ("K..K/.TT./..../K..5", 'K'),
        (".QA./.TT./..../.Q5.", 'Q'),
        ("..../9TTA/9..J/..5.", 'J'),
    ] {
        let stuck = position(grid, card, '-', "");
        assert_lost(&stuck, 0);
        assert!(legal(&stuck).is_empty());
    }
}

#[test]
fn p16_to_p18_the_last_cards() {
    let last = read("KQQK/J.TJ/J..J/KQQK - - 38 0000000001000");
    let placed = after(last, &["deal", "draw:T", "place:5"]);
    assert!(placed.removal() && placed.outcome().is_none());
    assert_actions(&placed, &["remove:5", "remove:6"]);
    let leftovers = read("KQQK/J9AJ/JT.J/KQQK - r 37 0000000000000");
    assert_actions(&leftovers, &["pair:5+6", "remove:9"]);
    // The centre is empty already, and yet the game is won only when no removal is left.
    let edge = read("KQQK/J..J/J..J/KQQK - r 40 0000000000000");
    for won in [after(placed, &["remove:6", "remove:5"]), after(leftovers, &["5+6", "9"]), edge] {
        assert_eq!(won.to_string(), edge.to_string());
        assert_eq!(
            won.outcome(),
            Some(Outcome { value: Value::new(1.0).unwrap(), reason: Reason::Objective })
        );
        assert_eq!((won.removed(), Patience::points(won.outcome().unwrap().value)), (40, Some(40.0)));
        assert!(legal(&won).is_empty());
    }
}

#[test]
fn p19_the_last_card_is_placed_before_anything_is_removed() {
    let waiting = read("KQQK/J.TJ/J..J/KQQK T - 38 0000000000000");
    assert_actions(&waiting, &["place:5", "place:9", "place:10"]);
}

#[test]
fn p20_a_removal_frees_a_cell_of_the_edge() {
    let full = position("T..K/22TA/33A4/K34K", '-', '-', "");
    let full = after(full, &["deal", "draw:Q", "place:1", "deal", "draw:8", "place:2"]);
    assert_actions(&full, &["remove:0", "remove:6", "pair:2+4", "pair:2+5"]);
    let dealt = after(full, &["remove:0", "deal", "draw:K"]);
    assert_actions(&dealt, &["place:0"]);
    let dealt = after(full, &["pair:2+4", "deal", "draw:Q"]);
    assert_actions(&dealt, &["place:2"]);
}
