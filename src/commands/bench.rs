//! `camelot bench`: fixed work, its speed, and a signature that is the same whenever it is done again.

use std::sync::Arc;
use std::time::Instant;

use camelot_core::{Game, Line, RuleSet, perft};
use camelot_models::{
    Compute, Encode, Evaluation, Evaluator, NetEvaluator, Request, Shape, SparseShape, Weights,
};
use camelot_selfplay::games::random_opening;
use camelot_selfplay::players::Advance;
use camelot_selfplay::rollout::playout;
use camelot_selfplay::search::{Limits, puct_search};
use camelot_selfplay::{Progress, Purpose, Search, SearchSettings, SelfPlay, generator};
use camelot_train::{Learner, samples_of};
use rayon::ThreadPool;
use serde::Serialize;

use super::{print_json, print_line, thread_pool};
use crate::arguments::{BenchArguments, BenchKind};
use crate::config::{self, Architecture, Config};
use crate::failure::Failure;
use crate::games::with_game;

#[derive(Debug, Serialize)]
struct Figure {
    what: &'static str,
    game: &'static str,
    threads: usize,
    unit: &'static str,
    per_s: f64,
    signature: u64,
}

/// The seed of everything random in a benchmark.
const SEED: u64 = 1;

pub(crate) fn run(arguments: &BenchArguments) -> Result<(), Failure> {
    with_game!(arguments.game, G => measure_all::<G>(arguments))
}

fn measure_all<G: Encode + Advance>(arguments: &BenchArguments) -> Result<(), Failure> {
    const ALL: [BenchKind; 6] = [
        BenchKind::Movegen,
        BenchKind::Playouts,
        BenchKind::Eval,
        BenchKind::Search,
        BenchKind::Selfplay,
        BenchKind::Train,
    ];
    let pool = thread_pool(arguments.threads)?;
    let built_in = match arguments.architecture {
        Architecture::Sparse => config::BUILT_IN,
        Architecture::Residual => config::RESIDUAL,
    };
    let raw = config::read(built_in, "the built-in configuration", &[])?;
    let config = Config::try_from(raw).map_err(Failure::error)?;
    config
        .network
        .check(G::sizes())
        .map_err(|why| Failure::usage(format!("--architecture {}: {why}", config.network.architecture())))?;
    let weights = Arc::new(Weights::random(G::sizes(), config.network, SEED));
    // Random games are the other half of what a move generator is for.
    let wanted = |what, kind| what == kind || (what == BenchKind::Movegen && kind == BenchKind::Playouts);
    for kind in ALL.into_iter().filter(|&kind| arguments.what.is_none_or(|what| wanted(what, kind))) {
        let figure = match kind {
            BenchKind::Movegen => movegen::<G>(),
            BenchKind::Playouts => playouts::<G>(),
            BenchKind::Eval => eval::<G>(&weights),
            BenchKind::Search => search::<G>(&weights),
            BenchKind::Selfplay => selfplay::<G>(&weights, &config, &pool)?,
            BenchKind::Train => train::<G>(&weights, &config, &pool)?,
        };
        if arguments.json {
            print_json(&figure)?;
        } else {
            print_line(&format!(
                "{:<9} {:<16} {:>2} threads  {:>12.0} {}/s  signature {:016x}",
                figure.what, figure.game, figure.threads, figure.per_s, figure.unit, figure.signature
            ))?;
        }
    }
    Ok(())
}

impl Figure {
    fn new<G: Game>(
        what: &'static str,
        unit: &'static str,
        threads: usize,
        started: Instant,
        count: u64,
        signature: u64,
    ) -> Self {
        let per_s = count as f64 / started.elapsed().as_secs_f64().max(1e-9);
        Self { what, game: G::NAME, threads, unit, per_s, signature }
    }
}

/// Folds a number into a signature.
fn fold(signature: u64, number: u64) -> u64 {
    (signature ^ number).wrapping_mul(0x0000_0100_0000_01B3).rotate_left(23)
}

fn movegen<G: Game>() -> Figure {
    let depth = if G::SEATS == 1 { 11 } else { 4 };
    let started = Instant::now();
    let nodes = perft(&G::start(RuleSet::Classic), depth);
    Figure::new::<G>("movegen", "nodes", 1, started, nodes, nodes)
}

fn playouts<G: Game>() -> Figure {
    const GAMES: u64 = 5_000;
    let mut rng = generator(SEED, Purpose::Bench, 0);
    let mut actions = Vec::new();
    let mut signature = 0;
    let started = Instant::now();
    for _ in 0..GAMES {
        let (_, plies) = playout(G::start(RuleSet::Classic), &mut actions, &mut rng);
        signature = fold(signature, u64::from(plies));
    }
    Figure::new::<G>("playouts", "games", 1, started, GAMES, signature)
}

