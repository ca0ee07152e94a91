//! A network of any architecture as an evaluator.

use crate::device::{Compute, DeviceEvaluator};
use crate::encoding::Encode;
use crate::evaluator::{Evaluation, Evaluator, Request, Wdl};
use crate::inference::SparseEvaluator;
use crate::residual::ResidualEvaluator;
use crate::shape::Shape;
use crate::weights::Weights;

/// Evaluates positions of `G` with a network. Copies share the weights; one a thread.
#[derive(Clone, Debug)]
pub struct NetEvaluator<G>(Engine<G>);

#[derive(Clone, Debug)]
enum Engine<G> {
    Sparse(SparseEvaluator<G>),
    Residual(Box<ResidualEvaluator<G>>),
    Device(Box<DeviceEvaluator<G>>),
}

impl<G: Encode> NetEvaluator<G> {
    /// An evaluator of weights.
    ///
    /// # Panics
    ///
    /// If the weights are not of a network for `G`: see [`Weights::check`].
    #[must_use]
    pub fn new(weights: &Weights) -> Self {
        let sparse = || SparseEvaluator::new(weights).map(Engine::Sparse);
        let residual = || ResidualEvaluator::new(weights).map(|it| Engine::Residual(Box::new(it)));
        Self(sparse().or_else(residual).expect("a residual network is of a game with a board"))
    }

    /// An evaluator of weights that runs where `compute` says, if that pays: sums over active features are
    /// over before a graphics card has begun.
    ///
    /// # Panics
    ///
    /// If the weights are not of a network for `G`: see [`Weights::check`].
    #[must_use]
    pub fn on(weights: &Weights, compute: &Compute) -> Self {
        match (weights.shape, compute) {
            (Shape::Residual(_), Compute::Gpu(device)) => {
                Self(Engine::Device(Box::new(DeviceEvaluator::new(weights, device))))
            }
            (Shape::Sparse(_), _) | (_, Compute::Cpu) => Self::new(weights),
        }
    }

    /// The same, looking at the mirror image of every position where there is one ([`crate::Mirror`]).
    #[must_use]
    pub fn mirrored(self) -> Self {
        Self(match self.0 {
            Engine::Sparse(engine) => Engine::Sparse(engine.mirrored()),
            Engine::Residual(engine) => Engine::Residual(Box::new(engine.mirrored())),
            Engine::Device(engine) => Engine::Device(Box::new(engine.mirrored())),
        })
    }
}

impl<G: Encode> Evaluator<G> for NetEvaluator<G> {
    fn evaluate(&mut self, position: &G, actions: &[G::Action], logits: &mut Vec<f32>) -> Wdl {
        match &mut self.0 {
            Engine::Sparse(engine) => engine.evaluate(position, actions, logits),
            Engine::Residual(engine) => engine.evaluate(position, actions, logits),
            Engine::Device(engine) => engine.evaluate(position, actions, logits),
        }
    }

    fn batch_size(&self) -> usize {
        match &self.0 {
            Engine::Sparse(engine) => Evaluator::<G>::batch_size(engine),
            Engine::Residual(engine) => engine.batch_size(),
            Engine::Device(engine) => engine.batch_size(),
        }
    }

    fn evaluate_batch(&mut self, requests: &[Request<'_, G>], answers: &mut [Evaluation]) {
        match &mut self.0 {
            Engine::Sparse(engine) => engine.evaluate_batch(requests, answers),
            Engine::Residual(engine) => engine.evaluate_batch(requests, answers),
            Engine::Device(engine) => engine.evaluate_batch(requests, answers),
        }
    }
}
