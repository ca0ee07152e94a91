//! The same network through burn, through the search's own evaluators, and through the Python example with ONNX
//! Runtime, on 1,000 positions of each game.
//!
//! Needs Python with numpy and onnxruntime: `python3`, or what `CAMELOT_PYTHON` names. Where they are missing they are
//! installed into the target folder if that can be done; if not, one line says so and nothing is compared.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use camelot_core::{Cam, CamAllKnights, Camelot, Game, GrandCamelot, Patience, Position, RuleSet, Turn};
use camelot_models::bundle::Bundle;
use camelot_models::encoding::ENCODING_VERSION;
use camelot_models::{
    Compute, Counters, DeviceEvaluator, Encode, Evaluation, Evaluator, Request, ResidualShape, Shape,
    SparseShape, Stored, Weights, inference, residual,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::{Value, json};

use super::{SmallRun, camelot, camelot_reading, json_lines, reading, text};

const POSITIONS: usize = 1000;
const SPARSE: Shape = Shape::Sparse(SparseShape { accumulator: 96, hidden: 64, policy: 32 });
const RESIDUAL: Shape = Shape::Residual(ResidualShape { blocks: 2, channels: 32, hidden: 32, policy: 32 });

/// By how much ONNX Runtime may differ from burn, both with 32-bit floating point: measured as [`inference::AGREEMENT`] is.
const FLOAT_AGREEMENT: f32 = 1e-4;

/// A line that is seen whether or not a test passes.
fn say(line: &str) {
    writeln!(std::io::stderr(), "{line}").unwrap();
}

/// Whether a command can be started and ends well.
fn succeeds(program: &Path, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// A Python with the two packages; none if there is no way to have one.
fn python() -> Option<&'static Path> {
    const PACKAGES: [&str; 2] = ["-c", "import numpy, onnxruntime"];
    static PYTHON: OnceLock<Option<PathBuf>> = OnceLock::new();
    let find = || {
        let given: PathBuf = std::env::var_os("CAMELOT_PYTHON").unwrap_or_else(|| "python3".into()).into();
        if succeeds(&given, &PACKAGES) {
            return Some(given);
        }
        let folder = concat!(env!("CARGO_TARGET_TMPDIR"), "/python");
        let own = Path::new(folder).join("bin/python");
        let install = "-m pip install --quiet --timeout 10 --retries 0 --only-binary :all: numpy onnxruntime";
        let install: Vec<&str> = install.split(' ').collect();
        let ready = succeeds(&own, &PACKAGES)
            || (succeeds(&given, &["-m", "venv", "--clear", folder])
                && succeeds(&own, &install)
                && succeeds(&own, &PACKAGES));
        ready.then_some(own)
    };
    let found = PYTHON.get_or_init(find).as_deref();
    if found.is_none() {
        say("skipped: the Python example, for want of a Python with numpy and onnxruntime (CAMELOT_PYTHON)");
    }
    found
}

/// Positions of random games in which a player is to move.
fn positions<G: Game>() -> Vec<G> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(23);
    let mut found = Vec::new();
    let mut position = G::start(RuleSet::Classic);
    while found.len() < POSITIONS {
        if position.outcome().is_some() {
            position = G::start(RuleSet::Classic);
        }
        let mut actions = Vec::new();
        position.legal_actions(&mut actions);
        let next = actions[rng.random_range(0..actions.len())];
        if position.turn() != Turn::Chance {
            found.push(position.clone());
        }
        position.play(next);
    }
    found
}

/// Random weights with noticeable numbers in every matrix, as training would leave them.
fn weights<G: Encode>(shape: Shape) -> Weights {
    let mut weights = Weights::random(G::sizes(), shape, 5);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
    for (index, matrix) in shape.matrices(G::sizes()).iter().enumerate() {
        let starts_small = ["value.weight", "policy.weight", "policy.output"].contains(&&*matrix.name)
            || matrix.name.ends_with("second.weight");
        for number in weights.get_mut(index) {
            if starts_small {
                *number *= 5.0;
            } else if !matrix.decays {
                *number = rng.random_range(-0.5..0.5);
            }
        }
    }
    weights
}

fn bundle<G: Game>(weights: Weights) -> Bundle {
    Bundle {
        game: G::NAME.into(),
        rules: RuleSet::Classic,
        encoding: ENCODING_VERSION,
        engine: "test".into(),
        counters: Counters::default(),
        configuration: String::new(),
        licence: "none stated".into(),
        weights,
    }
}

