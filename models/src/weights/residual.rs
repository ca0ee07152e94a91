//! The matrices of the residual network.

use super::Matrix;
use crate::encoding::{NEIGHBOURHOOD, Sizes};
use crate::shape::ResidualShape;

/// Which matrix is meant. Vectors are matrices of one row. The rows of a convolution come neighbour after
/// neighbour, each with a row an input channel; neighbours go row by row from the lower left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// `[9 planes, channels]`, the first convolution.
    Planes,
    /// `[squares, channels]`: what is added on each square of the board.
    Places,
    /// `[scalars, channels]`: what a feature of the whole position adds on every square.
    Scalars,
    /// `[2 channels, hidden]`: means over the board, then the largest.
    SummaryWeight,
    /// `[1, hidden]`.
    SummaryBias,
    /// `[hidden, 3]`: win, draw, loss.
    ValueWeight,
    /// `[1, 3]`.
    ValueBias,
    /// `[hidden, policy]`: what the summary adds to every action.
    PolicySummary,
    /// `[channels, policy]`: what the square left adds to an action.
    OriginMap,
    /// `[channels, policy]`: the square reached.
    TargetMap,
    /// `[channels, policy]`: the square of each captured piece.
    CaptureMap,
    /// `[origins, policy]`.
    Origin,
    /// `[targets, policy]`.
    Target,
    /// `[styles, policy]`.
    Style,
    /// `[captures, policy]`.
    Capture,
    /// `[1, policy]`: from an action's embedding to its logit.
    PolicyOutput,
    /// A layer of a residual block, the first block being 0.
    Block(usize, Layer),
}

/// Which matrix of a residual block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// `[9 channels, channels]`, the first convolution.
    FirstWeight,
    /// `[1, channels]`.
    FirstBias,
    /// `[9 channels, channels]`, the second.
    SecondWeight,
    /// `[1, channels]`.
    SecondBias,
}

impl Layer {
    const ALL: [Self; 4] = [Self::FirstWeight, Self::FirstBias, Self::SecondWeight, Self::SecondBias];
}

/// The parts that every network has once, in their order.
const ONCE: [Part; 16] = [
    Part::Planes,
    Part::Places,
    Part::Scalars,
    Part::SummaryWeight,
    Part::SummaryBias,
    Part::ValueWeight,
    Part::ValueBias,
    Part::PolicySummary,
    Part::OriginMap,
    Part::TargetMap,
    Part::CaptureMap,
    Part::Origin,
    Part::Target,
    Part::Style,
    Part::Capture,
    Part::PolicyOutput,
];

impl Part {
    /// All parts of a network, in the order in which [`crate::Weights`] keeps them.
    pub fn all(shape: ResidualShape) -> impl Iterator<Item = Self> {
        let blocks = (0..shape.blocks).flat_map(|block| Layer::ALL.map(|layer| Self::Block(block, layer)));
        ONCE.into_iter().chain(blocks)
    }

