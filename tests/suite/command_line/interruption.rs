//! Runs that are stopped or killed, and go on.
#![cfg(unix)]

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{SmallRun, assert_one_line_error, comparable, shards};

const ITERATIONS: u32 = 24;

/// With all that a run may have to remember.
const MORE: [&str; 6] = [
    "--set",
    "training.gate_games=2",
    "--set",
    "training.gate_every=5",
    "--set",
    "training.when_weaker=roll-back",
];

fn send(signal: &str, child: &Child) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
}

/// Waits until a file of the run exists; the process must not end before.
fn wait_for(child: &mut Child, file: &Path) {
    let patience = Instant::now() + Duration::from_mins(1);
    while !file.exists() {
        assert!(child.try_wait().unwrap().is_none(), "ended before {}", file.display());
        assert!(Instant::now() < patience, "no {}", file.display());
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn quietly(command: &mut Command) -> Child {
    command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

/// The metrics of a run without what depends on the machine.
fn metrics(run: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(run.join("metrics.jsonl")).unwrap();
    let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for line in &mut lines {
        let timed = |name: &str| name.contains("second") || name == "resident_megabytes";
        line.as_object_mut().unwrap().retain(|name, _| !timed(name));
    }
    lines
}

/// The undisturbed run that the others are compared with.
fn assert_same_end(small: &SmallRun, name: &str) {
    let last = u64::from(ITERATIONS);
    let (whole, other) = (small.run("whole"), small.run(name));
    assert!(comparable(&whole, last) == comparable(&other, last), "{name}: another checkpoint");
    assert!(shards(&whole) == shards(&other), "{name}: other games");
    assert!(metrics(&whole) == metrics(&other), "{name}: other metrics");
    assert_eq!(metrics(&other).len(), ITERATIONS as usize);
}

#[test]
fn a_run_stopped_by_ctrl_c_says_how_to_go_on_and_ends_as_if_undisturbed() {
    let small = SmallRun::new();
    assert!(small.train("whole", ITERATIONS, &MORE).status().unwrap().success());
    let mut child = quietly(&mut small.train("stopped", ITERATIONS, &MORE));
    wait_for(&mut child, &small.run("stopped").join("checkpoints/000002.checkpoint"));
    // Twice at once, as a process group's member may be told.
    send("-INT", &child);
    let _ = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("To go on: camelot train --run"), "{said}");
    assert!(small.train("stopped", ITERATIONS, &MORE).status().unwrap().success());
    assert_same_end(&small, "stopped");
}

#[test]
fn a_run_killed_at_any_moment_ends_as_if_undisturbed() {
    let small = SmallRun::new();
    assert!(small.train("whole", ITERATIONS, &MORE).status().unwrap().success());
    // Kills right after a checkpoint, right after a shard, and at moments spread between.
    for (name, file, delay_ms) in [
        ("a", "checkpoints/000001.checkpoint", 0),
        ("b", "window/000003.shard", 0),
        ("c", "config.toml", 3),
        ("d", "window/000002.shard", 7),
        ("e", "checkpoints/000004.checkpoint", 13),
    ] {
        let mut child = quietly(&mut small.train(name, ITERATIONS, &MORE));
        wait_for(&mut child, &small.run(name).join(file));
        std::thread::sleep(Duration::from_millis(delay_ms));
        send("-KILL", &child);
        child.wait().unwrap();
        let output = small.train(name, ITERATIONS, &MORE).output().unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        assert_same_end(&small, name);
    }
}

#[test]
fn a_second_process_is_refused_with_the_number_of_the_first() {
    let small = SmallRun::new();
    let mut child = quietly(&mut small.train("run", 100_000, &[]));
    wait_for(&mut child, &small.run("run").join("checkpoints/000001.checkpoint"));
    let second = small.train("run", 100_000, &[]).output().unwrap();
    let id = child.id().to_string();
    send("-KILL", &child);
    child.wait().unwrap();
    assert_one_line_error(&second, 1, &["in use by process", &id]);
}
