//! `tournament` and `ladder`: whoever meets whom, and on which scale.

use serde_json::Value;

use super::{SmallRun, assert_one_line_error, camelot, fields, json_lines, text};

/// The numbers of a field of every object.
fn numbers(rows: &Value, field: &str) -> Vec<f64> {
    rows.as_array().unwrap().iter().map(|row| row[field].as_f64().unwrap()).collect()
}

#[test]
fn everybody_meets_everybody_and_random_play_is_zero() {
    let folder = tempfile::tempdir().unwrap();
    let pgn = folder.path().join("games.pgn");
    let pgn = pgn.to_str().unwrap();
    let players = ["random", "alphabeta:depth=1", "greedy"];
    let options = ["--game", "cam", "--games", "20", "--threads", "2"];
    let arguments = [&["tournament"], &players[..], &options[..]].concat();
    let answer = json_lines(&camelot(&[&arguments[..], &["--json", "--pgn", pgn]].concat())).remove(0);
    assert_eq!(fields(&answer), ["game", "meetings", "players"]);
    let rows = &answer["players"];
    assert_eq!(fields(&rows[0]), ["elo", "elo_high", "elo_low", "games", "player", "points"]);
    assert_eq!(rows[0]["player"], "alphabeta:depth=1");
    let random = rows.as_array().unwrap().iter().find(|row| row["player"] == "random").unwrap();
    assert_eq!(random["elo"], 0.0);
    assert_eq!(numbers(rows, "games"), [40.0; 3]);
    assert!((numbers(rows, "points").iter().sum::<f64>() - 60.0).abs() < 1e-9, "{answer}");
    assert!(numbers(rows, "elo").is_sorted_by(|better, worse| better >= worse), "{answer}");
    for meeting in answer["meetings"].as_array().unwrap() {
        let counted = |name: &str| meeting[name].as_u64().unwrap();
        assert_eq!(counted("wins") + counted("draws") + counted("losses"), 20);
        // Ranks, so the first of the table has hardly lost.
        let points = counted("wins") as f64 + counted("draws") as f64 / 2.0;
        let of_best = match meeting["players"].as_array().unwrap().iter().position(|rank| rank == 0) {
            Some(0) => points,
            Some(_) => 20.0 - points,
            None => continue,
        };
        assert!(of_best > 15.0, "{meeting}");
    }
    let verified = camelot(&["records", pgn, "--verify"]);
    assert!(verified.status.success() && text(&verified.stdout).contains("60"), "{verified:?}");
    let table = camelot(&arguments);
    assert!(text(&table.stderr).starts_with("3 players of cam, 3 meetings of 20 games each"));
    let table = text(&table.stdout);
    assert!(table.lines().all(|line| line.len() <= 80), "{table}");
    assert!(table.lines().nth(1).unwrap().ends_with("40  alphabeta:depth=1"), "{table}");
}

#[test]
fn a_runs_checkpoints_meet_each_other_and_the_ladder_finds_its_game() {
    let small = SmallRun::new();
    assert!(small.train("run", 3, &[]).status().unwrap().success());
    let run = small.run("run");
    let run = run.to_str().unwrap();
    let arguments = ["tournament", run, "greedy", "--games", "2", "--checkpoints", "2", "--json"];
    let answer = json_lines(&camelot(&arguments)).remove(0);
    assert_eq!(answer["game"], "cam");
    let players = answer["players"].as_array().unwrap();
    let checkpoints =
        players.iter().filter(|row| row["player"].as_str().unwrap().contains(".checkpoint,sims=200")).count();
    assert_eq!((players.len(), checkpoints), (3, 2), "{answer}");
    assert!(
        numbers(&answer["players"], "elo").iter().sum::<f64>().abs() < 1e-6,
        "no anchor, so the mean is 0"
    );
    let net = format!("net:{run},sims=1");
    let lines = json_lines(&camelot(&["ladder", &net, "--games", "2", "--json"]));
    let (rating, rows) = lines.split_last().unwrap();
    assert_eq!(fields(rating), ["elo", "elo_high", "elo_low"]);
    assert_eq!(
        (rows[0]["reference"].as_str(), rows[0]["reference_elo"].as_f64()),
        (Some("random"), Some(0.0))
    );
    assert!(rows.iter().all(|row| row["games"] == 2));
}

#[test]
fn a_strong_player_stands_high_on_the_ladder_and_a_hopeless_one_stops_early() {
    let climb = |player: &str| {
        let lines = json_lines(&camelot(&["ladder", player, "--game", "cam", "--games", "10", "--json"]));
        let (rating, rows) = lines.split_last().unwrap();
        let [elo, low, high] = ["elo", "elo_low", "elo_high"].map(|name| rating[name].as_f64().unwrap());
        assert!(low <= elo && elo <= high, "{rating}");
        (elo, rows.len())
    };
    let (random, asked) = climb("random");
    let (strong, all) = climb("alphabeta:depth=2");
    assert!(random < 150.0 && strong > 500.0, "{random} {strong}");
    assert!(asked < all, "{asked} {all}");
}

#[test]
fn what_cannot_be_played_is_refused_before_the_first_game() {
    let refused = |arguments: &[&str], parts: &[&str]| assert_one_line_error(&camelot(arguments), 2, parts);
    refused(&["tournament", "random", "--game", "cam"], &["1 player", "at least two"]);
    refused(&["tournament", "random", "bogus", "--game", "cam"], &["`bogus`", "run folder"]);
    refused(&["tournament", "random", "random", "--game", "cam"], &["`random` is named twice"]);
    refused(&["tournament", "random", "greedy"], &["--game", "patience"]);
    refused(&["ladder", "greedy", "--game", "cam", "--rules", "wcf"], &["wcf", "classic"]);
    let missing = camelot(&["tournament", "net:nowhere", "random", "--game", "cam"]);
    assert_one_line_error(&missing, 1, &["nowhere", "no checkpoint"]);
}
