//! Exact results: how bounds close from the leaves to the root.

use camelot_core::{Game, Turn};

use super::node::{Edge, draw_share};
use super::tree::{ROOT, Search};

impl<G: Game> Search<G> {
    /// Recomputes a node's bounds from its edges'.
    pub(super) fn tighten(&mut self, at: usize) {
        let node = &self.nodes[at];
        let edges = &self.edges[node.edges()];
        let (lower, upper) = if node.turn() == Turn::Chance {
            edges.iter().fold((0.0, 0.0), |(low, high), edge| {
                (low + edge.prior * edge.lower, high + edge.prior * edge.upper)
            })
        } else if node.sign() > 0.0 {
            edges.iter().fold((-1.0_f32, -1.0_f32), |(l, h), edge| (l.max(edge.lower), h.max(edge.upper)))
        } else {
            edges.iter().fold((1.0_f32, 1.0_f32), |(l, h), edge| (l.min(edge.lower), h.min(edge.upper)))
        };
        let plies = if lower == upper { self.plies_to_end(at, lower) } else { 0 };
        let node = &mut self.nodes[at];
        (node.lower, node.upper, node.plies) = (lower, upper, plies);
        if at == ROOT {
            self.admit_repetitions_if_lost();
        }
    }

    /// Takes root actions that repeat a position back in where everything else is certainly lost.
    fn admit_repetitions_if_lost(&mut self) {
        let node = &self.nodes[ROOT];
        let edges = &self.edges[node.edges()];
        let lost = |edge: &Edge| edge.settled() && node.sign() * edge.lower <= -1.0;
        if edges.iter().zip(&self.excluded).all(|(edge, &excluded)| excluded || lost(edge)) {
            self.excluded.fill(false);
        }
    }

    /// Plies to the end of a settled node: the winner hurries, everybody else takes the longest way.
    fn plies_to_end(&self, at: usize, value: f32) -> u16 {
        let node = &self.nodes[at];
        let best = self.edges[node.edges()].iter().filter(|edge| edge.settled() && edge.lower == value);
        let plies = best.map(|edge| self.plies_after(edge));
        let winning = node.turn() != Turn::Chance && node.sign() * value > 0.0;
        1 + if winning { plies.min() } else { plies.max() }.unwrap_or(0)
    }

    /// Plies to the end after a settled action. One that was seen to win at once has no position in the tree.
    pub(super) fn plies_after(&self, edge: &Edge) -> u16 {
        self.nodes.get(edge.child as usize).map_or(0, |child| child.plies)
    }

    /// What whoever chooses at a node is already certain of, if that is better than what came back.
    ///
    /// Actions that can do no better than a certainty are not tried any more (`select_puct`), so the
    /// simulations that go on elsewhere must not make the node look worse than it is.
    pub(super) fn better_certainty(&self, at: usize, value: f32, draw: f32) -> Option<f32> {
        let node = &self.nodes[at];
        if node.settled() || node.turn() == Turn::Chance {
            return None;
        }
        let (sign, draw_value) = (node.sign(), self.settings.draw_value);
        let certain = if sign > 0.0 { node.lower } else { node.upper };
        let worth = |value: f32, draw: f32| sign * value + draw_value * draw;
        let better = sign * certain > -1.0 && worth(certain, draw_share(certain)) > worth(value, draw);
        better.then_some(certain)
    }
}
