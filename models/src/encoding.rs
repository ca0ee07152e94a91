//! Positions and actions as indices of sparse features.
//!
//! Everything is seen from the player to move: ranks are turned over for the second army, so that both
//! armies look alike to the network, and a left-right mirror image can be asked for. `docs/encoding.md`
//! specifies the numbering; [`ENCODING_VERSION`] changes with it.

mod patience;

use std::fmt::Debug;
use std::sync::LazyLock;

use camelot_core::{Cam, CamAllKnights, Camelot, Game, Position, Seat, Square, SquareSet, Variant};

/// Raised whenever a feature or an action index changes its meaning.
pub const ENCODING_VERSION: u32 = 1;

/// Whether files are read from left to right or from right to left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mirror {
    /// As the board is.
    Straight,
    /// The mirror image.
    Mirrored,
}

/// How many rows each table of the network needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Features of a position.
    pub inputs: usize,
    /// Origins of an action: square, kind of piece, exposed or not.
    pub origins: usize,
    /// Targets of an action: square, in danger or not.
    pub targets: usize,
    /// Styles of an action: for board games see [`Style`].
    pub styles: usize,
    /// Captured pieces: square, kind of piece.
    pub captures: usize,
}

/// How an action moves its piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// One step.
    Step,
    /// One or more canters.
    Canter,
    /// One capture, after canters or not.
    Jump,
    /// Two or more captures.
    Chain,
}

/// The number of [`Style`]s.
pub const STYLES: usize = 4;

/// One action as rows of the policy's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EncodedAction {
    /// Row of the origin table.
    pub origin: u16,
    /// Row of the target table.
    pub target: u16,
    /// Row of the style table.
    pub style: u16,
    /// Where the action's rows of the capture table end in [`Encoded::captures`]; they start where
    /// those of the action before end.
    pub captures_end: u32,
}

/// One position and its legal actions as indices; reused from call to call.
#[derive(Clone, Debug, Default)]
pub struct Encoded {
    /// The active features, each once.
    pub features: Vec<u16>,
    /// The actions in the order they were given.
    pub actions: Vec<EncodedAction>,
    /// Rows of the capture table for all actions.
    pub captures: Vec<u16>,
}

impl Encoded {
    /// The rows of the capture table of one action.
    #[must_use]
    pub fn captures_of(&self, action: usize) -> &[u16] {
        let start = action.checked_sub(1).map_or(0, |before| self.actions[before].captures_end);
        &self.captures[start as usize..self.actions[action].captures_end as usize]
    }
}

/// A game that the sparse network can be trained for.
pub trait Encode: Game {
    /// The sizes of the tables.
    fn sizes() -> Sizes;

    /// Encodes a position and its legal actions, replacing what `out` held.
    fn encode(&self, mirror: Mirror, actions: &[Self::Action], out: &mut Encoded);
}

/// Square numbers seen from each side, and the distance to each goal castle.
#[derive(Debug)]
pub struct Views<S> {
    /// By seat and mirror: square to dense number, 0 at the viewer's lower left.
    dense: [[[u8; 256]; 2]; 2],
    /// By seat: the squares at each number of steps from the goal castle.
    rings: [Vec<S>; 2],
}

impl<S: SquareSet> Views<S> {
    fn new<V: Variant<Set = S>>() -> Self {
        let board = V::board();
        let mut dense = [[[0; 256]; 2]; 2];
        for &square in board.squares() {
            for (seat, views) in dense.iter_mut().enumerate() {
                let turned = if seat == 0 { square } else { board.flipped(square) };
                views[0][square.index()] = board.dense(turned) as u8;
                views[1][square.index()] = board.dense(board.mirrored(turned)) as u8;
            }
        }
        let rings = [1, 0].map(|goal| {
            let mut rings = vec![board.castles[goal]];
            let mut seen = board.castles[goal];
            while seen != board.all {
                let ring = board.neighbours(seen) & !seen;
                seen |= ring;
                rings.push(ring);
            }
            rings
        });
        Self { dense, rings }
    }

    /// Steps from the goal castle of `seat` to its nearest piece of `army`.
    fn distance(&self, seat: Seat, army: S) -> usize {
        let rings = &self.rings[seat.index()];
        rings.iter().position(|ring| ring.intersects(army)).unwrap_or(rings.len())
    }
}

/// A board game with its views.
pub trait EncodedVariant: Variant {
    /// The views of its board.
    fn views() -> &'static Views<Self::Set>;
}

macro_rules! views {
    ($($variant:ty),*) => {$(
        impl EncodedVariant for $variant {
            fn views() -> &'static Views<Self::Set> {
                static VIEWS: LazyLock<Views<<$variant as Variant>::Set>> =
                    LazyLock::new(Views::new::<$variant>);
                &VIEWS
            }
        }
    )*};
}
views!(Cam, CamAllKnights, Camelot);

/// Planes of one feature a square, in order: own and enemy Men and Knights, pieces exposed to a jump,
/// squares in reach of a canter.
const PLANES: usize = 8;
/// Buckets of quiet plies: the number of thresholds passed. Self-play cuts quiet games early, so the last
/// bucket must begin where it still plays: a bucket that training never sees would keep random weights.
const QUIET_THRESHOLDS: [u16; 4] = [4, 8, 16, 24];
const QUIET_BUCKETS: usize = QUIET_THRESHOLDS.len() + 1;
/// Distances to the goal castle are told apart up to this one.
const DISTANCES: usize = 16;
/// Castle moves used are told apart up to two.
const CASTLE_MOVE_COUNTS: usize = 3;

