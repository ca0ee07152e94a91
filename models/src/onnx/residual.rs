//! The residual network as operators.

use super::Masks;
use super::actions::{self, Tables};
use super::graph::Graph;
use super::proto::{int, ints};
use crate::encoding::{Grid, NEIGHBOURHOOD, Sizes};
use crate::residual::joined_maps;
use crate::shape::ResidualShape;
use crate::weights::Weights;
use crate::weights::residual::{Layer, Part};

/// A residual network and the model that is made of it.
pub(super) struct Builder<'a> {
    weights: &'a Weights,
    shape: ResidualShape,
    grid: &'a Grid,
    scalars: usize,
    masks: Masks,
    graph: Graph,
}

impl<'a> Builder<'a> {
    pub(super) fn new(weights: &'a Weights, shape: ResidualShape, sizes: Sizes, masks: Masks) -> Self {
        let grid = sizes.grid.expect("a residual network is of a game with a board: `Shape::check`");
        let scalars = sizes.inputs - grid.square_features();
        Self { weights, shape, grid, scalars, masks, graph: Graph::default() }
    }

    /// The whole network, its value as `value` and its actions scored.
    pub(super) fn complete(mut self) -> Graph {
        self.split_features();
        let trunk = self.trunk();
        self.heads(&trunk);
        self.score();
        self.graph
    }

    /// From `planes` and `scalars` to `value`, `maps` and `everywhere`.
    pub(super) fn up_to_maps(mut self) -> Graph {
        let trunk = self.trunk();
        self.heads(&trunk);
        self.graph
    }

    /// Adds one matrix of the network as it is.
    fn part(&mut self, part: Part, dimensions: &[usize]) -> String {
        let numbers = self.weights.get(part);
        self.graph.floats(&part.name(), dimensions, numbers)
    }

    /// Adds a table of rows of the policy's length.
    fn table(&mut self, part: Part) -> String {
        let rows = self.weights.get(part).len() / self.shape.policy;
        self.part(part, &[rows, self.shape.policy])
    }

    /// Lays the features of squares out on the rectangle, as `planes`, and takes the others, as `scalars`.
    fn split_features(&mut self) {
        let Grid { rows, columns, planes, .. } = *self.grid;
        let of_squares = self.grid.square_features() as i64;
        let axis = self.graph.integers("features.axis", &[1]);
        let first = self.graph.integers("features.first", &[0]);
        let middle = self.graph.integers("features.middle", &[of_squares]);
        let end = self.graph.integers("features.end", &[of_squares + self.scalars as i64]);
        self.graph.node("Slice", &["features", &middle, &end, &axis], "scalars", &[]);
        let flat = self.graph.node("Slice", &["features", &first, &middle, &axis], "planes.flat", &[]);
        let shape = self.graph.integers("planes.shape", &[0, planes as i64, self.grid.squares() as i64]);
        let squares = self.graph.node("Reshape", &[&flat, &shape], "planes.squares", &[]);
        // Cells off the board take any square's features and lose them again.
        let mut square_at = vec![0; rows * columns];
        let mut mask = vec![0.0; rows * columns];
        for (square, &cell) in self.grid.cells().iter().enumerate() {
            square_at[usize::from(cell)] = square as i64;
            mask[usize::from(cell)] = 1.0;
        }
        let square_at = self.graph.integers("planes.square_at", &square_at);
        let cells = self.graph.gather(&squares, &square_at, 2, "planes.gathered");
        let mask = self.graph.floats("planes.mask", &[rows * columns], &mask);
        let cells = self.graph.node("Mul", &[&cells, &mask], "planes.cells", &[]);
        let shape = self.graph.integers("planes.grid", &[0, planes as i64, rows as i64, columns as i64]);
        self.graph.node("Reshape", &[&cells, &shape], "planes", &[]);
    }

    /// The numbers of the rows of `maps` that belong to the squares of `rows`, which are those of a table; `which` is 0 for
    /// origins, 1 for targets, 2 for captures.
    fn places(&mut self, rows: &str, base: &str, which: &str) -> String {
        // The rows of the tables come kind after kind, each with a row a square.
        let name = |what: &str| format!("{rows}.{what}");
        let square = self.graph.node("Mod", &[rows, "maps.squares_count"], &name("square"), &[]);
        let row = self.graph.node("Mul", &[&square, "maps.kinds"], &name("row"), &[]);
        let row = self.graph.add(&row, base, &name("row_of_position"));
        let row = self.graph.add(&row, which, &name("map_row"));
        self.graph.gather("maps.flat_rows", &row, 0, &name("map"))
    }

