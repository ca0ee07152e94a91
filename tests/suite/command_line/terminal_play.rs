//! `camelot play` by a pipe.

use super::{assert_one_line_error, camelot, camelot_reading, text};

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

#[test]
fn moves_may_be_short_and_a_duty_is_named() {
    let position = "1/3/5/7/7/b4b1/7/3b3/4w2/w6/5/3/1 W - 0";
    let arguments = ["play", "random", "--game", "cam", "--position", position];
    let output = camelot_reading(&arguments, "moves e\nmoves A\ne5 d5\nboard\nc7\nquit\n");
    let said = text(&output.stdout);
    assert!(said.contains("your move, you must capture> E5xC7\n"), "{said}");
    assert!(said.contains("no legal move begins with `A`"), "{said}");
    assert!(said.contains("bad move `E5-D5`") && said.contains(", and you must capture; "), "{said}");
    assert!(said.contains("random plays "), "{said}");
}

#[test]
fn a_game_is_saved_under_a_new_name_and_kept_move_by_move() {
    let folder = tempfile::tempdir().unwrap();
    let [saved, kept] = ["saved game.pgn", "kept.pgn"].map(|name| folder.path().join(name));
    let input = format!(
        "c4c6\nsave {0}\nsave {0}\nsave\nsave {1}/no/where\nresign\n",
        saved.display(),
        kept.display()
    );
    let arguments = ["play", "greedy", "--game", "cam", "--pgn", kept.to_str().unwrap()];
    let said = text(&camelot_reading(&arguments, &input).stdout);
    assert!(said.contains(&format!("written: {}", saved.display())), "{said}");
    assert!(
        said.contains("exists: expected a new file") && said.contains("expected a file: save FILE"),
        "{said}"
    );
    assert!(said.contains("/no/where: ") && said.ends_with("You resigned.\n"), "{said}");
    let [saved, kept] = [saved, kept].map(|path| {
        let verified = camelot(&["records", "--verify", path.to_str().unwrap()]);
        assert!(verified.status.success(), "{}", text(&verified.stderr));
        std::fs::read_to_string(path).unwrap()
    });
    for part in ["[White \"You\"]", "[Black \"greedy\"]", "[PlyCount \"2\"]", "[Result \"*\"]"] {
        assert!(saved.contains(part), "{part}: {saved}");
    }
    for part in ["[Result \"0-1\"]", "[Termination \"You resigned\"]", "1. C4-C6 "] {
        assert!(kept.contains(part), "{part}: {kept}");
    }
    // The end of the input leaves the game as it stands.
    let path = folder.path().join("open.pgn");
    camelot_reading(&["play", "greedy", "--game", "cam", "--pgn", path.to_str().unwrap()], "c4c6\n");
    assert!(std::fs::read_to_string(path).unwrap().contains("[Result \"*\"]"));
    let refused = camelot(&["play", "greedy", "--game", "cam", "--pgn", "/no/where/x.pgn"]);
    assert_one_line_error(&refused, 1, &["/no/where/x.pgn"]);
}

#[test]
fn a_game_is_played_by_the_clock() {
    let arguments = ["play", "alphabeta:depth=9", "--game", "cam", "--clock", "0.05+0"];
    let said = text(&camelot_reading(&arguments, "c4c6\nhint\nquit\n").stdout);
    assert!(said.contains("your move [0:0"), "{said}");
    assert!(said.contains("alphabeta:depth=9 plays ") && said.contains(", then "), "{said}");
    for clock in ["0", "x", "5+"] {
        let refused = camelot(&["play", "greedy", "--game", "cam", "--clock", clock]);
        assert_one_line_error(&refused, 2, &["5+3"]);
    }
    let refused = camelot(&["play", "greedy", "--game", "patience", "--clock", "5"]);
    assert_one_line_error(&refused, 2, &["without an opponent"]);
    // A nanosecond or so is over before anything is typed.
    let late = ["play", "greedy", "--game", "cam", "--clock", "0.0000000001"];
    assert!(text(&camelot_reading(&late, "c4c6\n").stdout).ends_with("You ran out of time.\n"));
}
