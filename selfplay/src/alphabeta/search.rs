//! Alpha-beta search: iterative deepening, a narrow window for all but the first action (principal variation
//! search, Marsland and Campbell 1982), a transposition table.
//!
//! Scores are those of the team to move. Turns need not alternate: a score changes its sign only where the
//! team to move does. A position that occurred before, on the path or in the game, is a draw.

use camelot_core::position::mix;
use camelot_core::{Game, Line};
use rand::seq::SliceRandom;

use super::MAX_PLY;
use super::clock::Clock;
use super::judge::{Judge, Tension};
use super::ordering::{LOUD, Ordering, next_best};
use super::scores::{DRAW, INFINITY, WIN, finished, from_table, to_table, win_at};
use super::table::{Bound, Finding, Table};
use crate::rng::Generator;

/// Plies beyond the horizon in which captures are followed.
const FORCED_PLIES: i32 = 24;
/// From so many reversible plies on the table tells positions apart by them: the draw by quiet plies is near.
const QUIET_PLIES_TOLD: u16 = 64;

/// What happens at the horizon, and how much is remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Settings {
    /// Entries of the transposition table; 0 for none.
    pub(super) table_entries: usize,
    /// Whether forced lines are followed beyond the depth.
    pub(super) horizon: Horizon,
}

/// Where the search ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Horizon {
    /// At the depth, whatever stands there.
    Fixed,
    /// Behind captures; an action without an alternative costs no depth.
    Extended,
}

/// What a search came to.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found<A> {
    /// The best line, never empty.
    pub(super) line: Vec<A>,
    /// The score of the team to move; `None` where no iteration got as far as one action.
    pub(super) score: Option<i32>,
    /// Positions visited.
    pub(super) nodes: u32,
    /// The plies of the last iteration that was completed.
    pub(super) depth: u8,
}

/// A place in the search tree.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// Plies left.
    depth: i32,
    /// What the team to move is sure of elsewhere.
    alpha: i32,
    /// What the others will not let it exceed.
    beta: i32,
    /// Plies from the root.
    ply: usize,
}

/// A search and its buffers.
#[derive(Debug)]
pub(super) struct Search<G: Game, J> {
    judge: J,
    settings: Settings,
    table: Table,
    ordering: Ordering<G::Action>,
    clock: Clock,
    /// Keys of the game's positions and of those on the path.
    keys: Vec<u64>,
    /// The actions of all positions on the path, and their ranks.
    actions: Vec<G::Action>,
    ranks: Vec<i32>,
    /// The best line from each ply on.
    lines: Vec<Vec<G::Action>>,
}

impl<G: Game, J: Judge<G>> Search<G, J> {
    pub(super) fn new(judge: J, settings: Settings) -> Self {
        Self {
            judge,
            settings,
            table: Table::new(settings.table_entries),
            ordering: Ordering::new(),
            clock: Clock::default(),
            keys: Vec::new(),
            actions: Vec::new(),
            ranks: Vec::new(),
            lines: vec![Vec::new(); MAX_PLY + 1],
        }
    }

    /// Searches the position at the end of `line`, which is not over, deeper and deeper, to at most `depth` plies
    /// and until the clock runs out. Among actions that look alike `rng` chooses which is tried first. `tell` hears what
    /// each depth came to.
    pub(super) fn run(
        &mut self,
        line: &Line<G>,
        depth: u8,
        clock: Clock,
        rng: &mut Generator,
        tell: &mut dyn FnMut(&Found<G::Action>),
    ) -> Found<G::Action> {
        self.clock = clock;
        self.table.start();
        self.ordering.start();
        self.keys.clear();
        self.keys.extend_from_slice(line.past_keys());
        self.keys.push(line.position().key());
        let mut roots = self.root_actions(line.position(), rng);
        let mut found = Found { line: vec![roots[0]], score: None, nodes: 0, depth: 0 };
        // Without a choice there is nothing to find but a value.
        let deepest = if roots.len() == 1 { 1 } else { i32::from(depth).min(MAX_PLY as i32) };
        for depth in 1..=deepest {
            let completed = self.iterate(line.position(), &mut roots, depth, &mut found);
            if completed.is_none() {
                break;
            }
            found.depth = depth as u8;
            found.nodes = self.clock.nodes();
            tell(&found);
            // The way to a win within the depth cannot become shorter.
            if found.score.is_some_and(|score| score.abs() >= WIN - depth) {
                break;
            }
        }
        found.nodes = self.clock.nodes();
        found
    }

