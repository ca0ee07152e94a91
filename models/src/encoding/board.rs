//! The encoding of the board games.

use std::fmt::Debug;
use std::sync::LazyLock;

use camelot_core::position::mix;
use camelot_core::{
    Cam, CamAllKnights, Camelot, Game, GrandCamelot, Position, Seat, Square, SquareSet, Variant,
};

use super::tactics::{CONTEXTS, Tactics};
use super::{Encode, Encoded, EncodedAction, Grid, Mirror, STYLES, Sizes, Style};

/// Square numbers seen from each seat, and the distance to each goal castle.
#[derive(Debug)]
pub struct Views {
    /// By seat and mirror: square to dense number, 0 at the viewer's lower left.
    dense: Vec<[[u8; 256]; 2]>,
    /// By seat: the squares at each number of steps from the goal castle.
    rings: Vec<Vec<SquareSet>>,
    grid: Grid,
}

impl Views {
    fn new<V: Variant>() -> Self {
        let seats = || (0..V::SEATS).map(Seat);
        Self {
            dense: seats().map(numbers::<V>).collect(),
            rings: seats().map(rings::<V>).collect(),
            grid: Grid::new::<V>(2 * usize::from(V::SEATS) + TACTICAL_PLANES),
        }
    }

    /// Steps from the goal castle of `seat` to its nearest piece of `army`.
    fn distance(&self, seat: Seat, army: SquareSet) -> usize {
        let rings = &self.rings[seat.index()];
        rings.iter().position(|ring| ring.intersects(army)).unwrap_or(rings.len())
    }
}

/// The numbers that a seat gives to the squares, straight and mirrored.
fn numbers<V: Variant>(seat: Seat) -> [[u8; 256]; 2] {
    let board = V::board();
    let mut numbers = [[0; 256]; 2];
    for &square in board.squares() {
        let turned = turned::<V>(seat, square);
        // Four armies are turned so that the partner sits to the left; a mirror image would undo that.
        let mirrored = if V::SEATS == 2 { board.mirrored(turned) } else { turned };
        numbers[0][square.index()] = board.dense(turned) as u8;
        numbers[1][square.index()] = board.dense(mirrored) as u8;
    }
    numbers
}

/// A square as a seat sees it, its own castle below. With four armies the partner is to the left.
fn turned<V: Variant>(seat: Seat, square: Square) -> Square {
    let board = V::board();
    let (file, rank) = (square.file(), square.rank());
    match (V::SEATS, seat.0) {
        (_, 0) => square,
        (2, _) => board.flipped(square),
        (_, 1) => Square::at(15 - file, 15 - rank),
        (_, 2) => Square::at(rank, file),
        (_, _) => Square::at(15 - rank, 15 - file),
    }
}

fn rings<V: Variant>(seat: Seat) -> Vec<SquareSet> {
    let board = V::board();
    let mut seen = board.goal_castle(seat);
    let mut rings = vec![seen];
    while seen != board.all {
        let ring = seen.neighbours() & board.all & !seen;
        seen |= ring;
        rings.push(ring);
    }
    rings
}

/// A board game with its views.
pub trait EncodedVariant: Variant {
    /// The views of its board.
    fn views() -> &'static Views;
}

macro_rules! views {
    ($($variant:ty),*) => {$(
        impl EncodedVariant for $variant {
            fn views() -> &'static Views {
                static VIEWS: LazyLock<Views> = LazyLock::new(Views::new::<$variant>);
                &VIEWS
            }
        }
    )*};
}
views!(Cam, CamAllKnights, Camelot, GrandCamelot);

/// Planes of one feature a square beside those of the armies: pieces exposed to a jump, squares in reach
/// of a canter.
const TACTICAL_PLANES: usize = 4;
/// Buckets of quiet plies: the number of thresholds passed. Self-play cuts quiet games early, so the last
/// bucket must begin where it still plays: a bucket that training never sees would keep random weights.
const QUIET_THRESHOLDS: [u16; 4] = [4, 8, 16, 24];
const QUIET_BUCKETS: usize = QUIET_THRESHOLDS.len() + 1;
/// Distances to the goal castle are told apart up to this one.
const DISTANCES: usize = 16;
/// Castle moves used are told apart up to two.
const CASTLE_MOVE_COUNTS: usize = 3;

