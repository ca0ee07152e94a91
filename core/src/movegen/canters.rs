//! Canters of a position as a graph over its empty squares.
//!
//! A piece in the hand never leaps over its own origin: all squares of a chain of leaps are an even
//! number of files and ranks apart, a square leapt over is not. So one graph serves all pieces, and it
//! falls into four parts, one a quarter of the grid.

use crate::set::{Square, SquareSet, each_direction};

use super::View;
use super::leaps::Leaps;

/// Which canters there are, whoever makes them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Canters {
    leaps: Leaps,
    /// Squares that a canter can end on and another go on from.
    junctions: SquareSet,
    /// Whether a canter may end in the goal castle.
    reaches_goal: bool,
}

impl Canters {
    /// The canters that end on the empty squares `open`.
    #[inline(always)]
    pub(super) fn new(view: &View, open: SquareSet) -> Self {
        let leaps = Leaps::new(view.team, open);
        // A piece that has reached the goal castle has ended its move.
        let junctions = leaps.starts() & open & !view.goal;
        Self { leaps, junctions, reaches_goal: leaps.starts().intersects(view.goal_leaps) }
    }

    /// The squares that a piece on `from` can reach by canters, its origin excluded.
    #[inline]
    pub(super) fn reach(&self, from: Square) -> SquareSet {
        if self.leaps.starts().contains(from) { self.reach_of(SquareSet::of(from)) } else { SquareSet::EMPTY }
    }

    /// The squares that the pieces `from` can reach by canters.
    #[inline(always)]
    pub(super) fn reach_of(&self, from: SquareSet) -> SquareSet {
        self.spread(self.leaps.landings(from))
    }

    /// Whether some canter of a piece of `from`, or the last of several, may end on a square of `on`.
    /// Says yes to a canter that none of them comes to.
    #[inline(always)]
    pub(super) fn may_reach(&self, from: SquareSet, on: SquareSet) -> bool {
        self.leaps.landings(from | self.junctions).intersects(on)
    }

    /// The squares that can be reached from some square of `reached`, itself included.
    #[inline(always)]
    fn spread(&self, mut reached: SquareSet) -> SquareSet {
        let mut frontier = reached & self.junctions;
        while !frontier.is_empty() {
            let found = self.leaps.landings(frontier) & !reached;
            reached |= found;
            frontier = found & self.junctions;
        }
        reached
    }

    /// How many pairs of a piece of `pieces` and a square in its reach there are.
    ///
    /// A canter can be taken back, so junctions fall into components: whoever enters one reaches all
    /// of it. Components of different quarters are followed at once. Only the goal castle is one-way;
    /// where a canter may end there, pieces are taken one by one.
    #[inline(always)]
    pub(super) fn count(&self, pieces: SquareSet) -> u32 {
        if self.reaches_goal {
            return pieces.squares().map(|from| self.reach(from).len()).sum();
        }
        let mut count = 0;
        let mut landings = SquareSet::EMPTY;
        each_direction!(D => {
            let leapers = self.leaps.sources::<D>(pieces);
            count += leapers.len();
            landings |= leapers.leap::<D>();
        });
        let mut entries = landings & self.junctions;
        while !entries.is_empty() {
            let components = self.spread(entries.one_a_quarter());
            entries &= !components;
            let mut entering = SquareSet::EMPTY;
            each_direction!(D => {
                let leapers = self.leaps.sources::<D>(pieces) & components.leap_back::<D>();
                count -= leapers.len();
                entering |= leapers;
            });
            count += entering.pairs(components);
        }
        count
    }
}
