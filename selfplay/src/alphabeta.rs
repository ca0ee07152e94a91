//! The classical player of the board games: alpha-beta search with an evaluation made by hand, for reference
//! and as a sparring partner; or with a network's value in its place.
//!
//! It looks at every action to a fixed depth and beyond it at captures, which are obligatory. The tree is cut
//! where nothing can change the result, never by a guess. The transposition table has [`TABLE_ENTRIES`] entries of
//! 16 bytes; it starts empty with each move, so that a move depends on the line of play, the limits
//! and the random numbers alone.

mod clock;
mod evaluation;
mod judge;
mod learnt;
mod ordering;
mod reach;
mod scores;
mod search;
mod table;
mod weights;

use std::time::Duration;

use camelot_core::{Line, Move, Position, Variant};
use camelot_models::{EncodedVariant, Weights};

use crate::players::{Forfeit, Player, Thought};
use crate::rng::Generator;
use crate::search::Limits;
use clock::Clock;
use evaluation::Evaluation;
use judge::Judge;
use learnt::Learnt;
use scores::WINNING;
use search::{Found, Horizon, Search, Settings};

/// The deepest the search goes, in plies, captures beyond the horizon included.
pub const MAX_PLY: usize = 64;

/// Entries of a player's transposition table.
pub const TABLE_ENTRIES: usize = 1 << 19;

/// How far the player looks where nobody else sets limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// So many plies, and captures beyond; from 1 to [`MAX_PLY`].
    Depth(u8),
    /// So many positions a move.
    Nodes(u32),
    /// So many milliseconds a move.
    MoveTimeMs(u32),
}

impl Budget {
    /// The depth and the limits of a search for which somebody else set `limits`.
    fn bounds(self, limits: &Limits) -> (u8, Limits) {
        let (depth, own) = match self {
            Self::Depth(plies) => (plies, Limits::default()),
            Self::Nodes(count) => (MAX_PLY as u8, Limits::simulations(count)),
            Self::MoveTimeMs(ms) => (MAX_PLY as u8, Limits::time(Duration::from_millis(u64::from(ms)))),
        };
        if let Some(plies) = limits.depth {
            return (plies.min(MAX_PLY as u32) as u8, limits.clone());
        }
        let given = limits.simulations.is_some() || limits.time.is_some();
        (if given { MAX_PLY as u8 } else { depth }, limits.or(&own))
    }
}

/// The classical player of a board game: with an evaluation made by hand, or with the value of a network.
#[must_use]
pub fn classical<V: EncodedVariant>(
    budget: Budget,
    weights: Option<&Weights>,
) -> Box<dyn Player<Position<V>>> {
    match weights {
        None => Box::new(AlphaBeta::new(Evaluation::<V>::new(), budget)),
        Some(weights) => Box::new(AlphaBeta::new(Learnt::<V>::new(weights), budget)),
    }
}

/// The player, by the way it judges positions.
#[derive(Debug)]
struct AlphaBeta<V: Variant, J> {
    search: Search<Position<V>, J>,
    budget: Budget,
}

impl<V: Variant, J: Judge<Position<V>>> AlphaBeta<V, J> {
    fn new(judge: J, budget: Budget) -> Self {
        let settings = Settings { table_entries: TABLE_ENTRIES, horizon: Horizon::Extended };
        Self { search: Search::new(judge, settings), budget }
    }
}

impl<V: Variant, J: Judge<Position<V>> + Send> Player<Position<V>> for AlphaBeta<V, J> {
    fn think(
        &mut self,
        line: &Line<Position<V>>,
        limits: &Limits,
        rng: &mut Generator,
    ) -> Result<Thought<Move>, Forfeit> {
        self.think_aloud(line, limits, rng, &mut |_| {})
    }

    fn think_aloud(
        &mut self,
        line: &Line<Position<V>>,
        limits: &Limits,
        rng: &mut Generator,
        tell: &mut dyn FnMut(&Thought<Move>),
    ) -> Result<Thought<Move>, Forfeit> {
        let (depth, limits) = self.budget.bounds(limits);
        let clock = Clock::start(limits);
        Ok(thought(&self.search.run(line, depth, clock, rng, &mut |found| tell(&thought(found)))))
    }
}

fn thought(found: &Found<Move>) -> Thought<Move> {
    Thought {
        action: found.line[0],
        value: found.score.map(expectation),
        simulations: found.nodes,
        line: found.line.clone(),
    }
}

/// The score at which a team expects about three quarters of the points.
const SCORE_SCALE: f32 = 200.0;

/// The expected result, in `[-1, 1]`, at a score.
fn expectation(score: i32) -> f32 {
    if score.abs() >= WINNING { score.signum() as f32 } else { (score as f32 / SCORE_SCALE).tanh() }
}

#[cfg(test)]
mod tests;
