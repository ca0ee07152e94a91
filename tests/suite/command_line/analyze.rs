//! Questions as JSON lines, and their answers.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::{SmallRun, assert_one_line_error, camelot, camelot_reading, json_lines};

/// The answers by id.
fn answers(net: &str, queries: &str) -> HashMap<String, Value> {
    let output = camelot_reading(&["analyze", net], queries);
    let lines = json_lines(&output);
    let count = lines.len();
    let found: HashMap<_, _> = lines.into_iter().map(|line| (line["id"].to_string(), line)).collect();
    assert_eq!(found.len(), count, "an id twice");
    found
}

#[test]
fn every_query_is_answered_by_its_id_right_or_wrong() {
    let small = SmallRun::new();
    assert!(small.train("run", 1, &[]).status().unwrap().success());
    let net = format!("net:{},sims=30", small.run("run").display());
    let queries = [
        r#"{"id": "start"}"#,
        r#"{"id": 7, "moves": ["B5-B6"], "simulations": 100}"#,
        "",
        "nonsense",
        r#"{"id": "typo", "moevs": []}"#,
        r#"{"id": "illegal", "moves": ["B5-B6", "A1-A2"]}"#,
        r#"{"id": "nowhere", "position": "1/2/3 W"}"#,
        r#"{"id": "nothing", "simulations": 0}"#,
        r#"{"id": ["list"]}"#,
    ]
    .join("\n");
    let found = answers(&net, &queries);
    assert_eq!(found.len(), 8);
    for (id, words) in [
        ("null", "not a query"),
        ("\"typo\"", "moevs"),
        ("\"illegal\"", "`moves`: move 2: "),
        ("\"nowhere\"", "`position`"),
        ("\"nothing\"", "`simulations` is 0"),
        ("[\"list\"]", "`id`: expected"),
    ] {
        let error = found[id]["error"].as_str().unwrap();
        assert!(error.contains(words), "{id}: {error}");
    }
    for (id, simulations) in [("\"start\"", 30), ("7", 100)] {
        let answer = &found[id];
        let searched = &answer["searched"];
        assert_eq!(searched["simulations"], simulations);
        let number = |name: &str| searched[name].as_f64().unwrap();
        assert!((number("win") + number("draw") + number("loss") - 1.0).abs() < 1e-3, "{answer}");
        assert!((number("win") - number("loss") - number("value")).abs() < 1e-3, "{answer}");
        let network = |name: &str| searched["network"][name].as_f64().unwrap();
        assert!((network("win") + network("draw") + network("loss") - 1.0).abs() < 1e-3, "{answer}");
        let moves = searched["moves"].as_array().unwrap();
        // The priors are the softmax of the logits.
        let shift = |one: &Value| one["prior"].as_f64().unwrap().ln() - one["logit"].as_f64().unwrap();
        assert!(moves.iter().all(|one| (shift(one) - shift(&moves[0])).abs() < 1e-3), "{answer}");
        let priors: f64 = moves.iter().map(|one| one["prior"].as_f64().unwrap()).sum();
        assert!((priors - 1.0).abs() < 1e-2 && moves[0]["line"][0] == moves[0]["move"], "{answer}");
        // The moves are those of the verb that lists them.
        let listed = camelot(&["moves", "--game", "cam", answer["position"].as_str().unwrap(), "--json"]);
        let legal = json_lines(&listed)[0]["moves"].as_array().unwrap().len();
        assert_eq!(moves.len(), legal);
    }
}

#[test]
fn answers_depend_on_nothing_but_their_query() {
    let small = SmallRun::new();
    assert!(small.train("run", 1, &[]).status().unwrap().success());
    let net = format!("net:{},sims=40", small.run("run").display());
    let query = |id: usize, moves: &[&str]| json!({ "id": id, "moves": moves }).to_string();
    let several = [query(0, &[]), query(1, &["B5-B6"]), query(2, &["B5-B6", "B9-B8"])].join("\n");
    let together = answers(&net, &several);
    for (id, line) in several.lines().enumerate() {
        assert_eq!(together[&id.to_string()], answers(&net, line)[&id.to_string()]);
    }
}

#[test]
fn only_networks_analyze_and_only_their_own_game() {
    assert_one_line_error(&camelot(&["analyze", "greedy"]), 2, &["`greedy`", "expected a network"]);
    let small = SmallRun::new();
    assert!(small.train("run", 1, &[]).status().unwrap().success());
    let net = format!("net:{}", small.run("run").display());
    assert_one_line_error(&camelot(&["analyze", &net, "--game", "camelot"]), 2, &["trained for cam"]);
}
