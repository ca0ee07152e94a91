//! The verbs that answer at once: `moves`, `perft`, `match`, `bench`, `--help`.

use serde_json::json;

use super::{assert_one_line_error, camelot, camelot_reading, fields, json_lines, text};

const START: &str = "1/3/5/2B1B2/1bbbbb1/7/7/7/1wwwww1/2W1W2/5/3/1 W - 0";

#[test]
fn moves_lists_the_start_position_for_people() {
    let output = camelot(&["moves", "--game", "cam"]);
    let text = text(&output.stdout);
    assert!(text.starts_with(&format!("{START}\n54 legal moves: ")), "{text}");
    assert!(text.contains(" C4-C6 "));
}

#[test]
fn moves_answers_in_the_promised_fields() {
    let position = "1/3/5/7/7/5b1/7/3b3/4w2/7/5/3/1 W - 0";
    let lines = json_lines(&camelot(&["moves", "--game", "cam", position, "--json"]));
    assert_eq!(
        lines,
        [json!({
            "game": "cam",
            "position": position,
            "moves": [{"move": "E5xC7", "from": "E5", "to": "C7", "captures": ["D6"]}],
            "result": null,
        })]
    );
}

#[test]
fn moves_reads_lines_of_json_and_answers_each() {
    let over = "1/3/5/7/7/7/7/7/7/7/5/3/b W - 7";
    let input = format!(
        "{{\"game\":\"cam\",\"position\":\"{START}\"}}\n\n{{\"position\":\"{over}\",\"game\":\"cam\"}}\n"
    );
    let lines = json_lines(&camelot_reading(&["moves", "-", "--json"], &input));
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["moves"].as_array().unwrap().len(), 54);
    assert_eq!(lines[1], json!({"game": "cam", "position": over, "moves": [], "result": "p2win"}));
}

#[test]
fn perft_counts_divides_and_answers_in_the_promised_fields() {
    let lines = json_lines(&camelot(&["perft", "--game", "cam", "3", "--json"]));
    assert_eq!(fields(&lines[0]), ["nodes", "seconds"]);
    assert_eq!(lines[0]["nodes"], 166_212);
    let divided = text(&camelot(&["perft", "--game", "camelot", "2", "--divide"]).stdout);
    let counts: u64 = divided
        .lines()
        .filter_map(|line| line.split_once(": "))
        .map(|(_, count)| count.parse::<u64>().unwrap())
        .sum();
    assert_eq!(counts, 10_026);
    assert!(divided.contains("10026 nodes"));
}

#[test]
fn match_answers_in_the_promised_fields_and_counts_every_game() {
    let arguments = ["match", "greedy", "random", "--game", "cam", "--games", "20", "--json"];
    let lines = json_lines(&camelot(&arguments));
    let answer = &lines[0];
    assert_eq!(
        fields(answer),
        [
            "distinct_games",
            "draws",
            "elo",
            "elo_high",
            "elo_low",
            "forfeits",
            "games",
            "losses",
            "verdict",
            "wins"
        ]
    );
    assert_eq!(answer["forfeits"], json!([0, 0]));
    let number = |name: &str| answer[name].as_u64().unwrap();
    assert_eq!((number("games"), number("wins") + number("draws") + number("losses")), (20, 20));
    assert!(number("distinct_games") > 15 && answer["verdict"].is_null());
    let again = json_lines(&camelot(&[&arguments[..], &["--threads", "1"]].concat()));
    assert_eq!(lines, again, "the same seed on one thread plays another match");
}

#[test]
fn moves_of_the_patience_have_no_squares() {
    let position = "K.QK/J..J/J..J/KQQK Q - 40 0000000000000";
    let lines = json_lines(&camelot(&["moves", "--game", "patience", position, "--json"]));
    let moves = json!([{"move": "place:1"}]);
    assert_eq!(lines, [json!({"game": "patience", "position": position, "moves": moves, "result": null})]);
    let lines = json_lines(&camelot(&["perft", "--game", "patience", "4", "--json"]));
    // Deal, one of 13 ranks, its cells (16 for ten ranks, 4 for three), and another deal.
    assert_eq!(lines[0]["nodes"], 10 * 16 + 3 * 4);
}

