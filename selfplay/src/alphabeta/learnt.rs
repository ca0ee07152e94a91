//! A network's value in place of the judgement made by hand.

use std::cell::RefCell;

use camelot_core::{Move, Position};
use camelot_models::{EncodedVariant, Evaluator, NetEvaluator, Weights};

use super::SCORE_SCALE;
use super::evaluation::Evaluation;
use super::judge::{Judge, Tension};
use super::scores::WINNING;
use crate::cache::Cached;

/// Values that are remembered, as a power of two.
const CACHE_SIZE: u32 = 16;

/// Judges positions by a network's value; what is loud and what is tried first stays as without it.
#[derive(Debug)]
pub(super) struct Learnt<V: EncodedVariant> {
    rules: Evaluation<V>,
    network: RefCell<Network<V>>,
}

/// The evaluator, and room for what it says of actions, of which it is told none.
#[derive(Debug)]
struct Network<V: EncodedVariant> {
    evaluator: Cached<NetEvaluator<Position<V>>>,
    logits: Vec<f32>,
}

impl<V: EncodedVariant> Learnt<V> {
    pub(super) fn new(weights: &Weights) -> Self {
        let evaluator = Cached::new(NetEvaluator::new(weights), CACHE_SIZE);
        Self { rules: Evaluation::new(), network: RefCell::new(Network { evaluator, logits: Vec::new() }) }
    }
}

impl<V: EncodedVariant> Judge<Position<V>> for Learnt<V> {
    fn judge(&self, position: &Position<V>) -> i32 {
        let Network { evaluator, logits } = &mut *self.network.borrow_mut();
        score(evaluator.evaluate(position, &[], logits).value())
    }

    fn tension(&self, position: &Position<V>) -> Tension {
        self.rules.tension(position)
    }

    fn promise(&self, position: &Position<V>, action: Move) -> i32 {
        self.rules.promise(position, action)
    }

    fn slot(&self, action: Move) -> usize {
        self.rules.slot(action)
    }
}

/// The score at which this result is expected: the inverse of [`expectation`](super::expectation).
fn score(value: f32) -> i32 {
    let limit = WINNING - 1;
    ((value.clamp(-1.0, 1.0).atanh() * SCORE_SCALE) as i32).clamp(-limit, limit)
}

#[cfg(test)]
mod tests {
    use camelot_core::{Cam, Game, RuleSet};
    use camelot_models::{Encode, ResidualShape, Shape, SparseShape};

    use super::*;
    use crate::alphabeta::expectation;
    use crate::games::random_opening;
    use crate::rng::{Purpose, generator};

    /// Whatever the architecture, and though no actions are asked about.
    #[test]
    fn positions_are_judged_by_the_value_of_the_network() {
        let residual = ResidualShape { blocks: 1, channels: 32, hidden: 32, policy: 32 };
        let sparse = SparseShape { accumulator: 32, hidden: 32, policy: 32 };
        let start = Position::<Cam>::start(RuleSet::Classic);
        for shape in [Shape::from(sparse), Shape::from(residual)] {
            let mut weights = Weights::random(Position::<Cam>::sizes(), shape, 3);
            // A new network has hardly an opinion.
            let matrices = weights.iter().len();
            for matrix in 0..matrices {
                weights.get_mut(matrix).iter_mut().for_each(|number| *number *= 1.5);
            }
            let (judge, mut evaluator) = (Learnt::<Cam>::new(&weights), NetEvaluator::new(&weights));
            let (mut actions, mut logits, mut seen) = (Vec::new(), Vec::new(), Vec::new());
            for plies in 0..20 {
                let mut rng = generator(1, Purpose::Bench, u64::from(plies));
                let position = *random_opening(&start, plies, &mut rng).position();
                actions.clear();
                position.legal_actions(&mut actions);
                let value = evaluator.evaluate(&position, &actions, &mut logits).value();
                assert_eq!(judge.judge(&position), score(value), "{position}");
                assert_eq!(judge.judge(&position), score(value), "{position}, remembered");
                seen.push(score(value));
            }
            seen.sort_unstable();
            seen.dedup();
            assert!(seen.len() > 1, "{seen:?}");
        }
    }

    #[test]
    fn scores_stand_for_the_values_they_come_from() {
        for value in [-0.99, -0.5, 0.0, 0.25, 0.9] {
            assert!((expectation(score(value)) - value).abs() < 0.01, "{value}");
        }
        assert!(score(1.0) < WINNING && score(-1.0) > -WINNING);
    }
}
