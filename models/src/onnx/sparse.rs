//! The sparse network as operators.

use super::actions::{self, Tables};
use super::graph::Graph;
use crate::encoding::Sizes;
use crate::shape::SparseShape;
use crate::weights::Weights;
use crate::weights::sparse::Parameter;

/// The whole network, its value as `value` and its actions scored.
pub(super) fn build(weights: &Weights, shape: SparseShape, sizes: Sizes) -> Graph {
    let mut graph = Graph::default();
    for parameter in Parameter::ALL {
        let dimensions = parameter.matrix(sizes, shape).dimensions();
        graph.floats(parameter.name(), &dimensions, weights.get(parameter));
    }
    let layer = |graph: &mut Graph, input: &str, weight: Parameter, bias: Parameter, output: &str| {
        graph.node("Gemm", &[input, weight.name(), bias.name()], output, &[])
    };
    let sum = layer(&mut graph, "features", Parameter::InputWeight, Parameter::InputBias, "accumulator.sum");
    let accumulator = graph.node("Relu", &[&sum], "accumulator", &[]);
    let sum = layer(&mut graph, &accumulator, Parameter::HiddenWeight, Parameter::HiddenBias, "hidden.sum");
    let hidden = graph.node("Relu", &[&sum], "hidden", &[]);
    layer(&mut graph, &hidden, Parameter::ValueWeight, Parameter::ValueBias, "value");
    let policy = layer(&mut graph, &accumulator, Parameter::PolicyWeight, Parameter::PolicyBias, "policy");
    score(&mut graph, &policy);
    graph
}

/// Scores the actions with the vector that each position multiplies them with.
fn score(graph: &mut Graph, policy: &str) {
    let rows = actions::rows(
        graph,
        Tables {
            origin: Parameter::Origin.name(),
            target: Parameter::Target.name(),
            style: Parameter::Style.name(),
        },
    );
    let captured = graph.gather(Parameter::Capture.name(), "captures", 0, "captures.rows");
    let captured = actions::captured_sum(graph, &captured);
    let embedding = graph.add(&rows, &captured, "action.embedding");
    let weights = graph.gather(policy, "position_of", 0, "action.weights");
    actions::logits(graph, &embedding, &weights);
}
