//! The program as its users meet it: started as a process, judged by what it prints, writes and returns.

#[path = "command_line/analyze.rs"]
mod analyze;
#[path = "command_line/answers.rs"]
mod answers;
#[path = "command_line/bad_input.rs"]
mod bad_input;
#[path = "command_line/contests.rs"]
mod contests;
#[path = "command_line/elsewhere.rs"]
mod elsewhere;
#[path = "command_line/engine.rs"]
mod engine;
#[path = "command_line/engine_fuzzing.rs"]
mod engine_fuzzing;
#[path = "command_line/export.rs"]
mod export;
#[path = "command_line/external_engines.rs"]
mod external_engines;
#[path = "command_line/interruption.rs"]
mod interruption;
#[path = "command_line/records.rs"]
mod records;
#[path = "command_line/report.rs"]
mod report;
#[path = "command_line/terminal_play.rs"]
mod terminal_play;
#[path = "command_line/training.rs"]
mod training;
#[path = "command_line/web_play.rs"]
mod web_play;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

use serde_json::Value;
use tempfile::TempDir;

/// The program with these arguments.
fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_camelot"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// Runs the program to its end.
fn camelot(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

/// Runs the program with something on its standard input.
fn camelot_reading(arguments: &[&str], input: &str) -> Output {
    reading(command(arguments), input.as_bytes())
}

/// Runs a command with something on its standard input, however much it and the answer are.
fn reading(mut command: Command, input: &[u8]) -> Output {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    thread::scope(|scope| {
        scope.spawn(move || {
            // A program that refuses its input need not read it.
            let _ = stdin.write_all(input);
        });
        child.wait_with_output().unwrap()
    })
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The lines of JSON on standard output of a run that went well.
fn json_lines(output: &Output) -> Vec<Value> {
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The names of an object's fields, in their order.
fn fields(value: &Value) -> Vec<String> {
    let mut names: Vec<String> = value.as_object().unwrap().keys().cloned().collect();
    names.sort_unstable();
    names
}

/// Asserts that a run failed with this exit code and one line that holds all the parts.
fn assert_one_line_error(output: &Output, code: i32, parts: &[&str]) {
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{error}");
    let lines: Vec<&str> = error.lines().collect();
    let errors = lines.iter().filter(|line| line.starts_with("error: ")).count();
    assert!(errors == 1 && lines.last().unwrap().starts_with("error: "), "{error}");
    for part in parts {
        assert!(error.contains(part), "no `{part}` in: {error}");
    }
    assert!(!error.contains("panicked"), "{error}");
}

/// A configuration whose iterations take a moment, in a folder of its own.
struct SmallRun {
    folder: TempDir,
}

impl SmallRun {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn run(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// `camelot train` into the run folder `name`, for `iterations` iterations.
    fn train(&self, name: &str, iterations: u32, more: &[&str]) -> Command {
        let config = concat!(env!("CARGO_MANIFEST_DIR"), "/configs/cam-quick.toml");
        self.train_from(config, "network.accumulator=32", name, iterations, more)
    }

    /// The same with a residual network.
    fn train_residual(&self, name: &str, iterations: u32, more: &[&str]) -> Command {
        let config = concat!(env!("CARGO_MANIFEST_DIR"), "/configs/cam-residual.toml");
        self.train_from(config, "network.blocks=1", name, iterations, more)
    }

    fn train_from(&self, config: &str, size: &str, name: &str, iterations: u32, more: &[&str]) -> Command {
        let run = self.run(name);
        let iterations = format!("budget.iterations={iterations}");
        let mut command = command(&["train", config, "--run", run.to_str().unwrap(), "--set", &iterations]);
        for key in [
            "budget.minutes=1000",
            size,
            "network.hidden=32",
            "network.policy=32",
            "selfplay.games_per_iteration=12",
            "selfplay.simulations=8",
            "selfplay.considered=4",
            "selfplay.fast_simulations=2",
            "training.window_positions=1500",
            "training.window_first=1000",
            "training.batch_size=64",
            "training.passes=1",
            "checkpoints.keep=100",
            "evaluation.games=4",
            "evaluation.ratings=2",
            "evaluation.rating_games=2",
            "evaluation.simulations=4",
            "evaluation.opponents=[\"random\", \"mcts:sims=8\"]",
        ] {
            command.args(["--set", key]);
        }
        command.args(more);
        command
    }
}

/// The checkpoint of an iteration without what depends on the clock.
fn comparable(run: &Path, iteration: u64) -> camelot_models::Checkpoint {
    let path = camelot_models::checkpoint::file_in(run, iteration);
    let mut checkpoint = camelot_models::Checkpoint::load(&path).unwrap();
    checkpoint.counters.seconds = 0.0;
    checkpoint
}

/// The shards of a run by name, as bytes.
fn shards(run: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found: Vec<(String, Vec<u8>)> = std::fs::read_dir(run.join("window"))
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap()))
        .collect();
    found.sort_unstable();
    found
}
