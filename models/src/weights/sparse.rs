//! The matrices of the sparse network.

use super::Matrix;
use crate::encoding::Sizes;
use crate::shape::SparseShape;

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
    /// All of them, in the order in which [`crate::Weights`] keeps them.
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
    fn dimensions(self, sizes: Sizes, shape: SparseShape) -> [usize; 2] {
        let SparseShape { accumulator, hidden, policy } = shape;
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
    fn initial_bound(self, shape: SparseShape) -> f32 {
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

    /// The matrix in a network of a game with `sizes`.
    #[must_use]
    pub fn matrix(self, sizes: Sizes, shape: SparseShape) -> Matrix {
        let [rows, columns] = self.dimensions(sizes, shape);
        let bias = matches!(self, Self::InputBias | Self::HiddenBias | Self::ValueBias | Self::PolicyBias);
        Matrix {
            name: self.name().into(),
            rows,
            columns,
            decays: !bias,
            initial_bound: self.initial_bound(shape),
        }
    }
}

impl From<Parameter> for usize {
    fn from(parameter: Parameter) -> Self {
        parameter as Self
    }
}
