//! Players: anything that chooses an action for a game in progress, and how they are named.

mod greedy;
mod net;
mod net_spec;
mod spec;
mod ugi;

pub use greedy::{Advance, Greedy};
pub use net::analysis::{Analysis, Candidate};
pub use net::{NetPlayer, network_game, network_path};
pub use net_spec::{Effort, MEMORY_LIMIT_MIB, NetOptions, NetSpec, THREAD_LIMIT};
pub use spec::PlayerSpec;
pub use ugi::{Spend, UgiEngine, UgiPlayer, UgiSpec};

use std::path::PathBuf;
use std::sync::Arc;

use camelot_core::{Game, Line};
use camelot_models::{CheckpointError, Encode, Weights};
use thiserror::Error;

use crate::alphabeta::Budget;
use crate::rng::Generator;
use crate::rollout::{RolloutEvaluator, random_action};
use crate::search::{Decision, Limits, Search, SearchSettings, puct_search};

/// What a player thinks of the position it was asked about, from its own point of view.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought<A> {
    /// The action it plays.
    pub action: A,
    /// Expected result in `[-1, 1]`, where the player has an opinion.
    pub value: Option<f32>,
    /// Simulations spent.
    pub simulations: u32,
    /// The principal variation, `action` first; empty where the player has none.
    pub line: Vec<A>,
}

impl<A> Thought<A> {
    /// An action without an opinion on it.
    #[must_use]
    pub fn without_opinion(action: A) -> Self {
        Self { action, value: None, simulations: 0, line: Vec::new() }
    }
}

impl<A> From<Decision<A>> for Thought<A> {
    fn from(decision: Decision<A>) -> Self {
        Self {
            action: decision.action,
            value: Some(decision.wdl.value()),
            simulations: decision.simulations,
            line: decision.line,
        }
    }
}

/// Why a player cannot go on: the game is lost for it. The text says what happened, in one line.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{0}")]
pub struct Forfeit(pub String);

/// A player of `G`.
pub trait Player<G: Game>: Send {
    /// A new game begins: nothing of the last one need be remembered.
    fn new_game(&mut self) {}

    /// Chooses an action at the end of `line`, which is not over and has a player to move. Where `limits`
    /// sets neither simulations nor time, the player's own effort holds ([`Limits::or`]).
    ///
    /// # Errors
    ///
    /// Only from players outside this program: they may fail or play illegally.
    fn think(
        &mut self,
        line: &Line<G>,
        limits: &Limits,
        rng: &mut Generator,
    ) -> Result<Thought<G::Action>, Forfeit>;

    /// [`Player::think`], with the same outcome, by players that can say meanwhile how far they have come: they give
    /// `tell` what they would answer now, from time to time.
    ///
    /// # Errors
    ///
    /// As there.
    fn think_aloud(
        &mut self,
        line: &Line<G>,
        limits: &Limits,
        rng: &mut Generator,
        tell: &mut dyn FnMut(&Thought<G::Action>),
    ) -> Result<Thought<G::Action>, Forfeit> {
        let _ = tell;
        self.think(line, limits, rng)
    }
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
    /// An external engine that cannot be started, or that does not play the game.
    #[error("engine `{command}`: {why}")]
    Engine {
        /// The command line that starts it.
        command: String,
        /// What went wrong.
        why: String,
    },
}

/// A player that is ready to be copied to every thread.
#[derive(Clone, Debug)]
pub enum LoadedPlayer {
    /// A network with tree search.
    Net(Arc<Weights>, NetOptions),
    /// Tree search with random playouts.
    Mcts(u32),
    /// Classical search, perhaps with the value of a network.
    AlphaBeta(Budget, Option<Arc<Weights>>),
    /// One ply of looking ahead.
    Greedy,
    /// A random legal action.
    Random,
    /// An external engine.
    Ugi(Arc<UgiEngine>),
}

impl LoadedPlayer {
    /// Loads what `spec` names.
    ///
    /// # Errors
    ///
    /// If a network cannot be loaded or is another game's, an engine cannot be started, or the player does not
    /// play `G`.
    pub fn load<G: Encode + Advance>(spec: &PlayerSpec) -> Result<Self, PlayerError> {
        Ok(match spec {
            PlayerSpec::Net(NetSpec { path, options }) => {
                Self::Net(Arc::new(net::load_weights::<G>(path)?), *options)
            }
            PlayerSpec::Mcts { simulations } => Self::Mcts(*simulations),
            PlayerSpec::AlphaBeta { budget, network } if G::classical(*budget, None).is_some() => {
                let weights = network.as_deref().map(net::load_weights::<G>).transpose()?;
                Self::AlphaBeta(*budget, weights.map(Arc::new))
            }
            PlayerSpec::AlphaBeta { .. } => {
                let why =
                    format!("it does not play {}: expected a game of two teams without chance", G::NAME);
                return Err(PlayerError::Spec { text: spec.to_string(), why });
            }
            PlayerSpec::Greedy => Self::Greedy,
            PlayerSpec::Random => Self::Random,
            PlayerSpec::Ugi(engine) => Self::Ugi(Arc::new(
                UgiEngine::load::<G>(engine)
                    .map_err(|why| PlayerError::Engine { command: engine.command.clone(), why })?,
            )),
        })
    }

    /// A player of its own for one thread.
    ///
    /// # Panics
    ///
    /// If it was loaded for another game, one that `G`'s kind of player does not play.
    #[must_use]
    pub fn seat<G: Encode + Advance>(&self) -> Box<dyn Player<G>> {
        match self {
            Self::Net(weights, options) => Box::new(NetPlayer::new(weights, *options)),
            Self::Mcts(simulations) => Box::new(MctsPlayer::new(*simulations)),
            Self::AlphaBeta(budget, weights) => G::classical(*budget, weights.as_deref())
                .expect("a classical player is loaded only for games that have one"),
            Self::Greedy => Box::new(Greedy),
            Self::Random => Box::new(Random),
            Self::Ugi(engine) => Box::new(UgiPlayer::new(Arc::clone(engine))),
        }
    }
}

/// Plays a random legal action.
#[derive(Clone, Copy, Debug)]
pub struct Random;

impl<G: Game> Player<G> for Random {
    fn think(
        &mut self,
        line: &Line<G>,
        _limits: &Limits,
        rng: &mut Generator,
    ) -> Result<Thought<G::Action>, Forfeit> {
        let mut actions = Vec::new();
        line.position().legal_actions(&mut actions);
        Ok(Thought::without_opinion(random_action(line.position(), &actions, rng)))
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
    fn think(
        &mut self,
        line: &Line<G>,
        limits: &Limits,
        rng: &mut Generator,
    ) -> Result<Thought<G::Action>, Forfeit> {
        let own = rand::SeedableRng::seed_from_u64(rand::RngExt::random(rng));
        let mut evaluator = RolloutEvaluator::new(own);
        let limits = limits.or(&Limits::simulations(self.simulations));
        Ok(puct_search(&mut self.search, line, &limits, &mut evaluator).into())
    }
}
