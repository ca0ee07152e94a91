//! Who could capture whom: cheap looks at a position, without making moves.
//!
//! All sets describe the position before a move, so what a move leaves, blocks or captures is not accounted for:
//! approximations, nearly always right.

#![expect(
    clippy::inline_always,
    reason = "set operations are compiled for each kind of processor, within the function that chooses"
)]

use camelot_core::{Game, Move, Position, Seat, SquareSet, Variant};
use pulp::{Arch, NullaryFnOnce};

use super::board::roles;

/// How many values [`Tactics::context`] has.
pub(super) const CONTEXTS: usize = 3 * 2 * 2 * 2;

/// The sets that features and actions are told apart by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tactics {
    /// Pieces of the mover's team that an opponent could jump.
    pub(super) own_exposed: SquareSet,
    /// Opponents' pieces that the mover could jump.
    pub(super) enemy_exposed: SquareSet,
    /// Vacant squares in reach of canters of the mover.
    pub(super) own_reach: SquareSet,
    /// The same for the opponents.
    pub(super) enemy_reach: SquareSet,
    /// Vacant squares where a piece put there could be jumped.
    danger: SquareSet,
    /// Those of them where some such jump lands where the mover's team could not jump in turn.
    unanswered: SquareSet,
    /// Vacant squares from which a piece of the mover could jump.
    attacks: SquareSet,
    /// Vacant squares that a jump over a piece of the mover's team would land on.
    shields: SquareSet,
    /// Pieces of the mover that such a jump would land on if they were not there.
    plugs: SquareSet,
}

impl Tactics {
    /// What there is in a position for the player to move.
    pub(super) fn new<V: Variant>(position: &Position<V>) -> Self {
        Arch::new().dispatch(Look(position))
    }

    /// Whether a piece put on the square that an action reaches could be jumped there.
    pub(super) fn endangers(&self, action: Move) -> bool {
        self.danger.contains(action.to)
    }

    /// What a move does about captures, below [`CONTEXTS`]: eight times its risk (0 none, 1 a capture that is answered, 2 one
    /// that is not), plus 4 if the piece could capture from where it goes, 2 if it fills a square that a jump over a
    /// piece of its team would land on, 1 if it leaves one.
    pub(super) fn context(&self, action: Move) -> u16 {
        let flag = |set: SquareSet, square| u16::from(set.contains(square));
        8 * (flag(self.danger, action.to) + flag(self.unanswered, action.to))
            + 4 * flag(self.attacks, action.to)
            + 2 * flag(self.shields, action.to)
            + flag(self.plugs, action.from)
    }
}

/// [`Tactics::new`], compiled once for each kind of processor.
struct Look<'a, V: Variant>(&'a Position<V>);

impl<V: Variant> NullaryFnOnce for Look<'_, V> {
    type Output = Tactics;

    #[inline(always)]
    fn call(self) -> Tactics {
        let Self(position) = self;
        let board = position.board();
        let mover = position.to_move();
        let own_team = Position::<V>::team(mover);
        let (own, enemy) = (position.team_pieces(own_team), position.team_pieces(own_team.other()));
        let (army, vacant) = (position.army(mover), position.vacant());
        let castles = board.castle(mover) | board.goal_castle(mover);
        // A piece that has reached its goal castle captures no more; one in its own castle does.
        let active = |seat: Seat| position.army(seat) & !board.goal_castle(seat);
        let open = vacant & !board.side_castles(mover);
        let answered = vacant.leapt(own & !castles, open);
        let mut tactics = Tactics {
            own_exposed: SquareSet::EMPTY,
            enemy_exposed: enemy.leapt(active(mover), open),
            own_reach: canter_reach(army, own, open & !board.castle(mover)),
            enemy_reach: SquareSet::EMPTY,
            danger: SquareSet::EMPTY,
            unanswered: SquareSet::EMPTY,
            attacks: vacant.leapers(enemy, open),
            shields: SquareSet::EMPTY,
            plugs: SquareSet::EMPTY,
        };
        for seat in roles::<V>(mover).filter(|&seat| Position::<V>::team(seat) != own_team) {
            let (active, open) = (active(seat), vacant & !board.side_castles(seat));
            tactics.own_exposed |= own.leapt(active, open);
            tactics.danger |= (vacant & !castles).leapt(active, open);
            tactics.unanswered |= (vacant & !castles).leapt(active, open & !answered);
            tactics.shields |= open.landings(active, own);
            tactics.plugs |= army.landings(active, own);
            tactics.enemy_reach |= canter_reach(position.army(seat), enemy, open & !board.castle(seat));
        }
        tactics
    }
}

/// The squares of `open` that pieces of `army` reach by canters over `team`, from an approximation that
/// leaves the moving piece standing.
#[inline(always)]
fn canter_reach(army: SquareSet, team: SquareSet, open: SquareSet) -> SquareSet {
    let mut reached = SquareSet::EMPTY;
    let mut frontier = army;
    loop {
        frontier = open.landings(frontier, team) & !reached;
        if frontier.is_empty() {
            return reached;
        }
        reached |= frontier;
    }
}
