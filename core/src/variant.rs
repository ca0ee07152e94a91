//! The board games of the family, each a shape and a few constants.

use std::fmt::Debug;
use std::hash::Hash;

use crate::board::{Board, Shape};
use crate::game::RuleSet;
use crate::set::SquareSet;

/// One board game of the family. Everything that distinguishes it from the others is here.
pub trait Variant: Copy + Debug + Ord + Hash + Send + Sync + 'static {
    /// One set a seat.
    type Armies: Copy + Debug + Eq + Send + Sync + AsRef<[SquareSet]> + AsMut<[SquareSet]>;

    /// The name on the command line and in files.
    const NAME: &'static str;
    /// How many armies there are.
    const SEATS: u8;
    /// The letter of each army, in turn order.
    const LETTERS: &'static [u8];
    /// What people call the armies, in turn order.
    const ARMIES: &'static [&'static str];
    /// What people call the two teams.
    const TEAMS: [&'static str; 2];
    /// How many pieces of a team in goal castles win.
    const CASTLE_PIECES_TO_WIN: u32;
    /// How many castle moves a player has in a game; 0 where the castle is one square.
    const CASTLE_MOVES: u8;
    /// How many pieces an army starts with.
    const ARMY_SIZE: u32;

    /// The armies, all empty.
    fn no_armies() -> Self::Armies;

    /// The board's tables.
    fn board() -> &'static Board;

    /// The board's shape.
    fn shape() -> &'static Shape;

    /// Whether two players with at most one piece each draw, and a last capture needs a second piece
    /// to win.
    ///
    /// Ruling A6: Troyka's Cam has that draw and `classic` follows it; the federation's Cam plays on
    /// and counts any last capture as a win, as does `wcf`.
    #[must_use]
    fn lone_pieces_draw(rules: RuleSet) -> bool;
}

const CAM_RANKS: [(u8, u8); 13] =
    [(3, 1), (2, 3), (1, 5), (0, 7), (0, 7), (0, 7), (0, 7), (0, 7), (0, 7), (0, 7), (1, 5), (2, 3), (3, 1)];

const CAM_CASTLES: [&[&str]; 2] = [&["D1"], &["D13"]];

static CAM_SHAPE: Shape = Shape {
    files: 7,
    ranks: &CAM_RANKS,
    castles: &CAM_CASTLES,
    start: "1/3/5/2B1B2/1bbbbb1/7/7/7/1wwwww1/2W1W2/5/3/1 W - 0",
};

static CAM_ALL_KNIGHTS_SHAPE: Shape = Shape {
    files: 7,
    ranks: &CAM_RANKS,
    castles: &CAM_CASTLES,
    start: "1/3/5/2B1B2/1BBBBB1/7/7/7/1WWWWW1/2W1W2/5/3/1 W - 0",
};

static CAMELOT_SHAPE: Shape = Shape {
    files: 12,
    ranks: &[
        (5, 2),
        (2, 8),
        (1, 10),
        (0, 12),
        (0, 12),
        (0, 12),
        (0, 12),
        (0, 12),
        (0, 12),
        (0, 12),
        (0, 12),
        (0, 12),
        (0, 12),
        (1, 10),
        (2, 8),
        (5, 2),
    ],
    castles: &[&["F1", "G1"], &["F16", "G16"]],
    start: "2/8/10/12/12/2BbbbbbbB2/3BbbbbB3/12/12/3WwwwwW3/2WwwwwwwW2/12/12/10/8/2 W 0,0 0",
};

static GRAND_CAMELOT_SHAPE: Shape = Shape {
    files: 16,
    ranks: &[
        (7, 2),
        (4, 8),
        (3, 10),
        (2, 12),
        (1, 14),
        (1, 14),
        (1, 14),
        (0, 16),
        (0, 16),
        (1, 14),
        (1, 14),
        (1, 14),
        (2, 12),
        (3, 10),
        (4, 8),
        (7, 2),
    ],
    castles: &[&["H1", "I1"], &["H16", "I16"], &["A8", "A9"], &["P8", "P9"]],
    start: "2/8/2GggggG2/4GggG4/6gg6/1B10Y1/1bB8Yy1/2bbb6yyy2/2bbb6yyy2/1bB8Yy1/1B10Y1/6rr6/4RrrR4/2RrrrrR2/8/2 R 0,0,0,0 0",
};

