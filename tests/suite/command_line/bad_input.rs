//! What users do wrong: one line that names the thing, its value and what was expected, and an exit code.

use std::fs;

use super::{SmallRun, assert_one_line_error, camelot, camelot_reading, text};

#[test]
fn wrong_usage_ends_with_code_2() {
    for (arguments, parts) in [
        (&["moves", "--game", "chess"][..], &["chess", "cam, cam-all-knights, camelot"][..]),
        (&["perft", "--game", "cam", "many"], &["many"]),
        (&["match", "bogus", "random", "--game", "cam"], &["bogus", "expected `net:PATH"]),
        (&["match", "random", "mcts:sims=0", "--game", "cam"], &["mcts:sims=0", "from 1 to"]),
        (&["match", "random", "alphabeta:depth=0", "--game", "cam"], &["alphabeta:depth=0", "from 1 to 64"]),
        (&["match", "random", "random", "--game", "cam", "--games", "3"], &["3", "even number"]),
        (&["match", "random", "random", "--game", "cam", "--sprt", "5,1"], &["5,1", "smaller first"]),
        (&["moves", "--game", "cam", "--rules", "fide"], &["fide", "`classic` or `wcf`"]),
        (&["train", "--time", "soon"], &["soon", "30m"]),
        (&["train", "--set", "selfplay.bogus=1", "--run", "never"], &["selfplay.bogus"]),
        (&["moves"], &["no game", "--game"]),
        (&["trian"], &["trian", "train"]),
    ] {
        assert_one_line_error(&camelot(arguments), 2, parts);
    }
}

#[test]
fn a_seed_that_a_run_folder_could_not_keep_is_refused() {
    let small = SmallRun::new();
    let output = small.train("run", 1, &["--seed", "9223372036854775808"]).output().unwrap();
    assert_one_line_error(&output, 1, &["`seed` is 9223372036854775808", "from 0 to"]);
    assert!(!small.run("run").exists());
}

#[test]
fn a_run_whose_checkpoints_are_all_lost_is_not_begun_anew() {
    let small = SmallRun::new();
    assert!(small.train("run", 2, &[]).status().unwrap().success());
    let run = small.run("run");
    for iteration in [1, 2] {
        fs::write(camelot_models::checkpoint::file_in(&run, iteration), "CZCHECKP").unwrap();
    }
    let output = small.train("run", 3, &[]).output().unwrap();
    assert_one_line_error(&output, 1, &["none of its checkpoints can be used"]);
    assert!(run.join("window/000002.shard").exists());
}

#[test]
fn a_checkpoint_of_another_version_is_refused_and_stays() {
    let small = SmallRun::new();
    assert!(small.train("run", 1, &[]).status().unwrap().success());
    let file = camelot_models::checkpoint::file_in(&small.run("run"), 1);
    let mut frame = fs::read(&file).unwrap();
    frame[8] += 1;
    fs::write(&file, &frame).unwrap();
    let output = small.train("run", 2, &[]).output().unwrap();
    assert_one_line_error(&output, 1, &["000001.checkpoint", "format version 4, expected 3"]);
    assert_eq!(fs::read(&file).unwrap(), frame);
}

/// Help and errors list every game, whatever the verb.
#[test]
fn the_games_are_listed_wherever_one_is_asked_for() {
    let games = ["cam", "cam-all-knights", "camelot", "grand-camelot", "patience"].join(", ");
    for verb in [
        &["bench"][..],
        &["engine", "random"],
        &["match", "random", "random"],
        &["moves"],
        &["perft", "1"],
        &["play", "random"],
        &["records", "-"],
    ] {
        let help = text(&camelot(&[verb[0], "--help"]).stdout);
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(help.contains(&format!("[possible values: {games}]")), "{help}");
        let output = camelot(&[verb, &["--game", "chess"]].concat());
        assert_one_line_error(&output, 2, &["chess", "--game <GAME>", &games]);
    }
    let about = text(&camelot(&["--help"]).stdout);
    for game in ["Cam,", "Cam All Knights", "Camelot,", "Grand Camelot", "patience"] {
        assert!(about.lines().next().unwrap().contains(game), "{about}");
    }
}

#[test]
fn bad_data_ends_with_code_1() {
    for (arguments, parts) in [
        (&["moves", "--game", "cam", "7/7 W - 0"][..], &["the placement", "7/7", "13 ranks"][..]),
        (&["perft", "--game", "camelot", "1", "--position", "x"], &["the whole string", "four fields"]),
        (&["match", "net:no-such-run", "random", "--game", "cam"], &["no-such-run", "expected a checkpoint"]),
        (&["match", "alphabeta:depth=2", "random", "--game", "patience"], &["alphabeta:depth=2", "patience"]),
        (&["train", "no-such.toml"], &["no-such.toml"]),
    ] {
        assert_one_line_error(&camelot(arguments), 1, parts);
    }
}

