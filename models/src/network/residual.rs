//! The residual network in burn.
//!
//! `conv` is a sum over the nine squares of a neighbourhood, those off the board counting as zero:
//!
//! ```text
//! x = relu(conv(planes) + places + Σ_{scalars} S)       [batch, squares, channels]
//! x = relu(x + conv(relu(conv(x) + b_1)) + b_2)         each block (He et al. 2016, without normalisation)
//! s = relu([mean x, max x]·W_s + b_s)                   [batch, hidden]; over the squares
//! value logits = s·W_v + b_v                            [batch, 3]           win, draw, loss
//! e = s·W_g + x[from]·M_o + x[to]·M_t + Σ_{captured} x[square]·M_c + rows of the tables   [policy]
//! logit(action) = w · relu(e)                           one a legal action
//! ```
//!
//! A convolution gathers the neighbourhoods and multiplies them in one product: in training on the CPU that
//! takes half the time of burn's own convolution, which also works on the cells off the board.

use burn::tensor::activation::relu;
use burn::tensor::{Int, Tensor};

use super::{Batch, Logits, Network};
use crate::encoding::{Grid, NEIGHBOURHOOD};
use crate::shape::ResidualShape;
use crate::weights::residual::{Layer, Part};

impl Network {
    pub(super) fn residual(&self, shape: ResidualShape, batch: &Batch) -> Logits {
        let grid = self.sizes.grid.expect("a residual network is of a game with a board: `Shape::check`");
        let around = self.indices(&neighbours(grid, batch.size));
        let mut squares = self.first_layer(grid, batch, &around);
        for block in 0..shape.blocks {
            let part = |layer| self.get(Part::Block(block, layer));
            let hidden =
                convolve(squares.clone(), &around, part(Layer::FirstWeight)) + part(Layer::FirstBias);
            let change = convolve(relu(hidden), &around, part(Layer::SecondWeight)) + part(Layer::SecondBias);
            squares = relu(squares + change);
        }
        let whole: Tensor<3> = squares.clone().reshape([batch.size, grid.squares(), shape.channels]);
        let pooled = Tensor::cat(vec![whole.clone().mean_dim(1), whole.max_dim(1)], 2);
        let pooled: Tensor<2> = pooled.reshape([batch.size, 2 * shape.channels]);
        let summary = relu(pooled.matmul(self.get(Part::SummaryWeight)) + self.get(Part::SummaryBias));
        let value = summary.clone().matmul(self.get(Part::ValueWeight)) + self.get(Part::ValueBias);
        Logits { logits: self.residual_policy(grid, batch, &squares, summary), value }
    }

    /// The first convolution with what places and scalars add, `[size * squares, channels]`.
    fn first_layer(&self, grid: &Grid, batch: &Batch, around: &Tensor<1, Int>) -> Tensor<2> {
        let squares = grid.squares();
        let scalar_count = self.sizes.inputs - grid.square_features();
        let mut planes = vec![0.0; batch.size * squares * grid.planes];
        let mut scalars = vec![0.0; batch.size * scalar_count];
        for (position, features) in batch.features().enumerate() {
            for feature in features.iter().map(|&feature| usize::from(feature)) {
                if let Some(scalar) = feature.checked_sub(grid.square_features()) {
                    scalars[position * scalar_count + scalar] = 1.0;
                } else {
                    let row = position * squares + feature % squares;
                    planes[row * grid.planes + feature / squares] = 1.0;
                }
            }
        }
        let planes = self.matrix(planes, [batch.size * squares, grid.planes]);
        let scalars = self.matrix(scalars, [batch.size, scalar_count]).matmul(self.get(Part::Scalars));
        let [_, channels] = scalars.dims();
        let sums: Tensor<3> =
            convolve(planes, around, self.get(Part::Planes)).reshape([batch.size, squares, channels]);
        let everywhere: Tensor<3> = scalars.reshape([batch.size, 1, channels]);
        let places: Tensor<3> = self.get(Part::Places).reshape([1, squares, channels]);
        relu(sums + everywhere + places).reshape([batch.size * squares, channels])
    }

    fn residual_policy(
        &self,
        grid: &Grid,
        batch: &Batch,
        squares: &Tensor<2>,
        summary: Tensor<2>,
    ) -> Tensor<1> {
        // The rows of the tables come kind after kind, each with a row a square.
        let count = grid.squares() as i32;
        let at = |rows: &[i32], positions: &mut dyn Iterator<Item = i32>, map: Part| {
            let cells: Vec<i32> =
                rows.iter().zip(positions).map(|(&row, position)| position * count + row % count).collect();
            squares.clone().select(0, self.indices(&cells)).matmul(self.get(map))
        };
        let positions = || batch.position_of.iter().copied();
        let mut embedding = at(&batch.origins, &mut positions(), Part::OriginMap)
            + at(&batch.targets, &mut positions(), Part::TargetMap)
            + self.rows(Part::Origin, &batch.origins)
            + self.rows(Part::Target, &batch.targets)
            + self.rows(Part::Style, &batch.styles);
        if !batch.captures.is_empty() {
            let mut positions =
                batch.capture_actions.iter().map(|&action| batch.position_of[action as usize]);
            let captures = at(&batch.captures, &mut positions, Part::CaptureMap)
                + self.rows(Part::Capture, &batch.captures);
            embedding = self.add_captures(batch, embedding, captures);
        }
        let everywhere = summary.matmul(self.get(Part::PolicySummary));
        embedding = embedding + everywhere.select(0, self.indices(&batch.position_of));
        (relu(embedding) * self.get(Part::PolicyOutput)).sum_dim(1).squeeze_dim(1)
    }
}

/// For each square of each position the rows of its neighbourhood, row 0 being that of no square.
fn neighbours(grid: &Grid, size: usize) -> Vec<i32> {
    let row = |position: usize, square: Option<u16>| {
        square.map_or(0, |square| (1 + position * grid.squares() + usize::from(square)) as i32)
    };
    (0..size)
        .flat_map(|position| grid.neighbours().iter().flatten().map(move |&square| row(position, square)))
        .collect()
}

/// `[rows, inputs]` by `[9 inputs, outputs]` to `[rows, outputs]`.
fn convolve(squares: Tensor<2>, around: &Tensor<1, Int>, weight: Tensor<2>) -> Tensor<2> {
    let [rows, inputs] = squares.dims();
    let none = Tensor::zeros([1, inputs], &squares.device());
    let padded = Tensor::cat(vec![none, squares], 0);
    let gathered: Tensor<2> = padded.select(0, around.clone()).reshape([rows, NEIGHBOURHOOD * inputs]);
    gathered.matmul(weight)
}
