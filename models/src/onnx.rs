//! The residual network as an ONNX model, for other programs and for other engines.
//!
//! Inputs, with any number of positions as the first dimension: `planes`, `[n, planes, rows, columns]`, and
//! `scalars`, `[n, scalars]`. Outputs: `value`, `[n, 3]`, logits; `maps`, `[n, squares, 3 policy]`, and
//! `everywhere`, `[n, policy]`, from which actions are scored outside the model, with the tables that are the
//! other, constant outputs. `docs/encoding.md` says what they hold and how to score.

mod proto;

use proto::{Message, constant_value, floats, int, integers, ints, node, value};

use crate::encoding::{Grid, NEIGHBOURHOOD, Sizes};
use crate::residual::joined_maps;
use crate::shape::{ResidualShape, Shape};
use crate::weights::Weights;
use crate::weights::residual::{Layer, Part};

/// The version of the operators.
const OPERATORS: u64 = 17;
/// The version of the file format that came with them.
const FORMAT: u64 = 8;

/// Whether cells off the board are kept at zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Masks {
    /// They are, as the network is defined.
    Applied,
    /// They are not: another function with the same products, to see what the masks cost.
    LeftOut,
}

/// The tables that actions are scored with: their names as outputs, and what they are.
const TABLES: [(&str, Part); 5] = [
    ("origins", Part::Origin),
    ("targets", Part::Target),
    ("styles", Part::Style),
    ("captures", Part::Capture),
    ("output", Part::PolicyOutput),
];

/// The bytes of an ONNX file with the whole network.
///
/// # Errors
///
/// If the network is not a residual one, or not of a game with `sizes`.
pub fn export(weights: &Weights, sizes: Sizes) -> Result<Vec<u8>, String> {
    let (model, graph) = build(weights, sizes, Masks::Applied)?;
    let mut graph = graph;
    for (name, part) in TABLES {
        let policy = model.shape.policy;
        let numbers = weights.get(part);
        let dimensions = [numbers.len() / policy, policy];
        graph = graph
            .message(1, &node("Identity", &[&part.name()], name, &[]))
            .message(5, &floats(&part.name(), &dimensions, numbers))
            .message(12, &constant_value(name, &dimensions));
    }
    Ok(file(&graph))
}

/// The bytes of an ONNX file for an engine, without the tables.
///
/// # Errors
///
/// As [`export`].
pub fn export_for_engine(weights: &Weights, sizes: Sizes, masks: Masks) -> Result<Vec<u8>, String> {
    Ok(file(&build(weights, sizes, masks)?.1))
}

/// The `GraphProto` of a network up to its maps, and what it was made of.
fn build(weights: &Weights, sizes: Sizes, masks: Masks) -> Result<(Model<'_>, Message), String> {
    weights.check(sizes)?;
    let (Shape::Residual(shape), Some(grid)) = (weights.shape, sizes.grid) else {
        return Err(format!("a {} network: only residual ones can be exported", weights.shape));
    };
    let mut model = Model { weights, shape, grid, masks, nodes: Vec::new(), initializers: Vec::new() };
    let scalars = sizes.inputs - grid.square_features();
    let trunk = model.trunk(scalars);
    model.heads(&trunk);
    let graph = Message::default().text(2, "camelot");
    let graph = model.nodes.iter().fold(graph, |graph, node| graph.message(1, node));
    let graph = model.initializers.iter().fold(graph, |graph, numbers| graph.message(5, numbers));
    let graph = graph
        .message(11, &value("planes", &[grid.planes, grid.rows, grid.columns]))
        .message(11, &value("scalars", &[scalars]))
        .message(12, &value("value", &[3]))
        .message(12, &value("maps", &[grid.squares(), 3 * shape.policy]))
        .message(12, &value("everywhere", &[shape.policy]));
    Ok((model, graph))
}

/// A `ModelProto`.
fn file(graph: &Message) -> Vec<u8> {
    let operators = Message::default().text(1, "").number(2, OPERATORS);
    let model = Message::default()
        .number(1, FORMAT)
        .text(2, "camelot-zero")
        .text(3, env!("CARGO_PKG_VERSION"))
        .message(7, graph)
        .message(8, &operators);
    model.into_bytes()
}

