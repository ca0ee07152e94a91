//! Scoring actions inside a model: gathered rows are summed, rectified and weighed.

use super::graph::Graph;
use super::proto::{self, FLOAT};

/// Tables with a row for each action, by the names of their constants.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tables<'a> {
    pub(super) origin: &'a str,
    pub(super) target: &'a str,
    pub(super) style: &'a str,
}

/// Adds the sum of each action's rows of the tables, `[actions, policy]`.
pub(super) fn rows(graph: &mut Graph, tables: Tables<'_>) -> String {
    let origin = graph.gather(tables.origin, "origins", 0, "action.origin");
    let target = graph.gather(tables.target, "targets", 0, "action.target");
    let style = graph.gather(tables.style, "styles", 0, "action.style");
    let sum = graph.add(&origin, &target, "action.way");
    graph.add(&sum, &style, "action.rows")
}

/// Adds the sum of what `captured`, `[actions, captures, policy]`, holds for captures that are none of those that fill
/// up the lists.
pub(super) fn captured_sum(graph: &mut Graph, captured: &str) -> String {
    let zero = graph.integers("captures.first", &[0]);
    let there = graph.node("GreaterOrEqual", &["captures", &zero], "captures.there", &[]);
    let mask = graph.node("Cast", &[&there], "captures.mask", &[proto::int("to", FLOAT)]);
    let last = graph.integers("captures.last_axis", &[2]);
    let mask = graph.node("Unsqueeze", &[&mask, &last], "captures.mask_rows", &[]);
    let kept = graph.node("Mul", &[captured, &mask], "captures.kept", &[]);
    let axis = graph.integers("captures.axis", &[1]);
    graph.node("ReduceSum", &[&kept, &axis], "action.captures", &[proto::int("keepdims", 0)])
}

/// Adds the logits: `weights`, of each action or of all, times the rectified `embedding`.
pub(super) fn logits(graph: &mut Graph, embedding: &str, weights: &str) {
    let rectified = graph.node("Relu", &[embedding], "action.rectified", &[]);
    let weighed = graph.node("Mul", &[&rectified, weights], "action.weighed", &[]);
    let axis = graph.integers("action.axis", &[1]);
    graph.node("ReduceSum", &[&weighed, &axis], "logits", &[proto::int("keepdims", 0)]);
}
