//! Evaluations of a residual network, in turns with ONNX Runtime and burn on the same weights and positions:
//!
//! `ORT_DYLIB_PATH=… cargo bench --package camelot-models --features ort --bench convolution`
//!
//! All run on one thread. ONNX Runtime is timed as the network is defined, with cells off the board kept at
//! zero, and once more without the masks, which is another function with the same products.

use std::io::{self, Write};
use std::time::Instant;

use burn::tensor::Device;
use camelot_core::{Cam, Camelot, Game, Position, RuleSet};
use camelot_models::encoding::{Encode, Encoded, Mirror};
use camelot_models::network::{Batch, Network};
use camelot_models::{Evaluation, Evaluator, Request, ResidualEvaluator, ResidualShape, Weights};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::ThreadPoolBuilder;

/// How often each engine is timed. The rounds go through all engines, so that a busy machine hits all alike.
const ROUNDS: usize = 15;

/// Positions judged in a round.
const POSITIONS: usize = 320;

const SHAPE: ResidualShape = ResidualShape { blocks: 4, channels: 32, hidden: 64, policy: 32 };

/// Positions that are judged at a time.
const BATCHES: [usize; 3] = [1, 8, 32];

/// A pass over all positions in batches of a size.
type Pass<'a> = Box<dyn FnMut(usize) + 'a>;

/// What is timed, or why it is left out.
type Engine<'a> = (&'static str, Result<Pass<'a>, String>);

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    let ResidualShape { blocks, channels, .. } = SHAPE;
    writeln!(out, "evaluations a second, one thread, {blocks} blocks of {channels} channels:")?;
    writeln!(out, "median of {ROUNDS} rounds [lowest, highest], and the share of the first engine's speed")?;
    compare::<Position<Cam>>(&mut out)?;
    compare::<Position<Camelot>>(&mut out)
}

/// Positions of random games.
fn positions<G: Game>() -> Vec<(G, Vec<G::Action>)> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut found = Vec::new();
    let mut position = G::start(RuleSet::Classic);
    while found.len() < POSITIONS {
        let mut actions = Vec::new();
        if position.outcome().is_none() {
            position.legal_actions(&mut actions);
        }
        if actions.is_empty() || found.len() % 60 == 59 {
            position = G::start(RuleSet::Classic);
            position.legal_actions(&mut actions);
        }
        let next = actions[rng.random_range(0..actions.len())];
        found.push((position.clone(), actions));
        position.play(next);
    }
    found
}

