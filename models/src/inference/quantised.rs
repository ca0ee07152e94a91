//! A network in whole numbers. Scales are powers of two, chosen for each network so that no sum can
//! overflow and little of the 16 bits is wasted.

use super::kernel::{BLOCK, PairRow};
use crate::shape::SparseShape;
use crate::weights::Weights;
use crate::weights::sparse::Parameter;

/// The largest 16-bit number.
const LARGEST: f64 = i16::MAX as f64;

/// The first layer's scale leaves room for this many of the largest weights of an output at once; sums
/// beyond that saturate.
const ROWS_AT_ONCE: usize = 64;

/// An action's embedding has room for the largest rows of three tables and this many captures; larger sums
/// saturate.
const CAPTURES_AT_ONCE: f64 = 3.0;

/// The weights as [`super::SparseEvaluator`] uses them.
#[derive(Debug)]
pub(super) struct Quantised {
    /// The widths.
    pub(super) shape: SparseShape,
    /// `[inputs, accumulator]`, times `1 / unit`.
    pub(super) input: Vec<i16>,
    /// `[accumulator]`, likewise.
    pub(super) input_bias: Vec<i16>,
    /// Hidden layer, then policy layer: `[block][pair of inputs]`, the outputs in blocks.
    pub(super) dense: Vec<PairRow>,
    /// One number an output.
    pub(super) dense_bias: Vec<i32>,
    /// What 1 means in the hidden layer's sums.
    pub(super) hidden_unit: f32,
    /// `[3, hidden]`.
    pub(super) value: Vec<f32>,
    /// Win, draw, loss.
    pub(super) value_bias: [f32; 3],
    /// Origins, targets, styles, captures: `[rows, policy]`.
    pub(super) tables: [Vec<i16>; 4],
    /// What 1 means in the product of the policy layer's sums and an embedding.
    pub(super) logit_unit: f32,
}

impl Quantised {
    /// Rounds a network of this shape.
    pub(super) fn new(weights: &Weights, shape: SparseShape) -> Self {
        let [input, input_bias] = [Parameter::InputWeight, Parameter::InputBias].map(|p| weights.get(p));
        let input_scale = power_of_two(LARGEST / largest_sum(input, input_bias));
        let mut dense = Vec::new();
        let mut dense_bias = Vec::new();
        let [hidden_scale, policy_scale] = [
            (Parameter::HiddenWeight, Parameter::HiddenBias),
            (Parameter::PolicyWeight, Parameter::PolicyBias),
        ]
        .map(|(weight, bias)| {
            let (weight, bias) = (weights.get(weight), weights.get(bias));
            let scale = dense_scale(weight, bias, input_scale);
            dense.extend(pair_rows(weight, bias.len(), scale));
            dense_bias.extend(bias.iter().map(|&b| (f64::from(b) * scale * input_scale).round() as i32));
            scale
        });
        let tables = [Parameter::Origin, Parameter::Target, Parameter::Style, Parameter::Capture]
            .map(|table| weights.get(table));
        let [origin, target, style, capture] = tables.map(largest);
        let action_scale =
            power_of_two(LARGEST / (origin + target + style + CAPTURES_AT_ONCE * capture).max(1e-3));
        let value = weights.get(Parameter::ValueWeight);
        let value_bias = weights.get(Parameter::ValueBias);
        Self {
            shape,
            input: rounded(input, input_scale),
            input_bias: rounded(input_bias, input_scale),
            dense,
            dense_bias,
            hidden_unit: (1.0 / (input_scale * hidden_scale)) as f32,
            value: (0..3).flat_map(|result| value.iter().skip(result).step_by(3).copied()).collect(),
            value_bias: [value_bias[0], value_bias[1], value_bias[2]],
            tables: tables.map(|table| rounded(table, action_scale)),
            logit_unit: (1.0 / (input_scale * policy_scale * action_scale)) as f32,
        }
    }

    /// The policy layer's outputs are rounded to this many bits, so that their product with an embedding of
    /// 16 bits cannot overflow.
    pub(super) fn policy_bits(&self) -> u32 {
        16 - self.shape.policy.next_power_of_two().trailing_zeros()
    }
}

/// The largest power of two that is at most `most`, within what makes sense for weights.
fn power_of_two(most: f64) -> f64 {
    most.log2().floor().clamp(-24.0, 14.0).exp2()
}

fn rounded(numbers: &[f32], scale: f64) -> Vec<i16> {
    // A cast of what is out of range gives the nearest number that is not.
    numbers.iter().map(|&number| (f64::from(number) * scale).round() as i16).collect()
}

