//! What the tree is made of: positions with their bounds, and actions with their statistics.

use camelot_core::{Game, Outcome, Turn};

use super::SearchSettings;

pub(super) const NO_CHILD: u32 = u32::MAX;

/// A position in the tree.
#[derive(Clone, Debug)]
pub(super) struct Node<G> {
    pub(super) state: G,
    /// The node's edges are `first..first + count`; none before it is expanded.
    pub(super) first: u32,
    pub(super) count: u32,
    /// The exact value lies between these.
    pub(super) lower: f32,
    pub(super) upper: f32,
    /// Plies to the end under best play, once settled.
    pub(super) plies: u16,
    /// The position occurred before: a draw here, whatever its bounds.
    pub(super) repeats: bool,
    /// Its evaluation is under way.
    pub(super) pending: bool,
    pub(super) mean: Mean,
    /// Simulations that went through it and are not back yet.
    pub(super) in_flight: u32,
    /// The sum of the priors of the edges that have been visited.
    pub(super) visited_prior: f32,
    /// The mean square of the values that came back.
    pub(super) square: f32,
}

/// An action in the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// The policy's probability, or the weight of a chance outcome.
    pub(super) prior: f32,
    pub(super) mean: Mean,
    /// Copies of the child's bounds.
    pub(super) lower: f32,
    pub(super) upper: f32,
    pub(super) child: u32,
    pub(super) in_flight: u32,
}

/// What came back from simulations on average.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mean {
    pub(super) visits: u32,
    /// Absolute.
    value: f32,
    draw: f32,
}

impl Mean {
    pub(super) fn add(&mut self, value: f32, draw: f32) {
        self.visits += 1;
        let share = 1.0 / self.visits as f32;
        self.value += (value - self.value) * share;
        self.draw += (draw - self.draw) * share;
    }

    /// The absolute value and the share of draws.
    pub(super) fn value_and_draw(&self) -> (f32, f32) {
        (self.value, self.draw)
    }

    /// The value from a point of view, draws counted as `draw_value`; 0 without visits.
    pub(super) fn worth(&self, sign: f32, draw_value: f32) -> f32 {
        sign * self.value + draw_value * self.draw
    }
}

impl Edge {
    pub(super) fn new(prior: f32) -> Self {
        Self { prior, mean: Mean::default(), lower: -1.0, upper: 1.0, child: NO_CHILD, in_flight: 0 }
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
        (self.mean.visits > 0).then(|| self.mean.worth(sign, draw_value))
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
            pending: false,
            mean: Mean::default(),
            in_flight: 0,
            visited_prior: 0.0,
            square: 0.0,
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

    /// The places of the node's edges.
    pub(super) fn edges(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }

    pub(super) fn add(&mut self, value: f32, draw: f32) {
        self.mean.add(value, draw);
        self.square += (value * value - self.square) / self.mean.visits as f32;
    }
}

/// How much of an exact value is a draw.
pub(super) fn draw_share(value: f32) -> f32 {
    if value == 0.0 { 1.0 } else { 0.0 }
}

/// The softmax of the logits over a temperature, as priors, with the share of them that is spread evenly.
pub(super) fn set_priors(edges: &mut [Edge], logits: &[f32], settings: &SearchSettings) {
    let sharpness = 1.0 / settings.prior_temperature;
    let top = logits.iter().copied().fold(f32::MIN, f32::max);
    let mut sum = 0.0;
    for (edge, logit) in edges.iter_mut().zip(logits) {
        edge.prior = ((logit - top) * sharpness).exp();
        sum += edge.prior;
    }
    let share = (1.0 - settings.even_share) / sum;
    let even = settings.even_share / edges.len() as f32;
    for edge in edges {
        edge.prior = edge.prior * share + even;
    }
}
