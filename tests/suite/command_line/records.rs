//! `camelot records`: what a run or a match has written is shown, checked and converted.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use camelot_core::{Outcome, Reason, Shard, Team};
use serde_json::{Value, json};

use super::{SmallRun, assert_one_line_error, camelot, camelot_reading, command, fields, json_lines, text};

/// A small run of two iterations and the path of its first shard.
fn trained() -> (SmallRun, PathBuf, PathBuf) {
    let small = SmallRun::new();
    assert!(small.train("run", 2, &["--threads", "1"]).status().unwrap().success());
    let run = small.run("run");
    let shard = run.join("window/000001.shard");
    (small, run, shard)
}

fn records(path: &Path, more: &[&str]) -> std::process::Output {
    camelot(&[&["records", path.to_str().unwrap()], more].concat())
}

/// A PGN file in a folder of its own.
fn pgn_file(contents: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.txt");
    fs::write(&file, contents).unwrap();
    (folder, file)
}

#[test]
fn a_run_is_summarised_checked_converted_and_checked_again() {
    let (small, run, shard) = trained();
    let people = text(&records(&run, &[]).stdout);
    assert!(people.contains("000001.shard, iteration 1: 12 games of cam (classic rules)\n"), "{people}");
    assert!(people.contains("in all: 24 games of cam (classic rules)\n"), "{people}");
    let summaries = json_lines(&records(&run, &["--json"]));
    assert_eq!(summaries.len(), 2);
    let first = &summaries[0];
    let number = |name: &str| first[name].as_u64().unwrap();
    assert_eq!((number("games"), number("iteration"), number("broken")), (12, 1, 0));
    assert_eq!(number("p1wins") + number("draws") + number("p2wins"), 12);
    assert!(number("simulations") >= number("searched") && number("searched") > 0);
    assert_eq!(first["variants"], json!(["cam"]));
    let verified = records(&run, &["--verify"]);
    assert_eq!(
        (text(&verified.stdout).trim(), verified.status.code()),
        ("24 games in 2 files, 0 broken", Some(0))
    );

    let pgn = text(&records(&run, &["--pgn"]).stdout);
    assert_eq!(pgn.matches("[Event \"camelot self-play\"]").count(), 24);
    assert!(pgn.contains("[Round \"2.12\"]") && pgn.contains("[White \"network "));
    let file = small.run("games.txt");
    fs::write(&file, &pgn).unwrap();
    let verdicts = json_lines(&records(&file, &["--verify", "--json"]));
    assert_eq!(verdicts[0]["games"], 24);
    assert_eq!(fields(&verdicts[0]), ["broken", "broken_unnamed", "error", "file", "games"]);
    assert_eq!(text(&records(&file, &["--pgn"]).stdout), pgn, "a conversion of its own output");
    let shown = json_lines(&records(&shard, &["--games", "3..", "--json"]));
    let again = json_lines(&records(&file, &["--games", "3..12", "--json"]));
    assert_eq!(shown.len(), 10);
    for (shown, again) in shown.iter().zip(&again) {
        for name in ["number", "game", "rules", "start", "result", "reason", "plies", "moves"] {
            assert_eq!(shown[name], again[name], "{name}");
        }
    }
}

#[test]
fn single_games_are_shown_with_moves_and_searches() {
    let (_small, _, shard) = trained();
    let shown = text(&records(&shard, &["--games", "2"]).stdout);
    let game = &json_lines(&records(&shard, &["--games", "2", "--json"]))[0];
    let heading = format!(", game 2: cam, classic rules, {} by ", game["result"].as_str().unwrap());
    assert!(shown.lines().next().unwrap().contains(&heading), "{shown}");
    let moves = game["moves"].as_array().unwrap();
    assert_eq!(game["plies"].as_u64().unwrap(), moves.len() as u64);
    for (row, text) in shown.lines().filter(|line| line.starts_with("   ")).zip(moves) {
        assert!(row.contains(text.as_str().unwrap()), "{row}");
    }
    let searches: Vec<&Value> =
        game["searches"].as_array().unwrap().iter().filter(|search| !search.is_null()).collect();
    assert!(!searches.is_empty() && shown.matches(" simulations, policy ").count() == searches.len());
    assert_eq!(fields(searches[0]), ["policy", "simulations", "wdl"]);
    assert_eq!(
        fields(game),
        [
            "engine", "file", "game", "moves", "network", "number", "plies", "reason", "result", "rules",
            "searches", "seed", "start", "tags"
        ]
    );
}

