//! Legal moves of the board games (section 2 of the rules).
//!
//! One turn is one plain move, castle move, canter, jump or Knight's Charge. Canters are generated as
//! the set of squares they reach, jumps by following every branch to its end; a move is its effect, so
//! routes with the same end and the same captures are one move. `View` is a position seen by one
//! player, `Canters` the graph of canters on it, and `count` counts moves without listing them.

#![expect(
    clippy::inline_always,
    reason = "set operations are compiled for each kind of processor, within the function that chooses"
)]

mod canters;
mod count;
mod leaps;
mod view;

use std::fmt::{self, Display};

use pulp::{Arch, NullaryFnOnce};

use crate::game::RuleSet;
use crate::position::Position;
use crate::set::{DIRECTIONS, Square, SquareSet, each_direction};
use crate::variant::Variant;

use canters::Canters;
pub(crate) use count::count;
use leaps::Leaps;
pub(crate) use view::{View, has_move};

/// A move of a board game by its effect: who goes where and what is captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The square left.
    pub from: Square,
    /// The square reached. Equal to `from` where a chain of jumps returns to its origin.
    pub to: Square,
    /// The squares of the captured pieces.
    pub captured: SquareSet,
}

/// `from>to` with the captured squares in brackets. The notation of people depends on the position:
/// see [`Game::action_text`](crate::Game::action_text).
impl Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}>{}", self.from, self.to)?;
        if !self.captured.is_empty() {
            let names: Vec<_> = self.captured.squares().map(|s| s.to_string()).collect();
            write!(f, "[{}]", names.join(","))?;
        }
        Ok(())
    }
}

/// Appends the legal moves of the player to move, whether or not the game is already decided.
pub fn generate<V: Variant>(position: &Position<V>, out: &mut Vec<Move>) {
    let view = View::new(position);
    Arch::new().dispatch(Listing { view: &view, out });
}

/// Whether the player to move has a piece that can capture.
pub(crate) fn obliges<V: Variant>(position: &Position<V>) -> bool {
    let view = View::new(position);
    view.free().intersects(view.jumps().starts())
}

/// Lists the moves of a view; compiled once for each kind of processor.
struct Listing<'a> {
    view: &'a View,
    out: &'a mut Vec<Move>,
}

impl NullaryFnOnce for Listing<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { view, out } = self;
        let jumps = view.jumps();
        let canters = Canters::new(view, view.open());
        Generator::new(view, &jumps, &canters, out).all();
    }
}

/// What a list of moves is made from, and the list.
struct Generator<'a> {
    view: &'a View,
    /// The jumps from any square, nothing lifted.
    jumps: &'a Leaps,
    canters: &'a Canters,
    out: &'a mut Vec<Move>,
    /// Jumps that may still be followed: see [`JUMP_LIMIT`].
    jumps_left: u32,
}

/// The most jumps that are followed for one list of moves. Play needs some hundreds; a composed position
/// can have billions of branches, and its list then lacks what lies beyond.
const JUMP_LIMIT: u32 = 1 << 22;

impl<'a> Generator<'a> {
    fn new(view: &'a View, jumps: &'a Leaps, canters: &'a Canters, out: &'a mut Vec<Move>) -> Self {
        Self { view, jumps, canters, out, jumps_left: JUMP_LIMIT }
    }

    fn all(&mut self) {
        let start = self.out.len();
        for square in (self.view.own & self.view.own_castle).squares() {
            self.leave_castle(square);
        }
        if self.out.len() > start {
            return;
        }
        // Ruling A4: a piece walled in in its own castle does not hold up the others.
        let free = self.view.free();
        if free.intersects(self.jumps.starts()) {
            for square in free.squares() {
                self.captures(square);
            }
        } else {
            self.quiet_moves(free);
            self.all_charges(free & self.view.knights);
            self.castle_moves();
        }
    }

    /// The duty of a piece in its own castle: to leave, by capturing if it can.
    fn leave_castle(&mut self, from: Square) {
        if self.jumps.starts().contains(from) {
            self.captures(from);
            return;
        }
        let start = self.out.len();
        self.all_charges(SquareSet::of(from) & self.view.knights);
        // Ruling A3: under `classic` a charge has priority over leaving quietly, under `wcf` it has not.
        if self.out.len() == start || self.view.rules == RuleSet::Wcf {
            self.quiet_moves(SquareSet::of(from));
        }
    }

    fn push(&mut self, from: Square, to: Square, captured: SquareSet) {
        self.out.push(Move { from, to, captured });
    }

