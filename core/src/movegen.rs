//! Legal moves of the board games (section 2 of the rules).
//!
//! One turn is one plain move, castle move, canter, jump or Knight's Charge. Canters are generated as
//! the set of squares they reach, jumps by following every branch to its end; a move is its effect, so
//! routes with the same end and the same captures are one move.

use std::fmt::{self, Display};

use crate::board::Board;
use crate::game::{Game, RuleSet, Seat};
use crate::position::Position;
use crate::set::{Square, SquareSet};
use crate::variant::Variant;

/// A move of a board game by its effect: who goes where and what is captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move<V: Variant> {
    /// The square left.
    pub from: Square,
    /// The square reached. Equal to `from` where a chain of jumps returns to its origin.
    pub to: Square,
    /// The squares of the captured pieces.
    pub captured: V::Set,
}

/// `from>to` with the captured squares in brackets. The notation of people depends on the position:
/// see [`Game::action_text`].
impl<V: Variant> Display for Move<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = V::board();
        write!(f, "{}>{}", board.square_name(self.from), board.square_name(self.to))?;
        if !self.captured.is_empty() {
            let names: Vec<_> = self.captured.squares().map(|s| board.square_name(s)).collect();
            write!(f, "[{}]", names.join(","))?;
        }
        Ok(())
    }
}

/// What the generator and the notation need to know of a position, from the mover's side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<V: Variant> {
    pub(crate) board: &'static Board<V::Set>,
    /// Pieces of the player to move.
    pub(crate) own: V::Set,
    /// Pieces that may be cantered over: the whole team's.
    pub(crate) team: V::Set,
    pub(crate) enemy: V::Set,
    /// Empty squares that a piece of the player may stand on at all.
    pub(crate) vacant: V::Set,
    pub(crate) own_castle: V::Set,
    pub(crate) goal: V::Set,
    pub(crate) knights: V::Set,
}

impl<V: Variant> View<V> {
    pub(crate) fn new(position: &Position<V>) -> Self {
        Self::of(position, position.to_move())
    }

    /// The view of a seat, whether or not it is to move.
    fn of(position: &Position<V>, seat: Seat) -> Self {
        let team = Position::<V>::team(seat);
        Self {
            board: V::board(),
            own: position.army(seat),
            team: position.team_pieces(team),
            enemy: position.team_pieces(team.other()),
            vacant: position.vacant() & !position.side_castles(seat),
            own_castle: position.own_castle(seat),
            goal: position.goal_castle(seat),
            knights: position.knights(),
        }
    }

    /// The view while the piece on `from` is in the hand: its origin is empty (ruling A19).
    pub(crate) fn lifted(&self, from: Square) -> Self {
        let mut view = *self;
        view.own.remove(from);
        view.team.remove(from);
        view.vacant.insert(from);
        view
    }

    /// Whether a piece standing on `at` could jump now.
    pub(crate) fn jumps_from(&self, at: Square) -> bool {
        self.board.leaps(at).iter().any(|l| self.enemy.contains(l.over) && self.vacant.contains(l.land))
    }

    /// Squares that a piece lifted from `from` can canter to, its origin excluded. With `quiet`, only
    /// through squares that offer no jump: a Knight that reaches one must capture (ruling A2).
    fn canter_reach(&self, from: Square, quiet: bool) -> V::Set {
        let open = self.vacant & !self.own_castle & !V::Set::of(from);
        let mut reached = V::Set::EMPTY;
        let mut frontier = V::Set::of(from);
        loop {
            let mut found = self.board.landings(frontier, self.team, open) & !reached;
            if quiet {
                found &= !(self.board.leapers(found, self.enemy, self.vacant) & !self.goal);
            }
            if found.is_empty() {
                return reached;
            }
            reached |= found;
            frontier = found & !self.goal;
        }
    }
}

struct Generator<'a, V: Variant> {
    view: View<V>,
    out: &'a mut Vec<Move<V>>,
}

/// Appends the legal moves of the player to move, whether or not the game is already decided.
pub fn generate<V: Variant>(position: &Position<V>, out: &mut Vec<Move<V>>) {
    generate_for(position, position.to_move(), out);
}

