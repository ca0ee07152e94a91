//! How far pieces are from where they want to go, and what they could capture, as sets of squares.

#![expect(
    clippy::inline_always,
    reason = "set operations are compiled for each kind of processor, within the function that chooses"
)]

use camelot_core::board::Board;
use camelot_core::{Game, Position, Seat, SquareSet, Variant};
use pulp::{Arch, NullaryFnOnce};

use super::judge::Tension;

/// Steps from every square to the nearest of some squares, on an empty board.
pub(super) fn steps_to(board: &Board, goal: SquareSet) -> [u8; 256] {
    let mut steps = [u8::MAX; 256];
    let (mut reached, mut ring, mut distance) = (goal, goal, 0);
    while !ring.is_empty() {
        for square in ring.squares() {
            steps[square.index()] = distance;
        }
        ring = ring.neighbours() & board.all & !reached;
        reached |= ring;
        distance += 1;
    }
    steps
}

/// What one seat's pieces can do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    /// Its pieces that can still move about: those outside the goal castle.
    free: SquareSet,
    /// What they can canter over.
    team: SquareSet,
    enemy: SquareSet,
    /// Empty squares that they may jump onto.
    vacant: SquareSet,
    /// Empty squares that they may step and canter onto.
    open: SquareSet,
    goal: SquareSet,
}

impl Side {
    pub(super) fn of<V: Variant>(position: &Position<V>, seat: Seat) -> Self {
        let board = V::board();
        let team = Position::<V>::team(seat);
        let goal = board.goal_castle(seat);
        let vacant = position.vacant() & !board.side_castles(seat);
        Self {
            free: position.army(seat) & !goal,
            team: position.team_pieces(team),
            enemy: position.team_pieces(team.other()),
            vacant,
            open: vacant & !board.castle(seat),
            goal,
        }
    }

    /// How many pieces can canter.
    #[inline(always)]
    pub(super) fn canterers(&self) -> u32 {
        self.free.leapers(self.team, self.open).len()
    }

    /// The moves without captures that bring the nearest piece into the goal castle, if at most `limit` do and
    /// nothing else moves.
    #[inline(always)]
    pub(super) fn count_moves(&self, limit: u8) -> Option<u8> {
        let mut targets = self.goal & self.open;
        let mut known = targets;
        for moves in 1..=limit {
            let sources = self.sources(targets);
            if sources.intersects(self.free) {
                return Some(moves);
            }
            targets = sources & self.open & !known;
            known |= targets;
        }
        None
    }

    /// The squares from which one step or some canters lead onto `targets`.
    #[inline(always)]
    fn sources(&self, targets: SquareSet) -> SquareSet {
        let everywhere = !SquareSet::EMPTY;
        let mut sources = targets.neighbours();
        let mut landings = targets;
        let mut cantered = SquareSet::EMPTY;
        loop {
            let found = everywhere.leapers(self.team, landings) & !cantered;
            cantered |= found;
            landings = found & self.open;
            if landings.is_empty() {
                break;
            }
        }
        sources |= cantered;
        sources
    }

    /// Whether the side, being to move, has captures to make, or a piece one move from the goal castle where that
    /// wins.
    pub(super) fn tension(&self, knights: SquareSet, entry_wins: bool) -> Tension {
        Arch::new().dispatch(Looking { side: self, knights, entry_wins })
    }

    /// Whether some Knight can reach by canters a square from which it could jump.
    #[inline(always)]
    fn charges(&self, knights: SquareSet) -> bool {
        let bound = self.open.leapers(self.enemy, self.vacant) & !self.goal;
        let mut reached = self.open.landings(knights, self.team);
        let mut frontier = reached;
        while !frontier.is_empty() {
            if frontier.intersects(bound) {
                return true;
            }
            frontier = self.open.landings(frontier & !self.goal, self.team) & !reached;
            reached |= frontier;
        }
        false
    }
}

/// [`Side::tension`], compiled once for each kind of processor.
struct Looking<'a> {
    side: &'a Side,
    knights: SquareSet,
    entry_wins: bool,
}

impl NullaryFnOnce for Looking<'_> {
    type Output = Tension;

    #[inline(always)]
    fn call(self) -> Tension {
        let Self { side, knights, entry_wins } = self;
        if !side.free.leapers(side.enemy, side.vacant).is_empty() {
            return Tension::Forced;
        }
        let knights = side.free & knights;
        if !knights.is_empty() && side.charges(knights) || entry_wins && side.count_moves(1).is_some() {
            return Tension::Loud;
        }
        Tension::Quiet
    }
}