#[test]
fn a_match_of_the_patience_tells_what_each_player_does_alone() {
    let arguments = ["match", "greedy", "random", "--game", "patience", "--games", "400"];
    let lines = json_lines(&camelot(&[&arguments[..], &["--json"]].concat()));
    let answer = &lines[0];
    let number = |name: &str| answer[name].as_u64().unwrap();
    assert_eq!((number("games"), number("wins") + number("draws") + number("losses")), (400, 200));
    for player in ["first", "second"] {
        for what in ["removed", "win_share"] {
            let end = |name: &str| answer[player][what][name].as_f64().unwrap();
            assert!(end("low") <= end("value") && end("value") <= end("high"), "{answer}");
        }
    }
    assert!(answer["first"]["removed"]["low"].as_f64() > answer["second"]["removed"]["high"].as_f64());
    let said = text(&camelot(&arguments).stdout);
    assert!(
        said.contains(": 200 deals, ") && said.contains("greedy: ") && said.contains(" removed, "),
        "{said}"
    );
    let other_openings = camelot(&[&arguments[..], &["--json", "--openings", "30"]].concat());
    assert_eq!(json_lines(&other_openings), lines, "openings change a patience");
}

#[test]
fn a_match_between_equals_is_even_and_a_clear_one_is_decided_early() {
    let even =
        camelot(&["match", "mcts:sims=10", "mcts:sims=10", "--game", "camelot", "--games", "10", "--json"]);
    let answer = &json_lines(&even)[0];
    assert!(
        answer["elo_low"].as_f64().unwrap_or(-1e9) < 0.0 && answer["elo_high"].as_f64().unwrap_or(1e9) > 0.0
    );
    let test = ["--game", "cam", "--games", "400", "--sprt", "0,100", "--json"];
    let passed = camelot(&[&["match", "mcts:sims=60", "random"][..], &test].concat());
    assert_eq!(json_lines(&passed)[0]["verdict"], "passed");
    assert!(json_lines(&passed)[0]["games"].as_u64().unwrap() < 400);
    let failed = camelot(&[&["match", "random", "mcts:sims=60"][..], &test].concat());
    assert_eq!(failed.status.code(), Some(3));
    assert!(text(&failed.stdout).contains("\"verdict\":\"failed\""));
}

#[test]
fn a_match_writes_its_games() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pgn");
    let file = file.to_str().unwrap();
    camelot(&["match", "random", "greedy", "--game", "cam-all-knights", "--games", "4", "--pgn", file]);
    let games = std::fs::read_to_string(file).unwrap();
    assert_eq!(games.matches("[Event ").count(), 4);
    assert_eq!(games.matches("[White \"random\"]").count(), 2);
    assert_eq!(games.matches("[Variant \"cam-all-knights\"]").count(), 4);
    assert!(games.contains("\n1. ") && games.lines().all(|line| line.len() <= 110));
}

#[test]
fn a_benchmark_does_the_same_work_every_time() {
    let run = || json_lines(&camelot(&["bench", "search", "--game", "cam", "--json", "--threads", "1"]));
    let (first, second) = (run(), run());
    assert_eq!(fields(&first[0]), ["game", "per_s", "signature", "threads", "unit", "what"]);
    assert_eq!(first[0]["signature"], second[0]["signature"]);
}

#[test]
fn every_verb_explains_itself_with_an_example() {
    for verb in ["train", "match", "play", "engine", "moves", "perft", "records", "bench"] {
        let output = camelot(&[verb, "--help"]);
        assert!(output.status.success());
        let help = text(&output.stdout);
        assert!(help.contains(&format!("camelot {verb} ")), "{verb}: {help}");
        assert!(help.contains("Example"), "{verb}: {help}");
    }
}

#[test]
fn shells_and_manuals_know_every_verb() {
    let help = text(&camelot(&["--help"]).stdout);
    let section = help.split("Commands:").nth(1).unwrap().split("\n\n").next().unwrap();
    let verbs: Vec<&str> = section.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(verbs.len() > 10 && verbs.contains(&"train"), "{verbs:?}");
    let script = text(&camelot(&["completions", "bash"]).stdout);
    let page = text(&camelot(&["man"]).stdout);
    for verb in verbs.into_iter().filter(|&verb| verb != "help") {
        assert!(script.contains(verb) && page.contains(verb), "{verb}");
        let page = text(&camelot(&["man", verb]).stdout);
        assert!(page.starts_with('.') && page.contains("SYNOPSIS"), "{verb}: {page}");
    }
    assert_one_line_error(&camelot(&["man", "trane"]), 2, &["unknown verb `trane`", "train"]);
}
