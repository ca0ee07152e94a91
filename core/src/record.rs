//! Game records: what self-play writes and training reads.
//!
//! An action is stored as its place among the sorted legal actions of its position, and a search
//! policy as one weight a legal action in that order, so that a record does not depend on the order in
//! which a generator happens to work.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::game::{Game, Outcome, PositionError, RuleSet, Value};
use crate::line::Line;

/// The policy weight that stands for probability one.
pub const POLICY_ONE: u16 = u16::MAX;

/// The most plies a record may hold; longer ones are refused.
pub const PLY_LIMIT: usize = 10_000;

/// What a search said of one position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchRecord {
    /// The improved policy, one weight a sorted legal action; probabilities times [`POLICY_ONE`].
    pub policy: Vec<u16>,
    /// Root win, draw and loss shares, from the view of the player to move.
    pub wdl: [f32; 3],
    /// Simulations spent.
    pub simulations: u32,
}

/// One ply of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlyRecord {
    /// The action's place among the sorted legal actions.
    pub action: u16,
    /// The search behind it, where it is meant to be learnt from.
    pub search: Option<SearchRecord>,
}

/// One whole game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The game's name.
    pub game: String,
    /// The rule set.
    pub rules: RuleSet,
    /// The start position's text.
    pub start: String,
    /// Every ply, chance outcomes included.
    pub plies: Vec<PlyRecord>,
    /// How it ended.
    pub outcome: Outcome,
    /// The seed of the game's random generator.
    pub seed: u64,
    /// Hash of the network that played, 0 for none.
    pub network: u64,
    /// Version of the program that wrote the record.
    pub engine: String,
}

/// A record that does not hold a game.
#[derive(Debug, Error)]
pub enum RecordError {
    /// A record of another game.
    #[error("a record of `{found}`, expected `{expected}`")]
    Game {
        /// The game in the record.
        found: String,
        /// The game asked for.
        expected: &'static str,
    },
    /// The start position cannot be read.
    #[error(transparent)]
    Start(#[from] PositionError),
    /// A ply is not legal, or its search does not fit its position.
    #[error("ply {ply}: {why}")]
    Ply {
        /// The ply, from 0.
        ply: usize,
        /// What is wrong.
        why: String,
    },
    /// The end does not fit the plies.
    #[error("the stored outcome is {stored}, the plies lead to {played}")]
    Outcome {
        /// The outcome in the record.
        stored: String,
        /// What the plies lead to.
        played: String,
    },
}

/// The legal actions of `position`, sorted as records count them.
#[must_use]
pub fn sorted_actions<G: Game>(position: &G) -> Vec<G::Action> {
    let mut actions = Vec::new();
    position.legal_actions(&mut actions);
    actions.sort_unstable();
    actions
}

/// Writes probabilities as policy weights.
#[must_use]
pub fn quantise_policy(probabilities: &[f32]) -> Vec<u16> {
    probabilities.iter().map(|p| (p.clamp(0.0, 1.0) * f32::from(POLICY_ONE)).round() as u16).collect()
}

impl GameRecord {
    /// Replays the record, calling `visit` with each position, its sorted legal actions and its ply.
    ///
    /// # Errors
    ///
    /// The first thing that is not as a true record would have it; `visit` may have been called for
    /// plies before it.
    pub fn replay<G: Game>(
        &self,
        mut visit: impl FnMut(&G, &[G::Action], &PlyRecord),
    ) -> Result<Line<G>, RecordError> {
        if self.game != G::NAME {
            return Err(RecordError::Game { found: self.game.clone(), expected: G::NAME });
        }
        let mut line = Line::new(G::parse(&self.start, self.rules)?);
        if self.plies.len() > PLY_LIMIT {
            return Err(RecordError::Ply { ply: PLY_LIMIT, why: format!("more than {PLY_LIMIT} plies") });
        }
        for (ply, record) in self.plies.iter().enumerate() {
            let bad = |why: String| RecordError::Ply { ply, why };
            if line.outcome().is_some() {
                return Err(bad("the game was already over".into()));
            }
            let actions = sorted_actions(line.position());
            let action = *actions
                .get(usize::from(record.action))
                .ok_or_else(|| bad(format!("action {} of {}", record.action, actions.len())))?;
            if let Some(search) = &record.search {
                check_search(search, actions.len()).map_err(bad)?;
            }
            visit(line.position(), &actions, record);
            line.play(action);
        }
        self.check_outcome(&line)?;
        Ok(line)
    }

    fn check_outcome<G: Game>(&self, line: &Line<G>) -> Result<(), RecordError> {
        let stored = self.outcome;
        let fits = Value::new(stored.value.absolute()).is_some()
            && match line.outcome() {
                Some(played) => played == stored,
                None => stored.reason.is_ruling(),
            };
        if fits {
            return Ok(());
        }
        let text = |outcome: Outcome| format!("{} by {}", outcome.token(), outcome.reason);
        let played = line.outcome().map_or_else(|| "a game that goes on".to_string(), text);
        Err(RecordError::Outcome { stored: text(stored), played })
    }
}

fn check_search(search: &SearchRecord, actions: usize) -> Result<(), String> {
    if search.policy.len() != actions {
        return Err(format!("a policy over {} actions where {actions} are legal", search.policy.len()));
    }
    let total: u64 = search.policy.iter().map(|&weight| u64::from(weight)).sum();
    let slack = actions as u64 + u64::from(POLICY_ONE) / 100;
    if total.abs_diff(u64::from(POLICY_ONE)) > slack {
        return Err(format!("a policy that sums to {:.3}", total as f64 / f64::from(POLICY_ONE)));
    }
    let sum: f32 = search.wdl.iter().sum();
    if !(search.wdl.iter().all(|share| (-1e-3..=1.001).contains(share)) && (sum - 1.0).abs() < 1e-2) {
        return Err(format!("win, draw and loss shares {:?}", search.wdl));
    }
    Ok(())
}