#[test]
fn bad_lines_on_standard_input_are_named_by_number() {
    for (input, parts) in [
        ("{\"game\":\"cam\"}\n", ["line 1", "position"]),
        ("\n{\"game\":\"go\",\"position\":\"\"}\n", ["line 2", "unknown game `go`"]),
        ("{\"game\":\"cam\",\"position\":\"7 W - 0\"}\n", ["line 1", "the placement"]),
        ("[1,2", ["line 1", "expected an object"]),
    ] {
        assert_one_line_error(&camelot_reading(&["moves", "-", "--json"], input), 1, &parts);
    }
}

#[test]
fn a_bad_configuration_key_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let good = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/configs/cam-quick.toml")).unwrap();
    for (from, to, parts) in [
        ("simulations = 32", "simulaitons = 32", ["x.toml", "simulaitons"]),
        ("full_share = 0.25", "full_share = 25", ["selfplay.full_share", "above 0, up to 1"]),
        ("seed = 1", "seed = \"one\"", ["`seed`", "string"]),
        ("[network]", "[network", ["x.toml: line 13:", "expected"]),
    ] {
        let file = folder.path().join("x.toml");
        fs::write(&file, good.replace(from, to)).unwrap();
        let run = folder.path().join("run");
        let output = camelot(&["train", file.to_str().unwrap(), "--run", run.to_str().unwrap()]);
        assert_one_line_error(&output, 1, &parts);
        assert!(!run.exists(), "a refused configuration leaves nothing behind");
    }
}

#[test]
fn a_folder_that_is_not_this_run_is_refused_and_left_alone() {
    let small = SmallRun::new();
    fs::create_dir(small.run("other")).unwrap();
    fs::write(small.run("other").join("diary.txt"), "mine").unwrap();
    let output = small.train("other", 1, &[]).output().unwrap();
    assert_one_line_error(&output, 1, &["other", "holds no config.toml"]);
    assert_eq!(fs::read_dir(small.run("other")).unwrap().count(), 1);

    assert!(small.train("cam", 1, &[]).status().unwrap().success());
    let output = small.train("cam", 1, &["--set", "game=camelot"]).output().unwrap();
    assert_one_line_error(&output, 1, &["holds a run of `cam`", "expected `camelot`", "--run"]);
    let output = small.train("cam", 1, &["--seed", "7"]).output().unwrap();
    assert_one_line_error(&output, 1, &["`seed` is 7", "begun with 1"]);
    let output = small.train("cam", 1, &["--set", "training.batch_size=32"]).output().unwrap();
    assert_one_line_error(&output, 1, &["`training.batch_size` is 32", "begun with 64"]);

    let net = format!("net:{}", small.run("cam").display());
    let output = camelot(&["match", &net, "random", "--game", "camelot", "--games", "2"]);
    assert_one_line_error(&output, 1, &["trained for `cam`", "expected `camelot`"]);
}

#[test]
fn damaged_shards_and_checkpoints_are_put_aside_by_name() {
    let small = SmallRun::new();
    assert!(small.train("run", 3, &["--set", "checkpoints.keep=9"]).status().unwrap().success());
    let run = small.run("run");
    let shard = run.join("window/000002.shard");
    let whole = fs::read(&shard).unwrap();
    fs::write(&shard, &whole[..whole.len() / 2]).unwrap();
    let checkpoint = run.join("checkpoints/000003.checkpoint");
    let mut altered = fs::read(&checkpoint).unwrap();
    let middle = altered.len() / 2;
    altered[middle] ^= 1;
    fs::write(&checkpoint, altered).unwrap();

    let player = format!("net:{}", checkpoint.display());
    let output = camelot(&["match", &player, "random", "--game", "cam", "--games", "2"]);
    assert_one_line_error(&output, 1, &["000003.checkpoint", "checksum"]);

    let output = small.train("run", 4, &[]).output().unwrap();
    let warnings = text(&output.stderr);
    assert!(output.status.success(), "{warnings}");
    assert!(warnings.contains("000003.checkpoint") && warnings.contains("checksum"), "{warnings}");
    assert!(warnings.contains("000002.shard") && warnings.contains("truncated"), "{warnings}");
    assert!(run.join("window/000002.shard.bad").exists());
    assert!(run.join("checkpoints/000003.checkpoint.bad").exists());
    assert!(run.join("checkpoints/000004.checkpoint").exists());
}