    /// Plain moves and canters that capture nothing.
    fn quiet_moves(&mut self, pieces: SquareSet) {
        let view = self.view;
        let open = view.open();
        let bound = view.bound_squares(self.jumps);
        let knights = pieces & view.knights;
        let quiet = self.canters.may_reach(knights, bound).then(|| Canters::new(view, open & !bound));
        for from in pieces.squares() {
            for to in (view.board.steps(from) & open).squares() {
                self.push(from, to, SquareSet::EMPTY);
            }
            let canters = match &quiet {
                Some(quiet) if knights.contains(from) => quiet,
                _ => self.canters,
            };
            for to in canters.reach(from).squares() {
                self.push(from, to, SquareSet::EMPTY);
            }
        }
    }

    /// Sideways moves inside the goal castle.
    fn castle_moves(&mut self) {
        let view = self.view;
        for from in view.castle_movers().squares() {
            for to in (view.board.steps(from) & view.goal & view.vacant).squares() {
                self.push(from, to, SquareSet::EMPTY);
            }
        }
    }

    /// Every capture of one piece: its jumps and, for a Knight, its charges.
    fn captures(&mut self, from: Square) {
        let jumps = self.jumps_of(from);
        let mut launches = SquareSet::of(from);
        if self.view.knights.contains(from) {
            launches |= self.canters.reach(from) & !self.view.goal;
        }
        self.chains(&jumps, from, launches);
    }

    /// The charges of Knights that have no jump. Then no jump of theirs ends on their origin either: the
    /// same enemy piece would be exposed to them from there.
    fn all_charges(&mut self, knights: SquareSet) {
        let bound = self.view.bound_squares(self.jumps);
        if self.canters.may_reach(knights, bound) {
            for from in knights.squares() {
                self.chains(self.jumps, from, self.canters.reach(from) & bound);
            }
        }
    }

    /// The jumps of the piece on `from`, whose origin is empty while it moves (ruling A19).
    fn jumps_of(&self, from: Square) -> Leaps {
        let beside = self.view.board.steps(from) & self.view.enemy;
        if beside.is_empty() { *self.jumps } else { self.jumps.with_landing(beside, from) }
    }

    /// The chains of jumps of the piece from `from` that begin on a square of `launches`.
    fn chains(&mut self, jumps: &Leaps, from: Square, launches: SquareSet) {
        let launches = launches & jumps.starts();
        if launches.is_empty() {
            return;
        }
        let start = self.out.len();
        let forks = self.view.forks(jumps);
        let chain = Chain { jumps, forks, from };
        each_direction!(D => {
            let landings = jumps.sources::<D>(launches).leap::<D>();
            for to in (landings & !forks).squares() {
                self.push(from, to, SquareSet::of(to.beside(DIRECTIONS[7 - D])));
            }
            if landings.intersects(forks) {
                self.go_on(&chain, landings & forks, D);
            }
        });
        self.drop_repeated(start);
    }

    /// Several routes of one piece can come to the same move: keeps one of each from `start` on.
    fn drop_repeated(&mut self, start: usize) {
        let moves = &mut self.out[start..];
        moves.sort_unstable();
        let mut kept = start;
        for i in start..self.out.len() {
            if i == start || self.out[i] != self.out[kept - 1] {
                self.out[kept] = self.out[i];
                kept += 1;
            }
        }
        self.out.truncate(kept);
    }

    /// Goes on with chains of jumps whose first jump, in a direction, ended on `landings`.
    fn go_on(&mut self, chain: &Chain, landings: SquareSet, direction: usize) {
        for at in landings.squares() {
            let captured = SquareSet::of(at.beside(DIRECTIONS[7 - direction]));
            self.jump_on(chain, at, captured);
        }
    }

    /// Follows every jump of a chain to its end: where no jump goes on, or in the goal castle.
    fn jump_on(&mut self, chain: &Chain, at: Square, captured: SquareSet) {
        if self.jumps_left == 0 {
            return;
        }
        self.jumps_left -= 1;
        let mut ended = true;
        if chain.forks.contains(at) {
            for leap in chain.jumps.from(at).filter(|leap| !captured.contains(leap.over)) {
                ended = false;
                self.jump_on(chain, leap.land, captured.with(leap.over));
            }
        }
        if ended {
            self.push(chain.from, at, captured);
        }
    }
}

/// What the moves of one chain of jumps have in common.
#[derive(Clone, Copy, Debug)]
struct Chain<'a> {
    jumps: &'a Leaps,
    /// Where a chain can go on: see [`View::forks`].
    forks: SquareSet,
    /// Where the piece stood before the move.
    from: Square,
}