/// Judges all requests, a batch at a time.
fn judge<G: Encode>(
    evaluator: &mut impl Evaluator<G>,
    requests: &[Request<'_, G>],
    batch: usize,
    answers: &mut [Evaluation],
) {
    for (requests, answers) in requests.chunks(batch).zip(answers.chunks_mut(batch)) {
        evaluator.evaluate_batch(requests, answers);
    }
}

fn compare<G: Encode>(out: &mut impl Write) -> io::Result<()> {
    let weights = Weights::random(G::sizes(), SHAPE, 1);
    let positions = positions::<G>();
    let requests: Vec<Request<'_, G>> =
        positions.iter().map(|(position, actions)| Request { position, actions }).collect();
    let mut own = ResidualEvaluator::<G>::new(&weights).expect("the network is a residual one");
    let mut expected = vec![Evaluation::default(); POSITIONS];
    judge(&mut own, &requests, 1, &mut expected);
    let mut answers = expected.clone();
    let mut engines: Vec<(&str, Pass<'_>)> =
        vec![("own", Box::new(|batch| judge(&mut own, &requests, batch, &mut answers)))];
    for (name, evaluator) in onnx_runtime::<G>(&weights, &requests, &expected) {
        match evaluator {
            Ok(engine) => engines.push((name, engine)),
            Err(why) => writeln!(out, "left out: {why}")?,
        }
    }
    engines.push(("burn, flex", burn::<G>(&weights, &requests)));
    for batch in BATCHES {
        let mut speeds = vec![Vec::new(); engines.len()];
        for _ in 0..ROUNDS {
            for ((_, engine), speeds) in engines.iter_mut().zip(&mut speeds) {
                let start = Instant::now();
                engine(batch);
                speeds.push(POSITIONS as f64 / start.elapsed().as_secs_f64());
            }
        }
        for ((name, _), of_engine) in engines.iter().zip(&speeds) {
            let [low, middle, high] = spread(of_engine.clone());
            let share = of_engine.iter().zip(&speeds[0]).map(|(speed, own)| speed / own).collect();
            let [_, share, _] = spread(share);
            let speed = format!("{middle:.0} [{low:.0}, {high:.0}]");
            writeln!(out, "{:<8} batch {batch:>2}  {name:<28} {speed:>24} {share:>6.2}", G::NAME)?;
        }
    }
    Ok(())
}

/// burn's own forward pass on one thread, encoding and answers included.
fn burn<'a, G: Encode>(weights: &Weights, requests: &'a [Request<'a, G>]) -> Pass<'a> {
    let network = Network::new(weights, G::sizes(), &Device::flex());
    let pool = ThreadPoolBuilder::new().num_threads(1).build().expect("the system grants a thread");
    Box::new(move |size| {
        pool.install(|| {
            let (mut batch, mut encoded) = (Batch::default(), Encoded::default());
            for requests in requests.chunks(size) {
                batch.clear();
                for request in requests {
                    request.position.encode(Mirror::Straight, request.actions, &mut encoded);
                    batch.push(&encoded);
                }
                let output = network.forward(&batch);
                let numbers: Vec<f32> = output.logits.try_into_vec_as().expect("a tensor of f32 can be read");
                assert_eq!(numbers.len(), batch.size * batch.width());
            }
        });
    })
}

/// ONNX Runtime with and without masks, or why it is left out.
#[cfg(feature = "ort")]
fn onnx_runtime<'a, G: Encode>(
    weights: &Weights,
    requests: &'a [Request<'a, G>],
    expected: &[Evaluation],
) -> Vec<Engine<'a>> {
    use camelot_models::onnx::Masks;
    use camelot_models::ort::OrtEvaluator;

    let engine = |masks| -> Result<Pass<'a>, String> {
        let mut evaluator = OrtEvaluator::<G>::new(weights, masks)?;
        let mut answers = expected.to_vec();
        judge(&mut evaluator, requests, 32, &mut answers);
        if masks == Masks::Applied {
            agree(&answers, expected);
        }
        Ok(Box::new(move |batch| judge(&mut evaluator, requests, batch, &mut answers)))
    };
    vec![("ONNX Runtime", engine(Masks::Applied)), ("ONNX Runtime without masks", engine(Masks::LeftOut))]
}

/// Both engines say the same, up to rounding.
#[cfg(feature = "ort")]
fn agree(found: &[Evaluation], expected: &[Evaluation]) {
    for (found, expected) in found.iter().zip(expected) {
        let numbers = |answer: &Evaluation| {
            let mut numbers = vec![answer.wdl.win, answer.wdl.draw, answer.wdl.loss];
            numbers.extend(&answer.logits);
            numbers
        };
        for (a, b) in numbers(found).into_iter().zip(numbers(expected)) {
            assert!((a - b).abs() < 1e-4 * b.abs().max(1.0), "{a}, expected {b}");
        }
    }
}

#[cfg(not(feature = "ort"))]
fn onnx_runtime<'a, G: Encode>(_: &Weights, _: &'a [Request<'a, G>], _: &[Evaluation]) -> Vec<Engine<'a>> {
    vec![("ONNX Runtime", Err("ONNX Runtime, which --features ort compares with".into()))]
}

/// The lowest, the middle and the highest of some numbers.
fn spread(mut numbers: Vec<f64>) -> [f64; 3] {
    numbers.sort_by(f64::total_cmp);
    [numbers[0], numbers[numbers.len() / 2], numbers[numbers.len() - 1]]
}