    /// The actions at the root in the order in which the first iteration tries them.
    fn root_actions(&mut self, position: &G, rng: &mut Generator) -> Vec<G::Action> {
        let mut roots = Vec::new();
        position.legal_actions(&mut roots);
        roots.shuffle(rng);
        roots.sort_by_cached_key(|&action| std::cmp::Reverse(self.judge.promise(position, action)));
        roots
    }

    /// One iteration: brings `found` up to date with every action that turns out to be the best so far, and puts
    /// it first. `None` if the clock ran out.
    fn iterate(
        &mut self,
        position: &G,
        roots: &mut [G::Action],
        depth: i32,
        found: &mut Found<G::Action>,
    ) -> Option<()> {
        let mut node = Node { depth, alpha: -INFINITY, beta: INFINITY, ply: 0 };
        self.actions.clear();
        self.ranks.clear();
        for index in 0..roots.len() {
            let action = roots[index];
            let score = self.follow(position, action, node, index == 0, self.cost(roots.len()))?;
            if score > node.alpha {
                node.alpha = score;
                found.score = Some(score);
                found.line.clear();
                found.line.push(action);
                found.line.extend_from_slice(&self.lines[1]);
                roots[..=index].rotate_right(1);
            }
        }
        Some(())
    }

    /// The depth that an action costs where there are `count`.
    fn cost(&self, count: usize) -> i32 {
        i32::from(count > 1 || self.settings.horizon == Horizon::Fixed)
    }

    /// The score of an action: with the full window for the first, for the others only whether they are better.
    fn follow(&mut self, position: &G, action: G::Action, node: Node, first: bool, cost: i32) -> Option<i32> {
        self.clock.tick()?;
        let mut next = position.clone();
        next.play(action);
        let below = Node { depth: node.depth - cost, ply: node.ply + 1, ..node };
        if !first && node.beta - node.alpha > 1 {
            let narrow = Node { beta: node.alpha + 1, ..below };
            let score = self.turn(position, &next, narrow)?;
            if score <= node.alpha || score >= node.beta {
                return Some(score);
            }
        }
        self.turn(position, &next, below)
    }

    /// The score of `next`, one ply below `position`, from the view of the team to move in `position`.
    fn turn(&mut self, position: &G, next: &G, node: Node) -> Option<i32> {
        if position.team_to_move() == next.team_to_move() {
            return self.visit(next, node);
        }
        let turned = Node { alpha: -node.beta, beta: -node.alpha, ..node };
        self.visit(next, turned).map(|score| -score)
    }

