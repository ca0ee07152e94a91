//! Offers: actions that force the other side to capture and are answered by a capture. Policies tend to take
//! them for blunders; where the settings ask for it, each is followed once at every leaf and at the root.
//!
//! What an offer comes to is carried up only if it is better than the evaluation of the leaf: one that fails
//! says nothing about the leaf, whose player need not make it.

use camelot_core::Game;

use super::tree::{ROOT, Search, Step};

impl<G: Game> Search<G> {
    /// Whether walks are planned that belong to the last simulation.
    #[must_use]
    pub fn has_probes(&self) -> bool {
        !self.probes.is_empty()
    }

    /// Plans a walk for each offer at a leaf that has just been evaluated.
    pub(super) fn plan_probes(&mut self, leaf: usize, path: &[Step]) {
        let limit = self.settings.offers as usize;
        if limit == 0 {
            return;
        }
        for edge in self.nodes[leaf].edges() {
            if self.probes.len() >= limit {
                break;
            }
            let left_out = leaf == ROOT && self.excluded[edge - self.nodes[leaf].first as usize];
            if !left_out && self.nodes[leaf].state.offers(self.actions[edge], &mut self.scratch) {
                let mut probe = self.spare.pop().unwrap_or_default();
                probe.extend_from_slice(path);
                probe.push((leaf as u32, edge as u32));
                self.probes.push(probe);
            }
        }
    }

    /// Goes down a path that is laid down, and returns the node that it leads to.
    pub(super) fn retrace(&mut self, path: &[Step]) -> usize {
        for &(node, edge) in path {
            self.nodes[node as usize].in_flight += 1;
            self.edges[edge as usize].in_flight += 1;
            self.keys.push(self.nodes[node as usize].state.key());
        }
        let &(node, edge) = path.last().expect("a planned walk has a step");
        self.child(node as usize, edge as usize)
    }

    /// Whether what came back from an offer is better for whoever could make it than the node's mean.
    pub(super) fn is_better(&self, at: usize, value: f32, draw: f32) -> bool {
        let node = &self.nodes[at];
        let (sign, draw_value) = (node.sign(), self.settings.draw_value);
        node.settled() || sign * value + draw_value * draw > node.mean.worth(sign, draw_value)
    }
}

#[cfg(test)]
mod tests;
