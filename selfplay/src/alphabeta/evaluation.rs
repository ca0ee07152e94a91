//! What a position of a board game is worth: pieces, where they stand, who is in danger, and who is how far
//! from the goal castle.
//!
//! A judgement is the difference of what both teams have, but for what being on the move is worth.

#![expect(
    clippy::inline_always,
    reason = "set operations are compiled for each kind of processor, within the function that chooses"
)]

use std::marker::PhantomData;

use camelot_core::{Game, Move, Position, Seat, Square, SquareSet, Team, Variant};
use pulp::{Arch, NullaryFnOnce};

use super::judge::{Judge, Tension};
use super::ordering::LOUD;
use super::reach::{self, Side};
use super::scores::WINNING;
use super::weights::Weights;

/// Judges positions of a board game.
#[derive(Debug)]
pub(super) struct Evaluation<V: Variant> {
    weights: &'static Weights,
    /// For each seat, the worth of a Man and of a Knight on each square.
    worth: Vec<[[i16; 256]; 2]>,
    /// For each seat, steps from each square to the goal castle.
    steps: Vec<[u8; 256]>,
    /// For each seat, the squares within [`GUARD_STEPS`] steps of its own castle.
    near: Vec<SquareSet>,
    variant: PhantomData<V>,
}

impl<V: Variant> Evaluation<V> {
    /// Makes the tables.
    pub(super) fn new() -> Self {
        let (board, weights) = (V::board(), Weights::of::<V>());
        let seats = || (0..V::SEATS).map(Seat);
        let steps: Vec<_> = seats().map(|seat| reach::steps_to(board, board.goal_castle(seat))).collect();
        let worth = seats().map(|seat| {
            let home = reach::steps_to(board, board.castle(seat));
            let mut tables = [[0; 256]; 2];
            for &square in board.squares() {
                let common =
                    at(&weights.home, home[square.index()]) + at(&weights.aside, aside::<V>(seat, square));
                for (table, pieces) in tables.iter_mut().zip(&weights.pieces) {
                    table[square.index()] = common + at(pieces, steps[seat.index()][square.index()]);
                }
            }
            tables
        });
        let near = seats().map(|seat| {
            let home = reach::steps_to(board, board.castle(seat));
            board.squares().iter().copied().filter(|square| home[square.index()] <= GUARD_STEPS).collect()
        });
        Self { weights, worth: worth.collect(), near: near.collect(), steps, variant: PhantomData }
    }

    fn worth(&self, seat: Seat, square: Square, knights: SquareSet) -> i32 {
        i32::from(self.worth[seat.index()][usize::from(knights.contains(square))][square.index()])
    }
}

/// The entry of a table, the last one beyond its end.
fn at(table: &[i16], index: u8) -> i16 {
    table[usize::from(index).min(table.len() - 1)]
}

/// How far a square lies from the line between a seat's castles.
fn aside<V: Variant>(seat: Seat, square: Square) -> u8 {
    let board = V::board();
    let (place, size) = if seat.0 < 2 { (square.file(), board.files) } else { (square.rank(), board.ranks) };
    (2 * place + 1).abs_diff(size) / 2
}

/// The pieces of a team that have entered goal castles.
fn entered<V: Variant>(position: &Position<V>, team: Team) -> u32 {
    Position::<V>::seats_of(team).map(|seat| (position.army(seat) & position.goal_castle(seat)).len()).sum()
}

/// Whose turn it is, for a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    ToMove,
    Waiting,
}

/// [`Judge::judge`], compiled once for each kind of processor.
struct Judging<'a, V: Variant> {
    evaluation: &'a Evaluation<V>,
    position: &'a Position<V>,
}

impl<V: Variant> NullaryFnOnce for Judging<'_, V> {
    type Output = i32;

    #[inline(always)]
    fn call(self) -> i32 {
        let team = self.position.team_to_move();
        let tempo = i32::from(self.evaluation.weights.tempo);
        tempo + self.team(team, Role::ToMove) - self.team(team.other(), Role::Waiting)
    }
}

