//! The network as a player, and where its weights are found.

pub(super) mod analysis;

use std::path::{Path, PathBuf};

use camelot_core::Line;
use camelot_models::checkpoint;
use camelot_models::{Encode, NetEvaluator, Stored, Weights};

use super::{Forfeit, NetOptions, Player, PlayerError, Thought};
use crate::cache::Cached;
use crate::rng::Generator;
use crate::search::{Limits, Search, think};

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
