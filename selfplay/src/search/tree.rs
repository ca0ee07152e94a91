//! The tree: walking down, and walking back up.

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
    /// The line at whose end the root stands.
    pub(super) line: Option<Line<G>>,
    /// Keys of the game's positions, the root's and those on the path.
    pub(super) keys: Vec<u64>,
    game_keys: usize,
    /// Root actions that are left out, as they repeat a position of the game.
    pub(super) excluded: Vec<bool>,
    /// Walks to come that begin below a leaf just evaluated.
    pub(super) probes: Vec<Vec<Step>>,
    /// Paths of walks that are over.
    pub(super) spare: Vec<Vec<Step>>,
    /// Room for looking at an offer.
    pub(super) scratch: Vec<G::Action>,
    logits: Vec<f32>,
}

/// Node and edge of one step of a walk.
pub(super) type Step = (u32, u32);

/// A walk that ended at a position whose evaluation is wanted. It goes back to [`Search::apply`].
#[must_use]
#[derive(Debug)]
pub struct Ticket {
    leaf: u32,
    path: Vec<Step>,
    /// The step of the path from which on this walk was laid down for it.
    probe: Option<usize>,
}

/// How a walk down the tree ended.
#[must_use]
#[derive(Debug)]
pub enum Descent {
    /// At a known value: the simulation is complete.
    Finished,
    /// At a position that must be evaluated.
    Wanted(Ticket),
    /// At a position that another walk has under evaluation: there was no simulation.
    Busy,
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
            line: None,
            keys: Vec::new(),
            game_keys: 0,
            excluded: Vec::new(),
            probes: Vec::new(),
            spare: Vec::new(),
            scratch: Vec::new(),
            logits: Vec::new(),
        }
    }

    /// Puts the root at the end of `line`, which must not be over and must have a player to move: a new
    /// tree, or with [`SearchSettings::reuse_tree`] what the last one knows of that position. Returns the
    /// root's own ticket where it has to be evaluated.
    pub fn start(&mut self, line: &Line<G>) -> Option<Ticket> {
        self.probes.clear();
        if !(self.settings.reuse_tree && self.go_on(line)) {
            self.nodes.clear();
            self.edges.clear();
            self.actions.clear();
            self.nodes.push(Node::new(line.position().clone()));
        }
        self.line = self.settings.reuse_tree.then(|| line.clone());
        self.keys.clear();
        self.keys.extend_from_slice(line.past_keys());
        self.game_keys = self.keys.len();
        let fresh = self.nodes[ROOT].count == 0;
        if fresh {
            self.generate(ROOT);
            self.nodes[ROOT].pending = true;
        }
        self.exclude_repetitions(line);
        fresh.then(|| Ticket { leaf: ROOT as u32, path: self.spare.pop().unwrap_or_default(), probe: None })
    }

    /// Forgets the last search, so that the next one starts from nothing.
    pub fn forget(&mut self) {
        self.line = None;
    }

    /// [`Search::start`] with the evaluation.
    pub fn begin(&mut self, line: &Line<G>, evaluator: &mut impl Evaluator<G>) {
        if let Some(ticket) = self.start(line) {
            self.finish(ticket, evaluator);
            self.follow_probes(evaluator);
        }
    }

    fn exclude_repetitions(&mut self, line: &Line<G>) {
        self.excluded.clear();
        self.excluded.resize(self.nodes[ROOT].count as usize, false);
        if !self.settings.avoid_repetition || line.past_keys().is_empty() {
            return;
        }
        for (excluded, &action) in self.excluded.iter_mut().zip(&self.actions[self.nodes[ROOT].edges()]) {
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
        if let Descent::Wanted(ticket) = self.descend(first) {
            self.finish(ticket, evaluator);
        }
        self.follow_probes(evaluator);
    }

    fn follow_probes(&mut self, evaluator: &mut impl Evaluator<G>) {
        while self.has_probes() {
            if let Descent::Wanted(ticket) = self.descend(None) {
                self.finish(ticket, evaluator);
            }
        }
    }

    fn finish(&mut self, ticket: Ticket, evaluator: &mut impl Evaluator<G>) {
        let mut logits = std::mem::take(&mut self.logits);
        let (position, actions) = self.request(&ticket);
        let wdl = evaluator.evaluate(position, actions, &mut logits);
        self.apply(ticket, wdl, &logits);
        self.logits = logits;
    }

    /// The position and legal actions whose evaluation is wanted.
    #[must_use]
    pub fn request(&self, ticket: &Ticket) -> (&G, &[G::Action]) {
        let node = &self.nodes[ticket.leaf as usize];
        (&node.state, &self.actions[node.edges()])
    }

    /// Walks from the root to a leaf, or where walks are planned that belong to the last simulation
    /// ([`Search::has_probes`]), the next of those; `first` means nothing to them. Several walks may be under
    /// way at once; each counts as a visit for those that follow (Liu et al. 2020, "Watch the unobserved").
    pub fn descend(&mut self, first: Option<usize>) -> Descent {
        let mut path = self.spare.pop().unwrap_or_default();
        self.keys.truncate(self.game_keys);
        let mut at = ROOT;
        let mut probe = None;
        if let Some(begun) = self.probes.pop() {
            self.spare.push(std::mem::replace(&mut path, begun));
            probe = Some(path.len() - 1);
            at = self.retrace(&path);
        }
        loop {
            let node = &self.nodes[at];
            if node.repeats {
                self.back_up(path, 0.0, 1.0, probe);
                return Descent::Finished;
            }
            if node.settled() {
                let value = node.lower;
                self.back_up(path, value, draw_share(value), probe);
                return Descent::Finished;
            }
            if node.pending {
                self.withdraw(path);
                return Descent::Busy;
            }
            if node.count == 0 {
                self.generate(at);
                // Chance needs no opinion, and neither does a player without a choice or with a win.
                if self.asks_for_opinion(at) {
                    self.nodes[at].pending = true;
                    return Descent::Wanted(Ticket { leaf: at as u32, path, probe });
                }
                continue;
            }
            let edge = match first {
                Some(index) if at == ROOT => node.first as usize + index,
                _ => self.select(at),
            };
            self.nodes[at].in_flight += 1;
            self.edges[edge].in_flight += 1;
            self.keys.push(self.nodes[at].state.key());
            path.push((at as u32, edge as u32));
            at = self.child(at, edge);
        }
    }

    /// Whether an expanded node must be evaluated; settles one that is won at once.
    fn asks_for_opinion(&mut self, at: usize) -> bool {
        let node = &self.nodes[at];
        if node.turn() == Turn::Chance || node.count < 2 {
            return false;
        }
        let range = node.edges();
        let actions = &self.actions[range.clone()];
        let Some(winning) = node.state.winning_action(actions) else {
            let hot = node.count <= self.settings.capture_choices && node.state.must_capture(actions);
            return !hot;
        };
        let value = node.sign();
        let edge = &mut self.edges[range.start + winning];
        (edge.lower, edge.upper) = (value, value);
        let node = &mut self.nodes[at];
        (node.lower, node.upper, node.plies) = (value, value, 1);
        false
    }

    /// Takes the evaluation that a walk asked for, from the view of the player to move there, and
    /// completes the simulation.
    pub fn apply(&mut self, ticket: Ticket, wdl: Wdl, logits: &[f32]) {
        let node = &mut self.nodes[ticket.leaf as usize];
        let (value, draw) = (wdl.value() * node.sign(), wdl.draw);
        node.pending = false;
        node.add(value, draw);
        let range = node.edges();
        set_priors(&mut self.edges[range], logits, &self.settings);
        if ticket.probe.is_none() {
            self.plan_probes(ticket.leaf as usize, &ticket.path);
        }
        self.back_up(ticket.path, value, draw, ticket.probe);
    }

    /// Lists a node's actions; priors are even until an evaluation sets them.
    fn generate(&mut self, at: usize) {
        let node = &mut self.nodes[at];
        let first = self.actions.len();
        node.state.legal_actions(&mut self.actions);
        node.first = first as u32;
        node.count = (self.actions.len() - first) as u32;
        let chance = node.state.turn() == Turn::Chance;
        let even = 1.0 / node.count as f32;
        for &action in &self.actions[first..] {
            let prior = if chance { node.state.chance_weight(action) } else { even };
            self.edges.push(Edge::new(prior));
        }
    }

    pub(super) fn child(&mut self, parent: usize, edge: usize) -> usize {
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

    /// Carries a value from the end of a path to the root, closing bounds on the way.
    fn back_up(&mut self, mut path: Vec<Step>, mut value: f32, mut draw: f32, probe: Option<usize>) {
        while let Some((at, edge)) = path.pop() {
            let at = at as usize;
            let below = probe == Some(path.len());
            let edge = &mut self.edges[edge as usize];
            edge.mean.add(value, draw);
            edge.in_flight -= 1;
            if edge.mean.visits == 1 {
                self.nodes[at].visited_prior += edge.prior;
            }
            let child = &self.nodes[edge.child as usize];
            if (child.lower, child.upper) != (edge.lower, edge.upper) {
                (edge.lower, edge.upper) = (child.lower, child.upper);
                self.tighten(at);
                if self.nodes[at].settled() {
                    value = self.nodes[at].lower;
                    draw = draw_share(value);
                }
            }
            if below && !self.is_better(at, value, draw) {
                self.nodes[at].in_flight -= 1;
                self.withdraw(path);
                return;
            }
            if let Some(certain) = self.better_certainty(at, value, draw) {
                value = certain;
                draw = draw_share(value);
            }
            let node = &mut self.nodes[at];
            node.in_flight -= 1;
            node.add(value, draw);
        }
        self.spare.push(path);
    }

    /// Takes a walk back that came to nothing.
    fn withdraw(&mut self, mut path: Vec<Step>) {
        while let Some((at, edge)) = path.pop() {
            self.nodes[at as usize].in_flight -= 1;
            self.edges[edge as usize].in_flight -= 1;
        }
        self.spare.push(path);
    }
}
