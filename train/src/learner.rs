//! The learner: losses, gradients, the optimizer and the moving average of the weights.
//!
//! The loss of a batch is the mean over its samples of
//!
//! ```text
//! H(improved policy, policy) + value_weight · H(target, value)
//! target = search_value_share · search + (1 - search_value_share) · outcome
//! ```
//!
//! with `H` the cross entropy: that of `AlphaZero` (Silver et al. 2018), with the value a distribution over
//! win, draw and loss. A batch is cut into parts of a fixed size; each part is worked on by one thread and
//! the gradients are summed in the order of the parts, so that the number of threads changes nothing.

use std::fmt;
use std::marker::PhantomData;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use burn::tensor::Device;
use camelot_models::Compute;
use camelot_models::checkpoint::OptimizerState;
use camelot_models::encoding::{Encode, Mirror};
use camelot_models::weights::Weights;
use rand::{Rng, RngExt};
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::Serialize;
use thiserror::Error;

use crate::adam::Adam;
use crate::assessment::Assessment;
use crate::pass::{self, Pass, Sums, Viewed};
use crate::sample::Sample;

/// Samples in a part of a batch: enough to pay for burn's overhead an operation (with half as many a step
/// takes a tenth longer), few enough that a usual batch occupies several cores.
pub const PART: usize = 128;

/// How to learn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LearnerConfig {
    /// Samples a step, for whoever draws them.
    pub batch_size: usize,
    /// Decoupled weight decay; a step shrinks matrices by this times the learning rate.
    pub weight_decay: f32,
    /// The largest norm of the gradient over all matrices; longer gradients are scaled down to it.
    pub clip_norm: f32,
    /// Weight of the value's loss beside the policy's.
    pub value_weight: f32,
    /// Share of the search's value in the value target, in `[0, 1]`; the outcome has the rest.
    pub search_value_share: f32,
    /// Decay of the moving average of the weights a step, in `[0, 1)`; less in a young run.
    pub average_decay: f32,
}

/// Means over the samples of a step, before its change of the weights. Natural logarithms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Losses {
    /// What the gradient is of, less the policy target's entropy: `policy + value_weight · value`.
    pub total: f64,
    /// Kullback-Leibler divergence of the policy from its target; 0 is perfect.
    pub policy: f64,
    /// Cross entropy of the value with its target; the target's entropy is the least.
    pub value: f64,
    /// Kullback-Leibler divergence of the value from its target; 0 is perfect.
    pub value_divergence: f64,
    /// Entropy of the policy.
    pub policy_entropy: f64,
    /// Entropy of the policy's target.
    pub target_entropy: f64,
    /// Norm of the gradient before clipping.
    pub gradient_norm: f64,
}

impl Losses {
    /// Adds `share` times `other`, for means over several steps.
    pub fn add(&mut self, other: &Self, share: f64) {
        for (mine, theirs) in [
            (&mut self.total, other.total),
            (&mut self.policy, other.policy),
            (&mut self.value, other.value),
            (&mut self.value_divergence, other.value_divergence),
            (&mut self.policy_entropy, other.policy_entropy),
            (&mut self.target_entropy, other.target_entropy),
            (&mut self.gradient_norm, other.gradient_norm),
        ] {
            *mine += share * theirs;
        }
    }
}

/// A step that was not taken.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum LearnerError {
    /// A number that is not finite; the learner is as it was before the step.
    #[error("the {what} is not finite: expected a number")]
    NotFinite {
        /// Which number.
        what: &'static str,
    },
    /// Weights that no checkpoint may hold.
    #[error("the network's {why}")]
    Weights {
        /// Which of them.
        why: String,
    },
    /// A step over no samples.
    #[error("a step over 0 samples: expected at least 1")]
    Empty,
}

/// Trains a network for `G`.
pub struct Learner<G> {
    weights: Weights,
    averaged: Weights,
    optimizer: Adam,
    config: LearnerConfig,
    device: Device,
    /// Samples in a part of a batch.
    part: usize,
    /// One thread each. burn hands large products to the pool that it is called from; in a pool of one
    /// thread every operation has one order.
    pools: Vec<ThreadPool>,
    game: PhantomData<fn(G)>,
}