    /// The name in exports and messages.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Planes => "input.planes".into(),
            Self::Places => "input.places".into(),
            Self::Scalars => "input.scalars".into(),
            Self::SummaryWeight => "summary.weight".into(),
            Self::SummaryBias => "summary.bias".into(),
            Self::ValueWeight => "value.weight".into(),
            Self::ValueBias => "value.bias".into(),
            Self::PolicySummary => "policy.summary".into(),
            Self::OriginMap => "origin.map".into(),
            Self::TargetMap => "target.map".into(),
            Self::CaptureMap => "capture.map".into(),
            Self::Origin => "origin.embedding".into(),
            Self::Target => "target.embedding".into(),
            Self::Style => "style.embedding".into(),
            Self::Capture => "capture.embedding".into(),
            Self::PolicyOutput => "policy.output".into(),
            Self::Block(block, Layer::FirstWeight) => format!("block{block}.first.weight"),
            Self::Block(block, Layer::FirstBias) => format!("block{block}.first.bias"),
            Self::Block(block, Layer::SecondWeight) => format!("block{block}.second.weight"),
            Self::Block(block, Layer::SecondBias) => format!("block{block}.second.bias"),
        }
    }

    /// Rows and columns.
    fn dimensions(self, sizes: Sizes, shape: ResidualShape) -> [usize; 2] {
        let ResidualShape { channels, hidden, policy, .. } = shape;
        let grid = sizes.grid.expect("a residual network is of a game with a board: `Shape::check`");
        match self {
            Self::Planes => [NEIGHBOURHOOD * grid.planes, channels],
            Self::Places => [grid.squares(), channels],
            Self::Scalars => [sizes.inputs - grid.square_features(), channels],
            Self::SummaryWeight => [2 * channels, hidden],
            Self::SummaryBias => [1, hidden],
            Self::ValueWeight => [hidden, 3],
            Self::ValueBias => [1, 3],
            Self::PolicySummary => [hidden, policy],
            Self::OriginMap | Self::TargetMap | Self::CaptureMap => [channels, policy],
            Self::Origin => [sizes.origins, policy],
            Self::Target => [sizes.targets, policy],
            Self::Style => [sizes.styles, policy],
            Self::Capture => [sizes.captures, policy],
            Self::PolicyOutput => [1, policy],
            Self::Block(_, Layer::FirstWeight | Layer::SecondWeight) => [NEIGHBOURHOOD * channels, channels],
            Self::Block(_, Layer::FirstBias | Layer::SecondBias) => [1, channels],
        }
    }

    /// Half the width of the uniform distribution that a new network's numbers are drawn from.
    ///
    /// Layers behind a rectifier get the variance of He et al. 2015 (equation 10) for the number of inputs
    /// that are active at a time. There is no batch normalisation: the second convolution of a block starts
    /// small, so that blocks pass on what they get (in the spirit of Zhang, Dauphin and Ma 2019), and so do
    /// the last layers, so that a new network has hardly an opinion.
    fn initial_bound(self, shape: ResidualShape) -> f32 {
        const ACTIVE_PLANES: f32 = 9.0;
        const SMALL: f32 = 0.1;
        let he = |inputs: f32| (6.0 / inputs).sqrt();
        let (channels, hidden) = (shape.channels as f32, shape.hidden as f32);
        match self {
            Self::Planes => he(ACTIVE_PLANES),
            Self::Places | Self::Scalars => 0.3,
            Self::SummaryWeight => he(2.0 * channels),
            Self::ValueWeight => SMALL * he(hidden),
            Self::PolicySummary => 0.5 * he(hidden),
            Self::OriginMap | Self::TargetMap | Self::CaptureMap => 0.5 * he(channels),
            Self::Origin | Self::Target | Self::Style | Self::Capture => 0.5,
            Self::PolicyOutput => SMALL * he(shape.policy as f32),
            Self::Block(_, Layer::FirstWeight) => he(NEIGHBOURHOOD as f32 * channels),
            Self::Block(_, Layer::SecondWeight) => SMALL * he(NEIGHBOURHOOD as f32 * channels),
            Self::SummaryBias | Self::ValueBias | Self::Block(_, Layer::FirstBias | Layer::SecondBias) => 0.0,
        }
    }

    /// Weight decay leaves out biases, also those that differ from square to square.
    fn decays(self) -> bool {
        !matches!(
            self,
            Self::Places
                | Self::SummaryBias
                | Self::ValueBias
                | Self::Block(_, Layer::FirstBias | Layer::SecondBias)
        )
    }

    /// The matrix in a network of a game with `sizes`, which must have a grid.
    ///
    /// # Panics
    ///
    /// If it has none; [`crate::Shape::check`] refuses such a network.
    #[must_use]
    pub fn matrix(self, sizes: Sizes, shape: ResidualShape) -> Matrix {
        let [rows, columns] = self.dimensions(sizes, shape);
        Matrix {
            name: self.name(),
            rows,
            columns,
            decays: self.decays(),
            initial_bound: self.initial_bound(shape),
        }
    }
}

impl From<Part> for usize {
    fn from(part: Part) -> Self {
        match part {
            Part::Block(block, layer) => ONCE.len() + block * Layer::ALL.len() + layer as Self,
            once => ONCE.iter().position(|&part| part == once).expect("every other part is listed"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_know_their_places() {
        let shape = ResidualShape { blocks: 3, channels: 32, hidden: 32, policy: 32 };
        let places: Vec<usize> = Part::all(shape).map(usize::from).collect();
        assert_eq!(places, (0..16 + 3 * 4).collect::<Vec<_>>());
    }
}