impl<V: Variant> Judging<'_, V> {
    /// What a team has.
    #[inline(always)]
    fn team(&self, team: Team, role: Role) -> i32 {
        let (position, weights) = (self.position, self.evaluation.weights);
        let (mut score, mut moves) = (0, u8::MAX);
        let mut nearest = [u8::MAX; 2];
        for seat in Position::<V>::seats_of(team) {
            let side = Side::of(position, seat);
            score += self.pieces(seat, &mut nearest);
            let guards = (position.army(seat) & self.evaluation.near[seat.index()]).len();
            score += i32::from(at(&weights.guard, guards as u8));
            score += i32::from(weights.canter) * side.canterers() as i32;
            moves = moves.min(side.count_moves(REACH).unwrap_or(u8::MAX));
        }
        if moves == u8::MAX {
            moves = nearest[0].max(REACH + 1);
        }
        let missing = V::CASTLE_PIECES_TO_WIN.saturating_sub(entered(position, team));
        let both = usize::from(missing > 1);
        // The race of the team that waits is kept as what it is worth to that team.
        score += i32::from(at(&weights.race[role as usize][both], moves));
        if both == 1 {
            score += i32::from(at(&weights.second, nearest[1]));
        }
        score + self.neighbourhood(team, role)
    }

    /// What the pieces of a seat are worth on their squares. Brings the steps of the team's two nearest pieces up to
    /// date.
    #[inline(always)]
    fn pieces(&self, seat: Seat, nearest: &mut [u8; 2]) -> i32 {
        let steps = &self.evaluation.steps[seat.index()];
        let mut score = 0;
        for square in self.position.army(seat).squares() {
            score += self.evaluation.worth(seat, square, self.position.knights());
            let far = steps[square.index()];
            if far > 0 && far < nearest[1] {
                *nearest = if far < nearest[0] { [far, nearest[0]] } else { [nearest[0], far] };
            }
        }
        score
    }

    /// What the squares around a team's pieces say.
    #[inline(always)]
    fn neighbourhood(&self, team: Team, role: Role) -> i32 {
        let (position, weights) = (self.position, self.evaluation.weights);
        let (own, enemies) = (position.team_pieces(team), position.team_pieces(team.other()));
        let vacant = position.vacant();
        let contact = (own & enemies.neighbours()).len() as i32;
        let company = (own & own.neighbours()).len() as i32;
        let open = own.leapt(vacant, vacant).len() as i32;
        let mut score = i32::from(weights.contact) * contact
            + i32::from(weights.company) * company
            + i32::from(weights.open) * open;
        if role == Role::ToMove {
            let exposed = own.leapt(enemies, vacant).len();
            score -= i32::from(at(&weights.exposed, exposed as u8));
        }
        score
    }
}

/// A piece so near its own castle guards it.
const GUARD_STEPS: u8 = 3;

/// Moves to the goal castle are counted up to this many; beyond, steps are.
const REACH: u8 = 3;

impl<V: Variant> Judge<Position<V>> for Evaluation<V> {
    fn judge(&self, position: &Position<V>) -> i32 {
        let score = Arch::new().dispatch(Judging { evaluation: self, position });
        score.clamp(-WINNING + 1, WINNING - 1)
    }

    fn tension(&self, position: &Position<V>) -> Tension {
        let side = Side::of(position, position.to_move());
        let entry_wins = entered(position, position.team_to_move()) + 1 >= V::CASTLE_PIECES_TO_WIN;
        side.tension(position.knights(), entry_wins)
    }

    fn promise(&self, position: &Position<V>, action: Move) -> i32 {
        let seat = position.to_move();
        let knights = position.knights();
        let goal = position.goal_castle(seat);
        if goal.contains(action.to) && !goal.contains(action.from) {
            return 2 * LOUD;
        }
        let gain = self.worth(seat, action.to, knights) - self.worth(seat, action.from, knights);
        if action.captured.is_empty() {
            return gain;
        }
        // Half as much again leaves room for captures that go back.
        LOUD + LOUD / 2
            + 100 * action.captured.len() as i32
            + 50 * (action.captured & knights).len() as i32
            + gain
    }

    fn slot(&self, action: Move) -> usize {
        action.from.index() << 8 | action.to.index()
    }
}
