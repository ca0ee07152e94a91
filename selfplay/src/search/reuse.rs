//! Keeping what the last search knows of the position that the game has come to.

use camelot_core::{Game, Line};

use super::node::NO_CHILD;
use super::tree::{ROOT, Search};

impl<G: Game> Search<G> {
    /// Makes the end of `line` the root, if `line` goes on from where the tree stands and the tree has
    /// been there. The rest is dropped. Otherwise nothing changes.
    pub(super) fn go_on(&mut self, line: &Line<G>) -> bool {
        let Some(found) = self.find(line) else { return false };
        if found != ROOT {
            self.keep_below(found);
        }
        // A position that occurred before is a draw inside a tree, but here play goes on.
        self.nodes[ROOT].repeats = false;
        true
    }

    fn find(&self, line: &Line<G>) -> Option<usize> {
        let before = self.line.as_ref()?;
        let played = line.actions().strip_prefix(before.actions())?;
        if before.start() != line.start() {
            return None;
        }
        let mut at = ROOT;
        for &action in played {
            let edge = self.nodes[at].edges().find(|&edge| self.actions[edge] == action)?;
            let child = self.edges[edge].child;
            at = (child != NO_CHILD).then_some(child as usize)?;
        }
        (self.nodes[at].state == *line.position()).then_some(at)
    }

    /// Drops everything that is not below a node, and makes it the root. Children come after their parents in
    /// the tree's order, and so they do after it.
    fn keep_below(&mut self, root: usize) {
        let mut place = vec![NO_CHILD; self.nodes.len()];
        place[root] = 0;
        let mut kept = 0;
        for at in root..self.nodes.len() {
            if place[at] == NO_CHILD {
                continue;
            }
            for edge in &self.edges[self.nodes[at].edges()] {
                if edge.child != NO_CHILD {
                    place[edge.child as usize] = 0;
                }
            }
            place[at] = kept;
            self.nodes.swap(kept as usize, at);
            kept += 1;
        }
        self.nodes.truncate(kept as usize);
        self.keep_edges(&place);
    }

    /// Moves the edges of the nodes that are left together, in the order they lie in, and lets them point to
    /// their children's new places.
    fn keep_edges(&mut self, place: &[u32]) {
        let mut order: Vec<u32> = (0..self.nodes.len() as u32).collect();
        order.retain(|&at| self.nodes[at as usize].count > 0);
        order.sort_unstable_by_key(|&at| self.nodes[at as usize].first);
        let mut end = 0;
        for at in order {
            let range = self.nodes[at as usize].edges();
            let count = range.len();
            self.edges.copy_within(range.clone(), end);
            self.actions.copy_within(range, end);
            self.nodes[at as usize].first = end as u32;
            for edge in &mut self.edges[end..end + count] {
                if edge.child != NO_CHILD {
                    edge.child = place[edge.child as usize];
                }
            }
            end += count;
        }
        self.edges.truncate(end);
        self.actions.truncate(end);
    }
}