    /// The score of a position: exact within the window, a bound outside. `None` if the clock ran out.
    fn visit(&mut self, position: &G, mut node: Node) -> Option<i32> {
        self.lines[node.ply].clear();
        if let Some(outcome) = position.outcome() {
            return Some(finished(position, outcome, node.ply));
        }
        if self.repeats(position) {
            return Some(DRAW);
        }
        if node.depth <= 0 || node.ply >= MAX_PLY {
            return self.settle(position, node);
        }
        let wide = node.beta - node.alpha > 1;
        // No way from here is better than a win by the next ply, nor worse than a loss here.
        node.alpha = node.alpha.max(-win_at(node.ply));
        node.beta = node.beta.min(win_at(node.ply + 1));
        if node.alpha >= node.beta {
            return Some(node.alpha);
        }
        let key = table_key(position);
        let known = self.table.find(key);
        // In a wide window the line is wanted, not just the score.
        let deep = known.filter(|entry| !wide && i32::from(entry.depth) >= node.depth);
        if let Some(entry) = deep {
            let score = from_table(entry.score, node.ply);
            let settles = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score >= node.beta,
                Bound::Upper => score <= node.alpha,
            };
            if settles {
                return Some(score);
            }
        }
        self.branch(position, node, key, known.map(|entry| entry.best))
    }

    /// Tries the actions of a position, the one at index `best` first.
    fn branch(&mut self, position: &G, mut node: Node, key: u64, best: Option<u16>) -> Option<i32> {
        let first = self.generate(position, best, node.ply);
        let cost = self.cost(self.actions.len() - first);
        let alpha = node.alpha;
        let (mut score, mut chosen) = (-INFINITY, 0);
        let mut tried = 0;
        self.keys.push(position.key());
        while let Some(index) = next_best(&mut self.ranks[first..]) {
            let action = self.actions[first + index];
            let found = self.follow(position, action, node, tried == 0, cost)?;
            tried += 1;
            if found > score {
                (score, chosen) = (found, index);
            }
            if found > node.alpha {
                node.alpha = found;
                self.put_in_line(action, node.ply);
            }
            if found >= node.beta {
                self.ordering.refuted(action, self.judge.slot(action), node.ply, node.depth);
                break;
            }
        }
        self.keys.pop();
        self.forget_from(first);
        let bound = match score {
            _ if score >= node.beta => Bound::Lower,
            _ if score > alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        let (kept, depth) = (to_table(score, node.ply), node.depth as i8);
        self.table.store(key, Finding { score: kept, best: chosen as u16, depth, bound });
        Some(score)
    }

    /// The score of a position at the horizon: its judgement, once nobody has a capture left to make.
    fn settle(&mut self, position: &G, mut node: Node) -> Option<i32> {
        let exhausted = node.depth <= -FORCED_PLIES || node.ply >= MAX_PLY;
        let tension = match self.settings.horizon {
            Horizon::Extended if !exhausted => self.judge.tension(position),
            _ => Tension::Quiet,
        };
        let mut score = if tension == Tension::Forced { -INFINITY } else { self.judge.judge(position) };
        if tension == Tension::Quiet || score >= node.beta {
            return Some(score);
        }
        node.alpha = node.alpha.max(score);
        let first = self.generate(position, None, node.ply);
        let mut tried = 0;
        self.keys.push(position.key());
        while let Some(index) = next_best(&mut self.ranks[first..]) {
            let action = self.actions[first + index];
            let loud = || self.judge.promise(position, action) >= LOUD;
            if tension == Tension::Loud && !loud() {
                break;
            }
            let found = self.follow(position, action, node, tried == 0, 1)?;
            tried += 1;
            score = score.max(found);
            if found > node.alpha {
                node.alpha = found;
                self.put_in_line(action, node.ply);
            }
            if found >= node.beta {
                break;
            }
        }
        self.keys.pop();
        self.forget_from(first);
        Some(score)
    }

    /// Appends and ranks the actions of a position; returns where they begin.
    fn generate(&mut self, position: &G, best: Option<u16>, ply: usize) -> usize {
        let first = self.actions.len();
        position.legal_actions(&mut self.actions);
        let actions = &self.actions[first..];
        self.ordering.rank((&self.judge, position), actions, (best, ply), &mut self.ranks);
        first
    }

    fn forget_from(&mut self, first: usize) {
        self.actions.truncate(first);
        self.ranks.truncate(first);
    }

    /// The best line from a ply on is now this action and the best line below.
    fn put_in_line(&mut self, action: G::Action, ply: usize) {
        if let [line, below, ..] = &mut self.lines[ply..] {
            line.clear();
            line.push(action);
            line.extend_from_slice(below);
        }
    }

    /// Whether the position occurred before, on the path or in the game.
    fn repeats(&self, position: &G) -> bool {
        let reversible = usize::from(position.reversible_plies());
        let recent = self.keys.len().saturating_sub(reversible);
        self.keys[recent..].contains(&position.key())
    }
}

/// The key of a position in the table.
fn table_key<G: Game>(position: &G) -> u64 {
    match position.reversible_plies() {
        plies if plies < QUIET_PLIES_TOLD => position.key(),
        plies => position.key() ^ mix(u64::from(plies)),
    }
}
