//! The products that nearly all time goes into: for many squares at once, a few rows of inputs by a matrix.
//!
//! A convolution over a neighbourhood is three runs of three cells each in a grid with an edge of zeros, so it
//! is a product of nine times the channels with the weights; a map of single squares is one run. A tile of six
//! squares by two vectors of outputs stays in registers while its inputs pass by. Every output is the sum of
//! its bias and products in one order, so it depends neither on the batch nor on the place in a tile.

use pulp::{Arch, Simd, WithSimd};

/// Squares worked on together.
pub(super) const TILE: usize = 6;

/// Vectors of outputs worked on together.
const VECTORS: usize = 2;

/// Numbers that begin on the boundary of a cache line, so that no vector lies across two.
#[derive(Debug)]
struct Aligned {
    numbers: Vec<f32>,
    start: usize,
}

impl Aligned {
    const BYTES: usize = 64;

    fn new(numbers: &[f32]) -> Self {
        let mut space: Vec<f32> = Vec::with_capacity(numbers.len() + Self::BYTES);
        let start = space.as_ptr().align_offset(Self::BYTES).min(Self::BYTES);
        space.resize(start, 0.0);
        space.extend_from_slice(numbers);
        Self { numbers: space, start }
    }

    fn get(&self) -> &[f32] {
        &self.numbers[self.start..]
    }
}

/// A matrix and a bias, laid out for the processor's vectors.
#[derive(Debug)]
pub(super) struct Layer {
    /// For each block of outputs the block's columns, row by row.
    weights: Aligned,
    bias: Vec<f32>,
    runs: usize,
    run: usize,
}

impl Layer {
    /// Lays out a matrix whose rows belong to `runs` runs of inputs, `[runs * run, bias.len()]`.
    pub(super) fn new(arch: Arch, matrix: &[f32], bias: Vec<f32>, runs: usize) -> Self {
        let (outputs, block) = (bias.len(), VECTORS * arch.dispatch(Lanes));
        assert!(outputs.is_multiple_of(block), "widths are multiples of `LANES`");
        let blocks = (0..outputs).step_by(block);
        let packed: Vec<f32> = blocks
            .flat_map(|start| matrix.chunks_exact(outputs).flat_map(move |row| &row[start..start + block]))
            .copied()
            .collect();
        Self { weights: Aligned::new(&packed), bias, runs, run: matrix.len() / outputs / runs }
    }

    /// Computes the layer for squares whose first inputs lie at `starts` of `input`, and whose runs are
    /// `stride` apart. `finish` takes what comes out: the number of the square, the first output, and as many
    /// as two vectors hold. Of `starts`, whose number is a multiple of [`TILE`], the first `count` count.
    #[inline(always)]
    pub(super) fn apply<S: Simd>(
        &self,
        simd: S,
        from: &Source<'_>,
        count: usize,
        mut finish: impl FnMut(usize, usize, [S::f32s; VECTORS]),
    ) {
        let block = VECTORS * S::F32_LANES;
        let rows = self.runs * self.run;
        let blocks = self.weights.get().chunks_exact(rows * block).zip(self.bias.chunks_exact(block));
        let (tiles, _) = from.starts[..count.next_multiple_of(TILE)].as_chunks::<TILE>();
        for (index, (weights, bias)) in blocks.enumerate() {
            let weights = S::as_simd_f32s(weights).0.as_chunks::<VECTORS>().0;
            let bias = S::as_simd_f32s(bias).0;
            for (tile, starts) in tiles.iter().enumerate() {
                let mut sums = [[bias[0], bias[1]]; TILE];
                for (run, weights) in weights.chunks_exact(self.run).enumerate() {
                    let at = run * from.stride;
                    let inputs = starts.map(|start| &from.input[start + at..][..self.run]);
                    for (k, &[first, second]) in weights.iter().enumerate() {
                        for (sum, input) in sums.iter_mut().zip(&inputs) {
                            let x = simd.splat_f32s(input[k]);
                            sum[0] = simd.mul_add_e_f32s(x, first, sum[0]);
                            sum[1] = simd.mul_add_e_f32s(x, second, sum[1]);
                        }
                    }
                }
                let first = tile * TILE;
                for (square, sum) in (first..count).zip(sums) {
                    finish(square, index * block, sum);
                }
            }
        }
    }
}

/// Where a layer reads.
pub(super) struct Source<'a> {
    pub(super) input: &'a [f32],
    pub(super) starts: &'a [usize],
    pub(super) stride: usize,
}

/// How many numbers the processor's vectors hold.
struct Lanes;

impl WithSimd for Lanes {
    type Output = usize;

    fn with_simd<S: Simd>(self, _: S) -> usize {
        S::F32_LANES
    }
}

/// Writes two vectors.
#[inline(always)]
pub(super) fn store<S: Simd>(out: &mut [f32], vectors: [S::f32s; VECTORS]) {
    S::as_mut_simd_f32s(&mut out[..VECTORS * S::F32_LANES]).0.copy_from_slice(&vectors);
}

/// Writes the rectified sum of two vectors and what stands there.
#[inline(always)]
pub(super) fn add_rectified<S: Simd>(simd: S, out: &mut [f32], vectors: [S::f32s; VECTORS]) {
    let out = S::as_mut_simd_f32s(&mut out[..VECTORS * S::F32_LANES]).0;
    for (out, vector) in out.iter_mut().zip(vectors) {
        *out = simd.max_f32s(simd.add_f32s(*out, vector), simd.splat_f32s(0.0));
    }
}

/// Writes two rectified vectors.
#[inline(always)]
pub(super) fn store_rectified<S: Simd>(simd: S, out: &mut [f32], vectors: [S::f32s; VECTORS]) {
    let zero = simd.splat_f32s(0.0);
    store::<S>(out, vectors.map(|vector| simd.max_f32s(vector, zero)));
}
