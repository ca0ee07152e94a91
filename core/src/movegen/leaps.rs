//! Leaps of a position as a graph: from which squares a leap goes in which direction.

use crate::board::Leap;
use crate::set::{DIRECTIONS, Square, SquareSet, each_direction};

/// All leaps over some pieces onto some squares, whoever makes them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaps {
    /// For each direction, the squares that a leap can leave from.
    sources: [SquareSet; 8],
    /// The squares that any leap can leave from.
    starts: SquareSet,
}

impl Leaps {
    /// The leaps over a square of `over` onto one of `land`.
    #[inline(always)]
    pub(super) fn new(over: SquareSet, land: SquareSet) -> Self {
        let mut sources = [SquareSet::EMPTY; 8];
        let mut starts = SquareSet::EMPTY;
        each_direction!(D => {
            sources[D] = SquareSet::leap_sources::<D>(over, land);
            starts |= sources[D];
        });
        Self { sources, starts }
    }

    /// These leaps and those over a square of `over` onto `land`.
    pub(super) fn with_landing(&self, over: SquareSet, land: Square) -> Self {
        let more = Self::new(over, SquareSet::of(land));
        let sources = std::array::from_fn(|direction| self.sources[direction] | more.sources[direction]);
        Self { sources, starts: self.starts | more.starts }
    }

    /// The squares that any leap can leave from.
    #[inline(always)]
    pub(super) fn starts(&self) -> SquareSet {
        self.starts
    }

    /// The squares that leaps in two or more directions can leave from.
    #[inline(always)]
    pub(super) fn forks(&self) -> SquareSet {
        let (mut once, mut twice) = (SquareSet::EMPTY, SquareSet::EMPTY);
        for sources in self.sources {
            twice |= once & sources;
            once |= sources;
        }
        twice
    }

    /// The squares of `from` that a leap in a direction can leave from.
    #[inline(always)]
    pub(super) fn sources<const DIRECTION: usize>(&self, from: SquareSet) -> SquareSet {
        self.sources[DIRECTION] & from
    }

    /// The squares that one leap from a square of `from` lands on.
    #[inline(always)]
    pub(super) fn landings(&self, from: SquareSet) -> SquareSet {
        let mut found = SquareSet::EMPTY;
        each_direction!(D => found |= self.sources::<D>(from).leap::<D>());
        found
    }

    /// The leaps from one square.
    #[inline]
    pub(super) fn from(&self, at: Square) -> impl Iterator<Item = Leap> + use<> {
        let mut directions = 0_u8;
        for (direction, sources) in self.sources.iter().enumerate() {
            directions |= u8::from(sources.contains(at)) << direction;
        }
        std::iter::from_fn(move || {
            let direction = DIRECTIONS.get(directions.trailing_zeros() as usize)?;
            directions &= directions - 1;
            let over = at.beside(*direction);
            Some(Leap { over, land: over.beside(*direction) })
        })
    }
}
