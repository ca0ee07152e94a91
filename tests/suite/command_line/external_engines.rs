//! External engines as players: this program's own, and small bad ones.
#![cfg(unix)]

use std::fs;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{SmallRun, assert_one_line_error, camelot, camelot_reading, command, json_lines, text};

const OWN: &str = env!("CARGO_BIN_EXE_camelot");

/// An engine that knows how to introduce itself, with `go` for an answer to `go`.
fn script(folder: &TempDir, name: &str, before: &str, go: &str) -> String {
    let path = folder.path().join(name);
    let text = format!(
        "{before}\nwhile read -r word rest; do\n case $word in\n ugi) echo 'id name x'; echo ugiok;;\n \
         isready) echo readyok;;\n go) {go};;\n quit) exit;;\n esac\ndone\n"
    );
    fs::write(&path, text).unwrap();
    format!("ugi:movetime=1,timeout=1500,sh '{}'", path.display())
}

fn played(first: &str, second: &str, game: &str, more: &[&str]) -> Value {
    let arguments = ["match", first, second, "--game", game, "--games", "4", "--json"];
    json_lines(&camelot(&[&arguments, more].concat())).remove(0)
}

#[test]
fn an_engine_plays_like_the_player_in_it() {
    let small = SmallRun::new();
    assert!(small.train("run", 1, &[]).status().unwrap().success());
    let inside = format!("net:{},sims=8", small.run("run").display());
    let outside = format!("ugi:nodes=8,'{OWN}' engine '{inside}'");
    assert_eq!(played(&inside, "random", "cam", &[]), played(&outside, "random", "cam", &[]));
    assert_eq!(played("greedy", &inside, "cam", &["--rules", "wcf"]), {
        played("greedy", &outside, "cam", &["--rules", "wcf"])
    });
}

#[test]
fn engines_play_every_game_and_the_threads_change_nothing() {
    for game in ["cam", "camelot", "grand-camelot", "patience"] {
        let engine = format!("ugi:nodes=4,{OWN} engine mcts:sims=4");
        let folder = tempfile::tempdir().unwrap();
        let pgn = folder.path().join("games.pgn");
        let pgn = pgn.to_str().unwrap();
        let answer = played(&engine, "random", game, &["--threads", "2", "--pgn", pgn]);
        assert_eq!(answer["forfeits"], json!([0, 0]), "{answer}");
        assert_eq!(answer, played(&engine, "random", game, &["--threads", "1"]), "{game}");
        assert!(camelot(&["records", pgn, "--verify"]).status.success());
    }
}

#[test]
fn bad_engines_forfeit_and_are_named_while_the_match_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let long = "head -c 70000 /dev/zero | tr '\\0' x; echo";
    for (name, go, why) in [
        ("crash", "exit 3", "it ended (exit status: 3)"),
        ("hang", ":", "no answer to `go movetime 1` within 1501 ms"),
        ("illegal", "echo bestmove D5-D9", "bad move `D5-D9`"),
        ("empty", "echo bestmove", "bad move ``"),
        ("none", "echo bestmove none", "bad move `none`"),
        ("flood", "while :; do echo garbage; done", "no answer to `go movetime 1`"),
        ("long", long, "a line of more than 65536 bytes"),
        ("deaf", "exec >&- </dev/null; sleep 2", "it closed its input or output"),
        ("complaint", "echo 'info string error: too hard'", "it says: too hard"),
    ] {
        let player = script(&folder, name, "", go);
        let pgn = folder.path().join("games.pgn");
        let pgn = pgn.to_str().unwrap();
        let arguments = ["match", "random", &player, "--game", "cam", "--games", "4", "--json", "--pgn", pgn];
        let output = camelot(&arguments);
        let answer = json_lines(&output).remove(0);
        assert_eq!((&answer["wins"], &answer["forfeits"]), (&json!(4), &json!([0, 4])), "{name}: {answer}");
        let said = text(&output.stderr);
        let start = format!("warning: {player} forfeited 4 of 4 games, the first because: ");
        assert!(said.starts_with(&start) && said.contains(why), "{name}: {said}");
        assert_eq!(said.lines().count(), 1, "{said}");
        let games = fs::read_to_string(pgn).unwrap();
        assert_eq!(games.matches("[Termination \"forfeit: ").count(), 4, "{games}");
        assert!(camelot(&["records", pgn, "--verify"]).status.success(), "{games}");
    }
}

