//! The sparse network for search: one position at a time, on one core, without burn.
//!
//! Weights and sums are whole numbers of 16 and 32 bits (`quantised.rs`); `pulp` chooses the processor's
//! instructions at run time (`kernel.rs`). Integers add up to the same in any order, and the few floating-point
//! sums have a fixed one, so that all processors get the same results.
//!
//! [`AGREEMENT`] bounds the difference from the network in burn.

#![expect(
    clippy::inline_always,
    reason = "a function takes part in the run-time choice of instructions only when inlined"
)]

mod kernel;
mod quantised;

use std::marker::PhantomData;
use std::sync::Arc;

use pulp::Arch;

use crate::encoding::{Encode, Encoded, Mirror};
use crate::evaluator::{Evaluator, Wdl};
use crate::shape::{LANES, Shape, SparseShape};
use crate::weights::Weights;
use kernel::{BLOCK, Multiply, PairRow, Work};
use quantised::Quantised;

/// By how much a win, draw or loss share may differ from the network in burn, and a logit by as much of the
/// position's largest one, or of 1 if that is larger. On 1,000 positions of each game and large random weights the
/// shares were found to differ by up to 0.0020, the logits by up to 0.017, in Grand Camelot by up to 0.030; finer embeddings
/// and a finer policy vector change nothing in that.
pub const AGREEMENT: f32 = 0.04;

/// Evaluates positions of `G` with a sparse network. Copies share the weights; one a thread.
#[derive(Clone, Debug)]
pub struct SparseEvaluator<G> {
    network: Arc<Quantised>,
    arch: Arch,
    mirror: Mirror,
    encoded: Encoded,
    accumulator: Vec<i16>,
    /// Hidden layer, then policy layer.
    sums: Vec<i32>,
    policy: Vec<i16>,
    game: PhantomData<fn(G)>,
}

impl<G: Encode> SparseEvaluator<G> {
    /// An evaluator for weights whose dimensions must be those of `G` ([`Weights::check`]); none if they are of
    /// another architecture.
    #[must_use]
    pub fn new(weights: &Weights) -> Option<Self> {
        let Shape::Sparse(shape) = weights.shape else { return None };
        let SparseShape { accumulator, hidden, policy } = shape;
        Some(Self {
            network: Arc::new(Quantised::new(weights, shape)),
            arch: Arch::new(),
            mirror: Mirror::Straight,
            encoded: Encoded::default(),
            accumulator: vec![0; accumulator],
            sums: vec![0; hidden + policy],
            policy: vec![0; policy],
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
        let mut value = [0.0; 3];
        let forward = Forward {
            network: &self.network,
            encoded: &self.encoded,
            accumulator: &mut self.accumulator,
            sums: &mut self.sums,
            policy: &mut self.policy,
            logits,
            value: &mut value,
        };
        kernel::dispatch(self.arch, forward);
        Wdl::from_logits(value)
    }
}

/// One evaluation: what goes in, buffers between the layers, and what comes out.
struct Forward<'a> {
    network: &'a Quantised,
    encoded: &'a Encoded,
    accumulator: &'a mut [i16],
    sums: &'a mut [i32],
    policy: &'a mut [i16],
    logits: &'a mut [f32],
    value: &'a mut [f32; 3],
}

impl Work for Forward<'_> {
    #[inline(always)]
    fn run(self, multiply: impl Multiply) {
        let network = self.network;
        let width = self.accumulator.len();
        if width.is_multiple_of(4 * LANES) {
            sparse::<{ 4 * LANES }>(network, &self.encoded.features, self.accumulator);
        } else {
            sparse::<LANES>(network, &self.encoded.features, self.accumulator);
        }
        dense(multiply, &network.dense, &network.dense_bias, self.accumulator, self.sums);
        let (hidden, policy) = self.sums.split_at(network.shape.hidden);
        *self.value = value_logits(network, hidden);
        let unit = narrow(policy, network.policy_bits(), self.policy) * network.logit_unit;
        policy_logits(network, self.encoded, self.policy, unit, self.logits);
    }
}

