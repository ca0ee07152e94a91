//! The numbers of a network on the host: one list of named matrices in a fixed order.
//!
//! Search reads them directly, the trainer turns them into burn tensors and back, checkpoints store them.

use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use crate::encoding::Sizes;

/// The widths of a network. All are multiples of [`NetworkShape::LANES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NetworkShape {
    /// Outputs of the sparse first layer.
    pub accumulator: usize,
    /// Outputs of the second layer, which feeds the value.
    pub hidden: usize,
    /// Length of an action's embedding.
    pub policy: usize,
}

impl NetworkShape {
    /// Widths are multiples of this, so that inference needs no remainder loops.
    pub const LANES: usize = 32;

    /// The largest width allowed.
    pub const MAX_WIDTH: usize = 2048;

    /// Whether a width can be used.
    #[must_use]
    pub fn allows(width: usize) -> bool {
        width > 0 && width <= Self::MAX_WIDTH && width.is_multiple_of(Self::LANES)
    }
}

/// Which matrix is meant. Vectors are matrices of one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// `[inputs, accumulator]`.
    InputWeight,
    /// `[1, accumulator]`.
    InputBias,
    /// `[accumulator, hidden]`.
    HiddenWeight,
    /// `[1, hidden]`.
    HiddenBias,
    /// `[hidden, 3]`: win, draw, loss.
    ValueWeight,
    /// `[1, 3]`.
    ValueBias,
    /// `[accumulator, policy]`.
    PolicyWeight,
    /// `[1, policy]`.
    PolicyBias,
    /// `[origins, policy]`.
    Origin,
    /// `[targets, policy]`.
    Target,
    /// `[styles, policy]`.
    Style,
    /// `[captures, policy]`.
    Capture,
}

impl Parameter {
    /// All of them, in the order in which [`Weights`] keeps them.
    pub const ALL: [Self; 12] = [
        Self::InputWeight,
        Self::InputBias,
        Self::HiddenWeight,
        Self::HiddenBias,
        Self::ValueWeight,
        Self::ValueBias,
        Self::PolicyWeight,
        Self::PolicyBias,
        Self::Origin,
        Self::Target,
        Self::Style,
        Self::Capture,
    ];

    /// The name in exports and messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::InputWeight => "input.weight",
            Self::InputBias => "input.bias",
            Self::HiddenWeight => "hidden.weight",
            Self::HiddenBias => "hidden.bias",
            Self::ValueWeight => "value.weight",
            Self::ValueBias => "value.bias",
            Self::PolicyWeight => "policy.weight",
            Self::PolicyBias => "policy.bias",
            Self::Origin => "origin.embedding",
            Self::Target => "target.embedding",
            Self::Style => "style.embedding",
            Self::Capture => "capture.embedding",
        }
    }

    /// Rows and columns.
    #[must_use]
    pub fn dimensions(self, sizes: Sizes, shape: NetworkShape) -> [usize; 2] {
        let NetworkShape { accumulator, hidden, policy } = shape;
        match self {
            Self::InputWeight => [sizes.inputs, accumulator],
            Self::InputBias => [1, accumulator],
            Self::HiddenWeight => [accumulator, hidden],
            Self::HiddenBias => [1, hidden],
            Self::ValueWeight => [hidden, 3],
            Self::ValueBias => [1, 3],
            Self::PolicyWeight => [accumulator, policy],
            Self::PolicyBias => [1, policy],
            Self::Origin => [sizes.origins, policy],
            Self::Target => [sizes.targets, policy],
            Self::Style => [sizes.styles, policy],
            Self::Capture => [sizes.captures, policy],
        }
    }

    /// Half the width of the uniform distribution that a new network's numbers are drawn from.
    ///
    /// Layers behind a rectifier get the variance of He et al. 2015 (equation 10) for the number of
    /// inputs that are active at a time; the policy's and the value's last layers start small, so that
    /// a new network has hardly an opinion.
    fn initial_bound(self, shape: NetworkShape) -> f32 {
        const ACTIVE_INPUTS: f32 = 40.0;
        match self {
            Self::InputWeight => (6.0 / ACTIVE_INPUTS).sqrt(),
            Self::HiddenWeight => (6.0 / shape.accumulator as f32).sqrt(),
            Self::ValueWeight => 0.1 * (6.0 / shape.hidden as f32).sqrt(),
            Self::PolicyWeight => 0.1 * (6.0 / shape.accumulator as f32).sqrt(),
            Self::Origin | Self::Target | Self::Style | Self::Capture => 1.0,
            Self::InputBias | Self::HiddenBias | Self::ValueBias | Self::PolicyBias => 0.0,
        }
    }

    /// Whether weight decay applies: to matrices of weights, not to biases.
    #[must_use]
    pub fn decays(self) -> bool {
        !matches!(self, Self::InputBias | Self::HiddenBias | Self::ValueBias | Self::PolicyBias)
    }
}

/// All numbers of a network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Weights {
    /// The widths.
    pub shape: NetworkShape,
    /// The matrices in the order of [`Parameter::ALL`], each row by row.
    matrices: Vec<Vec<f32>>,
}

impl Weights {
    /// No number of a sound network comes near this; sums of larger ones could overflow.
    pub const LARGEST: f32 = 1e4;

    /// A new network, drawn from `seed`.
    #[must_use]
    pub fn random(sizes: Sizes, shape: NetworkShape, seed: u64) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        Self::build(sizes, shape, |parameter| uniform(&mut rng, parameter.initial_bound(shape)))
    }

    /// A network of zeros.
    #[must_use]
    pub fn zeros(sizes: Sizes, shape: NetworkShape) -> Self {
        Self::build(sizes, shape, |_| 0.0)
    }

    fn build(sizes: Sizes, shape: NetworkShape, mut number: impl FnMut(Parameter) -> f32) -> Self {
        let matrices = Parameter::ALL
            .iter()
            .map(|&parameter| {
                let [rows, columns] = parameter.dimensions(sizes, shape);
                (0..rows * columns).map(|_| number(parameter)).collect()
            })
            .collect();
        Self { shape, matrices }
    }

    /// One matrix, row by row.
    #[must_use]
    pub fn get(&self, parameter: Parameter) -> &[f32] {
        &self.matrices[parameter as usize]
    }

    /// One matrix, to change.
    pub fn get_mut(&mut self, parameter: Parameter) -> &mut [f32] {
        &mut self.matrices[parameter as usize]
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
        let NetworkShape { accumulator, hidden, policy } = self.shape;
        if ![accumulator, hidden, policy].into_iter().all(NetworkShape::allows) {
            return Err(format!("widths {accumulator}, {hidden}, {policy}"));
        }
        if self.matrices.len() != Parameter::ALL.len() {
            return Err(format!("{} matrices, expected {}", self.matrices.len(), Parameter::ALL.len()));
        }
        for (parameter, numbers) in Parameter::ALL.into_iter().zip(&self.matrices) {
            let [rows, columns] = parameter.dimensions(sizes, self.shape);
            if numbers.len() != rows * columns {
                let name = parameter.name();
                return Err(format!("{name} has {} numbers, expected {rows} x {columns}", numbers.len()));
            }
            if !numbers.iter().all(|number| number.abs() <= Self::LARGEST) {
                let (name, largest) = (parameter.name(), Self::LARGEST);
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
