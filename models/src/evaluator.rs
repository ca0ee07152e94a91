//! What search asks of a network, or of anything that stands in for one.

use camelot_core::Game;
use serde::{Deserialize, Serialize};

/// Probabilities of a win, a draw and a loss, from the view of the player to move. They sum to one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Wdl {
    /// Probability of a win.
    pub win: f32,
    /// Probability of a draw.
    pub draw: f32,
    /// Probability of a loss.
    pub loss: f32,
}

impl Wdl {
    /// No opinion but an even one.
    pub const EVEN: Self = Self { win: 0.5, draw: 0.0, loss: 0.5 };

    /// Win and loss shares with a given difference and no draws; `value` in `[-1, 1]`.
    #[must_use]
    pub fn from_value(value: f32) -> Self {
        Self { win: 0.5 + value / 2.0, draw: 0.0, loss: 0.5 - value / 2.0 }
    }

    /// The softmax of three logits, in the order win, draw, loss; no opinion if they are no numbers.
    #[must_use]
    pub fn from_logits(logits: [f32; 3]) -> Self {
        let top = logits[0].max(logits[1]).max(logits[2]);
        let [win, draw, loss] = logits.map(|logit| (logit - top).exp());
        let sum = win + draw + loss;
        if !sum.is_finite() {
            return Self::EVEN;
        }
        Self { win: win / sum, draw: draw / sum, loss: loss / sum }
    }

    /// Win minus loss, in `[-1, 1]`.
    #[must_use]
    pub fn value(self) -> f32 {
        self.win - self.loss
    }
}

/// Judges positions for search.
pub trait Evaluator<G: Game> {
    /// Judges a position where a player is to move and the game is not over.
    ///
    /// Clears `logits` and writes one logit for each of `actions`, which are the legal ones; any scale
    /// constant over the actions is as good as another. Returns the expected result from the view of
    /// the player to move.
    fn evaluate(&mut self, position: &G, actions: &[G::Action], logits: &mut Vec<f32>) -> Wdl;

    /// How many positions are best judged at a time: 1 where a batch gains nothing.
    fn batch_size(&self) -> usize {
        1
    }

    /// Judges several positions, as [`Evaluator::evaluate`] each; `answers` has one place for each request.
    fn evaluate_batch(&mut self, requests: &[Request<'_, G>], answers: &mut [Evaluation]) {
        for (request, answer) in requests.iter().zip(answers) {
            answer.wdl = self.evaluate(request.position, request.actions, &mut answer.logits);
        }
    }
}

/// A position to be judged, with its legal actions.
#[derive(Debug)]
pub struct Request<'a, G: Game> {
    /// The position; a player is to move and the game is not over.
    pub position: &'a G,
    /// Its legal actions.
    pub actions: &'a [G::Action],
}

/// What an evaluator says of one position.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// The expected result from the view of the player to move.
    pub wdl: Wdl,
    /// One logit for each action of the request.
    pub logits: Vec<f32>,
}

/// [`Evaluator::evaluate`] for an evaluator that knows batches only.
pub(crate) fn batch_of_one<G: Game>(
    evaluator: &mut impl Evaluator<G>,
    request: Request<'_, G>,
    logits: &mut Vec<f32>,
) -> Wdl {
    let mut answer = [Evaluation { logits: std::mem::take(logits), ..Evaluation::default() }];
    evaluator.evaluate_batch(&[request], &mut answer);
    let [answer] = answer;
    *logits = answer.logits;
    answer.wdl
}

impl Default for Evaluation {
    fn default() -> Self {
        Self { wdl: Wdl::EVEN, logits: Vec::new() }
    }
}