/// A graph under construction.
struct Model<'a> {
    weights: &'a Weights,
    shape: ResidualShape,
    grid: &'a Grid,
    masks: Masks,
    nodes: Vec<Message>,
    initializers: Vec<Message>,
}

impl Model<'_> {
    /// Adds a node whose output has its name, which is returned.
    fn node(&mut self, operator: &str, inputs: &[&str], output: &str, attributes: &[Message]) -> String {
        self.nodes.push(node(operator, inputs, output, attributes));
        output.into()
    }

    /// Adds constant numbers.
    fn floats(&mut self, name: &str, dimensions: &[usize], numbers: &[f32]) -> String {
        self.initializers.push(floats(name, dimensions, numbers));
        name.into()
    }

    fn integers(&mut self, name: &str, numbers: &[i64]) -> String {
        self.initializers.push(integers(name, numbers));
        name.into()
    }

    /// Adds one matrix of the network as it is.
    fn part(&mut self, part: Part, dimensions: &[usize]) -> String {
        let numbers = self.weights.get(part);
        self.floats(&part.name(), dimensions, numbers)
    }

    /// A convolution over neighbourhoods; its weights are turned from `[9 inputs, outputs]` to
    /// `[outputs, inputs, 3, 3]`.
    fn convolution(&mut self, part: Part, bias: Option<Part>, input: &str, output: &str) -> String {
        let numbers = self.weights.get(part);
        let outputs = self.shape.channels;
        let inputs = numbers.len() / outputs / NEIGHBOURHOOD;
        let mut turned = Vec::with_capacity(numbers.len());
        for to in 0..outputs {
            for from in 0..inputs {
                turned.extend((0..NEIGHBOURHOOD).map(|near| numbers[(near * inputs + from) * outputs + to]));
            }
        }
        let weight = self.floats(&part.name(), &[outputs, inputs, 3, 3], &turned);
        let bias = bias.map(|bias| self.part(bias, &[outputs]));
        let inputs: Vec<&str> = [input, &weight].into_iter().chain(bias.as_deref()).collect();
        self.node("Conv", &inputs, output, &[ints("kernel_shape", &[3, 3]), ints("pads", &[1; 4])])
    }

    /// Rectifies, and sets cells off the board to zero.
    fn rectify(&mut self, input: &str, output: &str) -> String {
        if self.masks == Masks::LeftOut {
            return self.node("Relu", &[input], output, &[]);
        }
        let rectified = self.node("Relu", &[input], &format!("{output}.unmasked"), &[]);
        self.node("Mul", &[&rectified, "mask"], output, &[])
    }

    /// Everything up to the last block.
    fn trunk(&mut self, scalars: usize) -> String {
        let ResidualShape { blocks, channels, .. } = self.shape;
        let (rows, columns) = (self.grid.rows, self.grid.columns);
        let cells = self.grid.cells();
        let mut mask = vec![0.0; rows * columns];
        let mut places = vec![0.0; channels * rows * columns];
        for (&cell, row) in cells.iter().zip(self.weights.get(Part::Places).chunks_exact(channels)) {
            mask[usize::from(cell)] = 1.0;
            for (channel, &number) in row.iter().enumerate() {
                places[channel * rows * columns + usize::from(cell)] = number;
            }
        }
        if self.masks == Masks::Applied {
            self.floats("mask", &[1, 1, rows, columns], &mask);
        }
        let places = self.floats(&Part::Places.name(), &[1, channels, rows, columns], &places);
        let first = self.convolution(Part::Planes, None, "planes", "input.convolution");
        let weight = self.part(Part::Scalars, &[scalars, channels]);
        let sum = self.node("MatMul", &["scalars", &weight], "input.sum", &[]);
        let axes = self.integers("axes", &[2, 3]);
        let everywhere = self.node("Unsqueeze", &[&sum, &axes], "input.everywhere", &[]);
        let placed = self.node("Add", &[&first, &places], "input.placed", &[]);
        let input = self.node("Add", &[&placed, &everywhere], "input.all", &[]);
        let mut trunk = self.rectify(&input, "input");
        for block in 0..blocks {
            let name = |what: &str| format!("block{block}.{what}");
            let part = |layer| Part::Block(block, layer);
            let first = self.convolution(
                part(Layer::FirstWeight),
                Some(part(Layer::FirstBias)),
                &trunk,
                &name("first"),
            );
            let hidden = self.rectify(&first, &name("hidden"));
            let second = self.convolution(
                part(Layer::SecondWeight),
                Some(part(Layer::SecondBias)),
                &hidden,
                &name("second"),
            );
            let sum = self.node("Add", &[&second, &trunk], &name("sum"), &[]);
            trunk = self.rectify(&sum, &name("output"));
        }
        trunk
    }

    fn heads(&mut self, trunk: &str) {
        let ResidualShape { channels, hidden, policy, .. } = self.shape;
        let cells = self.grid.rows * self.grid.columns;
        let mean = self.node("GlobalAveragePool", &[trunk], "mean", &[]);
        let largest = self.node("GlobalMaxPool", &[trunk], "largest", &[]);
        let pooled = self.node("Concat", &[&mean, &largest], "pooled", &[int("axis", 1)]);
        let pooled = self.node("Flatten", &[&pooled], "pooled.flat", &[]);
        // The mean here is over all cells, of which those off the board are zero.
        let mut numbers = self.weights.get(Part::SummaryWeight).to_vec();
        for number in &mut numbers[..channels * hidden] {
            *number *= cells as f32 / self.grid.squares() as f32;
        }
        let weight = self.floats(&Part::SummaryWeight.name(), &[2 * channels, hidden], &numbers);
        let bias = self.part(Part::SummaryBias, &[hidden]);
        let sum = self.node("Gemm", &[&pooled, &weight, &bias], "summary.sum", &[]);
        let summary = self.node("Relu", &[&sum], "summary", &[]);
        let weight = self.part(Part::ValueWeight, &[hidden, 3]);
        let bias = self.part(Part::ValueBias, &[3]);
        self.node("Gemm", &[&summary, &weight, &bias], "value", &[]);
        let weight = self.part(Part::PolicySummary, &[hidden, policy]);
        self.node("MatMul", &[&summary, &weight], "everywhere", &[]);
        let joined = joined_maps(self.weights, self.shape);
        let turned: Vec<f32> = (0..3 * policy)
            .flat_map(|to| joined.iter().skip(to).step_by(3 * policy).copied().collect::<Vec<_>>())
            .collect();
        let weight = self.floats("maps.weight", &[3 * policy, channels, 1, 1], &turned);
        let all = self.node("Conv", &[trunk, &weight], "maps.cells", &[ints("kernel_shape", &[1, 1])]);
        let flat = self.integers("maps.flat", &[0, 3 * policy as i64, cells as i64]);
        let all = self.node("Reshape", &[&all, &flat], "maps.rows", &[]);
        let squares: Vec<i64> = self.grid.cells().iter().map(|&cell| i64::from(cell)).collect();
        let squares = self.integers("squares", &squares);
        let all = self.node("Gather", &[&all, &squares], "maps.squares", &[int("axis", 2)]);
        self.node("Transpose", &[&all], "maps", &[ints("perm", &[0, 2, 1])]);
    }
}

#[cfg(test)]
mod tests {
    use camelot_core::{Cam, Position};

    use super::*;
    use crate::{Encode, SparseShape};

    #[test]
    fn a_residual_network_is_written_and_a_sparse_one_refused() {
        let sizes = Position::<Cam>::sizes();
        let shape = ResidualShape { blocks: 2, channels: 32, hidden: 32, policy: 32 };
        let weights = Weights::random(sizes, shape, 1);
        let bytes = export(&weights, sizes).unwrap();
        // The format's version comes first; the numbers make up nearly all of the rest.
        assert_eq!(bytes[..2], [0x08, FORMAT as u8]);
        assert!(bytes.len() > 4 * weights.count() && bytes.len() < 5 * weights.count(), "{}", bytes.len());
        let engine = |masks| export_for_engine(&weights, sizes, masks).unwrap().len();
        assert!(engine(Masks::LeftOut) < engine(Masks::Applied) && engine(Masks::Applied) < bytes.len());
        let shape = SparseShape { accumulator: 32, hidden: 32, policy: 32 };
        let error = export(&Weights::random(sizes, shape, 1), sizes).unwrap_err();
        assert!(error.contains("only residual ones"), "{error}");
    }
}
