//! The residual network for search: small batches, on one core, without burn.
//!
//! Only squares of the board are worked on, and the first convolution adds the rows of its few active inputs.
//! `pulp` chooses the processor's vectors at run time; where it has instructions that multiply and add in
//! one step they are used, so that results may differ between processors in the last places. They do not
//! depend on the batch, and positions that encode alike get the very same answer.

#![expect(
    clippy::inline_always,
    reason = "a function takes part in the run-time choice of instructions only when inlined"
)]

mod heads;
mod kernel;
mod trunk;

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use pulp::{Arch, Simd, WithSimd};

use crate::encoding::{Encode, Encoded, Mirror};
use crate::evaluator::{Evaluation, Evaluator, Request, Wdl};
use crate::shape::{ResidualShape, Shape};
use crate::weights::Weights;
use crate::weights::residual::Part;
use trunk::{GROUP, Squares, Trunk};

pub(crate) use heads::{Maps, score};

/// By how much a win, draw or loss share, or a logit up to 1, may differ from the network in burn; larger logits
/// by as much of themselves.
pub const AGREEMENT: f32 = 1e-4;

/// Positions that are best judged at a time.
const BATCH: usize = 4 * GROUP;

/// Evaluates positions of `G` with a residual network. Copies share the weights; one a thread.
#[derive(Clone)]
pub struct ResidualEvaluator<G> {
    weights: Arc<Weights>,
    trunk: Arc<Trunk>,
    arch: Arch,
    mirror: Mirror,
    squares: Squares,
    /// One for each position of a group.
    encoded: Vec<Encoded>,
    heads: Vec<Head>,
    game: PhantomData<fn(G)>,
}

/// Numbers of the whole position.
#[derive(Clone, Debug)]
struct Head {
    pooled: Vec<f32>,
    summary: Vec<f32>,
    everywhere: Vec<f32>,
    value: [f32; 3],
}

impl<G> fmt::Debug for ResidualEvaluator<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResidualEvaluator").field("shape", &self.weights.shape).finish_non_exhaustive()
    }
}

impl<G: Encode> ResidualEvaluator<G> {
    /// An evaluator of weights whose dimensions must be those of `G` ([`Weights::check`]); none if
    /// they are of another architecture.
    #[must_use]
    pub fn new(weights: &Weights) -> Option<Self> {
        let (Shape::Residual(shape), Some(grid)) = (weights.shape, G::sizes().grid) else { return None };
        let arch = Arch::new();
        let trunk = Trunk::new(arch, weights, shape, grid);
        let ResidualShape { channels, hidden, policy, .. } = shape;
        let head = Head {
            pooled: vec![0.0; 2 * channels],
            summary: vec![0.0; hidden],
            everywhere: vec![0.0; policy],
            value: [0.0; 3],
        };
        Some(Self {
            weights: Arc::new(weights.clone()),
            arch,
            mirror: Mirror::Straight,
            squares: trunk.squares(shape),
            trunk: Arc::new(trunk),
            encoded: vec![Encoded::default(); GROUP],
            heads: vec![head; GROUP],
            game: PhantomData,
        })
    }

    /// The same, looking at the mirror image of every position where there is one ([`Mirror`]).
    #[must_use]
    pub fn mirrored(mut self) -> Self {
        self.mirror = Mirror::Mirrored;
        self
    }

    fn encode(&mut self, index: usize, position: &G, actions: &[G::Action]) {
        let encoded = &mut self.encoded[index];
        position.encode(self.mirror, actions, encoded);
        encoded.sort();
    }

    /// Runs the network over the first `count` encoded positions.
    fn forward(&mut self, count: usize) {
        let Self { weights, trunk, squares, encoded, heads, .. } = self;
        let positions = &encoded[..count];
        self.arch.dispatch(Forward { weights, trunk, squares, positions, heads });
    }

    fn answer(&self, index: usize, logits: &mut Vec<f32>) -> Wdl {
        let (encoded, head) = (&self.encoded[index], &self.heads[index]);
        logits.clear();
        logits.resize(encoded.actions.len(), 0.0);
        let size = self.squares.maps.len() / GROUP;
        let squares = &self.squares.maps[index * size..][..size];
        let maps = Maps { squares, everywhere: &head.everywhere };
        self.arch.dispatch(|| score(&self.weights, encoded, maps, logits));
        Wdl::from_logits(head.value)
    }
}

impl<G: Encode> Evaluator<G> for ResidualEvaluator<G> {
    fn evaluate(&mut self, position: &G, actions: &[G::Action], logits: &mut Vec<f32>) -> Wdl {
        self.encode(0, position, actions);
        self.forward(1);
        self.answer(0, logits)
    }

    fn batch_size(&self) -> usize {
        BATCH
    }

    fn evaluate_batch(&mut self, requests: &[Request<'_, G>], answers: &mut [Evaluation]) {
        for (requests, answers) in requests.chunks(GROUP).zip(answers.chunks_mut(GROUP)) {
            for (index, request) in requests.iter().enumerate() {
                self.encode(index, request.position, request.actions);
            }
            self.forward(requests.len());
            for (index, answer) in answers.iter_mut().enumerate() {
                answer.wdl = self.answer(index, &mut answer.logits);
            }
        }
    }
}

/// One pass over a group.
struct Forward<'a> {
    weights: &'a Weights,
    trunk: &'a Trunk,
    squares: &'a mut Squares,
    positions: &'a [Encoded],
    heads: &'a mut [Head],
}

impl WithSimd for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { weights, trunk, squares, positions, heads } = self;
        trunk.forward(simd, weights, positions, squares);
        for (index, head) in heads.iter_mut().enumerate().take(positions.len()) {
            trunk.pool(index, squares, &mut head.pooled);
            let Head { pooled, summary, everywhere, value } = head;
            *value = heads::summarise(weights, pooled, summary, everywhere);
        }
    }
}

/// The three maps of the policy side by side, `[channels, 3 policy]`: origins, targets, captures.
pub(crate) fn joined_maps(weights: &Weights, shape: ResidualShape) -> Vec<f32> {
    let maps = [Part::OriginMap, Part::TargetMap, Part::CaptureMap].map(|part| weights.get(part));
    let row = |channel: usize| maps.map(|map| &map[channel * shape.policy..][..shape.policy]).concat();
    (0..shape.channels).flat_map(row).collect()
}