/// Appends the moves that `seat` would have if it were to move.
fn generate_for<V: Variant>(position: &Position<V>, seat: Seat, out: &mut Vec<Move<V>>) {
    let view = View::of(position, seat);
    let start = out.len();
    let mut generator = Generator { view, out };
    let guards = view.own & view.own_castle;
    for square in guards.squares() {
        generator.leave_castle(square, position.rules());
    }
    if generator.out.len() > start {
        return;
    }
    // Ruling A4: a piece walled in in its own castle does not hold up the others.
    let free = view.own & !view.own_castle & !view.goal;
    if view.board.leapers(free, view.enemy, view.vacant).is_empty() {
        generator.quiet_moves(free);
        for square in (free & view.knights).squares() {
            generator.charges(square);
        }
        generator.castle_moves(position.castle_moves(seat));
    } else {
        for square in free.squares() {
            generator.captures(square);
        }
    }
}

/// Whether `seat` has a legal move if it is to move.
pub(crate) fn has_move<V: Variant>(position: &Position<V>, seat: Seat) -> bool {
    let view = View::of(position, seat);
    let movable = view.own & !view.goal;
    let steps = view.board.neighbours(movable) & view.vacant & !view.own_castle;
    if !steps.is_empty() || !view.board.leapers(movable, view.enemy, view.vacant).is_empty() {
        return true;
    }
    let mut moves = Vec::new();
    generate_for(position, seat, &mut moves);
    !moves.is_empty()
}

impl<V: Variant> Generator<'_, V> {
    /// The duty of a piece in its own castle: to leave, by capturing if it can.
    fn leave_castle(&mut self, from: Square, rules: RuleSet) {
        if self.view.jumps_from(from) {
            self.captures(from);
            return;
        }
        let start = self.out.len();
        if self.view.knights.contains(from) {
            self.charges(from);
        }
        // Ruling A3: under `classic` a charge has priority over leaving quietly, under `wcf` it has not.
        if self.out.len() == start || rules == RuleSet::Wcf {
            self.quiet_moves(V::Set::of(from));
        }
    }

    fn push(&mut self, from: Square, to: Square, captured: V::Set) {
        self.out.push(Move { from, to, captured });
    }

    /// Plain moves and canters that capture nothing.
    fn quiet_moves(&mut self, pieces: V::Set) {
        let view = self.view;
        for from in pieces.squares() {
            for to in (view.board.steps(from) & view.vacant & !view.own_castle).squares() {
                self.push(from, to, V::Set::EMPTY);
            }
            if view.board.steps(from).intersects(view.team) {
                let reach = view.lifted(from).canter_reach(from, view.knights.contains(from));
                for to in reach.squares() {
                    self.push(from, to, V::Set::EMPTY);
                }
            }
        }
    }

    /// Sideways moves inside the goal castle.
    fn castle_moves(&mut self, used: u8) {
        let view = self.view;
        if used >= V::CASTLE_MOVES {
            return;
        }
        for from in (view.own & view.goal).squares() {
            for to in (view.board.steps(from) & view.goal & view.vacant).squares() {
                self.push(from, to, V::Set::EMPTY);
            }
        }
    }

    /// Every capture of one piece: its jumps and, for a Knight, its charges.
    fn captures(&mut self, from: Square) {
        let start = self.out.len();
        let lifted = self.view.lifted(from);
        if lifted.jumps_from(from) {
            self.jump_on(&lifted, start, from, from, V::Set::EMPTY);
        }
        if self.view.knights.contains(from) {
            self.charges_after(from, start);
        }
    }

    fn charges(&mut self, from: Square) {
        self.charges_after(from, self.out.len());
    }

    /// Charges of a Knight; duplicates of moves from `start` on are dropped.
    fn charges_after(&mut self, from: Square, start: usize) {
        if !self.view.board.steps(from).intersects(self.view.team) {
            return;
        }
        let lifted = self.view.lifted(from);
        let reach = lifted.canter_reach(from, false) & !lifted.goal;
        let launches = lifted.board.leapers(reach, lifted.enemy, lifted.vacant);
        for launch in launches.squares() {
            self.jump_on(&lifted, start, from, launch, V::Set::EMPTY);
        }
    }

    /// Follows every jump from `at`; a chain ends where no jump goes on, or in the goal castle.
    fn jump_on(&mut self, view: &View<V>, start: usize, from: Square, at: Square, captured: V::Set) {
        let mut ended = true;
        if captured.is_empty() || !view.goal.contains(at) {
            for leap in view.board.leaps(at) {
                let enemy = view.enemy.contains(leap.over) && !captured.contains(leap.over);
                if enemy && view.vacant.contains(leap.land) {
                    ended = false;
                    self.jump_on(view, start, from, leap.land, captured | V::Set::of(leap.over));
                }
            }
        }
        if ended {
            let action = Move { from, to: at, captured };
            if !self.out[start..].contains(&action) {
                self.out.push(action);
            }
        }
    }
}