/// The seats in the order of their planes: the mover, its partner, the opponent across, the other one.
pub(super) fn roles<V: Variant>(mover: Seat) -> impl Iterator<Item = Seat> + Clone {
    let differences: &[u8] = if V::SEATS == 2 { &[0, 1] } else { &[0, 2, 1, 3] };
    differences.iter().map(move |difference| Seat(mover.0 ^ difference))
}

impl<V: EncodedVariant> Encode for Position<V> {
    fn sizes() -> Sizes {
        let grid = &V::views().grid;
        let squares = grid.squares();
        let seats = usize::from(V::SEATS);
        let of_army = CASTLE_MOVE_COUNTS + V::ARMY_SIZE as usize + 1 + DISTANCES;
        let turn_order = usize::from(seats > 2);
        Sizes {
            inputs: grid.square_features() + QUIET_BUCKETS + seats * of_army + 1 + turn_order,
            origins: 4 * squares,
            targets: 2 * squares,
            styles: STYLES * CONTEXTS,
            captures: 2 * squares,
            grid: Some(grid),
        }
    }

    fn encoding_key(&self) -> u64 {
        // The key of the repetition rule leaves the quiet plies out.
        mix(self.key() ^ quiet_bucket(self) as u64)
    }

    fn encode(&self, mirror: Mirror, actions: &[Self::Action], out: &mut Encoded) {
        let dense = &V::views().dense[self.to_move().index()][mirror as usize];
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
            let danger = u16::from(tactics.endangers(*action));
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
                style: style as u16 + STYLES as u16 * tactics.context(*action),
                captures_end: out.captures.len() as u32,
            });
        }
    }
}

#[cfg(test)]
mod tests;

fn encode_planes<V: Variant>(
    position: &Position<V>,
    tactics: &Tactics,
    dense: &[u8; 256],
    features: &mut Vec<u16>,
) {
    let knights = position.knights();
    let squares = position.board().squares().len() as u16;
    let armies = roles::<V>(position.to_move()).flat_map(|seat| {
        let army = position.army(seat);
        [army & !knights, army & knights]
    });
    let tactical = [tactics.own_exposed, tactics.enemy_exposed, tactics.own_reach, tactics.enemy_reach];
    for (plane, set) in armies.chain(tactical).enumerate() {
        let base = plane as u16 * squares;
        features.extend(set.squares().map(|square| base + u16::from(dense[square.index()])));
    }
}

fn quiet_bucket<V: Variant>(position: &Position<V>) -> usize {
    QUIET_THRESHOLDS.iter().filter(|&&threshold| position.quiet_plies() >= threshold).count()
}

fn encode_scalars<V: EncodedVariant>(position: &Position<V>, tactics: &Tactics, features: &mut Vec<u16>) {
    let views = V::views();
    let mut base = views.grid.square_features();
    let mut one_of = |count: usize, which: usize| {
        features.push((base + which.min(count - 1)) as u16);
        base += count;
    };
    one_of(QUIET_BUCKETS, quiet_bucket(position));
    for seat in roles::<V>(position.to_move()) {
        let army = position.army(seat);
        one_of(CASTLE_MOVE_COUNTS, usize::from(position.castle_moves(seat)));
        one_of(V::ARMY_SIZE as usize + 1, army.len() as usize);
        one_of(DISTANCES, views.distance(seat, army));
    }
    let mut flag = |set: bool| {
        if set {
            features.push(base as u16);
        }
        base += 1;
    };
    flag(!tactics.enemy_exposed.is_empty());
    if V::SEATS > 2 {
        // Red and Blue are followed by the opponent across, Green and Yellow by the other one.
        flag(position.to_move().0.is_multiple_of(2));
    }
}
