//! The tree: nodes, edges, walking down and walking back up.

use camelot_core::position::mix;
use camelot_core::{Game, Line, Turn};
use camelot_models::{Evaluator, Wdl};

use super::SearchSettings;
use super::node::{Edge, NO_CHILD, Node, draw_share, set_priors};

pub(super) const ROOT: usize = 0;

/// A search tree and its buffers; used again from move to move without allocating anew.
#[derive(Debug)]
pub struct Search<G: Game> {
    pub(super) settings: SearchSettings,
    pub(super) nodes: Vec<Node<G>>,
    pub(super) edges: Vec<Edge>,
    /// The action of each edge.
    pub(super) actions: Vec<G::Action>,
    /// Node and edge of each step of the present walk.
    path: Vec<(usize, usize)>,
    /// Keys of the game's positions, the root's and those on the path.
    keys: Vec<u64>,
    game_keys: usize,
    /// The node whose evaluation is wanted.
    pending: Option<usize>,
    pub(super) excluded: Vec<bool>,
    logits: Vec<f32>,
}

impl<G: Game> Search<G> {
    /// An empty search.
    #[must_use]
    pub fn new(settings: SearchSettings) -> Self {
        Self {
            settings,
            nodes: Vec::new(),
            edges: Vec::new(),
            actions: Vec::new(),
            path: Vec::new(),
            keys: Vec::new(),
            game_keys: 0,
            pending: None,
            excluded: Vec::new(),
            logits: Vec::new(),
        }
    }

    /// Starts a new tree at the end of `line`, which must not be over and must have a player to move.
    pub fn start(&mut self, line: &Line<G>, evaluator: &mut impl Evaluator<G>) {
        self.nodes.clear();
        self.edges.clear();
        self.actions.clear();
        self.path.clear();
        self.keys.clear();
        self.keys.extend_from_slice(line.past_keys());
        self.game_keys = self.keys.len();
        self.nodes.push(Node::new(line.position().clone()));
        self.generate(ROOT);
        self.pending = Some(ROOT);
        self.finish(evaluator);
        self.exclude_repetitions(line);
    }

    fn exclude_repetitions(&mut self, line: &Line<G>) {
        self.excluded.clear();
        self.excluded.resize(self.nodes[ROOT].count, false);
        if !self.settings.avoid_repetition || line.past_keys().is_empty() {
            return;
        }
        for (excluded, &action) in self.excluded.iter_mut().zip(&self.actions) {
            let mut next = line.position().clone();
            next.play(action);
            *excluded = next.reversible_plies() > 0 && self.keys.contains(&next.key());
        }
        if self.excluded.iter().all(|&excluded| excluded) {
            self.excluded.fill(false);
        }
    }

    /// One simulation: a walk down, an evaluation where one is wanted, and the way back.
    ///
    /// `first` fixes the root action by its index; otherwise the tree chooses.
    pub fn simulate(&mut self, first: Option<usize>, evaluator: &mut impl Evaluator<G>) {
        if self.descend(first) {
            self.finish(evaluator);
        }
    }

    fn finish(&mut self, evaluator: &mut impl Evaluator<G>) {
        let mut logits = std::mem::take(&mut self.logits);
        if let Some((state, actions)) = self.request() {
            let wdl = evaluator.evaluate(state, actions, &mut logits);
            self.apply(wdl, &logits);
        }
        self.logits = logits;
    }

    /// The position and legal actions whose evaluation is wanted, if one is.
    #[must_use]
    pub fn request(&self) -> Option<(&G, &[G::Action])> {
        let node = &self.nodes[self.pending?];
        Some((&node.state, &self.actions[node.first..node.first + node.count]))
    }

    /// Walks from the root to a leaf. Returns whether an evaluation is wanted; otherwise the
    /// simulation is complete.
    pub fn descend(&mut self, first: Option<usize>) -> bool {
        self.path.clear();
        self.keys.truncate(self.game_keys);
        let mut at = ROOT;
        loop {
            let node = &self.nodes[at];
            if node.repeats {
                self.back_up(0.0, 1.0);
                return false;
            }
            if node.settled() {
                let value = node.lower;
                self.back_up(value, draw_share(value));
                return false;
            }
            if node.count == 0 {
                self.generate(at);
                let node = &self.nodes[at];
                // Chance needs no opinion, and neither does a player without a choice.
                if node.turn() != Turn::Chance && node.count > 1 {
                    self.pending = Some(at);
                    return true;
                }
                continue;
            }
            let edge = match first {
                Some(index) if at == ROOT => node.first + index,
                _ => self.select(at),
            };
            self.keys.push(self.nodes[at].state.key());
            self.path.push((at, edge));
            at = self.child(at, edge);
        }
    }

    /// Takes the evaluation that [`Search::descend`] asked for, from the view of the player to move
    /// there, and completes the simulation.
    pub fn apply(&mut self, wdl: Wdl, logits: &[f32]) {
        let Some(at) = self.pending.take() else { return };
        let node = &mut self.nodes[at];
        let (value, draw) = (wdl.value() * node.sign(), wdl.draw);
        node.visits += 1;
        node.value_sum += value;
        node.draw_sum += draw;
        let edges = &mut self.edges[node.first..node.first + node.count];
        set_priors(edges, logits);
        self.back_up(value, draw);
    }