#[test]
fn an_engine_that_fails_now_and_then_plays_its_other_games() {
    let folder = tempfile::tempdir().unwrap();
    // It starts when it is tried out and when it is needed first, and no more.
    let count = folder.path().join("starts");
    let before = format!("echo >> '{0}'; [ $(wc -l < '{0}') -le 2 ] || exit 7", count.display());
    let player = script(&folder, "tired", &before, "exit 5");
    let output = camelot(&["match", &player, "random", "--game", "cam", "--games", "4", "--threads", "1"]);
    let said = text(&output.stderr);
    assert!(said.contains("forfeited 4 of 4 games, the first because: it ended (exit status: 5)"), "{said}");
    assert_eq!(fs::read_to_string(&count).unwrap().len(), 1 + 4);
    // In the patience a forfeited deal is worth the least; the other's is kept.
    let player = script(&folder, "lazy", "", "echo bestmove deal");
    let answer = played(&player, "greedy", "patience", &[]);
    assert_eq!((&answer["wins"], &answer["forfeits"]), (&json!(0), &json!([2, 0])), "{answer}");
    assert_eq!(answer["first"]["removed"]["value"], 0.0);
    assert!(answer["second"]["removed"]["value"].as_f64() > Some(0.0));
}

#[test]
fn an_engine_that_cannot_be_started_is_an_error_before_the_match() {
    let folder = tempfile::tempdir().unwrap();
    let silent = folder.path().join("silent");
    fs::write(&silent, "sleep 5").unwrap();
    let silent = format!("timeout=200,sh {}", silent.display());
    let one_game = script(&folder, "one-game", "echo option name Game type combo default go var go", ":");
    for (engine, parts) in [
        ("no-such-engine --fast", ["engine `no-such-engine --fast`", "cannot be started"]),
        ("false", ["engine `false`", "it ended (exit status: 1)"]),
        (silent.as_str(), ["engine `sh ", "no answer to `ugi` within 200 ms"]),
        (one_game.strip_prefix("ugi:").unwrap(), ["engine `sh ", "its option `Game` knows no `cam`"]),
    ] {
        let player = format!("ugi:{engine}");
        let output = camelot(&["match", "random", &player, "--game", "cam"]);
        assert_one_line_error(&output, 1, &parts);
    }
    let output = camelot(&["match", "ugi:say 'hello", "random", "--game", "cam"]);
    assert_one_line_error(&output, 2, &["ugi:say 'hello", "expected another '"]);
}

#[test]
fn an_engine_can_be_played_against_and_can_answer_for_another() {
    let engine = format!("ugi:nodes=4,{OWN} engine mcts:sims=4");
    let output = camelot_reading(&["play", &engine, "--game", "cam"], "C4-C6\nquit\n");
    assert!(text(&output.stdout).contains(" plays "), "{}", text(&output.stdout));
    let folder = tempfile::tempdir().unwrap();
    let bad = script(&folder, "bad", "", "echo bestmove Z9");
    let output = camelot_reading(&["play", &bad, "--game", "cam"], "C4-C6\n");
    assert_one_line_error(&output, 1, &["bad move `Z9`"]);
    let output = camelot_reading(&["engine", &bad], "go movetime 1\nisready\n");
    assert!(text(&output.stdout).contains("readyok"), "{}", text(&output.stdout));
}

#[test]
fn a_stopped_match_leaves_no_engine_behind() {
    let folder = tempfile::tempdir().unwrap();
    let ids = folder.path().join("ids");
    let before = format!("echo $$ >> '{}'", ids.display());
    let hang = script(&folder, "hang", &before, ":").replace("timeout=1500", "timeout=60000");
    let mut child = command(&["match", &hang, "random", "--game", "cam", "--threads", "1"]).spawn().unwrap();
    let patience = Instant::now() + Duration::from_mins(1);
    let started = || fs::read_to_string(&ids).unwrap_or_default().lines().count();
    while started() < 2 {
        assert!(Instant::now() < patience, "the engine does not start");
        std::thread::sleep(Duration::from_millis(5));
    }
    let signal = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(signal.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    for id in fs::read_to_string(&ids).unwrap().lines() {
        let alive = std::process::Command::new("kill").args(["-0", id]).output().unwrap();
        assert!(!alive.status.success(), "process {id} goes on");
    }
}
