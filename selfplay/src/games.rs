//! Self-play: games of the network against itself, spread over all cores, as records.
//!
//! Each game has its own random numbers from (seed, iteration, game number) and one thread plays it from
//! start to end, so the records do not depend on the number of threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use camelot_core::record::{GameRecord, PlyRecord, SearchRecord, quantise_policy, sorted_actions};
use camelot_core::{Game, Line, Outcome, RuleSet, Turn};
use camelot_models::{Compute, Encode, NetEvaluator, Weights};
use rand::RngExt;
use rayon::prelude::*;

use crate::rng::{Generator, Purpose, derive_seed};
use crate::rollout::{draw_outcome, random_action};
use crate::search::{Decision, GumbelSettings, Limits, Search, SearchSettings, gumbel_search, puct_search};

/// How self-play games are played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SelfPlaySettings {
    /// The tree's settings.
    pub search: SearchSettings,
    /// The searches that are recorded.
    pub full: GumbelSettings,
    /// Simulations of the fast searches between them, which are not recorded.
    pub fast_simulations: u32,
    /// How freely a fast search chooses: 0 takes the best action, `t` draws one by `visits^(1/t)`.
    pub fast_temperature: f32,
    /// Probability that a move gets a full search (playout cap randomisation, Wu 2019).
    pub full_share: f32,
    /// A game starts with a random number of random plies, at most this many.
    pub opening_plies: u32,
    /// A game is cut and called a draw after this many quiet plies.
    pub cut_quiet_plies: u16,
    /// A game is cut and called a draw after this many plies.
    pub cut_plies: usize,
}

/// Counts that the workers keep up while they play, for whoever shows progress; and the way to stop them.
#[derive(Debug, Default)]
pub struct Progress {
    /// Finished games.
    pub games: AtomicU64,
    /// Plies played.
    pub plies: AtomicU64,
    /// Simulations spent.
    pub simulations: AtomicU64,
    /// Set by whoever holds it to stop at the next ply; unfinished games are lost.
    pub stop: Arc<AtomicBool>,
}

/// Self-play with one network.
#[derive(Debug)]
pub struct SelfPlay<'a> {
    /// How games are played.
    pub settings: &'a SelfPlaySettings,
    /// The network.
    pub weights: Arc<Weights>,
    /// Where it runs.
    pub compute: &'a Compute,
    /// The rule set.
    pub rules: RuleSet,
    /// The root seed.
    pub seed: u64,
    /// The iteration, which takes part in each game's seed.
    pub iteration: u64,
}

/// The games of one iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct GamesReport {
    /// One record a game, in the order of game numbers.
    pub records: Vec<GameRecord>,
    /// Simulations spent.
    pub simulations: u64,
}

/// More games than any iteration has; separates the seeds of iterations.
pub const GAMES_LIMIT: u64 = 1 << 32;

/// How often a random opening that ends the game is tried again before fewer plies are played.
const OPENING_TRIES: u32 = 8;

struct Worker<G: Game> {
    search: Search<G>,
    evaluator: NetEvaluator<G>,
}

