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
    ///
    /// Ruling A22: in Grand Camelot that is Red, Green, Blue, Yellow, not the way round the table.
    const LETTERS: &'static [u8];
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
    start: "2/8/2GggggG2/4GggG4/6gg6/1B10Y1/1bB8Yy1/2bbb6yyy2/\
            2bbb6yyy2/1bB8Yy1/1B10Y1/6rr6/4RrrR4/2RrrrrR2/8/2 \
            R 0,0,0,0 0",
};

static CAM_BOARD: Board = Board::new(&CAM_SHAPE);
static CAMELOT_BOARD: Board = Board::new(&CAMELOT_SHAPE);
static GRAND_CAMELOT_BOARD: Board = Board::new(&GRAND_CAMELOT_SHAPE);

/// Declares a game as the constants of its trait; it has an army for each letter.
macro_rules! board_game {
    (
        $(#[$documentation:meta])*
        $game:ident {
            name: $name:literal,
            letters: $letters:literal,
            board: $board:ident,
            shape: $shape:ident,
            army_size: $army_size:literal,
            castle_pieces_to_win: $castle_pieces:literal,
            castle_moves: $castle_moves:literal,
            lone_pieces_draw: $lone_pieces_draw:expr,
        }
    ) => {
        $(#[$documentation])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $game;

        impl Variant for $game {
            type Armies = [SquareSet; $letters.len()];
            const NAME: &'static str = $name;
            const SEATS: u8 = $letters.len() as u8;
            const LETTERS: &'static [u8] = $letters;
            const CASTLE_PIECES_TO_WIN: u32 = $castle_pieces;
            const CASTLE_MOVES: u8 = $castle_moves;
            const ARMY_SIZE: u32 = $army_size;

            fn no_armies() -> Self::Armies {
                [SquareSet::EMPTY; $letters.len()]
            }

            fn board() -> &'static Board {
                &$board
            }

            fn shape() -> &'static Shape {
                &$shape
            }

            fn lone_pieces_draw(rules: RuleSet) -> bool {
                let draw: fn(RuleSet) -> bool = $lone_pieces_draw;
                draw(rules)
            }
        }
    };
}

board_game! {
    /// Cam: seven pieces a side on 67 squares (section 4).
    Cam {
        name: "cam",
        letters: b"WB",
        board: CAM_BOARD,
        shape: CAM_SHAPE,
        army_size: 7,
        castle_pieces_to_win: 1,
        castle_moves: 0,
        lone_pieces_draw: |rules| rules == RuleSet::Classic,
    }
}

board_game! {
    /// Cam with all seven pieces Knights (section 5).
    CamAllKnights {
        name: "cam-all-knights",
        letters: b"WB",
        board: CAM_BOARD,
        shape: CAM_ALL_KNIGHTS_SHAPE,
        army_size: 7,
        castle_pieces_to_win: 1,
        castle_moves: 0,
        lone_pieces_draw: |rules| rules == RuleSet::Classic,
    }
}

board_game! {
    /// Camelot: fourteen pieces a side on 160 squares (section 3).
    Camelot {
        name: "camelot",
        letters: b"WB",
        board: CAMELOT_BOARD,
        shape: CAMELOT_SHAPE,
        army_size: 14,
        castle_pieces_to_win: 2,
        castle_moves: 2,
        lone_pieces_draw: |_| true,
    }
}

board_game! {
    /// Grand Camelot: four armies of fourteen in two partnerships on 180 squares (section 6).
    GrandCamelot {
        name: "grand-camelot",
        letters: b"RGBY",
        board: GRAND_CAMELOT_BOARD,
        shape: GRAND_CAMELOT_SHAPE,
        army_size: 14,
        castle_pieces_to_win: 2,
        castle_moves: 2,
        lone_pieces_draw: |_| true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Seat};
    use crate::position::Position;

    #[test]
    fn boards_have_the_published_number_of_squares() {
        assert_eq!(Cam::board().all.len(), 67);
        assert_eq!(Camelot::board().all.len(), 160);
        assert_eq!(GrandCamelot::board().all.len(), 180);
    }

    /// The letters of positions are the initials of the armies' names.
    #[test]
    fn letters_and_names_agree() {
        fn check<V: Variant>() {
            let names = (0..V::SEATS).map(|seat| Position::<V>::seat_name(Seat(seat)));
            assert_eq!(names.map(|name| name.as_bytes()[0]).collect::<Vec<_>>(), V::LETTERS);
        }
        check::<Cam>();
        check::<CamAllKnights>();
        check::<Camelot>();
        check::<GrandCamelot>();
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