    /// Scores the actions from `maps`, `everywhere` and the tables.
    fn score(&mut self) {
        let policy = self.shape.policy;
        let squares = self.grid.squares() as i64;
        self.graph.integers("maps.squares_count", &[squares]);
        self.graph.integers("maps.kinds", &[3]);
        let size = self.graph.integers("maps.rows_a_position", &[3 * squares]);
        let flat = self.graph.integers("maps.flat_shape", &[-1, policy as i64]);
        self.graph.node("Reshape", &["maps", &flat], "maps.flat_rows", &[]);
        let [of_origins, of_targets, of_captures] = [("origins", 0), ("targets", 1), ("captures", 2)]
            .map(|(name, which)| self.graph.integers(&format!("maps.of_{name}"), &[which]));
        let base = self.graph.node("Mul", &["position_of", &size], "maps.first_row", &[]);
        let axis = self.graph.integers("maps.list_axis", &[1]);
        let base_of_list = self.graph.node("Unsqueeze", &[&base, &axis], "maps.first_row_of_list", &[]);
        let [origin, target, style, capture] =
            [Part::Origin, Part::Target, Part::Style, Part::Capture].map(|part| self.table(part));
        let tables = Tables { origin: &origin, target: &target, style: &style };
        let rows = actions::rows(&mut self.graph, tables);
        let origin = self.places("origins", &base, &of_origins);
        let target = self.places("targets", &base, &of_targets);
        let captured_map = self.places("captures", &base_of_list, &of_captures);
        let captured = self.graph.gather(&capture, "captures", 0, "captures.table_rows");
        let captured = self.graph.add(&captured, &captured_map, "captures.rows");
        let captured = actions::captured_sum(&mut self.graph, &captured);
        let everywhere = self.graph.gather("everywhere", "position_of", 0, "action.everywhere");
        let mut sum = rows;
        for (number, part) in [origin, target, captured, everywhere].iter().enumerate() {
            sum = self.graph.add(&sum, part, &format!("action.sum{number}"));
        }
        let output = self.part(Part::PolicyOutput, &[1, policy]);
        actions::logits(&mut self.graph, &sum, &output);
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
        let weight = self.graph.floats(&part.name(), &[outputs, inputs, 3, 3], &turned);
        let bias = bias.map(|bias| self.part(bias, &[outputs]));
        let inputs: Vec<&str> = [input, &weight].into_iter().chain(bias.as_deref()).collect();
        self.graph.node("Conv", &inputs, output, &[ints("kernel_shape", &[3, 3]), ints("pads", &[1; 4])])
    }

    /// Rectifies, and sets cells off the board to zero.
    fn rectify(&mut self, input: &str, output: &str) -> String {
        if self.masks == Masks::LeftOut {
            return self.graph.node("Relu", &[input], output, &[]);
        }
        let rectified = self.graph.node("Relu", &[input], &format!("{output}.unmasked"), &[]);
        self.graph.node("Mul", &[&rectified, "mask"], output, &[])
    }

    /// Everything up to the last block.
    fn trunk(&mut self) -> String {
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
            self.graph.floats("mask", &[1, 1, rows, columns], &mask);
        }
        let places = self.graph.floats(&Part::Places.name(), &[1, channels, rows, columns], &places);
        let first = self.convolution(Part::Planes, None, "planes", "input.convolution");
        let weight = self.part(Part::Scalars, &[self.scalars, channels]);
        let sum = self.graph.node("MatMul", &["scalars", &weight], "input.sum", &[]);
        let axes = self.graph.integers("axes", &[2, 3]);
        let everywhere = self.graph.node("Unsqueeze", &[&sum, &axes], "input.everywhere", &[]);
        let placed = self.graph.node("Add", &[&first, &places], "input.placed", &[]);
        let input = self.graph.node("Add", &[&placed, &everywhere], "input.all", &[]);
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
            let sum = self.graph.node("Add", &[&second, &trunk], &name("sum"), &[]);
            trunk = self.rectify(&sum, &name("output"));
        }
        trunk
    }

    fn heads(&mut self, trunk: &str) {
        let ResidualShape { channels, hidden, policy, .. } = self.shape;
        let cells = self.grid.rows * self.grid.columns;
        let mean = self.graph.node("GlobalAveragePool", &[trunk], "mean", &[]);
        let largest = self.graph.node("GlobalMaxPool", &[trunk], "largest", &[]);
        let pooled = self.graph.node("Concat", &[&mean, &largest], "pooled", &[int("axis", 1)]);
        let pooled = self.graph.node("Flatten", &[&pooled], "pooled.flat", &[]);
        // The mean here is over all cells, of which those off the board are zero.
        let mut numbers = self.weights.get(Part::SummaryWeight).to_vec();
        for number in &mut numbers[..channels * hidden] {
            *number *= cells as f32 / self.grid.squares() as f32;
        }
        let weight = self.graph.floats(&Part::SummaryWeight.name(), &[2 * channels, hidden], &numbers);
        let bias = self.part(Part::SummaryBias, &[hidden]);
        let sum = self.graph.node("Gemm", &[&pooled, &weight, &bias], "summary.sum", &[]);
        let summary = self.graph.node("Relu", &[&sum], "summary", &[]);
        let weight = self.part(Part::ValueWeight, &[hidden, 3]);
        let bias = self.part(Part::ValueBias, &[3]);
        self.graph.node("Gemm", &[&summary, &weight, &bias], "value", &[]);
        let weight = self.part(Part::PolicySummary, &[hidden, policy]);
        self.graph.node("MatMul", &[&summary, &weight], "everywhere", &[]);
        let joined = joined_maps(self.weights, self.shape);
        let turned: Vec<f32> = (0..3 * policy)
            .flat_map(|to| joined.iter().skip(to).step_by(3 * policy).copied().collect::<Vec<_>>())
            .collect();
        let weight = self.graph.floats("maps.weight", &[3 * policy, channels, 1, 1], &turned);
        let all = self.graph.node("Conv", &[trunk, &weight], "maps.cells", &[ints("kernel_shape", &[1, 1])]);
        let flat = self.graph.integers("maps.flat", &[0, 3 * policy as i64, cells as i64]);
        let all = self.graph.node("Reshape", &[&all, &flat], "maps.rows", &[]);
        let squares: Vec<i64> = self.grid.cells().iter().map(|&cell| i64::from(cell)).collect();
        let squares = self.graph.integers("squares", &squares);
        let all = self.graph.node("Gather", &[&all, &squares], "maps.squares", &[int("axis", 2)]);
        self.graph.node("Transpose", &[&all], "maps", &[ints("perm", &[0, 2, 1])]);
    }
}
