//! Random games for the tests of this crate.

use camelot_core::record::{GameRecord, PlyRecord, SearchRecord, quantise_policy, sorted_actions};
use camelot_core::{Game, Line, Position, RuleSet, variant};
use camelot_models::{ResidualShape, Shape, SparseShape, Weights};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::sample::{Sample, samples_of};

/// The game Cam.
pub(crate) type Cam = Position<variant::Cam>;
/// The game Camelot.
pub(crate) type Camelot = Position<variant::Camelot>;

/// A sparse network small enough for quick tests.
pub(crate) const SMALL: Shape = Shape::Sparse(SparseShape { accumulator: 64, hidden: 32, policy: 32 });

/// A residual one.
pub(crate) const SMALL_RESIDUAL: Shape =
    Shape::Residual(ResidualShape { blocks: 2, channels: 32, hidden: 32, policy: 32 });

/// A generator for a test.
pub(crate) fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// Games played at random, with made-up searches on two plies of three.
pub(crate) fn random_records<G: Game>(count: usize, seed: u64) -> Vec<GameRecord> {
    let mut rng = rng(seed);
    (0..count).map(|_| random_record::<G>(&mut rng)).collect()
}

fn random_record<G: Game>(rng: &mut impl Rng) -> GameRecord {
    let mut line = Line::new(G::start(RuleSet::Classic));
    let start = line.position().to_string();
    let mut plies = Vec::new();
    while line.outcome().is_none() && plies.len() < 80 {
        let actions = sorted_actions(line.position());
        let action = rng.random_range(0..actions.len());
        let search = rng.random_bool(2.0 / 3.0).then(|| random_search(actions.len(), rng));
        plies.push(PlyRecord { action: action as u16, search });
        line.play(actions[action]);
    }
    GameRecord {
        game: G::NAME.into(),
        rules: RuleSet::Classic,
        start,
        plies,
        outcome: line.outcome().unwrap_or_else(|| line.position().broken_off()),
        seed: 0,
        network: 0,
        engine: "test".into(),
    }
}

fn random_search(actions: usize, rng: &mut impl Rng) -> SearchRecord {
    let mut policy: Vec<f32> = (0..actions).map(|_| rng.random::<f32>().powi(8)).collect();
    let sum: f32 = policy.iter().sum();
    for probability in &mut policy {
        *probability /= sum;
    }
    let win = rng.random::<f32>();
    let draw = rng.random::<f32>() * (1.0 - win);
    let wdl = [win, draw, 1.0 - win - draw];
    SearchRecord { policy: quantise_policy(&policy), wdl, simulations: 32 }
}

/// `count` samples from random games.
pub(crate) fn random_samples<G: Game>(count: usize, seed: u64) -> Vec<Sample<G>> {
    let mut samples: Vec<Sample<G>> = Vec::new();
    for round in 0.. {
        if samples.len() >= count {
            break;
        }
        for record in random_records::<G>(4, seed + round * 1000) {
            samples.extend(samples_of(&record).unwrap());
        }
    }
    samples.truncate(count);
    samples
}

/// Random weights whose every matrix, biases and output layers included, is of noticeable size.
pub(crate) fn sizeable_weights<G: camelot_models::Encode>(shape: impl Into<Shape>, seed: u64) -> Weights {
    let mut weights = Weights::random(G::sizes(), shape, seed);
    let mut rng = rng(seed ^ 1);
    for (index, matrix) in weights.shape.matrices(G::sizes()).iter().enumerate() {
        let starts_small = matrix.name == "value.weight"
            || matrix.name == "policy.weight"
            || matrix.name == "policy.output"
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
