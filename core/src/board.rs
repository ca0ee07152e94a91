//! A board as data: which squares exist, where the castles are, and the tables made from them.
//!
//! The tables are computed when the crate is compiled.

use crate::game::Seat;
use crate::set::{DIRECTIONS, Square, SquareSet};

/// The shape of a board and its start position, from the lowest rank to the highest.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Files of the bounding rectangle.
    pub files: u8,
    /// For each rank from 1 upwards, the first file (A is 0) and the number of squares.
    pub ranks: &'static [(u8, u8)],
    /// The castle squares of each seat.
    pub castles: &'static [&'static [&'static str]],
    /// The start position in the notation of positions.
    pub start: &'static str,
}

/// One leap: over an adjacent square to the one beyond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leap {
    /// The square leapt over.
    pub over: Square,
    /// The square landed on.
    pub land: Square,
}

/// The leaps that the board allows from one square.
#[derive(Clone, Copy, Debug)]
struct LeapList {
    leaps: [Leap; 8],
    len: u8,
}

/// Square numbers are below this.
const NUMBERS: usize = 256;

/// Marks a square number that lies outside the board in [`Board::dense`].
const OUTSIDE: u8 = u8::MAX;

/// The most armies on a board.
pub(crate) const MAX_SEATS: usize = 4;

/// The tables of one board, shared by all positions on it.
#[derive(Debug)]
pub struct Board {
    /// Files of the bounding rectangle.
    pub files: u8,
    /// Ranks of the bounding rectangle.
    pub ranks: u8,
    /// Every square of the board.
    pub all: SquareSet,
    castles: [SquareSet; MAX_SEATS],
    side_castles: [SquareSet; MAX_SEATS],
    /// For each seat, the squares from which a leap lands in its goal castle.
    goal_leaps: [SquareSet; MAX_SEATS],
    steps: [SquareSet; NUMBERS],
    leaps: [LeapList; NUMBERS],
    dense: [u8; NUMBERS],
    squares: [Square; NUMBERS],
    square_count: usize,
}

impl Board {
    /// Builds the tables of `shape`.
    ///
    /// # Panics
    ///
    /// If `shape` names a castle square that is not on the board; shapes are constants of this crate.
    #[must_use]
    pub(crate) const fn new(shape: &Shape) -> Self {
        const NOWHERE: LeapList = LeapList { leaps: [Leap { over: Square(0), land: Square(0) }; 8], len: 0 };
        let empty = SquareSet::EMPTY;
        let mut board = Self {
            files: shape.files,
            ranks: shape.ranks.len() as u8,
            all: empty,
            castles: [empty; MAX_SEATS],
            side_castles: [empty; MAX_SEATS],
            goal_leaps: [empty; MAX_SEATS],
            steps: [empty; NUMBERS],
            leaps: [NOWHERE; NUMBERS],
            dense: [OUTSIDE; NUMBERS],
            squares: [Square(0); NUMBERS],
            square_count: 0,
        };
        let mut rank = 0;
        while rank < shape.ranks.len() {
            let (first, count) = shape.ranks[rank];
            let mut file = first;
            while file < first + count {
                board.add_square(Square::at(file, rank as u8));
                file += 1;
            }
            rank += 1;
        }
        board.fill_steps();
        board.fill_castles(shape);
        board.fill_goal_leaps();
        board
    }

    const fn add_square(&mut self, square: Square) {
        self.dense[square.index()] = self.square_count as u8;
        self.squares[self.square_count] = square;
        self.square_count += 1;
        self.all.insert(square);
    }

    const fn fill_steps(&mut self) {
        let mut i = 0;
        while i < self.square_count {
            let from = self.squares[i];
            let mut direction = 0;
            while direction < 8 {
                let (files, ranks) = DIRECTIONS[direction];
                if let Some(over) = self.offset(from, files, ranks) {
                    self.steps[from.index()].insert(over);
                    if let Some(land) = self.offset(over, files, ranks) {
                        let list = &mut self.leaps[from.index()];
                        list.leaps[list.len as usize] = Leap { over, land };
                        list.len += 1;
                    }
                }
                direction += 1;
            }
            i += 1;
        }
    }

    const fn fill_castles(&mut self, shape: &Shape) {
        let mut owner = 0;
        while owner < shape.castles.len() {
            let mut i = 0;
            while i < shape.castles[owner].len() {
                let square = self.read_square(shape.castles[owner][i]);
                let square = square.expect("a castle square is on its board");
                self.castles[owner].insert(square);
                let mut seat = 0;
                while seat < MAX_SEATS {
                    if seat != owner && seat != owner ^ 1 {
                        self.side_castles[seat].insert(square);
                    }
                    seat += 1;
                }
                i += 1;
            }
            owner += 1;
        }
    }

