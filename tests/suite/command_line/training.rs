//! A small training run from nothing to the table at its end.

use std::fs;

use serde_json::Value;

use super::{SmallRun, assert_one_line_error, camelot, comparable, fields, json_lines, shards, text};

#[test]
fn training_reports_each_iteration_and_ends_with_a_player() {
    let small = SmallRun::new();
    let output = small.train("run", 3, &["--json"]).output().unwrap();
    let lines = json_lines(&output);
    assert_eq!(lines.len(), 3);
    for (i, line) in lines.iter().enumerate() {
        assert_eq!(line["iteration"], i + 1);
        for name in ["games", "positions", "policy_loss", "value_loss", "draws", "positions_per_second"] {
            assert!(line[name].as_f64().unwrap().is_finite(), "{name}");
        }
    }
    let run = small.run("run");
    let metrics = fs::read_to_string(run.join("metrics.jsonl")).unwrap();
    let metrics: Vec<Value> = metrics.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(metrics.iter().map(fields).collect::<Vec<_>>(), lines.iter().map(fields).collect::<Vec<_>>());
    let evaluation: Value =
        serde_json::from_str(&fs::read_to_string(run.join("evaluation.json")).unwrap()).unwrap();
    assert_eq!(evaluation["rows"].as_array().unwrap().len(), 2);
    let board = fs::read_dir(run.join("tensorboard")).unwrap().next().unwrap().unwrap();
    assert!(fs::read_dir(board.path()).unwrap().count() > 0);
    let net = format!("net:{},sims=4", run.display());
    let played = camelot(&["match", &net, "random", "--game", "cam", "--games", "4", "--json"]);
    assert_eq!(json_lines(&played)[0]["games"], 4);
}

#[test]
fn a_finished_run_measures_once_and_goes_on_when_given_more() {
    let small = SmallRun::new();
    let first = small.train("run", 2, &[]).output().unwrap();
    assert!(text(&first.stdout).contains("mcts:sims=8"), "{}", text(&first.stdout));
    let again = small.train("run", 2, &[]).output().unwrap();
    assert!(text(&again.stdout).contains("mcts:sims=8"));
    assert!(!text(&again.stderr).contains("measuring"), "{}", text(&again.stderr));
    let more = small.train("run", 3, &[]).output().unwrap();
    assert!(text(&more.stderr).contains("going on after iteration 2"));
    assert!(text(&more.stderr).contains("measuring"));
    let whole = small.train("whole", 3, &[]).status().unwrap();
    assert!(whole.success());
    // A budget that grows later bends the learning rate, so only what does not depend on it is the same.
    assert_eq!(shards(&small.run("run")).len(), shards(&small.run("whole")).len());
}

#[test]
fn one_seed_gives_the_same_run_on_one_thread_and_on_two() {
    let small = SmallRun::new();
    for (name, threads) in [("one", "1"), ("two", "2"), ("again", "2")] {
        assert!(small.train(name, 3, &["--threads", threads]).status().unwrap().success());
    }
    let one = (comparable(&small.run("one"), 3), shards(&small.run("one")));
    assert!(one.1.len() > 1, "a comparison of nothing");
    for name in ["two", "again"] {
        let other = (comparable(&small.run(name), 3), shards(&small.run(name)));
        assert!(one == other, "{name} differs");
    }
    assert!(small.train("other", 3, &["--seed", "2"]).status().unwrap().success());
    assert!(one.0.averaged != comparable(&small.run("other"), 3).averaged);
}

#[test]
fn a_run_of_the_patience_measures_what_each_player_does_alone() {
    let small = SmallRun::new();
    let output = small.train("run", 2, &["--set", "game=patience"]).output().unwrap();
    let table = text(&output.stdout);
    assert!(table.contains("each deal played by both") && table.contains("the opponent: "), "{table}");
    assert!(table.contains(" deals   won "), "{table}");
    let run = small.run("run");
    let evaluation: Value =
        serde_json::from_str(&fs::read_to_string(run.join("evaluation.json")).unwrap()).unwrap();
    let row = &evaluation["rows"][0];
    let count = |name: &str| row[name].as_u64().unwrap();
    assert_eq!((count("games"), count("wins") + count("draws") + count("losses")), (4, 2));
    assert!(row["alone"][1]["removed"]["high"].as_f64().is_some());
    let metrics = fs::read_to_string(run.join("metrics.jsonl")).unwrap();
    let line: Value = serde_json::from_str(metrics.lines().next().unwrap()).unwrap();
    let (value, points) = (line["mean_value"].as_f64().unwrap(), line["mean_points"].as_f64().unwrap());
    let wins = line["first_wins"].as_f64().unwrap();
    assert!((points / 40.0 - 1.0 + wins - value).abs() < 1e-5, "{line}");
}

#[test]
fn every_game_trains() {
    for game in ["cam-all-knights", "camelot", "grand-camelot", "patience"] {
        let small = SmallRun::new();
        let set = format!("game={game}");
        let output = small.train("run", 1, &["--set", &set, "--json"]).output().unwrap();
        assert_eq!(json_lines(&output).len(), 1);
    }
}

#[test]
fn a_residual_network_trains_alike_on_any_number_of_threads_plays_and_is_exported() {
    let small = SmallRun::new();
    for (name, threads) in [("one", "1"), ("two", "2")] {
        assert!(small.train_residual(name, 2, &["--threads", threads]).status().unwrap().success());
    }
    let run = small.run("one");
    assert!(comparable(&run, 2) == comparable(&small.run("two"), 2));
    assert_eq!(shards(&run), shards(&small.run("two")));
    let net = format!("net:{},sims=4", run.display());
    let played = camelot(&["match", &net, "random", "--game", "cam", "--games", "4", "--json"]);
    assert_eq!(json_lines(&played)[0]["games"], 4);
    let (run, model) = (run.display().to_string(), small.run("cam.onnx"));
    assert!(camelot(&["export", &run, "--format", "onnx", "-o", model.to_str().unwrap()]).status.success());
    // Field 1 of the model is the version of the format.
    assert_eq!(fs::read(&model).unwrap()[..2], [8, 8]);
}

