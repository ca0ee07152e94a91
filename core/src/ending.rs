//! When a game ends, and whose turn it is while it does not (section 0 item 10, sections 3 to 6).

use crate::game::{Game, Outcome, Reason, Seat, Team};
use crate::movegen::{self, Move};
use crate::position::Position;
use crate::variant::Variant;

/// Plies without a capture or a castle entry that end a game of `V`: fifty moves by each player.
///
/// Ruling A12: the draw comes by itself, without a claim. Ruling A16: with four players that is fifty
/// rounds, two hundred plies.
#[must_use]
pub const fn quiet_ply_limit<V: Variant>() -> u16 {
    50 * V::SEATS as u16
}

/// Captures of more pieces at once are not looked at when a win at once is looked for.
const LAST_PIECES: u32 = 3;

impl<V: Variant> Position<V> {
    /// The outcome after a move of `mover`, in the order of section 0 item 10. Hands the turn on where
    /// the next player is out of moves but the partner is not.
    pub(crate) fn decide(&mut self, mover: Seat) -> Option<Outcome> {
        self.by_pieces(Self::team(mover)).or_else(|| self.decide_quietly(mover))
    }

    /// [`Position::decide`] after a move that neither captured nor entered a goal castle, so that what
    /// stands on the board decides no more than before.
    pub(crate) fn decide_quietly(&mut self, mover: Seat) -> Option<Outcome> {
        if self.quiet_plies >= quiet_ply_limit::<V>() {
            return Some(Outcome::draw(Reason::QuietPlies));
        }
        self.pass_turn(mover)
    }

    /// The place of an action that wins by the castle, or by capturing the last few pieces.
    pub(crate) fn entry_or_elimination(&self, actions: &[Move]) -> Option<usize> {
        let mover = self.to_move();
        let team = Self::team(mover);
        let goal = self.goal_castle(mover);
        let entered: u32 = Self::seats_of(team).map(|s| (self.army(s) & self.goal_castle(s)).len()).sum();
        let last_entry = entered + 1 == V::CASTLE_PIECES_TO_WIN;
        let enemy = self.team_pieces(team.other());
        let last_pieces = enemy.len() <= LAST_PIECES;
        if !last_entry && !last_pieces {
            return None;
        }
        let enters = |action: &Move| goal.contains(action.to) && !goal.contains(action.from);
        let ends = |action: &Move| {
            last_entry && enters(action)
                || last_pieces && action.captured == enemy && self.eliminates(*action)
        };
        actions.iter().position(ends)
    }

    /// Whether a move without captures leaves a piece of the mover's team where an opponent could jump it.
    pub(crate) fn exposes(&self, action: Move) -> bool {
        let (board, team) = (self.board(), Self::team(self.to_move()));
        let (mut own, mut vacant) = (self.team_pieces(team), self.vacant());
        own.remove(action.from);
        vacant.insert(action.from);
        vacant.remove(action.to);
        own.insert(action.to);
        Self::seats_of(team.other()).any(|seat| {
            let active = self.army(seat) & !board.goal_castle(seat);
            !own.leapt(active, vacant & !board.side_castles(seat)).is_empty()
        })
    }

    /// Whether whatever the player to move captures, the one after it captures in turn. `captures` is overwritten.
    pub(crate) fn every_capture_is_answered(&self, captures: &mut Vec<Move>) -> bool {
        captures.clear();
        movegen::generate(self, captures);
        captures.iter().all(|&capture| {
            let mut next = *self;
            next.play(capture);
            next.outcome().is_none() && movegen::obliges(&next)
        })
    }

    /// Whether capturing the last pieces wins: a lone piece has only a draw under some rules.
    fn eliminates(&self, action: Move) -> bool {
        let mut next = *self;
        next.play(action);
        next.outcome().is_some_and(|outcome| outcome.winner() == Some(self.team_to_move()))
    }

    /// Castle wins, eliminations and material draws after a move of `team`.
    fn by_pieces(&self, team: Team) -> Option<Outcome> {
        for side in [team, team.other()] {
            let entered: u32 = Self::seats_of(side).map(|s| (self.army(s) & self.goal_castle(s)).len()).sum();
            if entered >= V::CASTLE_PIECES_TO_WIN {
                return Some(Outcome::win(side, Reason::Castle));
            }
        }
        let [own, enemy] = [team, team.other()].map(|side| self.team_pieces(side).len());
        let lone_draw = V::lone_pieces_draw(self.rules);
        for (pieces, others, side) in [(own, enemy, team), (enemy, own, team.other())] {
            if others == 0 && (pieces >= 2 || (pieces == 1 && !lone_draw)) {
                return Some(Outcome::win(side, Reason::Elimination));
            }
        }
        if own <= 1 && enemy <= 1 && (lone_draw || own + enemy == 0) {
            // Ruling A7: one against none is a draw as well.
            return Some(Outcome::draw(Reason::Material));
        }
        None
    }

    /// Gives the turn to the first player after `mover` who has a legal move.
    ///
    /// Ruling A15: a player without pieces or moves is skipped; a team is stalemated when the turn
    /// comes to it and none of its players can move.
    fn pass_turn(&mut self, mover: Seat) -> Option<Outcome> {
        for seat in (1..=V::SEATS).map(|turns| Self::after(mover, turns)) {
            if movegen::has_move(self, seat) {
                self.to_move = seat;
                return None;
            }
            let team = Self::team(seat);
            if !Self::seats_of(team).any(|partner| movegen::has_move(self, partner)) {
                // Ruling A8: a stalemating side of a single piece has only a draw.
                return Some(if self.team_pieces(team.other()).len() >= 2 {
                    Outcome::win(team.other(), Reason::Stalemate)
                } else {
                    Outcome::draw(Reason::Stalemate)
                });
            }
        }
        unreachable!("a player who can move was found, or else a team that cannot")
    }
}
