//! The network as a player, and where its weights are found.

pub(super) mod analysis;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use camelot_core::Line;
use camelot_models::checkpoint;
use camelot_models::{Encode, NetEvaluator, Stored, Weights};

use super::{Forfeit, NetOptions, Player, PlayerError, Thought};
use crate::cache::Cached;
use crate::rng::Generator;
use crate::search::{Limits, Search, think};

/// How often a search tells how it stands.
const TELL_EVERY: Duration = Duration::from_secs(1);

/// Evaluations that a thread remembers, as a power of two.
const CACHE_SIZE: u32 = 14;

/// Plays with tree search over a network.
#[derive(Debug)]
pub struct NetPlayer<G: Encode> {
    search: Search<G>,
    evaluators: Vec<Cached<NetEvaluator<G>>>,
    limits: Limits,
}

impl<G: Encode> NetPlayer<G> {
    /// A player with these weights.
    #[must_use]
    pub fn new(weights: &Weights, options: NetOptions) -> Self {
        let evaluator = Cached::new(NetEvaluator::new(weights), CACHE_SIZE);
        Self {
            search: Search::new(options.search),
            evaluators: vec![evaluator; options.threads as usize],
            limits: options.effort.limits(),
        }
    }
}

impl<G: Encode> Player<G> for NetPlayer<G> {
    /// What a game was like must not depend on those before it.
    fn new_game(&mut self) {
        self.search.forget();
    }

    fn think(
        &mut self,
        line: &Line<G>,
        limits: &Limits,
        _rng: &mut Generator,
    ) -> Result<Thought<G::Action>, Forfeit> {
        Ok(think(&mut self.search, line, &limits.or(&self.limits), &mut self.evaluators).into())
    }

    /// Searches in parts. A search of one thread comes out as if it were whole: each part goes on with the tree of
    /// those before.
    fn think_aloud(
        &mut self,
        line: &Line<G>,
        limits: &Limits,
        rng: &mut Generator,
        tell: &mut dyn FnMut(&Thought<G::Action>),
    ) -> Result<Thought<G::Action>, Forfeit> {
        if !self.search.reuses_tree() {
            return self.think(line, limits, rng);
        }
        Ok(self.in_parts(line, &limits.or(&self.limits), TELL_EVERY, tell))
    }
}

impl<G: Encode> NetPlayer<G> {
    fn in_parts(
        &mut self,
        line: &Line<G>,
        limits: &Limits,
        part_time: Duration,
        tell: &mut dyn FnMut(&Thought<G::Action>),
    ) -> Thought<G::Action> {
        let started = Instant::now();
        let mut spent = 0;
        loop {
            let left = limits.time.map(|time| time.saturating_sub(started.elapsed()));
            let part = Limits {
                simulations: limits.simulations.map(|count| count - spent),
                time: Some(left.map_or(part_time, |left| left.min(part_time))),
                ..limits.clone()
            };
            let decision = think(&mut self.search, line, &part, &mut self.evaluators);
            spent += decision.simulations;
            let thought = Thought { simulations: spent, ..Thought::from(decision) };
            let late = limits.time.is_some_and(|time| started.elapsed() >= time);
            let enough = limits.simulations.is_some_and(|count| spent >= count);
            if late || enough || limits.stopped() || !self.search.goes_on() {
                return thought;
            }
            tell(&thought);
        }
    }
}

/// The file that a path means: a checkpoint or a bundle itself, or the best one of a run folder ([`checkpoint::best_in`]).
///
/// # Errors
///
/// If there is none.
pub fn network_path(path: &Path) -> Result<PathBuf, PlayerError> {
    if path.is_file() {
        return Ok(path.into());
    }
    checkpoint::best_in(path).ok_or_else(|| PlayerError::NoCheckpoint { path: path.into() })
}

/// The name of the game that the network of a path was trained for.
///
/// # Errors
///
/// If there is none or it cannot be read.
pub fn network_game(path: &Path) -> Result<String, PlayerError> {
    Ok(Stored::load(&network_path(path)?)?.game().into())
}

/// The weights that play of the file that a path means.
pub(super) fn load_weights<G: Encode>(path: &Path) -> Result<Weights, PlayerError> {
    let path = network_path(path)?;
    Ok(Stored::load(&path)?.into_player::<G>(&path)?)
}

#[cfg(test)]
mod tests {
    use camelot_core::{Cam, Game, Position, RuleSet};
    use camelot_models::SparseShape;

    use super::*;
    use crate::rng::{Purpose, generator};

    #[test]
    fn a_search_in_parts_comes_out_whole() {
        type G = Position<Cam>;
        let shape = SparseShape { accumulator: 32, hidden: 32, policy: 32 };
        let weights = Weights::random(G::sizes(), shape, 3);
        let player = || NetPlayer::<G>::new(&weights, NetOptions::default());
        let line = Line::new(G::start(RuleSet::Classic));
        let limits = Limits::simulations(20_000);
        let whole = player().think(&line, &limits, &mut generator(1, Purpose::Bench, 0)).unwrap();
        let mut told = Vec::new();
        let every = Duration::from_millis(1);
        let parts = player().in_parts(&line, &limits, every, &mut |thought| told.push(thought.simulations));
        assert_eq!(parts, whole);
        assert!(told.len() > 1 && told.is_sorted() && told.iter().all(|&count| count < 20_000), "{told:?}");
    }
}