#[test]
fn every_broken_game_and_file_is_named_and_the_others_go_on() {
    let (_small, run, file) = trained();
    let mut shard = Shard::from_frame(&fs::read(&file).unwrap()).unwrap();
    shard.records[1].plies[3].action = 999;
    shard.records[4].plies.truncate(2);
    shard.records[4].outcome = Outcome::win(Team::One, Reason::Castle);
    shard.records[7].game = "camelot".into();
    fs::write(&file, shard.to_frame().unwrap()).unwrap();
    let other = run.join("window/000002.shard");
    let mut bytes = fs::read(&other).unwrap();
    bytes[100] ^= 1;
    fs::write(&other, bytes).unwrap();

    let output = records(&run, &["--verify"]);
    let lines = text(&output.stdout);
    let lines: Vec<&str> = lines.lines().collect();
    for (line, parts) in lines.iter().zip([
        ["000001.shard: game 2, ply 4: ", "action 999 of "],
        ["000001.shard: game 5: ", "the stored outcome is "],
        ["000001.shard: game 8: ", "a record of `camelot` in a shard of `cam`"],
        ["000002.shard: ", "checksum"],
        ["12 games in 2 files", "3 broken"],
    ]) {
        assert!(parts.iter().all(|part| line.contains(part)), "{line}");
    }
    assert_eq!(lines.len(), 5);
    assert_one_line_error(&output, 1, &["1 of 2 files cannot be read, 3 of 12 games broken"]);

    let output = records(&run, &["--verify", "--json"]);
    let answers: Vec<Value> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers[0]["broken"][0]["game"], 2);
    assert_eq!(answers[0]["broken"][0]["ply"], 4);
    assert!(answers[1]["error"].as_str().unwrap().contains("checksum"));
    let output = records(&run, &["--pgn"]);
    assert_eq!(text(&output.stdout).matches("[Event ").count(), 9);
    assert_eq!(text(&output.stderr).matches("warning: ").count(), 4);
    assert_one_line_error(&output, 1, &["3 of 12 games broken"]);
}

#[test]
fn of_many_broken_games_the_first_are_named_and_all_counted() {
    let (_folder, file) = pgn_file(&"*\n".repeat(1500));
    let failure = "1500 of 1500 games broken";
    let verified = records(&file, &["--verify"]);
    assert_one_line_error(&verified, 1, &[failure]);
    let lines = text(&verified.stdout);
    let lines: Vec<&str> = lines.lines().collect();
    assert!(lines.len() == 1002 && lines[999].contains("game 1000: "), "{lines:?}");
    assert!(lines[1000].ends_with(": 500 more broken games"), "{}", lines[1000]);
    assert_eq!(lines[1001], "1500 games in 1 file, 1500 broken");
    let verdict: Value = serde_json::from_slice(&records(&file, &["--verify", "--json"]).stdout).unwrap();
    assert_eq!(
        (verdict["broken"].as_array().unwrap().len(), &verdict["broken_unnamed"]),
        (1000, &json!(500))
    );
    let summarised = records(&file, &["--json"]);
    assert_one_line_error(&summarised, 1, &[failure, "500 more broken games"]);
    assert_eq!(text(&summarised.stderr).matches("warning: ").count(), 1001);
    let summary: Value = serde_json::from_slice(&summarised.stdout).unwrap();
    assert_eq!(summary["broken"], 1500);
}