/// What encoding needs to know about who threatens whom.
struct Tactics<S> {
    own: S,
    enemy: S,
    own_exposed: S,
    enemy_exposed: S,
    danger: S,
}

impl<S: SquareSet> Tactics<S> {
    fn new<V: Variant<Set = S>>(position: &Position<V>) -> Self {
        let board = position.board();
        let seat = position.to_move();
        let team = Position::<V>::team(seat);
        let (own, enemy) = (position.team_pieces(team), position.team_pieces(team.other()));
        let vacant = position.vacant();
        let castles = position.own_castle(seat) | position.goal_castle(seat);
        // A piece that has reached its goal castle captures no more; one in its own castle does.
        let own_active = own & !position.goal_castle(seat);
        let enemy_active = enemy & !position.own_castle(seat);
        Self {
            own,
            enemy,
            own_exposed: board.leapt(enemy_active, own, vacant),
            enemy_exposed: board.leapt(own_active, enemy, vacant),
            danger: board.leapt(enemy_active, vacant & !castles, vacant),
        }
    }
}

/// The squares that pieces of `team` reach by canters, from an approximation that leaves the moving
/// piece standing; cheap and nearly always right.
fn canter_reach<V: Variant>(position: &Position<V>, team: V::Set, own_castle: V::Set) -> V::Set {
    let board = position.board();
    let open = position.vacant() & !own_castle;
    let mut reached = V::Set::EMPTY;
    let mut frontier = team;
    loop {
        frontier = board.landings(frontier, team, open) & !reached;
        if frontier.is_empty() {
            return reached;
        }
        reached |= frontier;
    }
}

impl<V: EncodedVariant> Encode for Position<V> {
    fn sizes() -> Sizes {
        let squares = V::board().squares().len();
        let scalars =
            QUIET_BUCKETS + 2 * CASTLE_MOVE_COUNTS + 2 * (V::ARMY_SIZE as usize + 1) + 2 * DISTANCES + 1;
        Sizes {
            inputs: PLANES * squares + scalars,
            origins: 4 * squares,
            targets: 2 * squares,
            styles: STYLES,
            captures: 2 * squares,
        }
    }

    fn encode(&self, mirror: Mirror, actions: &[Self::Action], out: &mut Encoded) {
        let seat = self.to_move();
        let dense = &V::views().dense[seat.index() % 2][mirror as usize];
        let tactics = Tactics::new(self);
        out.features.clear();
        encode_planes(self, &tactics, dense, &mut out.features);
        encode_scalars(self, &tactics, &mut out.features);
        out.actions.clear();
        out.captures.clear();
        let row = |square: Square| u16::from(dense[square.index()]);
        let knights = self.knights();
        let squares = V::board().squares().len() as u16;
        for action in actions {
            let knight = u16::from(knights.contains(action.from));
            let exposed = u16::from(tactics.own_exposed.contains(action.from));
            let danger = u16::from(tactics.danger.contains(action.to));
            let style = match action.captured.len() {
                0 if self.board().steps(action.from).contains(action.to) => Style::Step,
                0 => Style::Canter,
                1 => Style::Jump,
                _ => Style::Chain,
            };
            for victim in action.captured.squares() {
                out.captures.push(row(victim) + squares * u16::from(knights.contains(victim)));
            }
            out.actions.push(EncodedAction {
                origin: row(action.from) + squares * (2 * exposed + knight),
                target: row(action.to) + squares * danger,
                style: style as u16,
                captures_end: out.captures.len() as u32,
            });
        }
    }
}

#[cfg(test)]
mod tests;

fn encode_planes<V: Variant>(
    position: &Position<V>,
    tactics: &Tactics<V::Set>,
    dense: &[u8; 256],
    features: &mut Vec<u16>,
) {
    let (own, enemy, knights) = (tactics.own, tactics.enemy, position.knights());
    let seat = position.to_move();
    let planes: [V::Set; PLANES] = [
        own & !knights,
        own & knights,
        enemy & !knights,
        enemy & knights,
        tactics.own_exposed,
        tactics.enemy_exposed,
        canter_reach(position, own, position.own_castle(seat)),
        canter_reach(position, enemy, position.goal_castle(seat)),
    ];
    let squares = position.board().squares().len() as u16;
    for (plane, set) in planes.into_iter().enumerate() {
        let base = plane as u16 * squares;
        features.extend(set.squares().map(|square| base + u16::from(dense[square.index()])));
    }
}

fn encode_scalars<V: EncodedVariant>(
    position: &Position<V>,
    tactics: &Tactics<V::Set>,
    features: &mut Vec<u16>,
) {
    let views = V::views();
    let mut base = PLANES * position.board().squares().len();
    let mut one_of = |count: usize, which: usize| {
        features.push((base + which.min(count - 1)) as u16);
        base += count;
    };
    let quiet = QUIET_THRESHOLDS.iter().filter(|&&threshold| position.quiet_plies() >= threshold).count();
    one_of(QUIET_BUCKETS, quiet);
    let seat = position.to_move();
    let other = Seat(seat.0 ^ 1);
    for (army, side) in [(tactics.own, seat), (tactics.enemy, other)] {
        one_of(CASTLE_MOVE_COUNTS, usize::from(position.castle_moves(side)));
        one_of(V::ARMY_SIZE as usize + 1, army.len() as usize);
        one_of(DISTANCES, views.distance(side, army));
    }
    if tactics.enemy_exposed != V::Set::EMPTY {
        one_of(1, 0);
    }
}