    const fn fill_goal_leaps(&mut self) {
        let mut i = 0;
        while i < self.square_count {
            let from = self.squares[i];
            let list = self.leaps[from.index()];
            let mut leap = 0;
            while leap < list.len as usize {
                let mut seat = 0;
                while seat < MAX_SEATS {
                    if self.castles[seat ^ 1].contains(list.leaps[leap].land) {
                        self.goal_leaps[seat].insert(from);
                    }
                    seat += 1;
                }
                leap += 1;
            }
            i += 1;
        }
    }

    /// The square some files and ranks away, if the board has it.
    const fn offset(&self, square: Square, files: i32, ranks: i32) -> Option<Square> {
        let file = square.file() as i32 + files;
        let rank = square.rank() as i32 + ranks;
        if file < 0 || file > 15 || rank < 0 || rank > 15 {
            return None;
        }
        let square = Square::at(file as u8, rank as u8);
        if self.all.contains(square) { Some(square) } else { None }
    }

    /// Reads a square's name of one upper-case letter and a number.
    const fn read_square(&self, name: &str) -> Option<Square> {
        let name = name.as_bytes();
        let mut rank = 0;
        let mut i = 1;
        while i < name.len() {
            rank = 10 * rank + (name[i] - b'0') as i32;
            i += 1;
        }
        self.offset(Square(0), (name[0] - b'A') as i32, rank - 1)
    }

    /// The castle that a seat defends; empty for a seat that the game does not have.
    #[must_use]
    pub fn castle(&self, seat: Seat) -> SquareSet {
        self.castles[seat.index()]
    }

    /// The castle that a seat attacks: the one straight across.
    #[must_use]
    pub fn goal_castle(&self, seat: Seat) -> SquareSet {
        self.castles[seat.index() ^ 1]
    }

    /// The castles that a seat may not enter: the partner's and that of the partner's opponent.
    ///
    /// Ruling A14: a jump into one of them does not exist, so it obliges no one.
    #[must_use]
    pub fn side_castles(&self, seat: Seat) -> SquareSet {
        self.side_castles[seat.index()]
    }

    /// The squares from which a leap lands in the goal castle of a seat.
    pub(crate) fn goal_leaps(&self, seat: Seat) -> SquareSet {
        self.goal_leaps[seat.index()]
    }

    /// The square at a file and rank, both from 0, if the board has it.
    #[must_use]
    pub fn at(&self, file: u8, rank: u8) -> Option<Square> {
        let square = (file < self.files && rank < self.ranks).then(|| Square::at(file, rank));
        square.filter(|&square| self.all.contains(square))
    }

    /// The board's squares in ascending order.
    #[must_use]
    pub fn squares(&self) -> &[Square] {
        &self.squares[..self.square_count]
    }

    /// The place of a square among [`Board::squares`].
    #[must_use]
    pub fn dense(&self, square: Square) -> usize {
        usize::from(self.dense[square.index()])
    }

    /// The squares one step away.
    #[must_use]
    pub fn steps(&self, from: Square) -> SquareSet {
        self.steps[from.index()]
    }

    /// The leaps that the board's shape allows, in a fixed order.
    #[must_use]
    pub fn leaps(&self, from: Square) -> &[Leap] {
        let list = &self.leaps[from.index()];
        &list.leaps[..usize::from(list.len)]
    }

    /// The square mirrored left to right.
    #[must_use]
    pub fn mirrored(&self, square: Square) -> Square {
        Square::at(self.files - 1 - square.file(), square.rank())
    }

    /// The square seen from the other side of the table: ranks turned over, files kept.
    #[must_use]
    pub fn flipped(&self, square: Square) -> Square {
        Square::at(square.file(), self.ranks - 1 - square.rank())
    }

    /// Reads a square's name, either case.
    #[must_use]
    pub fn parse_square(&self, name: &str) -> Option<Square> {
        let mut characters = name.chars();
        let file = characters.next()?.to_ascii_uppercase();
        let digits = characters.as_str();
        if !file.is_ascii_uppercase() || digits.starts_with(['0', '+']) {
            return None;
        }
        let rank: u8 = digits.parse().ok()?;
        self.at(file as u8 - b'A', rank.checked_sub(1)?)
    }
}
