//! What a search has found out about its root.

use camelot_core::{Game, Turn};
use camelot_models::Wdl;

use super::node::{Edge, Node, draw_share};
use super::tree::{ROOT, Search};

/// What search found out about one root action. Values are from the view of the player to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootEdge<A> {
    /// The action.
    pub action: A,
    /// The evaluator's probability of it.
    pub prior: f32,
    /// Simulations that went through it.
    pub visits: u32,
    /// Its mean or exact value in `[-1, 1]`, draws counted at the settings' value; `None` if unvisited.
    pub value: Option<f32>,
    /// Whether the value is exact.
    pub settled: bool,
    /// Plies to the end after it, if settled.
    pub plies: u16,
    /// Whether it is left out, as one that repeats a position of the game.
    pub excluded: bool,
}

/// What a search decided.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision<A> {
    /// The action to play.
    pub action: A,
    /// The improved policy: the root's legal actions with their probabilities.
    pub policy: Vec<(A, f32)>,
    /// The root's win, draw and loss shares from the view of the player to move.
    pub wdl: Wdl,
    /// Simulations spent.
    pub simulations: u32,
    /// Whether the root's value is exact.
    pub settled: bool,
    /// The principal variation, `action` first, up to where chance decides.
    pub line: Vec<A>,
}

/// Principal variations are followed this far.
const LINE_LIMIT: usize = 32;

impl<G: Game> Search<G> {
    /// How many actions the root has.
    #[must_use]
    pub fn root_actions(&self) -> usize {
        self.nodes[ROOT].count as usize
    }

    /// Whether the root's value is exact.
    #[must_use]
    pub fn settled(&self) -> bool {
        self.nodes[ROOT].settled()
    }

    /// The root action of this index and what is most likely to follow it: at every node the action that
    /// would be played there.
    pub(crate) fn principal_variation(&self, first: usize) -> Vec<G::Action> {
        let mut edge = self.nodes[ROOT].first as usize + first;
        let mut line = vec![self.actions[edge]];
        while let Some(node) = self.nodes.get(self.edges[edge].child as usize)
            && node.count > 0
            && node.turn() != Turn::Chance
            && line.len() < LINE_LIMIT
        {
            let edges = &self.edges[node.edges()];
            let sign = node.sign();
            let worth = |edge: &Edge| match edge.value(sign, self.settings.draw_value) {
                Some(value) if edge.settled() && node.settled() => {
                    (sign * node.lower == value, edge.mean.visits)
                }
                _ => (false, edge.mean.visits),
            };
            let Some(best) = (0..edges.len()).max_by_key(|&i| worth(&edges[i])) else { break };
            if worth(&edges[best]) == (false, 0) {
                break;
            }
            edge = node.first as usize + best;
            line.push(self.actions[edge]);
        }
        line
    }

    /// Whether a search goes on from what the one before knows of its position.
    #[must_use]
    pub fn reuses_tree(&self) -> bool {
        self.settings.reuse_tree
    }

    /// Whether the tree has reached [`SearchSettings::memory_bytes`](super::SearchSettings) and must not be
    /// grown further.
    #[must_use]
    pub fn is_full(&self) -> bool {
        let action = size_of::<Edge>() + size_of::<G::Action>();
        self.edges.len() * action + self.nodes.len() * size_of::<Node<G>>() >= self.settings.memory_bytes
    }

    /// Positions in the tree.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The root's win, draw and loss shares from the view of the player to move.
    #[must_use]
    pub fn root_wdl(&self) -> Wdl {
        let node = &self.nodes[ROOT];
        let (value, draw) =
            if node.settled() { (node.lower, draw_share(node.lower)) } else { node.mean.value_and_draw() };
        let draw = draw.clamp(0.0, 1.0);
        let value = (node.sign() * value).clamp(draw - 1.0, 1.0 - draw);
        Wdl { win: f32::midpoint(1.0 - draw, value), draw, loss: f32::midpoint(1.0 - draw, -value) }
    }

    /// The evaluator's own opinion of the root and the mean over simulations are mixed by the Gumbel
    /// search; this is the first, from the view of the player to move, as it was backed up.
    pub(super) fn root_mean(&self) -> f32 {
        self.nodes[ROOT].mean.worth(self.nodes[ROOT].sign(), self.settings.draw_value)
    }

    /// What is known of each root action, in the order of the legal actions.
    pub fn root_edges(&self) -> impl Iterator<Item = RootEdge<G::Action>> {
        let node = &self.nodes[ROOT];
        let sign = node.sign();
        (0..self.root_actions()).map(move |i| {
            let edge = &self.edges[node.first as usize + i];
            RootEdge {
                action: self.actions[node.first as usize + i],
                prior: edge.prior,
                visits: edge.mean.visits,
                value: edge.value(sign, self.settings.draw_value),
                settled: edge.settled(),
                plies: self.plies_after(edge),
                excluded: self.excluded[i],
            }
        })
    }
}