    /// Lists a node's actions; priors are even until an evaluation sets them.
    fn generate(&mut self, at: usize) {
        let node = &mut self.nodes[at];
        node.first = self.actions.len();
        node.state.legal_actions(&mut self.actions);
        node.count = self.actions.len() - node.first;
        let chance = node.state.turn() == Turn::Chance;
        let even = 1.0 / node.count as f32;
        for &action in &self.actions[node.first..] {
            let prior = if chance { node.state.chance_weight(action) } else { even };
            self.edges.push(Edge::new(prior));
        }
    }

    fn child(&mut self, parent: usize, edge: usize) -> usize {
        if self.edges[edge].child != NO_CHILD {
            return self.edges[edge].child as usize;
        }
        let mut state = self.nodes[parent].state.clone();
        state.play(self.actions[edge]);
        let mut node = Node::new(state);
        let reversible = node.state.reversible_plies();
        if let Some(outcome) = node.state.outcome() {
            node.settle(outcome);
        } else if self.settings.quiet_ply_limit.is_some_and(|limit| reversible >= limit) {
            (node.lower, node.upper) = (0.0, 0.0);
        } else {
            let recent = self.keys.len().saturating_sub(usize::from(reversible));
            node.repeats = self.keys[recent..].contains(&node.state.key());
        }
        let child = self.nodes.len();
        self.nodes.push(node);
        self.edges[edge].child = child as u32;
        child
    }

    /// Carries a value from the end of the path to the root, closing bounds on the way.
    fn back_up(&mut self, mut value: f32, mut draw: f32) {
        while let Some((at, edge)) = self.path.pop() {
            let child = &self.nodes[self.edges[edge].child as usize];
            let (lower, upper) = (child.lower, child.upper);
            let edge = &mut self.edges[edge];
            edge.visits += 1;
            edge.value_sum += value;
            edge.draw_sum += draw;
            if (lower, upper) != (edge.lower, edge.upper) {
                (edge.lower, edge.upper) = (lower, upper);
                self.tighten(at);
                if self.nodes[at].settled() {
                    value = self.nodes[at].lower;
                    draw = draw_share(value);
                }
            }
            if let Some(certain) = self.better_certainty(at, value, draw) {
                value = certain;
                draw = draw_share(value);
            }
            let node = &mut self.nodes[at];
            node.visits += 1;
            node.value_sum += value;
            node.draw_sum += draw;
        }
    }

    /// What whoever chooses at a node is already certain of, if that is better than what came back.
    ///
    /// Actions that can do no better than a certainty are not tried any more (`select_puct`), so the
    /// simulations that go on elsewhere must not make the node look worse than it is.
    fn better_certainty(&self, at: usize, value: f32, draw: f32) -> Option<f32> {
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

    /// Recomputes a node's bounds from its edges'.
    fn tighten(&mut self, at: usize) {
        let node = &self.nodes[at];
        let edges = &self.edges[node.first..node.first + node.count];
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
        let edges = &self.edges[node.first..node.first + node.count];
        let lost = |edge: &Edge| edge.settled() && node.sign() * edge.lower <= -1.0;
        if edges.iter().zip(&self.excluded).all(|(edge, &excluded)| excluded || lost(edge)) {
            self.excluded.fill(false);
        }
    }

    /// Plies to the end of a settled node: the winner hurries, everybody else takes the longest way.
    fn plies_to_end(&self, at: usize, value: f32) -> u16 {
        let node = &self.nodes[at];
        let best = self.edges[node.first..node.first + node.count]
            .iter()
            .filter(|edge| edge.child != NO_CHILD && edge.lower == edge.upper && edge.lower == value);
        let plies = best.map(|edge| self.nodes[edge.child as usize].plies);
        let winning = node.turn() != Turn::Chance && node.sign() * value > 0.0;
        1 + if winning { plies.min() } else { plies.max() }.unwrap_or(0)
    }

    /// The edge to follow from an expanded node.
    fn select(&self, at: usize) -> usize {
        let node = &self.nodes[at];
        let edges = &self.edges[node.first..node.first + node.count];
        let chosen = if node.turn() == Turn::Chance {
            chance_outcome(edges, node.visits)
        } else {
            self.select_puct(node, edges, at == ROOT)
        };
        node.first + chosen
    }

    /// PUCT (Rosin 2011; Silver et al. 2017) with first-play urgency below the parent's value. Actions
    /// whose upper bound is no better than what is already certain are not tried.
    fn select_puct(&self, node: &Node<G>, edges: &[Edge], root: bool) -> usize {
        let (sign, draw_value) = (node.sign(), self.settings.draw_value);
        let visited: f32 = edges.iter().filter(|edge| edge.visits > 0).map(|edge| edge.prior).sum();
        let urgency = node.mean(sign, draw_value) - self.settings.fpu_reduction * visited.sqrt();
        let exploration = self.settings.cpuct * (node.visits.max(1) as f32).sqrt();
        let certain = if sign > 0.0 { node.lower } else { -node.upper };
        best_index(edges.iter().enumerate().map(|(i, edge)| {
            let best_case = if sign > 0.0 { edge.upper } else { -edge.lower };
            if best_case <= certain && certain > -1.0 || best_case <= -1.0 || root && self.excluded[i] {
                return f32::MIN;
            }
            let value = edge.value(sign, draw_value).unwrap_or(urgency);
            value + exploration * edge.prior / (1 + edge.visits) as f32
        }))
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
