//! `camelot play` by a pipe.

use super::{camelot, camelot_reading, text};

#[test]
fn a_game_can_be_begun_taken_back_and_left() {
    let input = "bogus\nmoves\nC4-C6\nposition\nundo\nposition\nhint\nquit\n";
    let output = camelot_reading(&["play", "greedy", "--game", "cam"], input);
    let said = text(&output.stdout);
    assert!(output.status.success());
    assert!(said.contains("bad move `bogus`") && said.contains("D5-D6"), "{said}");
    assert!(said.contains("greedy plays "), "{said}");
    assert!(said.contains("1/3/5/2B1B2/1bbbbb1/7/7/7/1wwwww1/2W1W2/5/3/1 W - 0"), "{said}");
    assert!(!said.contains('\x1b'), "colours in a pipe");
}

#[test]
fn a_win_is_announced() {
    let position = "1/1w1/5/7/7/7/b6/6b/7/w6/5/3/1 W - 0";
    let output = camelot_reading(&["play", "random", "--game", "cam", "--position", position], "D12-D13\n");
    assert!(text(&output.stdout).contains("White wins by castle."), "{}", text(&output.stdout));
}

#[test]
fn the_patience_is_played_alone() {
    let input = "bogus\nmoves\n16\n5\nposition\nundo\nposition\nhint\nplace:6\nquit\n";
    let output = camelot_reading(&["play", "greedy", "--game", "patience", "--seed", "2"], input);
    let said = text(&output.stdout);
    assert!(output.status.success());
    assert!(said.contains("bad move `bogus`") && said.contains("bad move `16`"), "{said}");
    assert!(said.contains("in hand: ") && said.contains("51 to come, 0 removed"), "{said}");
    let first_card = said.split("draw:").nth(1).unwrap().chars().next().unwrap();
    // Taking the placement back does not change the card.
    assert!(said.contains(&format!("..../..../..../.... {first_card} - 0 ")), "{said}");
    let refused = camelot(&["play", "greedy", "--game", "patience", "--side", "black"]);
    assert_eq!(refused.status.code(), Some(2));
    let won = camelot_reading(
        &["play", "greedy", "--game", "patience", "--position", "KQQK/J9AJ/JT.J/KQQK - r 37 0000000000000"],
        "6+5\n",
    );
    assert!(text(&won.stdout).contains("Won: 40 cards removed."), "{}", text(&won.stdout));
    let watched = text(&camelot(&["play", "random", "--game", "patience", "--side", "watch"]).stdout);
    assert!(watched.contains("Lost: ") && watched.contains("random plays "), "{watched}");
}

#[test]
fn a_game_can_be_watched_to_its_end() {
    let output = camelot(&["play", "greedy", "--game", "cam-all-knights", "--side", "watch"]);
    let said = text(&output.stdout);
    assert!(output.status.success());
    assert!(said.contains(" wins by ") || said.contains("Drawn by "), "{said}");
}
