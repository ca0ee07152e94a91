//! A model under construction: constants, operators, inputs and outputs.

use super::interface::Port;
use super::proto::{self, Message};

/// The version of the operators.
const OPERATORS: u64 = 17;
/// The version of the file format that came with them.
pub(super) const FORMAT: u64 = 8;

/// A `GraphProto` in parts. Whatever is added is known by the name that is returned.
#[derive(Debug, Default)]
pub(super) struct Graph {
    nodes: Vec<Message>,
    initializers: Vec<Message>,
}

impl Graph {
    /// Adds an operator whose output has its name.
    pub(super) fn node(
        &mut self,
        operator: &str,
        inputs: &[&str],
        output: &str,
        attributes: &[Message],
    ) -> String {
        self.nodes.push(proto::node(operator, inputs, output, attributes));
        output.into()
    }

    /// Adds the rows, or other parts along an axis, of `data` that `indices` name.
    pub(super) fn gather(&mut self, data: &str, indices: &str, axis: u64, output: &str) -> String {
        self.node("Gather", &[data, indices], output, &[proto::int("axis", axis)])
    }

    /// Adds the sum of two inputs.
    pub(super) fn add(&mut self, one: &str, other: &str, output: &str) -> String {
        self.node("Add", &[one, other], output, &[])
    }

    /// Adds constant numbers.
    pub(super) fn floats(&mut self, name: &str, dimensions: &[usize], numbers: &[f32]) -> String {
        self.initializers.push(proto::floats(name, dimensions, numbers));
        name.into()
    }

    /// Adds constant whole numbers.
    pub(super) fn integers(&mut self, name: &str, numbers: &[i64]) -> String {
        self.initializers.push(proto::integers(name, numbers));
        name.into()
    }

    /// A `ModelProto` of what was added, with what it says of itself.
    pub(super) fn into_file(self, inputs: &[Port], outputs: &[Port], identity: &[(&str, String)]) -> Vec<u8> {
        let graph = Message::default().text(2, "camelot");
        let graph = self.nodes.iter().fold(graph, |graph, node| graph.message(1, node));
        let graph = self.initializers.iter().fold(graph, |graph, numbers| graph.message(5, numbers));
        let graph = inputs.iter().fold(graph, |graph, port| graph.message(11, &proto::value(port)));
        let graph = outputs.iter().fold(graph, |graph, port| graph.message(12, &proto::value(port)));
        let operators = Message::default().text(1, "").number(2, OPERATORS);
        let model = Message::default()
            .number(1, FORMAT)
            .text(2, "camelot-zero")
            .text(3, env!("CARGO_PKG_VERSION"))
            .message(7, &graph)
            .message(8, &operators);
        let add =
            |model: Message, (name, text): &(&str, String)| model.message(14, &proto::entry(name, text));
        identity.iter().fold(model, add).into_bytes()
    }
}
