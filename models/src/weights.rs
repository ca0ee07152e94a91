//! The numbers of a network on the host: one list of named matrices in a fixed order.
//!
//! Search reads them directly, the trainer turns them into burn tensors and back, checkpoints store them.
//! Which matrices there are is the architecture's affair: [`sparse`] and [`residual`].

pub mod residual;
pub mod sparse;

use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use crate::encoding::Sizes;
use crate::shape::Shape;

/// One matrix of a network: what it is called, how large it is and how it is treated.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    /// The name in exports and messages.
    pub name: String,
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub columns: usize,
    /// Whether weight decay applies: to matrices of weights, not to biases.
    pub decays: bool,
    /// Half the width of the uniform distribution that a new network's numbers are drawn from.
    pub initial_bound: f32,
}

impl Matrix {
    /// Rows and columns.
    #[must_use]
    pub fn dimensions(&self) -> [usize; 2] {
        [self.rows, self.columns]
    }

    fn len(&self) -> usize {
        self.rows * self.columns
    }
}

/// All numbers of a network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Weights {
    /// The architecture and its widths.
    pub shape: Shape,
    /// The matrices in the order of [`Shape::matrices`], each row by row.
    matrices: Vec<Vec<f32>>,
}

impl Weights {
    /// No number of a sound network comes near this; sums of larger ones could overflow.
    pub const LARGEST: f32 = 1e4;

    /// A new network, drawn from `seed`. The shape must be one that [`Shape::check`] allows.
    #[must_use]
    pub fn random(sizes: Sizes, shape: impl Into<Shape>, seed: u64) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        Self::build(sizes, shape.into(), |matrix| uniform(&mut rng, matrix.initial_bound))
    }

    /// A network of zeros.
    #[must_use]
    pub fn zeros(sizes: Sizes, shape: impl Into<Shape>) -> Self {
        Self::build(sizes, shape.into(), |_| 0.0)
    }

    fn build(sizes: Sizes, shape: Shape, mut number: impl FnMut(&Matrix) -> f32) -> Self {
        let numbers = |matrix: &Matrix| (0..matrix.len()).map(|_| number(matrix)).collect();
        Self { shape, matrices: shape.matrices(sizes).iter().map(numbers).collect() }
    }

    /// One matrix, row by row: a [`sparse::Parameter`], a [`residual::Part`], or its place in the list.
    #[must_use]
    pub fn get(&self, matrix: impl Into<usize>) -> &[f32] {
        &self.matrices[matrix.into()]
    }

    /// One matrix, to change.
    pub fn get_mut(&mut self, matrix: impl Into<usize>) -> &mut [f32] {
        &mut self.matrices[matrix.into()]
    }

    /// All matrices in the order of [`Shape::matrices`], each row by row.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[f32]> {
        self.matrices.iter().map(Vec::as_slice)
    }

    /// How many numbers there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.matrices.iter().map(Vec::len).sum()
    }

    /// Checks that the matrices have the dimensions of `sizes` and hold no wild numbers.
    ///
    /// # Errors
    ///
    /// Names the matrix that does not fit.
    pub fn check(&self, sizes: Sizes) -> Result<(), String> {
        self.shape.check(sizes)?;
        let matrices = self.shape.matrices(sizes);
        if self.matrices.len() != matrices.len() {
            return Err(format!("{} matrices, expected {}", self.matrices.len(), matrices.len()));
        }
        for (matrix, numbers) in matrices.iter().zip(&self.matrices) {
            let Matrix { name, rows, columns, .. } = matrix;
            if numbers.len() != matrix.len() {
                return Err(format!("{name} has {} numbers, expected {rows} x {columns}", numbers.len()));
            }
            if !numbers.iter().all(|number| number.abs() <= Self::LARGEST) {
                let largest = Self::LARGEST;
                return Err(format!("{name} holds numbers beyond {largest} or that are none"));
            }
        }
        Ok(())
    }

    /// Moves every number towards `other`'s: `self = decay * self + (1 - decay) * other`.
    pub fn average_with(&mut self, other: &Self, decay: f32) {
        for (mine, theirs) in self.matrices.iter_mut().zip(&other.matrices) {
            for (a, b) in mine.iter_mut().zip(theirs) {
                *a = decay * *a + (1.0 - decay) * b;
            }
        }
    }

    /// A hash of the numbers, by which records name the network that played (FNV-1a, 64 bits).
    #[must_use]
    pub fn hash(&self) -> u64 {
        let bytes = self.matrices.iter().flatten().flat_map(|number| number.to_le_bytes());
        bytes.fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
        })
    }
}

fn uniform(rng: &mut impl Rng, bound: f32) -> f32 {
    if bound == 0.0 { 0.0 } else { rng.random_range(-bound..bound) }
}

#[cfg(test)]
mod tests;
