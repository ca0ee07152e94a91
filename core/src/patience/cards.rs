//! Ranks, cells and sets of cells.

use std::ops::{BitAnd, BitOr, Not};

/// The rank of a card, ace to king.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(u8);

/// The characters of the ranks in position texts.
const SYMBOLS: &[u8; Rank::COUNT] = b"A23456789TJQK";

impl Rank {
    /// How many ranks there are.
    pub const COUNT: usize = 13;
    /// The jack.
    pub const JACK: Self = Self(10);
    /// The queen.
    pub const QUEEN: Self = Self(11);
    /// The king.
    pub const KING: Self = Self(12);

    /// All ranks, from the ace up.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT as u8).map(Self)
    }

    /// The number from 0 for the ace to 12 for the king.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The rank with a number, if there is one.
    #[must_use]
    pub fn new(index: usize) -> Option<Self> {
        (index < Self::COUNT).then_some(Self(index as u8))
    }

    /// The rank that counts `worth` when cards are removed, from 1 to 10.
    pub(super) fn of_worth(worth: u8) -> Self {
        Self(worth - 1)
    }

    /// What the card counts when cards are removed; nothing for jacks, queens and kings.
    #[must_use]
    pub fn worth(self) -> Option<u8> {
        (self < Self::JACK).then_some(self.0 + 1)
    }

    /// `A 2 … 9 T J Q K`.
    #[must_use]
    pub fn symbol(self) -> char {
        char::from(SYMBOLS[self.index()])
    }

    /// The rank of a symbol.
    #[must_use]
    pub fn of_symbol(symbol: char) -> Option<Self> {
        SYMBOLS.iter().position(|&known| char::from(known) == symbol).and_then(Self::new)
    }

    /// The region that belongs to a king, queen or jack; none for the others.
    #[must_use]
    pub fn court(self) -> Option<Region> {
        match self {
            Self::KING => Some(Region::Corner),
            Self::QUEEN => Some(Region::Rim),
            Self::JACK => Some(Region::Side),
            _ => None,
        }
    }

    /// The cells where the card may be placed, as far as they are empty.
    #[must_use]
    pub fn home(self) -> Cells {
        self.court().map_or(Cells::ALL, Region::cells)
    }
}

/// The four regions of the tableau.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Region {
    /// The four in the middle, which must be empty at the end.
    Centre,
    /// The kings' corners.
    Corner,
    /// The queens' cells, in the middle of the top and bottom rows.
    Rim,
    /// The jacks' cells, in the middle of the left and right columns.
    Side,
}

impl Region {
    /// The cells of a region.
    #[must_use]
    pub fn cells(self) -> Cells {
        Cells(match self {
            Self::Centre => 1 << 5 | 1 << 6 | 1 << 9 | 1 << 10,
            Self::Corner => 1 | 1 << 3 | 1 << 12 | 1 << 15,
            Self::Rim => 1 << 1 | 1 << 2 | 1 << 13 | 1 << 14,
            Self::Side => 1 << 4 | 1 << 7 | 1 << 8 | 1 << 11,
        })
    }
}

/// A cell of the tableau, row by row from the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

impl Cell {
    /// How many cells there are.
    pub const COUNT: usize = 16;

    /// The cell with a number, if there is one.
    #[must_use]
    pub fn new(index: usize) -> Option<Self> {
        (index < Self::COUNT).then_some(Self(index as u8))
    }

    /// All cells in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT as u8).map(Self)
    }

    /// The number from 0 to 15.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The cell in the tableau's image with left and right exchanged.
    #[must_use]
    pub fn mirrored(self) -> Self {
        Self(self.0 ^ 3)
    }
}

/// A set of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cells(u16);

impl Cells {
    /// No cells.
    pub const NONE: Self = Self(0);
    /// The whole tableau.
    pub const ALL: Self = Self(u16::MAX);

    /// The set of one cell.
    #[must_use]
    pub fn of(cell: Cell) -> Self {
        Self(1 << cell.0)
    }

    /// Whether the set holds a cell.
    #[must_use]
    pub fn contains(self, cell: Cell) -> bool {
        self.0 & 1 << cell.0 != 0
    }

    /// Whether the set holds nothing.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many cells the set holds.
    #[must_use]
    pub fn len(self) -> u8 {
        self.0.count_ones() as u8
    }

    /// The cells in order.
    pub fn iter(self) -> impl Iterator<Item = Cell> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let cell = (left != 0).then(|| Cell(left.trailing_zeros() as u8))?;
            left &= left - 1;
            Some(cell)
        })
    }
}

impl BitAnd for Cells {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Cells {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Not for Cells {
    type Output = Self;

    fn not(self) -> Self {
        Self(!self.0)
    }
}
