//! The sparse network for search: one position at a time, on one core, without burn.
//!
//! The loops are plain and their sums have a fixed order; `pulp` compiles them for the processor it
//! finds at run time. No product is fused with a sum, so that a processor's instruction set does not show in the
//! results.

#![expect(
    clippy::inline_always,
    reason = "a function takes part in the run-time choice of instructions only when inlined"
)]

use std::marker::PhantomData;
use std::sync::Arc;

use pulp::Arch;

use crate::encoding::{Encode, Encoded, Mirror};
use crate::evaluator::{Evaluator, Wdl};
use crate::shape::{LANES, Shape, SparseShape};
use crate::weights::Weights;
use crate::weights::sparse::Parameter;

/// Evaluates positions of `G` with a sparse network. Copies share the weights; one a thread.
#[derive(Clone, Debug)]
pub struct SparseEvaluator<G> {
    weights: Arc<Weights>,
    arch: Arch,
    mirror: Mirror,
    encoded: Encoded,
    accumulator: Vec<f32>,
    hidden: Vec<f32>,
    policy: Vec<f32>,
    game: PhantomData<fn(G)>,
}

impl<G: Encode> SparseEvaluator<G> {
    /// An evaluator of weights whose dimensions must be those of `G` ([`Weights::check`]); none if
    /// they are of another architecture.
    #[must_use]
    pub fn new(weights: &Weights) -> Option<Self> {
        let Shape::Sparse(SparseShape { accumulator, hidden, policy }) = weights.shape else { return None };
        Some(Self {
            weights: Arc::new(weights.clone()),
            arch: Arch::new(),
            mirror: Mirror::Straight,
            encoded: Encoded::default(),
            accumulator: vec![0.0; accumulator],
            hidden: vec![0.0; hidden],
            policy: vec![0.0; policy],
            game: PhantomData,
        })
    }

    /// The same, looking at the mirror image of every position where there is one ([`Mirror`]).
    #[must_use]
    pub fn mirrored(mut self) -> Self {
        self.mirror = Mirror::Mirrored;
        self
    }
}

impl<G: Encode> Evaluator<G> for SparseEvaluator<G> {
    fn evaluate(&mut self, position: &G, actions: &[G::Action], logits: &mut Vec<f32>) -> Wdl {
        position.encode(self.mirror, actions, &mut self.encoded);
        logits.clear();
        logits.resize(actions.len(), 0.0);
        let arch = self.arch;
        let value = arch.dispatch(|| {
            forward(&self.weights, &self.encoded, &mut self.accumulator, &mut self.hidden, &mut self.policy);
            policy_logits(&self.weights, &self.encoded, &self.policy, logits);
            value_logits(&self.weights, &self.hidden)
        });
        Wdl::from_logits(value)
    }
}

#[inline(always)]
fn forward(
    weights: &Weights,
    encoded: &Encoded,
    accumulator: &mut [f32],
    hidden: &mut [f32],
    policy: &mut [f32],
) {
    sparse(
        weights.get(Parameter::InputWeight),
        weights.get(Parameter::InputBias),
        &encoded.features,
        accumulator,
    );
    dense(weights.get(Parameter::HiddenWeight), weights.get(Parameter::HiddenBias), accumulator, hidden);
    rectify(hidden);
    dense(weights.get(Parameter::PolicyWeight), weights.get(Parameter::PolicyBias), accumulator, policy);
}

/// The rectified sum of the rows of the active features.
#[inline(always)]
fn sparse(weight: &[f32], bias: &[f32], features: &[u16], out: &mut [f32]) {
    let width = out.len();
    for (block, (out, bias)) in out.chunks_exact_mut(LANES).zip(bias.chunks_exact(LANES)).enumerate() {
        let mut sum = [0.0; LANES];
        sum.copy_from_slice(bias);
        for &feature in features {
            let start = usize::from(feature) * width + block * LANES;
            for (s, w) in sum.iter_mut().zip(&weight[start..start + LANES]) {
                *s += w;
            }
        }
        for (o, s) in out.iter_mut().zip(sum) {
            *o = s.max(0.0);
        }
    }
}

/// `out = bias + input × weight`, `weight` being `[input, out]`. Inputs behind a rectifier are often
/// zero and then skipped.
#[inline(always)]
fn dense(weight: &[f32], bias: &[f32], input: &[f32], out: &mut [f32]) {
    let width = out.len();
    for (block, (out, bias)) in out.chunks_exact_mut(LANES).zip(bias.chunks_exact(LANES)).enumerate() {
        let mut sum = [0.0; LANES];
        sum.copy_from_slice(bias);
        for (row, &x) in input.iter().enumerate() {
            if x != 0.0 {
                let start = row * width + block * LANES;
                for (s, w) in sum.iter_mut().zip(&weight[start..start + LANES]) {
                    *s += x * w;
                }
            }
        }
        out.copy_from_slice(&sum);
    }
}

#[inline(always)]
fn rectify(values: &mut [f32]) {
    for value in values {
        *value = value.max(0.0);
    }
}

#[inline(always)]
fn value_logits(weights: &Weights, hidden: &[f32]) -> [f32; 3] {
    let bias = weights.get(Parameter::ValueBias);
    let mut logits = [bias[0], bias[1], bias[2]];
    for (x, row) in hidden.iter().zip(weights.get(Parameter::ValueWeight).chunks_exact(3)) {
        for (logit, w) in logits.iter_mut().zip(row) {
            *logit += x * w;
        }
    }
    logits
}

/// For each action the product of the position's policy vector with the rectified sum of the action's
/// embeddings.
#[inline(always)]
fn policy_logits(weights: &Weights, encoded: &Encoded, policy: &[f32], logits: &mut [f32]) {
    let width = policy.len();
    let [origins, targets, styles, captures] =
        [Parameter::Origin, Parameter::Target, Parameter::Style, Parameter::Capture].map(|p| weights.get(p));
    let mut captures_start = 0;
    for (action, logit) in encoded.actions.iter().zip(logits) {
        let captured = &encoded.captures[captures_start..action.captures_end as usize];
        captures_start = action.captures_end as usize;
        let mut lanes = [0.0; LANES];
        for block in (0..width).step_by(LANES) {
            let row = |table: &'_ [f32], index: u16| -> [f32; LANES] {
                let start = usize::from(index) * width + block;
                let mut copy = [0.0; LANES];
                copy.copy_from_slice(&table[start..start + LANES]);
                copy
            };
            let mut sum = row(origins, action.origin);
            for part in [row(targets, action.target), row(styles, action.style)] {
                for (s, x) in sum.iter_mut().zip(part) {
                    *s += x;
                }
            }
            for &capture in captured {
                for (s, x) in sum.iter_mut().zip(row(captures, capture)) {
                    *s += x;
                }
            }
            for ((lane, s), p) in lanes.iter_mut().zip(sum).zip(&policy[block..block + LANES]) {
                *lane += s.max(0.0) * p;
            }
        }
        *logit = fold(lanes);
    }
}

/// The sum of the lanes, by halves.
#[inline(always)]
fn fold(mut lanes: [f32; LANES]) -> f32 {
    let mut width = LANES;
    while width > 1 {
        width /= 2;
        for i in 0..width {
            lanes[i] += lanes[i + width];
        }
    }
    lanes[0]
}