static CAM_BOARD: Board = Board::new(&CAM_SHAPE);
static CAMELOT_BOARD: Board = Board::new(&CAMELOT_SHAPE);
static GRAND_CAMELOT_BOARD: Board = Board::new(&GRAND_CAMELOT_SHAPE);

/// Declares a game.
macro_rules! board_games {
    (
        $(#[$documentation:meta])*
        $name:ident: $text:literal, armies $letters:literal ($seats:literal) $names:expr, teams $teams:expr, on $board:ident, shape $shape:ident,
        army $army:literal, castle pieces $pieces:literal, castle moves $moves:literal,
        lone pieces draw $draw:expr
    ) => {
        $(#[$documentation])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name;

        impl Variant for $name {
            type Armies = [SquareSet; $seats];
            const NAME: &'static str = $text;
            const SEATS: u8 = $seats;
            const LETTERS: &'static [u8] = $letters;
            const ARMIES: &'static [&'static str] = &$names;
            const TEAMS: [&'static str; 2] = $teams;
            const CASTLE_PIECES_TO_WIN: u32 = $pieces;
            const CASTLE_MOVES: u8 = $moves;
            const ARMY_SIZE: u32 = $army;

            fn no_armies() -> Self::Armies {
                [SquareSet::EMPTY; $seats]
            }

            fn board() -> &'static Board {
                &$board
            }

            fn shape() -> &'static Shape {
                &$shape
            }

            fn lone_pieces_draw(rules: RuleSet) -> bool {
                let draw: fn(RuleSet) -> bool = $draw;
                draw(rules)
            }
        }
    };
}

board_games! {
    /// Cam: seven pieces a side on 67 squares (section 4).
    Cam: "cam", armies b"WB" (2) ["White", "Black"], teams ["White", "Black"], on CAM_BOARD, shape CAM_SHAPE,
    army 7, castle pieces 1, castle moves 0, lone pieces draw |rules| rules == RuleSet::Classic
}

board_games! {
    /// Cam with all seven pieces Knights (section 5).
    CamAllKnights: "cam-all-knights", armies b"WB" (2) ["White", "Black"], teams ["White", "Black"], on CAM_BOARD, shape CAM_ALL_KNIGHTS_SHAPE,
    army 7, castle pieces 1, castle moves 0, lone pieces draw |rules| rules == RuleSet::Classic
}

board_games! {
    /// Camelot: fourteen pieces a side on 160 squares (section 3).
    Camelot: "camelot", armies b"WB" (2) ["White", "Black"], teams ["White", "Black"], on CAMELOT_BOARD, shape CAMELOT_SHAPE,
    army 14, castle pieces 2, castle moves 2, lone pieces draw |_| true
}

board_games! {
    /// Grand Camelot: four armies of fourteen in two partnerships on 180 squares (section 6).
    GrandCamelot: "grand-camelot", armies b"RGBY" (4) ["Red", "Green", "Blue", "Yellow"],
    teams ["Red and Blue", "Green and Yellow"],
    on GRAND_CAMELOT_BOARD, shape GRAND_CAMELOT_SHAPE,
    army 14, castle pieces 2, castle moves 2, lone pieces draw |_| true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_have_the_published_number_of_squares() {
        assert_eq!(Cam::board().all.len(), 67);
        assert_eq!(Camelot::board().all.len(), 160);
        assert_eq!(GrandCamelot::board().all.len(), 180);
    }

    #[test]
    fn tables_agree_with_the_algebra_of_sets() {
        fn check<V: Variant>() {
            let board = V::board();
            for &square in board.squares() {
                let from = SquareSet::of(square);
                assert_eq!(from.neighbours() & board.all, board.steps(square));
                for leap in board.leaps(square) {
                    let (over, land) = (SquareSet::of(leap.over), SquareSet::of(leap.land));
                    assert_eq!(from.leapers(over, land), from);
                    assert_eq!(over.leapt(from, land), over);
                    assert_eq!(land.landings(from, over), land);
                }
                let landings: u32 = board
                    .squares()
                    .iter()
                    .map(|&over| board.all.landings(from, SquareSet::of(over)).len())
                    .sum();
                assert_eq!(landings as usize, board.leaps(square).len());
            }
        }
        check::<Cam>();
        check::<Camelot>();
        check::<GrandCamelot>();
    }
}