#[test]
fn a_dry_run_says_what_a_run_would_cost_and_begins_nothing() {
    let small = SmallRun::new();
    let output = small.train("run", 50, &["--dry-run", "--json"]).output().unwrap();
    let answer = json_lines(&output).remove(0);
    assert_eq!((answer["iterations"].as_u64(), answer["games"].as_u64()), (Some(50), Some(600)), "{answer}");
    for name in ["memory_bytes", "machine_memory_bytes", "disk_bytes", "free_disk_bytes"] {
        assert!(answer[name].as_u64().unwrap() > 100_000, "{name} in {answer}");
    }
    assert!(answer["minutes"].as_f64().unwrap() > 0.0 && answer["games_per_second"].as_f64().unwrap() > 0.0);
    assert!(!small.run("run").exists());
    let told = text(&small.train("run", 50, &["--dry-run"]).output().unwrap().stdout);
    assert!(told.contains("about 600 in 50 iterations"), "{told}");
}

#[test]
fn ratings_and_memory_stand_in_the_metrics() {
    let small = SmallRun::new();
    let lines = json_lines(&small.train("run", 4, &["--json"]).output().unwrap());
    let rated: Vec<&Value> = lines.iter().filter(|line| line.get("rating").is_some()).collect();
    assert_eq!(rated.len(), 2, "twice over the budget");
    assert_eq!(rated.iter().map(|line| line["iteration"].as_u64().unwrap()).collect::<Vec<_>>(), [2, 4]);
    for line in rated {
        let [low, elo, high] =
            ["elo_low", "elo", "elo_high"].map(|name| line["rating"][name].as_f64().unwrap());
        assert!(low <= elo && elo <= high && line["rating"]["games"] == 6, "{line}");
    }
    for line in lines {
        assert!(line["resident_megabytes"].as_f64().unwrap() > 1.0);
        assert_eq!(line["alarms"], serde_json::json!([]), "{line}");
        assert!(line["distinct_openings"].as_f64().unwrap() > 0.9, "{line}");
        assert!(line["value_gap"].as_f64().unwrap().abs() < 0.5, "{line}");
        assert!((0.0..0.9).contains(&line["calibration_error"].as_f64().unwrap()), "{line}");
        assert!(line["target_entropy"].as_f64().unwrap() > 1.0, "{line}");
    }
}

#[test]
fn a_run_that_always_begins_alike_says_so() {
    let small = SmallRun::new();
    let mut all = vec!["--json"];
    for key in [
        "selfplay.games_per_iteration=2000",
        "selfplay.opening_plies=0",
        "selfplay.noise=0",
        "selfplay.cut_plies=4",
        "selfplay.full_share=0.01",
        "evaluation.ratings=0",
        "evaluation.games=0",
    ] {
        all.extend(["--set", key]);
    }
    let output = small.train("run", 1, &all).output().unwrap();
    assert_eq!(json_lines(&output)[0]["alarms"], serde_json::json!(["openings", "draws"]));
    let said = text(&output.stderr);
    assert!(said.contains("games began differently") && said.contains("were drawn"), "{said}");
}

#[test]
fn a_player_that_does_not_pass_the_gate_does_not_take_over() {
    let small = SmallRun::new();
    let gated = ["--set", "training.gate_games=2", "--set", "training.gate_every=2"];
    assert!(small.train("run", 3, &gated).status().unwrap().success());
    let run = small.run("run");
    let promoted = |iteration| comparable(&run, iteration).promoted.unwrap();
    assert!(promoted(1) != comparable(&run, 1).averaged, "the first player is the untrained one");
    assert!(promoted(2) == promoted(1) || promoted(2) == comparable(&run, 2).averaged);
    assert!(promoted(3) == promoted(2), "no match was due");
    assert!(comparable(&run, 3).into_player() == promoted(3));
    // The gate is part of what the run is.
    let output = small.train("run", 4, &[]).output().unwrap();
    assert_one_line_error(&output, 1, &["training.gate_every"]);
}

#[test]
fn a_refused_run_leaves_nothing_behind() {
    let small = SmallRun::new();
    let output = small.train("run", 1, &["--set", "training.window_positions=100000000"]).output().unwrap();
    if output.status.success() {
        return; // A machine with memory for that.
    }
    assert_one_line_error(&output, 1, &["`training.window_positions` is 100000000"]);
    assert!(!small.run("run").exists());
    let missing = "evaluation.opponents=[\"net:nowhere\"]";
    let output = small.train("run", 1, &["--set", missing]).output().unwrap();
    assert_one_line_error(&output, 1, &["nowhere"]);
    assert!(!small.run("run").exists());
}

#[test]
fn any_name_will_do_for_a_run() {
    let small = SmallRun::new();
    let name = "盤 ü/my run";
    assert!(small.train(name, 1, &[]).status().unwrap().success());
    assert!(small.train(name, 2, &[]).status().unwrap().success());
    let net = format!("net:{},sims=2", small.run(name).display());
    let played = camelot(&["match", &net, "random", "--game", "cam", "--games", "2", "--json"]);
    assert_eq!(json_lines(&played)[0]["games"], 2);
    let run = small.run(name).display().to_string();
    assert!(camelot(&["report", &run]).status.success());
    assert!(camelot(&["records", &run, "--verify"]).status.success());
}