/// Positions with their legal actions, from random openings of many lengths.
fn positions<G: Game>(count: u64) -> Vec<(G, Vec<G::Action>)> {
    (0..count)
        .map(|i| {
            let mut rng = generator(SEED, Purpose::Bench, i);
            let line: Line<G> = random_opening(&G::start(RuleSet::Classic), (i % 40) as u32, &mut rng);
            let mut actions = Vec::new();
            line.position().legal_actions(&mut actions);
            (line.position().clone(), actions)
        })
        .collect()
}

/// How many times as much work the sparse network gets, which is so much faster.
fn times(weights: &Weights, sparse: u64) -> u64 {
    if matches!(weights.shape, Shape::Sparse(_)) { sparse } else { 1 }
}

fn eval<G: Encode>(weights: &Arc<Weights>) -> Figure {
    let rounds = 4 * times(weights, 50);
    let positions = positions::<G>(1_000);
    let requests: Vec<_> =
        positions.iter().map(|(position, actions)| Request { position, actions }).collect();
    let mut evaluator = NetEvaluator::<G>::new(weights);
    let mut answers = vec![Evaluation::default(); evaluator.batch_size()];
    let mut signature = 0;
    let started = Instant::now();
    for _ in 0..rounds {
        for batch in requests.chunks(answers.len()) {
            evaluator.evaluate_batch(batch, &mut answers);
            for Evaluation { wdl, logits } in &answers[..batch.len()] {
                signature = fold(signature, u64::from(wdl.win.to_bits()) ^ u64::from(logits[0].to_bits()));
            }
        }
    }
    Figure::new::<G>("eval", "evaluations", 1, started, rounds * positions.len() as u64, signature)
}

fn search<G: Encode>(weights: &Arc<Weights>) -> Figure {
    const SIMULATIONS: u32 = 400;
    let mut evaluator = NetEvaluator::<G>::new(weights);
    let mut search = Search::new(SearchSettings::PLAY);
    let positions = positions::<G>(40 * times(weights, 10));
    let (mut total, mut signature) = (0, 0);
    let started = Instant::now();
    for (position, _) in positions {
        let line = Line::new(position);
        let decision = puct_search(&mut search, &line, &Limits::simulations(SIMULATIONS), &mut evaluator);
        total += u64::from(decision.simulations);
        signature = fold(signature, search.nodes() as u64);
    }
    Figure::new::<G>("search", "simulations", 1, started, total, signature)
}

fn selfplay<G: Encode + Advance>(
    weights: &Arc<Weights>,
    config: &Config,
    pool: &ThreadPool,
) -> Result<Figure, Failure> {
    let games = 100 * times(weights, 4);
    let selfplay = SelfPlay {
        settings: &config.selfplay,
        weights: Arc::clone(weights),
        partner: None,
        compute: &Compute::Cpu,
        rules: RuleSet::Classic,
        seed: SEED,
        iteration: 1,
    };
    let started = Instant::now();
    let report = pool.install(|| selfplay.run::<G>(games, &Progress::default()));
    let report = report.ok_or(Failure::Interrupted)?;
    let signature = report.records.iter().fold(0, |s, record| fold(s, record.plies.len() as u64));
    let threads = pool.current_num_threads();
    Ok(Figure::new::<G>("selfplay", "simulations", threads, started, report.simulations, signature))
}

fn train<G: Encode + Advance>(
    weights: &Arc<Weights>,
    config: &Config,
    pool: &ThreadPool,
) -> Result<Figure, Failure> {
    let steps = 10 * times(weights, 10);
    let settings = camelot_selfplay::SelfPlaySettings { full_share: 1.0, ..config.selfplay };
    let selfplay = SelfPlay {
        settings: &settings,
        weights: Arc::new(Weights::random(
            G::sizes(),
            SparseShape { accumulator: 32, hidden: 32, policy: 32 },
            SEED,
        )),
        partner: None,
        compute: &Compute::Cpu,
        rules: RuleSet::Classic,
        seed: SEED,
        iteration: 2,
    };
    let report = pool.install(|| selfplay.run::<G>(40, &Progress::default())).ok_or(Failure::Interrupted)?;
    let mut samples = Vec::new();
    for record in &report.records {
        samples.extend(samples_of::<G>(record)?);
    }
    let batch: Vec<_> = samples.iter().cycle().take(config.learner.batch_size).collect();
    let mut learner = pool.install(|| {
        Learner::<G>::new(
            weights.as_ref().clone(),
            weights.as_ref().clone(),
            None,
            config.learner,
            &Compute::Cpu,
        )
    });
    let mut rng = generator(SEED, Purpose::Bench, 0);
    let started = Instant::now();
    for _ in 0..steps {
        pool.install(|| learner.step(&batch, &mut rng, 1e-3))?;
    }
    let count = steps * batch.len() as u64;
    let threads = pool.current_num_threads();
    Ok(Figure::new::<G>("train", "positions", threads, started, count, learner.weights().hash()))
}
