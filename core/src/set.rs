//! Squares, and sets of squares as four words of bits.
//!
//! Every board of the family lies in a grid of 16 files and 16 ranks. A chain of leaps stays on squares
//! whose file and rank keep their parity, so the grid is stored as its four *quarters*, one a pair of
//! parities: 8 x 8 squares, one word each. A leap moves every quarter by one square within itself, a
//! step exchanges quarters; neither carries from word to word, and no board needs masks of its own.

#![expect(
    clippy::inline_always,
    reason = "set operations are compiled for each kind of processor, within the function that chooses"
)]

use std::fmt::{self, Display};
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

/// A square of the grid: sixteen times its rank, plus its file, both from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(pub u8);

impl Square {
    /// The square at a file and rank below 16.
    #[must_use]
    pub const fn at(file: u8, rank: u8) -> Self {
        Self(rank << 4 | file)
    }

    /// The file, from 0.
    #[must_use]
    pub const fn file(self) -> u8 {
        self.0 & 15
    }

    /// The rank, from 0.
    #[must_use]
    pub const fn rank(self) -> u8 {
        self.0 >> 4
    }

    /// The square at a difference in file and rank, which must lie in the grid.
    #[inline]
    pub(crate) const fn beside(self, (files, ranks): (i32, i32)) -> Self {
        Self((self.0 as i32 + files + 16 * ranks) as u8)
    }

    /// The square as an array index.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The square's quarter, and its bit there: eight times half its rank, plus half its file.
    const fn place(self) -> (usize, u32) {
        let quarter = (self.0 & 1) | (self.0 >> 3 & 2);
        let bit = (self.0 >> 5 << 3) | (self.0 >> 1 & 7);
        (quarter as usize, bit as u32)
    }

    /// The square at a bit of a quarter.
    const fn from_place(quarter: usize, bit: u32) -> Self {
        let (file, rank) = (quarter as u32 & 1 | (bit & 7) << 1, quarter as u32 >> 1 | bit >> 3 << 1);
        Self::at(file as u8, rank as u8)
    }
}

/// The square's name, such as `D13`.
impl Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'A' + self.file()), self.rank() + 1)
    }
}

/// Differences in file and rank of the eight directions; opposite ones are seven apart in sum.
pub(crate) const DIRECTIONS: [(i32, i32); 8] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// Runs the body once for each direction, with its number as a constant, so that shifts are constants.
macro_rules! each_direction {
    ($direction:ident => $body:expr) => {{
        each_direction!(@once $direction, $body, 0 1 2 3 4 5 6 7);
    }};
    (@once $direction:ident, $body:expr, $($number:literal)*) => {
        $({
            const $direction: usize = $number;
            $body;
        })*
    };
}
pub(crate) use each_direction;

/// A set of squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SquareSet([u64; 4]);

/// The first and the last file of a quarter.
const FIRST_FILE: u64 = 0x0101_0101_0101_0101;
const LAST_FILE: u64 = FIRST_FILE << 7;

/// A quarter moved by at most one file and one rank; what leaves it is lost.
#[inline(always)]
const fn moved(quarter: u64, files: i32, ranks: i32) -> u64 {
    let kept = match files {
        1 => quarter & !LAST_FILE,
        -1 => quarter & !FIRST_FILE,
        _ => quarter,
    };
    let by = files + 8 * ranks;
    if by >= 0 { kept << by } else { kept >> -by }
}

impl SquareSet {
    /// The empty set.
    pub const EMPTY: Self = Self([0; 4]);

    /// The set of one square.
    #[must_use]
    #[inline]
    pub const fn of(square: Square) -> Self {
        Self::EMPTY.with(square)
    }

    /// The set with one more square.
    #[must_use]
    #[inline]
    pub const fn with(mut self, square: Square) -> Self {
        let (quarter, bit) = square.place();
        self.0[quarter] |= 1 << bit;
        self
    }

    /// Adds a square.
    #[inline]
    pub const fn insert(&mut self, square: Square) {
        *self = self.with(square);
    }

    /// Takes a square out.
    #[inline]
    pub const fn remove(&mut self, square: Square) {
        let (quarter, bit) = square.place();
        self.0[quarter] &= !(1 << bit);
    }