fn largest(numbers: &[f32]) -> f64 {
    numbers.iter().fold(0.0, |most, &number| f64::from(number.abs()).max(most))
}

/// The largest sum over the columns of [`ROWS_AT_ONCE`] weights and the bias, signs left out.
fn largest_sum(weight: &[f32], bias: &[f32]) -> f64 {
    let width = bias.len();
    let column_sum = |column: usize| {
        let mut sizes: Vec<f32> = weight.iter().skip(column).step_by(width).map(|w| w.abs()).collect();
        sizes.sort_unstable_by(|a, b| b.total_cmp(a));
        let sum: f64 = sizes.iter().take(ROWS_AT_ONCE).map(|&size| f64::from(size)).sum();
        sum + f64::from(bias[column].abs())
    };
    (0..width).map(column_sum).fold(1e-3, f64::max)
}

/// The largest scale at which no weight leaves its 16 bits and no sum over inputs its 32.
fn dense_scale(weight: &[f32], bias: &[f32], input_scale: f64) -> f64 {
    let width = bias.len();
    let rows = weight.len() / width;
    // Rounding may add a half to each product's weight.
    let room = f64::from(i32::MAX) - rows as f64 * LARGEST;
    let most = (0..width).map(|column| {
        let sum: f64 = weight.iter().skip(column).step_by(width).map(|&w| f64::from(w.abs())).sum();
        sum * LARGEST + f64::from(bias[column].abs()) * input_scale
    });
    let most = most.fold(1e-3, f64::max);
    power_of_two((room / most).min(LARGEST / largest(weight).max(1e-3)))
}

/// The weights `[inputs, width]` of a dense layer in blocks of outputs and pairs of inputs.
fn pair_rows(weight: &[f32], width: usize, scale: f64) -> impl Iterator<Item = PairRow> {
    let numbers = rounded(weight, scale);
    let pairs = weight.len() / width / 2;
    (0..width / BLOCK).flat_map(move |block| {
        let numbers = numbers.clone();
        (0..pairs).map(move |pair| {
            std::array::from_fn(|i| numbers[(2 * pair + i % 2) * width + block * BLOCK + i / 2])
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::Sizes;

    const SIZES: Sizes = Sizes { inputs: 100, origins: 9, targets: 9, styles: 4, captures: 5, grid: None };

    #[test]
    fn no_sum_of_the_dense_layers_can_overflow() {
        let shape = SparseShape { accumulator: 2048, hidden: 64, policy: 32 };
        for size in [1e-6, 0.1, 1.0, 1e4] {
            let mut weights = Weights::random(SIZES, shape, 3);
            for parameter in Parameter::ALL {
                weights.get_mut(parameter).iter_mut().for_each(|w| *w = w.signum() * size);
            }
            let quantised = Quantised::new(&weights, shape);
            let pairs = shape.accumulator / 2;
            for (output, &bias) in quantised.dense_bias.iter().enumerate() {
                let rows = &quantised.dense[output / BLOCK * pairs..][..pairs];
                let column = output % BLOCK;
                let weights = rows.iter().flat_map(|row| [row[2 * column], row[2 * column + 1]]);
                let sum: i64 = weights.map(|w| i64::from(w.unsigned_abs())).sum();
                let worst = sum * i64::from(i16::MAX) + i64::from(bias.unsigned_abs());
                assert!(worst <= i64::from(i32::MAX), "{size}: {worst}");
            }
        }
    }

    #[test]
    fn scales_are_the_largest_powers_of_two_that_fit() {
        assert_eq!(power_of_two(1000.0), 512.0);
        assert_eq!(power_of_two(0.3), 0.25);
        assert_eq!(power_of_two(1e9), 16384.0);
        assert_eq!(power_of_two(0.0), 0.5_f64.powi(24));
        // One column: 2 + 1 + bias 0.5 of three weights, all of which fit.
        assert!((largest_sum(&[2.0, -1.0], &[-0.5]) - 3.5).abs() < 1e-9);
    }

    #[test]
    fn pairs_of_inputs_lie_side_by_side() {
        let width = 64;
        let weight: Vec<f32> = (0..4 * width).map(|i| i as f32).collect();
        let rows: Vec<PairRow> = pair_rows(&weight, width, 1.0).collect();
        assert_eq!(rows.len(), 4);
        // Block 1, second pair: outputs 32.. of inputs 2 and 3.
        assert_eq!(rows[3][..4], [2 * 64 + 32, 3 * 64 + 32, 2 * 64 + 33, 3 * 64 + 33]);
    }
}
