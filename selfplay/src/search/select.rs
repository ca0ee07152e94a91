//! Which action a walk follows.

use camelot_core::position::mix;
use camelot_core::{Game, Turn};

use super::SearchSettings;
use super::node::{Edge, Node};
use super::tree::{ROOT, Search};

/// The exploration weight starts to grow at about this many visits.
const GROWTH_VISITS: f32 = 500.0;

/// A node's spread of values counts in full from a few visits on; before, it is drawn to the usual one.
const SPREAD_VISITS: f32 = 4.0;
/// A usual standard deviation of the values below a node.
const USUAL_SPREAD: f32 = 0.4;

impl<G: Game> Search<G> {
    /// The edge to follow from an expanded node.
    pub(super) fn select(&self, at: usize) -> usize {
        let node = &self.nodes[at];
        let edges = &self.edges[node.edges()];
        let chosen = if node.turn() == Turn::Chance {
            chance_outcome(edges, node.mean.visits + node.in_flight)
        } else {
            self.select_puct(node, edges, at == ROOT)
        };
        node.first as usize + chosen
    }

    /// PUCT (Rosin 2011; Silver et al. 2017) with first-play urgency below the parent's value. Actions
    /// whose upper bound is no better than what is already certain are not tried.
    fn select_puct(&self, node: &Node<G>, edges: &[Edge], root: bool) -> usize {
        let (sign, draw_value) = (node.sign(), self.settings.draw_value);
        let urgency =
            node.mean.worth(sign, draw_value) - self.settings.fpu_reduction * node.visited_prior.sqrt();
        let exploration = self.exploration(node);
        let certain = if sign > 0.0 { node.lower } else { -node.upper };
        best_index(edges.iter().enumerate().map(|(i, edge)| {
            let best_case = if sign > 0.0 { edge.upper } else { -edge.lower };
            if best_case <= certain && certain > -1.0 || best_case <= -1.0 || root && self.excluded[i] {
                return f32::MIN;
            }
            let value = edge.value(sign, draw_value).unwrap_or(urgency);
            value + exploration * edge.prior / (1 + edge.mean.visits + edge.in_flight) as f32
        }))
    }

    /// The weight of the priors at a node: it grows with the logarithm of the visits (Silver et al. 2018),
    /// and with the spread of the values found below, as far as the settings say.
    fn exploration(&self, node: &Node<G>) -> f32 {
        let SearchSettings { cpuct, cpuct_growth, cpuct_spread, .. } = self.settings;
        let visits = (node.mean.visits + node.in_flight).max(1) as f32;
        let mut weight = cpuct;
        if cpuct_growth > 0.0 {
            weight += cpuct_growth * (1.0 + visits / GROWTH_VISITS).ln();
        }
        if cpuct_spread > 0.0 {
            let (value, _) = node.mean.value_and_draw();
            let seen = node.mean.visits as f32;
            let variance = (node.square - value * value).max(0.0);
            let usual = USUAL_SPREAD * USUAL_SPREAD * SPREAD_VISITS;
            let spread = ((variance * seen + usual) / (seen + SPREAD_VISITS)).sqrt();
            weight *= 1.0 + cpuct_spread * (spread / USUAL_SPREAD - 1.0);
        }
        weight * visits.sqrt()
    }
}

/// The outcome that chance shows on a node's next visit: an even sample without random numbers. Visit `n`
/// takes the outcome in whose share of `[0, 1]` the number `offset + n φ` falls, counted modulo 1 (Weyl's
/// sequence with the golden ratio), so that after any number of visits each outcome has come about as often
/// as its weight says. The offset is mixed from the weights: no outcome is always seen first, and
/// nodes with equal odds see the same outcomes in the same order, which compares the actions that
/// lead to them on the same luck.
pub(super) fn chance_outcome(edges: &[Edge], visits: u32) -> usize {
    const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
    let offset = edges.iter().fold(0, |hash, edge| mix(hash ^ u64::from(edge.prior.to_bits())));
    let point = offset.wrapping_add(GOLDEN.wrapping_mul(u64::from(visits)));
    let mut left = (point >> 40) as f32 / (1_u64 << 24) as f32;
    for (i, edge) in edges.iter().enumerate() {
        left -= edge.prior;
        if left < 0.0 {
            return i;
        }
    }
    edges.len() - 1
}

/// The index of the largest score; the first of equals, 0 of none.
pub(super) fn best_index<T: PartialOrd>(scores: impl Iterator<Item = T>) -> usize {
    let mut best: Option<(usize, T)> = None;
    for (i, score) in scores.enumerate() {
        if best.as_ref().is_none_or(|(_, top)| score > *top) {
            best = Some((i, score));
        }
    }
    best.map_or(0, |(i, _)| i)
}
