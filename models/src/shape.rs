//! Which architecture a network has, and how large it is.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::encoding::Sizes;
use crate::weights::{Matrix, residual, sparse};

/// Widths are multiples of this, so that inference needs no remainder loops.
pub const LANES: usize = 32;

/// An architecture with its widths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shape {
    /// Sums over active features: evaluated in microseconds, for every game.
    Sparse(SparseShape),
    /// Convolutions over the board: sees more and takes a hundred times as long, for games on a board.
    Residual(ResidualShape),
}

/// The widths of a sparse network, all multiples of [`LANES`] up to [`SparseShape::MAX_WIDTH`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SparseShape {
    /// Outputs of the sparse first layer.
    pub accumulator: usize,
    /// Outputs of the second layer, which feeds the value.
    pub hidden: usize,
    /// Length of an action's embedding.
    pub policy: usize,
}

impl SparseShape {
    /// The largest width allowed.
    pub const MAX_WIDTH: usize = 2048;
}

/// The size of a residual network; its widths are multiples of [`LANES`] up to [`ResidualShape::MAX_WIDTH`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResidualShape {
    /// Residual blocks of two convolutions each, 1 to [`ResidualShape::MAX_BLOCKS`].
    pub blocks: usize,
    /// Numbers a square.
    pub channels: usize,
    /// Length of the summary of the whole board, which feeds the value.
    pub hidden: usize,
    /// Length of an action's embedding.
    pub policy: usize,
}

impl ResidualShape {
    /// The largest width allowed.
    pub const MAX_WIDTH: usize = 256;

    /// The most blocks allowed.
    pub const MAX_BLOCKS: usize = 40;
}

impl From<SparseShape> for Shape {
    fn from(shape: SparseShape) -> Self {
        Self::Sparse(shape)
    }
}

impl From<ResidualShape> for Shape {
    fn from(shape: ResidualShape) -> Self {
        Self::Residual(shape)
    }
}

/// Whether a width can be used.
#[must_use]
pub fn allows(width: usize, most: usize) -> bool {
    width > 0 && width <= most && width.is_multiple_of(LANES)
}

impl Shape {
    /// Checks that the sizes are within their limits and that the architecture can play a game of `sizes`.
    ///
    /// # Errors
    ///
    /// Says what does not fit.
    pub fn check(self, sizes: Sizes) -> Result<(), String> {
        let (widths, most) = match self {
            Self::Sparse(shape) => {
                (vec![shape.accumulator, shape.hidden, shape.policy], SparseShape::MAX_WIDTH)
            }
            Self::Residual(shape) => {
                if sizes.grid.is_none() {
                    return Err("a residual network needs a board, and the game has none".into());
                }
                if !(1..=ResidualShape::MAX_BLOCKS).contains(&shape.blocks) {
                    let most = ResidualShape::MAX_BLOCKS;
                    return Err(format!("{} residual blocks, expected 1 to {most}", shape.blocks));
                }
                (vec![shape.channels, shape.hidden, shape.policy], ResidualShape::MAX_WIDTH)
            }
        };
        match widths.iter().find(|&&width| !allows(width, most)) {
            Some(width) => Err(format!("a width of {width}, expected multiples of {LANES} up to {most}")),
            None => Ok(()),
        }
    }

    /// The matrices of a network, in the order in which [`crate::Weights`] keeps them. The shape must be
    /// one that [`Shape::check`] allows.
    #[must_use]
    pub fn matrices(self, sizes: Sizes) -> Vec<Matrix> {
        match self {
            Self::Sparse(shape) => {
                sparse::Parameter::ALL.into_iter().map(|parameter| parameter.matrix(sizes, shape)).collect()
            }
            Self::Residual(shape) => {
                residual::Part::all(shape).map(|part| part.matrix(sizes, shape)).collect()
            }
        }
    }

    /// The name of the architecture in configurations.
    #[must_use]
    pub fn architecture(self) -> &'static str {
        match self {
            Self::Sparse(_) => "sparse",
            Self::Residual(_) => "residual",
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.architecture())?;
        match self {
            Self::Sparse(SparseShape { accumulator, hidden, policy }) => {
                write!(f, "{accumulator}/{hidden}/{policy}")
            }
            Self::Residual(ResidualShape { blocks, channels, hidden, policy }) => {
                write!(f, "{blocks} x {channels}/{hidden}/{policy}")
            }
        }
    }
}
