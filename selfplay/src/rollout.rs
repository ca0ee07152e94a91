//! Random play to the end, and an evaluator that judges positions by it.

use camelot_core::{Game, Turn};
use camelot_models::{Evaluator, Wdl};
use rand::RngExt;

use crate::rng::Generator;

/// A playout that lasts longer is called a draw.
const PLY_LIMIT: u32 = 2_000;

/// Draws a chance outcome with its weight.
pub fn draw_outcome<G: Game>(position: &G, outcomes: &[G::Action], rng: &mut Generator) -> G::Action {
    let mut left: f32 = rng.random();
    for &outcome in outcomes {
        left -= position.chance_weight(outcome);
        if left < 0.0 {
            return outcome;
        }
    }
    outcomes[outcomes.len() - 1]
}

/// A uniformly random action, or a chance outcome by its weight.
pub fn random_action<G: Game>(position: &G, actions: &[G::Action], rng: &mut Generator) -> G::Action {
    match position.turn() {
        Turn::Chance => draw_outcome(position, actions, rng),
        Turn::Player(_) => actions[rng.random_range(0..actions.len())],
    }
}

/// Plays at random to the end; returns the absolute value and the plies played.
pub fn playout<G: Game>(mut position: G, actions: &mut Vec<G::Action>, rng: &mut Generator) -> (f32, u32) {
    for ply in 0..PLY_LIMIT {
        if let Some(outcome) = position.outcome() {
            return (outcome.value.absolute(), ply);
        }
        actions.clear();
        position.legal_actions(actions);
        let action = random_action(&position, actions, rng);
        position.play(action);
    }
    (0.0, PLY_LIMIT)
}

/// Judges a position by one random playout, all actions alike: tree search without a network.
#[derive(Debug)]
pub struct RolloutEvaluator<G: Game> {
    rng: Generator,
    actions: Vec<G::Action>,
}

impl<G: Game> RolloutEvaluator<G> {
    /// An evaluator with its own random numbers.
    #[must_use]
    pub fn new(rng: Generator) -> Self {
        Self { rng, actions: Vec::new() }
    }
}

impl<G: Game> Evaluator<G> for RolloutEvaluator<G> {
    fn evaluate(&mut self, position: &G, actions: &[G::Action], logits: &mut Vec<f32>) -> Wdl {
        logits.clear();
        logits.resize(actions.len(), 0.0);
        let (value, _) = playout(position.clone(), &mut self.actions, &mut self.rng);
        Wdl::from_value(position.team_to_move().sign() * value)
    }
}