/// Shares of win, draw and loss, and the logit of each move by its text.
struct Opinion {
    shares: [f32; 3],
    logits: HashMap<String, f32>,
}

impl Opinion {
    fn read(shares: &Value, moves: &Value) -> Self {
        let number = |value: &Value| value.as_f64().unwrap() as f32;
        let named = |it: &Value| (it["move"].as_str().unwrap().to_string(), number(&it["logit"]));
        Self {
            shares: ["win", "draw", "loss"].map(|name| number(&shares[name])),
            logits: moves.as_array().unwrap().iter().map(named).collect(),
        }
    }
}

/// The Python example with a model, fed with what `camelot moves` says of positions in JSON lines.
fn example(python: &Path, model: &str, queries: &str) -> Output {
    let listed = camelot_reading(&["moves", "-", "--json"], queries);
    assert!(listed.status.success(), "{}", text(&listed.stderr));
    let mut command = Command::new(python);
    command.args(["-B", concat!(env!("CARGO_MANIFEST_DIR"), "/docs/python/evaluate.py"), model]);
    reading(command, &listed.stdout)
}

/// What the Python example says.
fn by_python(python: &Path, model: &str, queries: &str) -> Vec<Opinion> {
    let answers = json_lines(&example(python, model, queries));
    answers.iter().map(|answer| Opinion::read(answer, &answer["moves"])).collect()
}

/// What `camelot analyze` says of the network without a search, by the search's own evaluator.
fn by_analysis<G: Game>(network: &str, positions: &[G]) -> Vec<Opinion> {
    let mut queries = String::new();
    for (id, position) in positions.iter().enumerate() {
        let query = json!({"id": id, "position": position.to_string(), "simulations": 1});
        writeln!(queries, "{query}").unwrap();
    }
    let mut answers = json_lines(&camelot_reading(&["analyze", &format!("net:{network}")], &queries));
    answers.sort_by_key(|answer| answer["id"].as_u64());
    answers
        .iter()
        .map(|answer| Opinion::read(&answer["searched"]["network"], &answer["searched"]["moves"]))
        .collect()
}

/// What burn says.
fn by_burn<G: Encode>(weights: &Weights, positions: &[G]) -> Vec<Opinion> {
    let list = |position: &G| {
        let mut actions = Vec::new();
        position.legal_actions(&mut actions);
        actions
    };
    let actions: Vec<_> = positions.iter().map(list).collect();
    let requests: Vec<_> =
        positions.iter().zip(&actions).map(|(position, actions)| Request { position, actions }).collect();
    let mut answers = vec![Evaluation::default(); positions.len()];
    DeviceEvaluator::<G>::new(weights, &Compute::Cpu.device()).evaluate_batch(&requests, &mut answers);
    let opinion = |(request, answer): (&Request<'_, G>, &Evaluation)| Opinion {
        shares: [answer.wdl.win, answer.wdl.draw, answer.wdl.loss],
        logits: request
            .actions
            .iter()
            .zip(&answer.logits)
            .map(|(&action, &logit)| (request.position.action_text(action), logit))
            .collect(),
    };
    requests.iter().zip(&answers).map(opinion).collect()
}

/// The largest differences of shares, and of logits as a part of the position's largest one, or of 1 if that is larger.
fn differences(found: &[Opinion], expected: &[Opinion]) -> (f32, f32) {
    assert_eq!(found.len(), expected.len());
    let (mut value, mut logits) = (0.0_f32, 0.0_f32);
    for (found, expected) in found.iter().zip(expected) {
        for (one, other) in found.shares.iter().zip(expected.shares) {
            value = value.max((one - other).abs());
        }
        assert_eq!(found.logits.len(), expected.logits.len());
        let largest = expected.logits.values().fold(1.0_f32, |most, logit| most.max(logit.abs()));
        for (name, logit) in &found.logits {
            logits = logits.max((logit - expected.logits[name]).abs() / largest);
        }
    }
    (value, logits)
}

