//! Self-play: games of the network against itself, spread over all cores, as records.
//!
//! Each game has its own random numbers from (seed, iteration, game number) and one thread plays it from
//! start to end, so the records do not depend on the number of threads. A thread plays as many games side by side
//! as its evaluator likes to have in a batch, one if batches gain nothing.

mod stream;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use camelot_core::record::GameRecord;
use camelot_core::{Game, Line, RuleSet, Turn};
use camelot_models::{Compute, Encode, Evaluation, Evaluator, NetEvaluator, Request, Weights};

use crate::cache::Cached;
use crate::players::{Advance, LoadedPlayer};
use crate::rng::Generator;
use crate::rollout::random_action;
use crate::search::{GumbelSettings, SearchSettings};
use stream::Stream;

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
    /// Share of the games in which the partner plays one side.
    pub sparring_share: f32,
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
    /// Who plays one side in some games ([`SelfPlaySettings::sparring_share`]), if anybody does.
    pub partner: Option<&'a LoadedPlayer>,
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

/// Evaluations that a thread remembers, as a power of two.
const CACHE_SIZE: u32 = 15;

/// The games still to be played and those that are finished, by number.
struct Desk<'a> {
    next: AtomicU64,
    games: u64,
    finished: Mutex<Vec<(u64, GameRecord)>>,
    progress: &'a Progress,
}

impl SelfPlay<'_> {
    /// Plays `games` games on the threads of the ambient rayon pool. `None` if stopped.
    ///
    /// # Panics
    ///
    /// If a thread panics.
    #[must_use]
    pub fn run<G: Encode + Advance>(&self, games: u64, progress: &Progress) -> Option<GamesReport> {
        let before = progress.simulations.load(Ordering::Relaxed);
        let evaluator = NetEvaluator::<G>::on(&self.weights, self.compute);
        let network = self.weights.hash();
        let desk = Desk { next: AtomicU64::new(0), games, finished: Mutex::new(Vec::new()), progress };
        rayon::broadcast(|_| {
            self.play_games(Cached::new(evaluator.clone(), CACHE_SIZE), network, &desk);
        });
        let mut finished = desk.finished.into_inner().expect("no thread panicked with the lock");
        if finished.len() as u64 != games {
            return None;
        }
        finished.sort_unstable_by_key(|&(number, _)| number);
        let simulations = progress.simulations.load(Ordering::Relaxed) - before;
        let records = finished.into_iter().map(|(_, record)| record).collect();
        Some(GamesReport { records, simulations })
    }

    /// One thread's part: streams of games side by side, until none is left.
    fn play_games<G: Encode + Advance>(
        &self,
        mut evaluator: impl Evaluator<G>,
        network: u64,
        desk: &Desk<'_>,
    ) {
        let width = evaluator.batch_size();
        let mut streams: Vec<Stream<'_, G>> = Vec::new();
        let mut answers = vec![Evaluation::default(); width];
        loop {
            while streams.len() < width {
                let number = desk.next.fetch_add(1, Ordering::Relaxed);
                if number >= desk.games {
                    break;
                }
                streams.push(Stream::new(self, network, number));
            }
            // A stream that has its answer goes on to its next question, or to the end of its game.
            let mut at = 0;
            while let Some(stream) = streams.get_mut(at) {
                if desk.progress.stop.load(Ordering::Relaxed) {
                    return;
                }
                if stream.advance(desk.progress) {
                    at += 1;
                    continue;
                }
                desk.progress.games.fetch_add(1, Ordering::Relaxed);
                let record = stream.take_record();
                desk.finished
                    .lock()
                    .expect("no thread panicked with the lock")
                    .push((stream.number(), record));
                let number = desk.next.fetch_add(1, Ordering::Relaxed);
                if number < desk.games {
                    stream.begin(number);
                } else {
                    streams.swap_remove(at);
                }
            }
            if streams.is_empty() {
                return;
            }
            let answers = &mut answers[..streams.len()];
            if let [stream] = &mut streams[..] {
                let Request { position, actions } = stream.request();
                answers[0].wdl = evaluator.evaluate(position, actions, &mut answers[0].logits);
            } else {
                let requests: Vec<_> = streams.iter().map(Stream::request).collect();
                evaluator.evaluate_batch(&requests, answers);
            }
            for (stream, answer) in streams.iter_mut().zip(answers) {
                stream.answer(answer);
            }
        }
    }
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

#[cfg(test)]
mod tests;