impl<G> fmt::Debug for Learner<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = self.optimizer.steps();
        f.debug_struct("Learner").field("config", &self.config).field("steps", &steps).finish_non_exhaustive()
    }
}

impl<G: Encode> Learner<G> {
    /// A learner that goes on from weights, their average and the optimizer's state, whose dimensions
    /// must be those of `G` ([`Weights::check`]). On the processor it works on as many threads as the pool
    /// that it is made in has; a graphics card takes a batch whole.
    ///
    /// # Panics
    ///
    /// If the system refuses the threads.
    #[must_use]
    pub fn new(
        weights: Weights,
        averaged: Weights,
        optimizer: Option<&OptimizerState>,
        config: LearnerConfig,
        compute: &Compute,
    ) -> Self {
        let (threads, part) = match compute {
            Compute::Cpu => (rayon::current_num_threads(), PART),
            Compute::Gpu(_) => (1, usize::MAX),
        };
        let pool = || ThreadPoolBuilder::new().num_threads(1).build().expect("the system grants threads");
        Self {
            optimizer: Adam::new(config.weight_decay, weights.shape.matrices(G::sizes()), optimizer),
            weights,
            averaged,
            config,
            device: compute.device().autodiff(),
            part,
            pools: (0..threads).map(|_| pool()).collect(),
            game: PhantomData,
        }
    }

    /// Takes one step over `samples`, each looked at straight or mirrored as `rng` says. For four armies
    /// both views are the same ([`Mirror`]).
    ///
    /// # Errors
    ///
    /// If there are no samples, or a loss or the gradient is not finite; the learner is then unchanged.
    pub fn step(
        &mut self,
        samples: &[&Sample<G>],
        rng: &mut impl Rng,
        learning_rate: f64,
    ) -> Result<Losses, LearnerError> {
        if samples.is_empty() {
            return Err(LearnerError::Empty);
        }
        if !learning_rate.is_finite() {
            return Err(LearnerError::NotFinite { what: "learning rate" });
        }
        let mut view = || if rng.random() { Mirror::Mirrored } else { Mirror::Straight };
        let viewed: Vec<Viewed<'_, G>> = samples.iter().map(|&sample| (sample, view())).collect();
        let (losses, mut gradients) = self.losses(&viewed);
        check_finite(&losses)?;
        clip(&mut gradients, losses.gradient_norm, f64::from(self.config.clip_norm));
        self.optimizer.step(&mut self.weights, gradients, learning_rate);
        let steps = self.optimizer.steps() as f32;
        // A young average would else stay close to the random weights that it began with.
        let decay = self.config.average_decay.min((1.0 + steps) / (10.0 + steps));
        self.averaged.average_with(&self.weights, decay);
        Ok(losses)
    }

    /// Whether the weights are such as a checkpoint may hold.
    ///
    /// # Errors
    ///
    /// Names the first matrix with numbers that are far too large.
    pub fn check(&self) -> Result<(), LearnerError> {
        self.weights.check(G::sizes()).map_err(|why| LearnerError::Weights { why })
    }

    /// The weights that are trained.
    #[must_use]
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Their moving average.
    #[must_use]
    pub fn averaged(&self) -> &Weights {
        &self.averaged
    }

    /// The optimizer's state; none before the first step.
    #[must_use]
    pub fn optimizer_state(&self) -> Option<OptimizerState> {
        self.optimizer.state(&self.weights)
    }

