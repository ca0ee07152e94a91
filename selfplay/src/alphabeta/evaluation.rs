//! What a position of a board game is worth, by hand: pieces, where they stand, who is in danger, and who is
//! how far from the goal castle.
//!
//! Everything is counted for both teams alike, so a judgement changes its sign with the team to move but for
//! what the move itself is worth. The unit is a hundredth of a Man.

use camelot_core::{Game, Move, Position, Seat, Square, SquareSet, Team, Variant};

use super::ordering::LOUD;
use super::reach::{self, Side};
use super::search::{Judge, Tension, WINNING};

/// What a Man is worth, before the square it stands on.
const MAN: i32 = 100;
/// What a Knight is worth.
const KNIGHT: i32 = 150;
/// Being on the move.
const TEMPO: i32 = 10;
/// For each step that a piece is closer to the goal castle than its own.
const ADVANCE: i32 = 4;
/// A piece that guards its castle, within `GUARD_STEPS` steps of it: the first, the second.
const GUARDS: [i32; 3] = [0, 25, 35];
const GUARD_STEPS: u8 = 3;
/// Pieces that the enemy could capture now: the first, the second, all more.
const THREATENED: [i32; 4] = [0, 15, 45, 70];
/// Missing moves to a win by the castle, from one on.
const RACE: [i32; 7] = [0, 400, 180, 100, 60, 30, 10];
/// A piece in a goal castle that takes two.
const ENTERED: i32 = 150;

/// Squares as a table has them.
type Table = [i16; 256];

/// Judges positions of a board game.
#[derive(Debug)]
pub(super) struct Evaluation<V: Variant> {
    /// For each seat, the worth of a Man and of a Knight on each square.
    worth: Vec<[Table; 2]>,
    /// For each seat, steps from each square to the goal castle.
    steps: Vec<[u8; 256]>,
    guard: Vec<SquareSet>,
    variant: std::marker::PhantomData<V>,
}

impl<V: Variant> Evaluation<V> {
    /// Makes the tables.
    pub(super) fn new() -> Self {
        let board = V::board();
        let seats = || (0..V::SEATS).map(Seat);
        let steps: Vec<[u8; 256]> =
            seats().map(|seat| reach::steps_to(board, board.goal_castle(seat))).collect();
        let home: Vec<[u8; 256]> = seats().map(|seat| reach::steps_to(board, board.castle(seat))).collect();
        let mut worth = Vec::new();
        for seat in seats() {
            let mut tables = [[0; 256]; 2];
            for &square in board.squares() {
                let way = i32::from(home[seat.index()][square.index()])
                    - i32::from(steps[seat.index()][square.index()]);
                for (table, piece) in tables.iter_mut().zip([MAN, KNIGHT]) {
                    let inside = board.goal_castle(seat).contains(square);
                    let value = piece + ADVANCE * way / 2 + if inside { ENTERED } else { 0 };
                    table[square.index()] = value as i16;
                }
            }
            worth.push(tables);
        }
        let near = |table: &[u8; 256]| {
            let close = |square: &Square| table[square.index()] <= GUARD_STEPS;
            board.squares().iter().copied().filter(close).collect()
        };
        let guard = home.iter().map(near).collect();
        Self { worth, steps, guard, variant: std::marker::PhantomData }
    }

    fn worth(&self, seat: Seat, square: Square, knights: SquareSet) -> i32 {
        i32::from(self.worth[seat.index()][usize::from(knights.contains(square))][square.index()])
    }

    /// What speaks for a team, but for what the enemy can do to it.
    fn team(&self, position: &Position<V>, team: Team) -> i32 {
        let mut score = 0;
        let mut need = 99;
        let mut entered = 0;
        for seat in Position::<V>::seats_of(team) {
            let army = position.army(seat);
            let steps = &self.steps[seat.index()];
            let mut nearest = u8::MAX;
            for square in army.squares() {
                score += self.worth(seat, square, position.knights());
                let far = steps[square.index()];
                if far > 0 {
                    nearest = nearest.min(far);
                }
            }
            entered += (army & position.goal_castle(seat)).len();
            let guards = (army & self.guard[seat.index()]).len().min(2);
            score += GUARDS[guards as usize];
            if nearest <= 7 {
                let side = Side::of(position, seat);
                need = need.min(side.moves_to_goal(3).unwrap_or(nearest.max(4)));
            } else {
                need = need.min(nearest);
            }
        }
        let need = usize::from(need).min(RACE.len() - 1);
        let missing = V::CASTLE_PIECES_TO_WIN.saturating_sub(entered);
        score + if missing > 1 { RACE[need] / 3 } else { RACE[need] }
    }

    fn threatened(position: &Position<V>, team: Team) -> i32 {
        let pieces = position.team_pieces(team);
        let enemies = Position::<V>::seats_of(team.other())
            .fold(SquareSet::EMPTY, |all, seat| all | (position.army(seat) & !position.goal_castle(seat)));
        let count = reach::exposed(pieces, enemies, position.vacant());
        THREATENED[count.min(3) as usize]
    }
}

impl<V: Variant> Judge<Position<V>> for Evaluation<V> {
    fn judge(&self, position: &Position<V>) -> i32 {
        let team = position.team_to_move();
        let score =
            self.team(position, team) - self.team(position, team.other()) - Self::threatened(position, team)
                + TEMPO;
        score.clamp(-WINNING + 1, WINNING - 1)
    }

    fn tension(&self, position: &Position<V>) -> Tension {
        let seat = position.to_move();
        let side = Side::of(position, seat);
        let team = Position::<V>::team(seat);
        let entered: u32 = Position::<V>::seats_of(team)
            .map(|partner| (position.army(partner) & position.goal_castle(partner)).len())
            .sum();
        side.tension(position.knights(), entered + 1 >= V::CASTLE_PIECES_TO_WIN)
    }

    fn promise(&self, position: &Position<V>, action: Move) -> i32 {
        let seat = position.to_move();
        let knights = position.knights();
        let goal = position.goal_castle(seat);
        let gain = self.worth(seat, action.to, knights) - self.worth(seat, action.from, knights);
        if goal.contains(action.to) && !goal.contains(action.from) {
            return 2 * LOUD;
        }
        if action.captured.is_empty() {
            return gain;
        }
        let knights_taken = (action.captured & knights).len() as i32;
        LOUD + MAN * action.captured.len() as i32 + (KNIGHT - MAN) * knights_taken + gain
    }

    fn slot(&self, action: Move) -> usize {
        action.from.index() << 8 | action.to.index()
    }
}
