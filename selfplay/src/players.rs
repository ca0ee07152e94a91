//! Players: anything that chooses an action for a game in progress, and how they are named.

mod greedy;
mod net;
mod spec;

pub use greedy::{Advance, Greedy};
pub use net::{NetPlayer, network_path};
pub use spec::{Effort, PlayerSpec};

use std::path::PathBuf;
use std::sync::Arc;

use camelot_core::{Game, Line};
use camelot_models::{CheckpointError, Encode, Weights};
use thiserror::Error;

use crate::rng::Generator;
use crate::rollout::{RolloutEvaluator, random_action};
use crate::search::{Limit, Search, SearchSettings, puct_search};

/// What a player thinks of the position it was asked about, from its own point of view.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought<A> {
    /// The action it plays.
    pub action: A,
    /// Expected result in `[-1, 1]`, where the player has an opinion.
    pub value: Option<f32>,
    /// Simulations spent.
    pub simulations: u32,
}

/// A player of `G`.
pub trait Player<G: Game>: Send {
    /// Chooses an action at the end of `line`, which is not over and has a player to move.
    fn think(&mut self, line: &Line<G>, rng: &mut Generator) -> Thought<G::Action>;
}

/// A player that cannot be had.
#[derive(Debug, Error)]
pub enum PlayerError {
    /// The text names no player.
    #[error("bad player `{text}`: {why}")]
    Spec {
        /// The text.
        text: String,
        /// What is wrong.
        why: String,
    },
    /// Its network cannot be loaded.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A run folder without a usable checkpoint.
    #[error("{path}: no checkpoint there: expected a checkpoint file or a run folder")]
    NoCheckpoint {
        /// The path given.
        path: PathBuf,
    },
}

/// A player that is ready to be copied to every thread.
#[derive(Clone, Debug)]
pub enum LoadedPlayer {
    /// A network with tree search.
    Net(Arc<Weights>, Limit),
    /// Tree search with random playouts.
    Mcts(u32),
    /// One ply of looking ahead.
    Greedy,
    /// A random legal action.
    Random,
}

impl LoadedPlayer {
    /// Loads what `spec` names.
    ///
    /// # Errors
    ///
    /// If a network cannot be loaded or is another game's.
    pub fn load<G: Encode>(spec: &PlayerSpec) -> Result<Self, PlayerError> {
        Ok(match spec {
            PlayerSpec::Net { path, effort } => {
                Self::Net(Arc::new(net::load_weights::<G>(path)?), effort.limit())
            }
            PlayerSpec::Mcts { simulations } => Self::Mcts(*simulations),
            PlayerSpec::Greedy => Self::Greedy,
            PlayerSpec::Random => Self::Random,
        })
    }

    /// A player of its own for one thread.
    #[must_use]
    pub fn seat<G: Encode + Advance>(&self) -> Box<dyn Player<G>> {
        match self {
            Self::Net(weights, limit) => Box::new(NetPlayer::new(Arc::clone(weights), *limit)),
            Self::Mcts(simulations) => Box::new(MctsPlayer::new(*simulations)),
            Self::Greedy => Box::new(Greedy),
            Self::Random => Box::new(Random),
        }
    }
}

/// Plays a random legal action.
#[derive(Clone, Copy, Debug)]
pub struct Random;

impl<G: Game> Player<G> for Random {
    fn think(&mut self, line: &Line<G>, rng: &mut Generator) -> Thought<G::Action> {
        let mut actions = Vec::new();
        line.position().legal_actions(&mut actions);
        Thought { action: random_action(line.position(), &actions, rng), value: None, simulations: 0 }
    }
}

/// Tree search with random playouts instead of a network.
#[derive(Debug)]
pub struct MctsPlayer<G: Game> {
    search: Search<G>,
    simulations: u32,
}

impl<G: Game> MctsPlayer<G> {
    /// A player that spends `simulations` playouts a move.
    #[must_use]
    pub fn new(simulations: u32) -> Self {
        Self { search: Search::new(SearchSettings::PLAY), simulations }
    }
}

impl<G: Game> Player<G> for MctsPlayer<G> {
    fn think(&mut self, line: &Line<G>, rng: &mut Generator) -> Thought<G::Action> {
        let own = rand::SeedableRng::seed_from_u64(rand::RngExt::random(rng));
        let mut evaluator = RolloutEvaluator::new(own);
        let limit = Limit::Simulations(self.simulations);
        let decision = puct_search(&mut self.search, line, limit, &mut evaluator);
        Thought {
            action: decision.action,
            value: Some(decision.wdl.value()),
            simulations: decision.simulations,
        }
    }
}
