//! Tree search: one tree, walked from the root to a leaf and back, a simulation at a time.
//!
//! [`Search::descend`] walks down and stops where an evaluation is wanted; [`Search::apply`] takes it and
//! walks back up. Several walks can be under way at once, so batches and threads stay outside
//! ([`think`]). Values in the tree are absolute (team One's);
//! they are turned to a point of view only where an action is chosen.
//!
//! Every node knows bounds on its exact value. They close at finished games and are carried up: a node is
//! *settled* when they meet, and its value is then exact (score-bounded tree search, Cazenave and
//! Saffidine 2010; chance nodes average the bounds). A position that occurred before, on the path or in
//! the game, counts as a draw there, without proof.

mod bounds;
mod gumbel;
mod limits;
mod node;
mod puct;
mod reuse;
mod root;
mod select;
mod think;
mod tree;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tree_tests;

pub use gumbel::{GumbelPlan, GumbelSettings, considered_visits, gumbel_search};
pub use limits::Limits;
pub use puct::{decide_by_visits, puct_search};
pub use root::{Decision, RootEdge};
pub use think::think;
pub use tree::{Descent, Search, Ticket};

/// What a draw is worth and how branches are chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchSettings {
    /// What a draw is worth to whoever chooses, in `[-1, 1]`; negative makes both sides avoid it.
    pub draw_value: f32,
    /// The weight of the prior in PUCT, above 0.
    pub cpuct: f32,
    /// By how much it grows with the logarithm of the visits, from 0.
    pub cpuct_growth: f32,
    /// How far it follows the spread of the values below a node: 0 not at all, 1 in proportion.
    pub cpuct_spread: f32,
    /// The temperature of the priors: above 1 they are evened out, below 1 sharpened.
    pub prior_temperature: f32,
    /// How much less than its parent an unvisited action is taken to be worth, times the root of the
    /// prior already visited; in `[0, 2]`.
    pub fpu_reduction: f32,
    /// A position this many reversible plies old counts as a draw, whatever the rules say.
    pub quiet_ply_limit: Option<u16>,
    /// Leave out root actions that lead back to a position of the game, where there are others.
    pub avoid_repetition: bool,
    /// Start from what the last search knows of the position, where the game has gone on through its tree.
    pub reuse_tree: bool,
    /// The tree grows to about this many actions; positions are fewer. An action of the board games
    /// takes 76 bytes, a position about 250.
    pub edge_limit: usize,
}

/// An edge limit that keeps a tree below about a gigabyte and a half.
pub const EDGE_LIMIT: usize = 12_000_000;

impl SearchSettings {
    /// Settings for play under the real rules.
    pub const PLAY: Self = Self {
        draw_value: 0.0,
        cpuct: 1.5,
        cpuct_growth: 0.0,
        cpuct_spread: 0.0,
        prior_temperature: 1.0,
        fpu_reduction: 0.25,
        quiet_ply_limit: None,
        avoid_repetition: false,
        reuse_tree: false,
        edge_limit: EDGE_LIMIT,
    };
}