impl SelfPlay<'_> {
    /// Plays `games` games on the threads of the ambient rayon pool. `None` if stopped.
    #[must_use]
    pub fn run<G: Encode>(&self, games: u64, progress: &Progress) -> Option<GamesReport> {
        let before = progress.simulations.load(Ordering::Relaxed);
        let network = self.weights.hash();
        let records: Option<Vec<GameRecord>> = (0..games as usize)
            .into_par_iter()
            .map_init(
                || Worker {
                    search: Search::new(self.settings.search),
                    evaluator: NetEvaluator::<G>::on(&self.weights, self.compute),
                },
                |worker, number| {
                    let record = self.play(worker, number as u64, network, progress)?;
                    progress.games.fetch_add(1, Ordering::Relaxed);
                    Some(record)
                },
            )
            .collect();
        let simulations = progress.simulations.load(Ordering::Relaxed) - before;
        records.map(|records| GamesReport { records, simulations })
    }

    fn play<G: Encode>(
        &self,
        worker: &mut Worker<G>,
        number: u64,
        network: u64,
        progress: &Progress,
    ) -> Option<GameRecord> {
        let seed = derive_seed(self.seed, Purpose::SelfPlay, self.iteration * GAMES_LIMIT + number);
        let mut rng: Generator = rand::SeedableRng::seed_from_u64(seed);
        let plies = rng.random_range(0..=self.settings.opening_plies);
        let mut line = random_opening(&G::start(self.rules), plies, &mut rng);
        let mut records = vec![];
        for (position, action) in positions_of(&line) {
            records.push(PlyRecord { action: place(&position, action), search: None });
        }
        let outcome = loop {
            if let Some(outcome) = self.ended(&line) {
                break outcome;
            }
            if progress.stop.load(Ordering::Relaxed) {
                return None;
            }
            let (record, action) = self.choose(worker, &line, &mut rng, progress);
            records.push(record);
            line.play(action);
            progress.plies.fetch_add(1, Ordering::Relaxed);
        };
        Some(GameRecord {
            game: G::NAME.into(),
            rules: self.rules,
            start: line.start().to_string(),
            plies: records,
            outcome,
            seed,
            network,
            engine: env!("CARGO_PKG_VERSION").into(),
        })
    }

    fn ended<G: Game>(&self, line: &Line<G>) -> Option<Outcome> {
        let cut = || {
            let quiet = line.position().reversible_plies() >= self.settings.cut_quiet_plies;
            let long = line.actions().len() >= self.settings.cut_plies;
            (quiet || long).then(|| line.position().broken_off())
        };
        line.outcome().or_else(cut)
    }

    /// The next ply of a game: a full search that is recorded, a fast one that is not, or none where
    /// there is nothing to choose.
    fn choose<G: Encode>(
        &self,
        worker: &mut Worker<G>,
        line: &Line<G>,
        rng: &mut Generator,
        progress: &Progress,
    ) -> (PlyRecord, G::Action) {
        let position = line.position();
        let actions = sorted_actions(position);
        let unsearched = |action: G::Action| {
            let place = actions.binary_search(&action).expect("a chosen action is legal") as u16;
            (PlyRecord { action: place, search: None }, action)
        };
        if position.turn() == Turn::Chance {
            return unsearched(draw_outcome(position, &actions, rng));
        }
        if actions.len() == 1 {
            return unsearched(actions[0]);
        }
        let Worker { search, evaluator } = worker;
        if rng.random::<f32>() < self.settings.full_share {
            let decision = gumbel_search(search, line, self.settings.full, evaluator, rng);
            progress.simulations.fetch_add(u64::from(decision.simulations), Ordering::Relaxed);
            (full_record(&decision, &actions), decision.action)
        } else {
            let limits = &Limits::simulations(self.settings.fast_simulations);
            let decision = puct_search(search, line, limits, evaluator);
            progress.simulations.fetch_add(u64::from(decision.simulations), Ordering::Relaxed);
            unsearched(drawn(&decision, self.settings.fast_temperature, rng))
        }
    }
}

/// An action by its share of the visits; the best one at temperature 0 and where the result is certain.
fn drawn<A: Copy>(decision: &Decision<A>, temperature: f32, rng: &mut Generator) -> A {
    if temperature == 0.0 || decision.settled {
        return decision.action;
    }
    let weight = |share: f32| share.powf(1.0 / temperature);
    let total: f32 = decision.policy.iter().map(|&(_, share)| weight(share)).sum();
    let mut left = rng.random::<f32>() * total;
    for &(action, share) in &decision.policy {
        left -= weight(share);
        if left < 0.0 {
            return action;
        }
    }
    decision.action
}

fn full_record<A: Copy + Ord>(decision: &Decision<A>, actions: &[A]) -> PlyRecord {
    let mut policy = decision.policy.clone();
    policy.sort_unstable_by_key(|&(action, _)| action);
    let shares: Vec<f32> = policy.iter().map(|&(_, share)| share).collect();
    let wdl = decision.wdl;
    PlyRecord {
        action: actions.binary_search(&decision.action).expect("a chosen action is legal") as u16,
        search: Some(SearchRecord {
            policy: quantise_policy(&shares),
            wdl: [wdl.win, wdl.draw, wdl.loss],
            simulations: decision.simulations,
        }),
    }
}

fn place<G: Game>(position: &G, action: G::Action) -> u16 {
    sorted_actions(position).binary_search(&action).expect("a played action is legal") as u16
}

/// The positions of a line, each with the action played there.
pub(crate) fn positions_of<G: Game>(line: &Line<G>) -> Vec<(G, G::Action)> {
    let mut position = line.start().clone();
    let step = |&action: &G::Action| {
        let before = position.clone();
        position.play(action);
        (before, action)
    };
    line.actions().iter().map(step).collect()
}

/// Plays `plies` random plies from `start`. An opening that ends the game is tried again, at last with
/// fewer plies, so that the line always goes on. Further plies are played until a player is to move.
pub fn random_opening<G: Game>(start: &G, plies: u32, rng: &mut Generator) -> Line<G> {
    for attempt in 0.. {
        let plies = if attempt < OPENING_TRIES { plies } else { plies / (attempt - OPENING_TRIES + 2) };
        let mut line = Line::new(start.clone());
        let mut actions = Vec::new();
        let mut played = 0;
        while line.outcome().is_none() && (played < plies || line.position().turn() == Turn::Chance) {
            actions.clear();
            line.position().legal_actions(&mut actions);
            let action = random_action(line.position(), &actions, rng);
            line.play(action);
            played += 1;
        }
        if line.outcome().is_none() || plies == 0 {
            return line;
        }
    }
    unreachable!("an opening of no plies is returned")
}