/// Compares the three ways for the network in a file; returns the largest logit.
fn compare<G: Encode>(python: &Path, network: &str, what: &str) -> f32 {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("network.onnx").display().to_string();
    let written = camelot(&["export", network, "--format", "onnx", "-o", &model, "--json"]);
    let written = json_lines(&written).remove(0);
    assert_eq!(written["shapes"]["features"], json!(["positions", G::sizes().inputs]));
    let weights = Stored::load(Path::new(network)).unwrap().into_player::<G>(Path::new(network)).unwrap();
    let positions = positions::<G>();
    let line = |position: &G| json!({"game": G::NAME, "position": position.to_string()}).to_string();
    let queries = positions.iter().map(line).collect::<Vec<_>>().join("\n");
    let onnx = by_python(python, &model, &queries);
    let (own, burn) = (by_analysis(network, &positions), by_burn(&weights, &positions));
    let of_search =
        if matches!(weights.shape, Shape::Sparse(_)) { inference::AGREEMENT } else { residual::AGREEMENT };
    let mut report = format!("{}, {what} {}, {} positions:", G::NAME, weights.shape, positions.len());
    let mut worst = Vec::new();
    for (names, found, expected, bound) in [
        ("ONNX Runtime and burn", &onnx, &burn, FLOAT_AGREEMENT),
        ("ONNX Runtime and search", &onnx, &own, of_search),
        ("search and burn", &own, &burn, of_search),
    ] {
        let (value, logits) = differences(found, expected);
        write!(report, " {names} differ by {value:.1e} in value, {logits:.1e} in logits (below {bound});")
            .unwrap();
        worst.push(value.max(logits) / bound);
    }
    say(report.trim_end_matches(';'));
    assert!(worst.iter().all(|&worst| worst < 1.0), "{report}");
    onnx.iter().flat_map(|it| it.logits.values()).fold(0.0, |most, it| most.max(it.abs()))
}

fn compare_random<G: Encode>(shapes: &[Shape]) {
    let Some(python) = python() else { return };
    for &shape in shapes {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("network.bundle");
        bundle::<G>(weights::<G>(shape)).save(&file).unwrap();
        let largest = compare::<G>(python, file.to_str().unwrap(), "random weights,");
        assert!(largest > 0.5, "the logits are too small to compare: {largest}");
    }
}

#[test]
fn cam_is_judged_alike_elsewhere() {
    compare_random::<Position<Cam>>(&[SPARSE, RESIDUAL]);
}

#[test]
fn cam_all_knights_is_judged_alike_elsewhere() {
    compare_random::<Position<CamAllKnights>>(&[SPARSE, RESIDUAL]);
}

#[test]
fn camelot_is_judged_alike_elsewhere() {
    compare_random::<Position<Camelot>>(&[SPARSE, RESIDUAL]);
}

#[test]
fn grand_camelot_is_judged_alike_elsewhere() {
    compare_random::<Position<GrandCamelot>>(&[SPARSE, RESIDUAL]);
}

#[test]
fn the_patience_is_judged_alike_elsewhere() {
    compare_random::<Patience>(&[SPARSE]);
}

#[test]
fn trained_networks_are_judged_alike_elsewhere() {
    let Some(python) = python() else { return };
    let small = SmallRun::new();
    assert!(small.train("sparse", 2, &[]).output().unwrap().status.success());
    assert!(small.train_residual("residual", 2, &[]).output().unwrap().status.success());
    for name in ["sparse", "residual"] {
        let file = camelot_models::checkpoint::best_in(&small.run(name)).unwrap();
        compare::<Position<Cam>>(python, file.to_str().unwrap(), "trained for two iterations,");
    }
}

/// The example says in one line what it cannot do, and passes over games that are over.
#[test]
fn the_example_refuses_other_games_and_repeats_results() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("network.bundle");
    bundle::<Patience>(weights::<Patience>(SPARSE)).save(&file).unwrap();
    let model = folder.path().join("network.onnx").display().to_string();
    let file = file.to_str().unwrap();
    assert!(camelot(&["export", file, "--format", "onnx", "-o", &model]).status.success());
    let run = |game: &str, position: &str| {
        example(python, &model, &json!({"game": game, "position": position}).to_string())
    };
    let waiting = "..../..../..../.... ? - 0 4444444444444";
    assert_eq!(json_lines(&run("patience", waiting)), [json!({"game": "patience", "position": waiting})]);
    let lost = "KQQK/JAAJ/JAAJ/KQQK - r 0 0444444444000";
    assert_eq!(json_lines(&run("patience", lost))[0]["result"], "p2win");
    let other = run("cam", &Position::<Cam>::start(RuleSet::Classic).to_string());
    assert_eq!(text(&other.stderr), "error: a position of cam: the network was trained for patience\n");
    assert_eq!(other.status.code(), Some(1));
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/python/evaluate.py");
    let mut command = Command::new(python);
    command.args(["-B", script, &model]);
    let refused = text(&reading(command, b"\n{\"id\": 1}\n").stderr);
    assert_eq!(refused, "error: line 2: expected what `camelot moves - --json` prints\n");
}