    /// Steps taken, those before a resumption included.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.optimizer.steps()
    }

    /// What the trained weights say of samples, which is compared with what came of them. Nothing is learnt.
    #[must_use]
    pub fn assess(&self, samples: &[&Sample<G>]) -> Assessment {
        let viewed: Vec<Viewed<'_, G>> = samples.iter().map(|&sample| (sample, Mirror::Straight)).collect();
        let looks =
            self.in_parts(&viewed, |part| pass::look(&self.weights, part, &self.config, &self.device));
        let losses = self.mean(looks.iter().map(|(sums, _)| *sums), samples.len().max(1));
        let expected = looks.iter().flat_map(|(_, wdl)| wdl).map(|[win, _, loss]| win - loss);
        let came = samples.iter().map(|sample| sample.outcome[0] - sample.outcome[2]);
        Assessment::new(losses.value, expected.zip(came))
    }

    /// The losses and gradients of a batch.
    fn losses(&self, samples: &[Viewed<'_, G>]) -> (Losses, Vec<Vec<f32>>) {
        let passes = self.in_parts(samples, |part| {
            pass::run(&self.weights, part, samples.len(), &self.config, &self.device)
        });
        let mut losses = self.mean(passes.iter().map(|pass| pass.sums), samples.len());
        let gradients = sum_gradients(&self.weights, passes);
        losses.gradient_norm = norm(&gradients);
        (losses, gradients)
    }

    /// Works on the parts of a batch, at the same time; what comes of them is in their order.
    fn in_parts<T: Send + Sync>(
        &self,
        samples: &[Viewed<'_, G>],
        work: impl Fn(&[Viewed<'_, G>]) -> T + Sync,
    ) -> Vec<T> {
        let parts: Vec<&[Viewed<'_, G>]> = samples.chunks(self.part).collect();
        let done: Vec<OnceLock<T>> = parts.iter().map(|_| OnceLock::new()).collect();
        let next = AtomicUsize::new(0);
        on_each(&self.pools, &|| {
            while let Some((part, done)) = Some(next.fetch_add(1, Ordering::Relaxed))
                .and_then(|index| Some((parts.get(index)?, done.get(index)?)))
            {
                done.get_or_init(|| work(part));
            }
        });
        done.into_iter().filter_map(OnceLock::into_inner).collect()
    }

    fn mean(&self, sums: impl Iterator<Item = Sums>, samples: usize) -> Losses {
        let mut losses = Losses::default();
        for part in sums {
            losses.policy += part.policy;
            losses.value += part.value;
            losses.value_divergence += part.value_divergence;
            losses.policy_entropy += part.policy_entropy;
            losses.target_entropy += part.target_entropy;
        }
        let samples = samples as f64;
        losses.policy /= samples;
        losses.value /= samples;
        losses.value_divergence /= samples;
        losses.policy_entropy /= samples;
        losses.target_entropy /= samples;
        losses.total = losses.policy + f64::from(self.config.value_weight) * losses.value;
        losses
    }
}

/// Runs `work` once in every pool, at the same time, and waits for all.
fn on_each(pools: &[ThreadPool], work: &(dyn Fn() + Sync)) {
    if let Some((pool, others)) = pools.split_first() {
        pool.in_place_scope(|scope| {
            scope.spawn(|_| work());
            on_each(others, work);
        });
    }
}

/// The sum of the passes' gradients, in the order of the passes.
fn sum_gradients(like: &Weights, passes: Vec<Pass>) -> Vec<Vec<f32>> {
    let mut sums: Vec<Vec<f32>> = like.iter().map(|matrix| vec![0.0; matrix.len()]).collect();
    for pass in passes {
        for (sum, part) in sums.iter_mut().zip(pass.gradients) {
            for (sum, part) in sum.iter_mut().zip(part) {
                *sum += part;
            }
        }
    }
    sums
}

fn norm(gradients: &[Vec<f32>]) -> f64 {
    let squares = gradients.iter().flatten().map(|&g| f64::from(g) * f64::from(g));
    squares.sum::<f64>().sqrt()
}

/// Scales gradients of a norm above `limit` down to it (Pascanu et al. 2013, algorithm 1).
fn clip(gradients: &mut [Vec<f32>], norm: f64, limit: f64) {
    if norm > limit {
        let scale = (limit / norm) as f32;
        gradients.iter_mut().flatten().for_each(|gradient| *gradient *= scale);
    }
}

fn check_finite(losses: &Losses) -> Result<(), LearnerError> {
    let numbers = [
        ("policy loss", losses.policy),
        ("value loss", losses.value),
        ("norm of the gradient", losses.gradient_norm),
    ];
    match numbers.into_iter().find(|(_, number)| !number.is_finite()) {
        Some((what, _)) => Err(LearnerError::NotFinite { what }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