    /// Whether `square` is in the set.
    #[must_use]
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        let (quarter, bit) = square.place();
        self.0[quarter] >> bit & 1 == 1
    }

    /// Whether the set has no square.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        let [a, b, c, d] = self.0;
        a | b | c | d == 0
    }

    /// Whether the sets share a square.
    #[must_use]
    #[inline]
    pub fn intersects(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    /// How many squares the set has.
    #[must_use]
    #[inline]
    pub const fn len(self) -> u32 {
        let [a, b, c, d] = self.0;
        a.count_ones() + b.count_ones() + c.count_ones() + d.count_ones()
    }

    /// How many pairs of a square of this set and one of `other` there are, both in one quarter.
    #[must_use]
    #[inline]
    pub(crate) fn pairs(self, other: Self) -> u32 {
        let quarters = self.0.into_iter().zip(other.0);
        quarters.map(|(one, two)| one.count_ones() * two.count_ones()).sum()
    }

    /// One square of each quarter that has any.
    #[must_use]
    #[inline]
    pub(crate) fn one_a_quarter(self) -> Self {
        Self(self.0.map(|quarter| quarter & quarter.wrapping_neg()))
    }

    /// The squares one step in a direction from those of this set; what leaves the grid is lost.
    #[must_use]
    #[inline]
    pub(crate) fn step<const DIRECTION: usize>(self) -> Self {
        self.step_by(const { DIRECTIONS[DIRECTION] })
    }

    /// The squares one step in the opposite direction.
    #[must_use]
    #[inline]
    pub(crate) fn step_back<const DIRECTION: usize>(self) -> Self {
        self.step_by(const { DIRECTIONS[7 - DIRECTION] })
    }

    #[inline(always)]
    fn step_by(self, (files, ranks): (i32, i32)) -> Self {
        Self(std::array::from_fn(|quarter| {
            let (even_file, even_rank) = (quarter & 1 == 0, quarter & 2 == 0);
            let source = quarter ^ (usize::from(files != 0) | usize::from(ranks != 0) << 1);
            // Towards higher squares, an odd file leads to an even one half a pair further.
            let half = |delta: i32, even: bool| if (delta > 0) == even { delta } else { 0 };
            moved(self.0[source], half(files, even_file), half(ranks, even_rank))
        }))
    }

    /// The squares two steps in a direction from those of this set; what leaves the grid is lost.
    #[must_use]
    #[inline]
    pub(crate) fn leap<const DIRECTION: usize>(self) -> Self {
        let (files, ranks) = const { DIRECTIONS[DIRECTION] };
        Self(self.0.map(|quarter| moved(quarter, files, ranks)))
    }

    /// The squares two steps in the opposite direction.
    #[must_use]
    #[inline]
    pub(crate) fn leap_back<const DIRECTION: usize>(self) -> Self {
        let (files, ranks) = const { DIRECTIONS[7 - DIRECTION] };
        Self(self.0.map(|quarter| moved(quarter, files, ranks)))
    }

    /// Every square one step away from some square of this set.
    #[must_use]
    #[inline(always)]
    pub fn neighbours(self) -> Self {
        let mut reached = Self::EMPTY;
        each_direction!(D => reached |= self.step::<D>());
        reached
    }

    /// The squares from which a leap in a direction goes over a square of `over` into one of `land`.
    #[must_use]
    #[inline]
    pub(crate) fn leap_sources<const DIRECTION: usize>(over: Self, land: Self) -> Self {
        over.step_back::<DIRECTION>() & land.leap_back::<DIRECTION>()
    }

    /// The squares of this set that can leap over one of `over` into one of `land`.
    #[must_use]
    #[inline(always)]
    pub fn leapers(self, over: Self, land: Self) -> Self {
        let mut found = Self::EMPTY;
        each_direction!(D => found |= over.step::<D>() & land.leap::<D>());
        found & self
    }

    /// The squares of this set that some square of `from` can leap into `land`.
    #[must_use]
    #[inline(always)]
    pub fn leapt(self, from: Self, land: Self) -> Self {
        let mut found = Self::EMPTY;
        each_direction!(D => found |= from.step::<D>() & land.step_back::<D>());
        found & self
    }

    /// The squares of this set that some square of `from` reaches by a leap over one of `over`.
    #[must_use]
    #[inline(always)]
    pub fn landings(self, from: Self, over: Self) -> Self {
        let mut found = Self::EMPTY;
        each_direction!(D => found |= over.step::<D>() & from.leap::<D>());
        found & self
    }

    /// The squares in a fixed order: quarter by quarter, lower ranks first, then files.
    #[must_use]
    pub fn squares(self) -> Squares {
        Squares { quarters: self.0, quarter: 0 }
    }

    /// Any one square of the set.
    #[must_use]
    pub fn any(self) -> Option<Square> {
        self.squares().next()
    }
}

/// Iterator over a set's squares, from [`SquareSet::squares`].
#[derive(Clone, Debug)]
pub struct Squares {
    quarters: [u64; 4],
    quarter: usize,
}

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        while let Some(bits) = self.quarters.get_mut(self.quarter) {
            if *bits != 0 {
                let square = Square::from_place(self.quarter, bits.trailing_zeros());
                *bits &= *bits - 1;
                return Some(square);
            }
            self.quarter += 1;
        }
        None
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, Self::with)
    }
}

macro_rules! wordwise {
    ($trait:ident, $method:ident, $operator:tt) => {
        impl $trait for SquareSet {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                Self(std::array::from_fn(|i| self.0[i] $operator other.0[i]))
            }
        }
    };
}
wordwise!(BitAnd, bitand, &);
wordwise!(BitOr, bitor, |);

impl BitAndAssign for SquareSet {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl BitOrAssign for SquareSet {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl Not for SquareSet {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(self.0.map(|quarter| !quarter))
    }
}

#[cfg(test)]
mod tests;
