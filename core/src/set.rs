//! Squares and sets of squares.
//!
//! A square's number is `rank * files + file` in the smallest rectangle around its board, so a step
//! in one direction is one shift of a whole set, whatever the board.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

/// A square's number in its board's bounding rectangle; lower ranks first, then files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(pub u8);

impl Square {
    /// The square as an array index.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A set of squares of one board.
pub trait SquareSet:
    Copy
    + Debug
    + Default
    + Eq
    + Ord
    + Hash
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + Not<Output = Self>
{
    /// The empty set.
    const EMPTY: Self;

    /// The set of one square.
    fn of(square: Square) -> Self;

    /// Whether `square` is in the set.
    fn contains(self, square: Square) -> bool;

    /// Whether the set has no square.
    fn is_empty(self) -> bool;

    /// How many squares the set has.
    fn len(self) -> u32;

    /// The smallest square, if there is one.
    fn first(self) -> Option<Square>;

    /// Every square's number raised by `delta` (lowered, if negative); `0 < |delta| < 64`. What leaves
    /// the representation is lost.
    #[must_use]
    fn shift(self, delta: i32) -> Self;

    /// Adds a square.
    fn insert(&mut self, square: Square) {
        *self |= Self::of(square);
    }

    /// Takes a square out.
    fn remove(&mut self, square: Square) {
        *self &= !Self::of(square);
    }

    /// Whether the sets share a square.
    fn intersects(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    /// The squares in ascending order.
    fn squares(self) -> Squares<Self> {
        Squares(self)
    }
}

/// Iterator over a set's squares, from [`SquareSet::squares`].
#[derive(Clone, Debug)]
pub struct Squares<S>(S);

impl<S: SquareSet> Iterator for Squares<S> {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.remove(square);
        Some(square)
    }
}

/// `W` words of 64 squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Words<const W: usize>([u64; W]);

impl<const W: usize> Default for Words<W> {
    fn default() -> Self {
        Self([0; W])
    }
}

macro_rules! wordwise {
    ($trait:ident, $method:ident, $operator:tt) => {
        impl<const W: usize> $trait for Words<W> {
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

impl<const W: usize> BitAndAssign for Words<W> {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl<const W: usize> BitOrAssign for Words<W> {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl<const W: usize> Not for Words<W> {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(self.0.map(|word| !word))
    }
}

impl<const W: usize> SquareSet for Words<W> {
    const EMPTY: Self = Self([0; W]);

    #[inline]
    fn of(square: Square) -> Self {
        let mut set = Self::EMPTY;
        set.0[square.index() / 64] = 1 << (square.0 % 64);
        set
    }

    #[inline]
    fn contains(self, square: Square) -> bool {
        self.0[square.index() / 64] >> (square.0 % 64) & 1 == 1
    }

    #[inline]
    fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    #[inline]
    fn len(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[inline]
    fn first(self) -> Option<Square> {
        for (i, word) in self.0.iter().enumerate() {
            if *word != 0 {
                return Some(Square((i * 64) as u8 + word.trailing_zeros() as u8));
            }
        }
        None
    }

    #[inline]
    fn shift(self, delta: i32) -> Self {
        debug_assert!(delta != 0 && delta.abs() < 64, "a shift stays within one word");
        let by = delta.unsigned_abs();
        if delta > 0 {
            Self(std::array::from_fn(|i| {
                let carry = if i == 0 { 0 } else { self.0[i - 1] >> (64 - by) };
                self.0[i] << by | carry
            }))
        } else {
            Self(std::array::from_fn(|i| {
                let carry = if i + 1 == W { 0 } else { self.0[i + 1] << (64 - by) };
                self.0[i] >> by | carry
            }))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Set = Words<3>;

    #[test]
    fn shifts_carry_across_words_both_ways() {
        for number in [0_u8, 5, 63, 64, 127, 128, 180] {
            for delta in [1, 7, 13, 34, 63] {
                let moved = Set::of(Square(number)).shift(delta);
                let target = i32::from(number) + delta;
                let expected = if target < 192 { vec![Square(target as u8)] } else { vec![] };
                assert_eq!(moved.squares().collect::<Vec<_>>(), expected, "{number} + {delta}");
                if target < 192 {
                    assert_eq!(moved.shift(-delta), Set::of(Square(number)));
                }
            }
        }
    }

    #[test]
    fn a_set_lists_its_squares_in_order() {
        let mut set = Set::EMPTY;
        for number in [130, 3, 64, 191] {
            set.insert(Square(number));
        }
        set.remove(Square(3));
        assert_eq!(set.len(), 3);
        assert_eq!(set.squares().map(|s| s.0).collect::<Vec<_>>(), [64, 130, 191]);
    }
}
