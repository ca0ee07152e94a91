//! What the tree is made of: positions with their bounds, and actions with their statistics.

use camelot_core::{Game, Outcome, Turn};

pub(super) const NO_CHILD: u32 = u32::MAX;

/// A position in the tree.
#[derive(Debug)]
pub(super) struct Node<G> {
    pub(super) state: G,
    /// The node's edges are `first..first + count`; none before it is expanded.
    pub(super) first: usize,
    pub(super) count: usize,
    /// The exact value lies between these.
    pub(super) lower: f32,
    pub(super) upper: f32,
    /// Plies to the end under best play, once settled.
    pub(super) plies: u16,
    /// The position occurred before: a draw here, whatever its bounds.
    pub(super) repeats: bool,
    pub(super) visits: u32,
    pub(super) value_sum: f32,
    pub(super) draw_sum: f32,
}

/// An action in the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// The policy's probability, or the weight of a chance outcome.
    pub(super) prior: f32,
    pub(super) visits: u32,
    /// Sums over the visits: absolute value, and share of draws.
    pub(super) value_sum: f32,
    pub(super) draw_sum: f32,
    /// Copies of the child's bounds.
    pub(super) lower: f32,
    pub(super) upper: f32,
    pub(super) child: u32,
}

impl Edge {
    pub(super) fn new(prior: f32) -> Self {
        Self { prior, visits: 0, value_sum: 0.0, draw_sum: 0.0, lower: -1.0, upper: 1.0, child: NO_CHILD }
    }

    pub(super) fn settled(&self) -> bool {
        self.lower == self.upper
    }

    /// The mean or exact value from a point of view, draws counted as `draw_value`; `None` if unvisited.
    pub(super) fn value(&self, sign: f32, draw_value: f32) -> Option<f32> {
        if self.settled() {
            let draw = if self.lower == 0.0 { draw_value } else { 0.0 };
            return Some(sign * self.lower + draw);
        }
        let visits = self.visits as f32;
        (self.visits > 0).then(|| (sign * self.value_sum + draw_value * self.draw_sum) / visits)
    }
}

impl<G: Game> Node<G> {
    pub(super) fn new(state: G) -> Self {
        Self {
            state,
            first: 0,
            count: 0,
            lower: -1.0,
            upper: 1.0,
            plies: 0,
            repeats: false,
            visits: 0,
            value_sum: 0.0,
            draw_sum: 0.0,
        }
    }

    pub(super) fn turn(&self) -> Turn {
        self.state.turn()
    }

    /// Multiplies an absolute value into the view of the player to move.
    pub(super) fn sign(&self) -> f32 {
        self.state.team_to_move().sign()
    }

    pub(super) fn settled(&self) -> bool {
        self.lower == self.upper
    }

    pub(super) fn settle(&mut self, outcome: Outcome) {
        (self.lower, self.upper) = (outcome.value.absolute(), outcome.value.absolute());
    }

    pub(super) fn mean(&self, sign: f32, draw_value: f32) -> f32 {
        (sign * self.value_sum + draw_value * self.draw_sum) / self.visits.max(1) as f32
    }
}

/// How much of an exact value is a draw.
pub(super) fn draw_share(value: f32) -> f32 {
    if value == 0.0 { 1.0 } else { 0.0 }
}

/// The softmax of the logits, as priors.
pub(super) fn set_priors(edges: &mut [Edge], logits: &[f32]) {
    let top = logits.iter().copied().fold(f32::MIN, f32::max);
    let mut sum = 0.0;
    for (edge, logit) in edges.iter_mut().zip(logits) {
        edge.prior = (logit - top).exp();
        sum += edge.prior;
    }
    for edge in edges {
        edge.prior /= sum;
    }
}
