//! A position as the player to move sees it.

use crate::board::Board;
use crate::game::{Game, RuleSet, Seat};
use crate::position::Position;
use crate::set::{Square, SquareSet, each_direction};
use crate::variant::Variant;

use super::leaps::Leaps;

/// What the generator and the notation need to know of a position, from one player's side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    pub(crate) board: &'static Board,
    /// Pieces of the player to move.
    pub(crate) own: SquareSet,
    /// Pieces that may be cantered over: the whole team's.
    pub(crate) team: SquareSet,
    pub(crate) enemy: SquareSet,
    /// Empty squares that a piece of the player may stand on at all.
    pub(crate) vacant: SquareSet,
    pub(crate) own_castle: SquareSet,
    pub(crate) goal: SquareSet,
    pub(crate) knights: SquareSet,
    /// The squares from which a leap lands in the goal castle.
    pub(super) goal_leaps: SquareSet,
    /// Whether the player has castle moves left.
    castle_moves_left: bool,
    pub(super) rules: RuleSet,
}

impl View {
    /// The view of the player to move.
    pub(crate) fn new<V: Variant>(position: &Position<V>) -> Self {
        Self::of(position, position.to_move())
    }

    /// The view of a seat, whether or not it is to move.
    #[inline]
    fn of<V: Variant>(position: &Position<V>, seat: Seat) -> Self {
        let board = V::board();
        let team = Position::<V>::team(seat);
        let (own_team, enemy) = (position.team_pieces(team), position.team_pieces(team.other()));
        Self {
            board,
            own: position.army(seat),
            team: own_team,
            enemy,
            vacant: board.all & !(own_team | enemy | board.side_castles(seat)),
            own_castle: board.castle(seat),
            goal: board.goal_castle(seat),
            knights: position.knights(),
            goal_leaps: board.goal_leaps(seat),
            castle_moves_left: position.castle_moves(seat) < V::CASTLE_MOVES,
            rules: position.rules,
        }
    }

    /// The view while the piece on `from` is in the hand.
    ///
    /// Ruling A19: its origin is empty during the move.
    pub(crate) fn lifted(&self, from: Square) -> Self {
        let mut view = *self;
        view.own.remove(from);
        view.team.remove(from);
        view.vacant.insert(from);
        view
    }

    /// Where a move without a capture may end.
    #[inline(always)]
    pub(super) fn open(&self) -> SquareSet {
        self.vacant & !self.own_castle
    }

    /// Pieces outside the castles.
    #[inline(always)]
    pub(super) fn free(&self) -> SquareSet {
        self.own & !(self.own_castle | self.goal)
    }

    /// Squares where a chain of jumps may go on. The way back is still in the graph of jumps, so it takes
    /// another one; after a first jump, another one is enough. A chain ends in the goal castle.
    #[inline(always)]
    pub(super) fn forks(&self, jumps: &Leaps) -> SquareSet {
        jumps.forks() & !self.goal
    }

    /// Pieces in the goal castle, if the player has castle moves left.
    #[inline(always)]
    pub(super) fn castle_movers(&self) -> SquareSet {
        if self.castle_moves_left { self.own & self.goal } else { SquareSet::EMPTY }
    }

    /// The jumps that a piece of the player could make from any square, held by whomever.
    #[inline(always)]
    pub(super) fn jumps(&self) -> Leaps {
        Leaps::new(self.enemy, self.vacant)
    }

    /// Squares that oblige a Knight.
    ///
    /// Ruling A2: a Knight that reaches one by a canter must capture in that move.
    #[inline(always)]
    pub(super) fn bound_squares(&self, jumps: &Leaps) -> SquareSet {
        jumps.starts() & self.open() & !self.goal
    }

    /// Whether a piece standing on `at` could jump now.
    pub(crate) fn jumps_from(&self, at: Square) -> bool {
        self.board.leaps(at).iter().any(|l| self.enemy.contains(l.over) && self.vacant.contains(l.land))
    }
}

/// Whether `seat` has a legal move if it is to move.
///
/// A piece outside the goal castle that has a step, a jump or a canter gives its player a move: where a
/// duty forbids that very one, it commands another. A Knight's canter to a square that offers a jump
/// is the start of a charge.
pub(crate) fn has_move<V: Variant>(position: &Position<V>, seat: Seat) -> bool {
    let view = View::of(position, seat);
    let movable = view.own & !view.goal;
    let open = view.open();
    each_direction!(D => if movable.step::<D>().intersects(open) {
        return true;
    });
    let leapers = movable.leapers(view.enemy, view.vacant) | movable.leapers(view.team, open);
    if !leapers.is_empty() {
        return true;
    }
    view.castle_movers().neighbours().intersects(view.goal & view.vacant)
}