#[test]
fn a_match_is_read_back() {
    for (game, rules) in [("cam-all-knights", "classic"), ("camelot", "wcf"), ("grand-camelot", "classic")] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.pgn");
        let path = file.to_str().unwrap();
        let players = ["match", "random", "greedy", "--games", "4", "--pgn", path];
        assert!(camelot(&[&players[..], &["--game", game, "--rules", rules]].concat()).status.success());
        let summary = &json_lines(&records(&file, &["--json"]))[0];
        assert_eq!((&summary["games"], &summary["kind"]), (&json!(4), &json!("pgn")));
        assert_eq!((&summary["variants"], &summary["rule_sets"]), (&json!([game]), &json!([rules])));
        assert_eq!(text(&records(&file, &["--pgn"]).stdout), fs::read_to_string(&file).unwrap());
    }
}

const BY_HAND: &str = "[White \"Ann\"]\r\n[Black \"Bob\"]\r\n\r\n1.c4-c6!? {why not} C9-C8 1/2\r\n\r\n\
    [White \"Bob\"]\r\n\r\n1.C4-C6 C9-C8 2.C6-C7 A1-A2 0-1\r\n\r\n[Variant \"Cam\"]\r\n\r\n1.C4-C6 *\r\n";

#[test]
fn games_by_hand_are_read_from_standard_input() {
    let output = camelot_reading(&["records", "-", "--pgn", "--game", "cam"], BY_HAND);
    let pgn = text(&output.stdout);
    assert!(pgn.contains("[White \"Ann\"]\n") && pgn.contains("\n1. C4-C6 C9-C8 1/2-1/2\n"), "{pgn}");
    assert_eq!(pgn.matches("[Event ").count(), 2);
    let warning = "standard input: game 2, ply 4: line 8, column 23: bad move `A1-A2`";
    assert_one_line_error(&output, 1, &[warning, "1 of 3 games broken"]);
    let output = camelot_reading(&["records", "-", "--verify"], BY_HAND);
    assert_one_line_error(&output, 1, &["2 of 3 games broken"]);
    assert!(text(&output.stdout).contains("game 1: line 1: no tag says which game it is"));
}

#[test]
fn what_holds_no_games_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("empty")).unwrap();
    fs::write(path("binary"), b"CZCHECKP\0\0").unwrap();
    fs::write(path("blank"), " \n{}\n").unwrap();
    for (name, part) in [
        ("empty", "no shards in it"),
        ("binary", "neither a shard nor text"),
        ("blank", "it holds no games"),
        ("missing", "No such file"),
    ] {
        let output = records(&path(name), &[]);
        assert_one_line_error(&output, 1, &[name, part, "1 of 1 file cannot be read"]);
    }
    let (_folder, file) = pgn_file("[Variant \"chess\"] 1. e4 *");
    assert_one_line_error(&records(&file, &[]), 1, &["game 1: unknown game `chess`"]);
    for arguments in [
        &["records"][..],
        &["records", "-", "-"],
        &["records", "-", "--games", "0"],
        &["records", "-", "--games", "5..3"],
        &["records", "-", "--pgn", "--verify"],
        &["records", "-", "--game", "chess"],
    ] {
        assert_eq!(camelot(arguments).status.code(), Some(2), "{arguments:?}");
    }
}

/// A reader that has had enough is no error.
#[test]
fn a_closed_pipe_ends_quietly() {
    let (_folder, file) = pgn_file(&"[Variant \"cam\"]\n\n1. C4-C6 *\n\n".repeat(20_000));
    let mut child = command(&["records", file.to_str().unwrap(), "--pgn"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut start = [0; 8];
    child.stdout.take().unwrap().read_exact(&mut start).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((&start, output.status.code(), text(&output.stderr).as_str()), (b"[Event \"", Some(0), ""));
}