/// The rectified sum of the rows of the active features, `N` outputs at a time.
#[inline(always)]
fn sparse<const N: usize>(network: &Quantised, features: &[u16], out: &mut [i16]) {
    let width = out.len();
    let biases = network.input_bias.as_chunks::<N>().0;
    for (block, (out, bias)) in out.as_chunks_mut::<N>().0.iter_mut().zip(biases).enumerate() {
        let mut sum = *bias;
        let columns = &network.input[block * N..];
        for &feature in features {
            let start = usize::from(feature) * width;
            for (s, &w) in sum.iter_mut().zip(&columns[start..start + N]) {
                *s = s.saturating_add(w);
            }
        }
        *out = sum.map(|s| s.max(0));
    }
}

/// `out = bias + input × weight`.
#[inline(always)]
fn dense<M: Multiply>(multiply: M, rows: &[PairRow], bias: &[i32], input: &[i16], out: &mut [i32]) {
    let pairs = input.as_chunks::<2>().0;
    let blocks = bias.as_chunks::<BLOCK>().0.iter().zip(out.as_chunks_mut::<BLOCK>().0);
    for ((bias, out), rows) in blocks.zip(rows.chunks_exact(pairs.len())) {
        let mut sums = multiply.load(bias);
        for (&pair, row) in pairs.iter().zip(rows) {
            sums = multiply.add_products(sums, pair, row);
        }
        *out = multiply.store(sums);
    }
}

#[inline(always)]
fn value_logits(network: &Quantised, hidden: &[i32]) -> [f32; 3] {
    let mut logits = network.value_bias;
    for (logit, weights) in logits.iter_mut().zip(network.value.chunks_exact(hidden.len())) {
        let mut lanes = [0.0; LANES];
        for (sums, weights) in hidden.as_chunks::<LANES>().0.iter().zip(weights.as_chunks::<LANES>().0) {
            for ((lane, &sum), w) in lanes.iter_mut().zip(sums).zip(weights) {
                *lane += sum.max(0) as f32 * network.hidden_unit * w;
            }
        }
        *logit += fold(lanes);
    }
    logits
}

/// Rounds sums to numbers of at most `bits` bits and a sign; returns what 1 means in them.
#[inline(always)]
fn narrow(sums: &[i32], bits: u32, out: &mut [i16]) -> f32 {
    let most = sums.iter().fold(0, |most, sum| most | sum.unsigned_abs());
    let shift = (u32::BITS - most.leading_zeros()).saturating_sub(bits);
    let half = (1_i64 << shift) >> 1;
    for (out, &sum) in out.iter_mut().zip(sums) {
        *out = ((i64::from(sum) + half) >> shift) as i16;
    }
    (1_u64 << shift) as f32
}

/// For each action the product of the position's policy vector with the rectified sum of the action's
/// embeddings.
#[inline(always)]
fn policy_logits(network: &Quantised, encoded: &Encoded, policy: &[i16], unit: f32, logits: &mut [f32]) {
    let width = policy.len();
    let [origins, targets, styles, captures] = &network.tables;
    let mut captures_start = 0;
    for (action, logit) in encoded.actions.iter().zip(logits) {
        let captured = &encoded.captures[captures_start..action.captures_end as usize];
        captures_start = action.captures_end as usize;
        let mut dot = 0;
        for (block, policy) in policy.as_chunks::<LANES>().0.iter().enumerate() {
            let mut sum = [0_i16; LANES];
            let mut add = |table: &[i16], row: u16| {
                let start = usize::from(row) * width + block * LANES;
                for (s, &x) in sum.iter_mut().zip(&table[start..start + LANES]) {
                    *s = s.saturating_add(x);
                }
            };
            add(origins, action.origin);
            add(targets, action.target);
            add(styles, action.style);
            for &capture in captured {
                add(captures, capture);
            }
            dot += product(&sum, policy);
        }
        *logit = dot as f32 * unit;
    }
}

/// The product of a vector, negative numbers taken as 0, with another.
#[inline(always)]
fn product(left: &[i16; LANES], right: &[i16; LANES]) -> i32 {
    left.iter().zip(right).map(|(&l, &r)| i32::from(l.max(0)) * i32::from(r)).sum()
}

/// The sum of the lanes, by halves.
#[inline(always)]
pub(crate) fn fold(mut lanes: [f32; LANES]) -> f32 {
    let mut width = LANES;
    while width > 1 {
        width /= 2;
        for i in 0..width {
            lanes[i] += lanes[i + width];
        }
    }
    lanes[0]
}
