//! A board as data: which squares exist, where the castles are, and the tables made from them.

use crate::set::{Square, SquareSet};

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Leap {
    /// The square leapt over.
    pub over: Square,
    /// The square landed on.
    pub land: Square,
}

/// The leaps that the board allows from one square.
#[derive(Clone, Copy, Debug, Default)]
struct LeapList {
    leaps: [Leap; 8],
    len: u8,
}

/// Marks a square number that lies outside the board in [`Board::dense`].
const OUTSIDE: u8 = u8::MAX;

/// The tables of one board. Built once a board and shared by all positions on it.
#[derive(Debug)]
pub struct Board<S> {
    /// Files of the bounding rectangle.
    pub files: u8,
    /// Ranks of the bounding rectangle.
    pub ranks: u8,
    /// Every square of the board.
    pub all: S,
    /// The castle of each seat.
    pub castles: Vec<S>,
    /// The eight directions as differences of square numbers.
    deltas: [i32; 8],
    /// For each direction, the squares that a step in it can end on.
    step_ends: [S; 8],
    steps: Vec<S>,
    leaps: Vec<LeapList>,
    dense: Vec<u8>,
    squares: Vec<Square>,
}

const DIRECTIONS: [(i32, i32); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

impl<S: SquareSet> Board<S> {
    /// Builds the tables of `shape`.
    ///
    /// # Panics
    ///
    /// If `shape` names a castle square that is not on the board; shapes are constants of this crate.
    #[must_use]
    pub fn new(shape: &Shape) -> Self {
        let (files, ranks) = (shape.files, shape.ranks.len() as u8);
        let mut all = S::EMPTY;
        let mut squares = Vec::new();
        let mut dense = vec![OUTSIDE; 256];
        for (rank, &(first, count)) in shape.ranks.iter().enumerate() {
            for file in first..first + count {
                let square = Square(rank as u8 * files + file);
                dense[square.index()] = squares.len() as u8;
                squares.push(square);
                all.insert(square);
            }
        }
        let mut board = Self {
            files,
            ranks,
            all,
            castles: Vec::new(),
            deltas: DIRECTIONS.map(|(df, dr)| dr * i32::from(files) + df),
            step_ends: [S::EMPTY; 8],
            steps: vec![S::EMPTY; 256],
            leaps: vec![LeapList::default(); 256],
            dense,
            squares,
        };
        board.fill_tables();
        board.castles = shape
            .castles
            .iter()
            .map(|names| {
                names.iter().fold(S::EMPTY, |set, name| {
                    set | S::of(board.parse_square(name).expect("a castle square is on its board"))
                })
            })
            .collect();
        board
    }

    fn fill_tables(&mut self) {
        for from in self.squares.clone() {
            for (direction, &(df, dr)) in DIRECTIONS.iter().enumerate() {
                let Some(next) = self.offset(from, df, dr) else { continue };
                self.steps[from.index()].insert(next);
                self.step_ends[direction].insert(next);
                if let Some(land) = self.offset(next, df, dr) {
                    let list = &mut self.leaps[from.index()];
                    list.leaps[usize::from(list.len)] = Leap { over: next, land };
                    list.len += 1;
                }
            }
        }
    }

    /// The square `df` files and `dr` ranks away, if the board has it.
    fn offset(&self, square: Square, df: i32, dr: i32) -> Option<Square> {
        let file = i32::from(self.file(square)) + df;
        let rank = i32::from(self.rank(square)) + dr;
        self.at(u8::try_from(file).ok()?, u8::try_from(rank).ok()?)
    }

    /// The square at a file and rank, both from 0, if the board has it.
    #[must_use]
    pub fn at(&self, file: u8, rank: u8) -> Option<Square> {
        if file >= self.files || rank >= self.ranks {
            return None;
        }
        let square = Square(rank * self.files + file);
        self.all.contains(square).then_some(square)
    }

    /// The file of a square, from 0.
    #[must_use]
    pub fn file(&self, square: Square) -> u8 {
        square.0 % self.files
    }

    /// The rank of a square, from 0.
    #[must_use]
    pub fn rank(&self, square: Square) -> u8 {
        square.0 / self.files
    }

    /// The board's squares in ascending order.
    #[must_use]
    pub fn squares(&self) -> &[Square] {
        &self.squares
    }

    /// The place of a square among [`Board::squares`].
    #[must_use]
    pub fn dense(&self, square: Square) -> usize {
        usize::from(self.dense[square.index()])
    }

    /// The squares one step away.
    #[must_use]
    pub fn steps(&self, from: Square) -> S {
        self.steps[from.index()]
    }

    /// The leaps that the board's shape allows, in a fixed order.
    #[must_use]
    pub fn leaps(&self, from: Square) -> &[Leap] {
        let list = &self.leaps[from.index()];
        &list.leaps[..usize::from(list.len)]
    }

    /// Every square one step away from some square of `set`.
    #[must_use]
    pub fn neighbours(&self, set: S) -> S {
        let mut reached = S::EMPTY;
        for direction in 0..8 {
            reached |= set.shift(self.deltas[direction]) & self.step_ends[direction];
        }
        reached
    }

    /// The squares of `from` that can leap over one of `over` into one of `land`.
    #[must_use]
    pub fn leapers(&self, from: S, over: S, land: S) -> S {
        self.leap_all::<2>(from, over, land)
    }

    /// The squares of `over` that some square of `from` can leap into `land`.
    #[must_use]
    pub fn leapt(&self, from: S, over: S, land: S) -> S {
        self.leap_all::<1>(from, over, land)
    }

    /// The squares of `land` that some square of `from` reaches by a leap over one of `over`.
    #[must_use]
    pub fn landings(&self, from: S, over: S, land: S) -> S {
        self.leap_all::<0>(from, over, land)
    }

    /// All leaps from `from` over `over` into `land` at once, as the squares `BACK` steps before the landings.
    #[inline]
    fn leap_all<const BACK: i32>(&self, from: S, over: S, land: S) -> S {
        let mut found = S::EMPTY;
        for direction in 0..8 {
            let (delta, ends) = (self.deltas[direction], self.step_ends[direction]);
            let crossed = from.shift(delta) & ends & over;
            let landed = crossed.shift(delta) & ends & land;
            found |= if BACK == 0 { landed } else { landed.shift(-BACK * delta) };
        }
        found
    }

    /// The square mirrored left to right.
    #[must_use]
    pub fn mirrored(&self, square: Square) -> Square {
        Square(self.rank(square) * self.files + (self.files - 1 - self.file(square)))
    }

    /// The square seen from the other side of the table: ranks turned over, files kept.
    #[must_use]
    pub fn flipped(&self, square: Square) -> Square {
        Square((self.ranks - 1 - self.rank(square)) * self.files + self.file(square))
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

    /// Writes a square's name.
    #[must_use]
    pub fn square_name(&self, square: Square) -> String {
        format!("{}{}", char::from(b'A' + self.file(square)), self.rank(square) + 1)
    }
}
