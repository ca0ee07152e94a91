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
mod probes;
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
    /// Share of the priors that is spread evenly over all actions, in `[0, 1]`: what the policy overlooks is
    /// tried all the same.
    pub even_share: f32,
    /// Where a player must capture and has at most this many ways to do it, nothing is evaluated and the walk
    /// goes on: the evaluator judges what is left afterwards. 1 does so only where there is no choice.
    pub capture_choices: u32,
    /// At a position that has just been evaluated, at most this many offers ([`Game::offers`]) are followed at
    /// once, whatever their priors, as part of the same simulation.
    ///
    /// [`Game::offers`]: camelot_core::Game::offers
    pub offers: u32,
    /// A position this many reversible plies old counts as a draw, whatever the rules say.
    pub quiet_ply_limit: Option<u16>,
    /// Leave out root actions that lead back to a position of the game, where there are others.
    pub avoid_repetition: bool,
    /// Start from what the last search knows of the position, where the game has gone on through its tree.
    pub reuse_tree: bool,
    /// The tree stops growing when its positions and actions take this many bytes. Its buffers may be up to
    /// twice as large, as they grow by doubling.
    pub memory_bytes: usize,
}

/// What a tree may take where nothing else is said.
pub const MEMORY_BYTES: usize = 1 << 30;

impl SearchSettings {
    /// Settings for play under the real rules.
    pub const PLAY: Self = Self {
        draw_value: 0.0,
        cpuct: 1.5,
        cpuct_growth: 0.0,
        cpuct_spread: 0.0,
        prior_temperature: 1.0,
        even_share: 0.0,
        offers: 0,
        capture_choices: 1,
        fpu_reduction: 0.25,
        quiet_ply_limit: None,
        avoid_repetition: false,
        reuse_tree: false,
        memory_bytes: MEMORY_BYTES,
    };
}
