//! The board as a rectangle of cells, for networks that look at squares and their neighbours.

use camelot_core::Variant;

/// Cells in a neighbourhood: the cell itself and the eight around it.
pub const NEIGHBOURHOOD: usize = 9;

/// Where the squares of a board lie in the smallest rectangle around it, and which features belong to them.
///
/// Squares have the numbers of the encoding, as the player to move sees them. The features below
/// `planes * squares` are those of squares, plane after plane; the others, the *scalars*, belong to the whole
/// position.
#[derive(Debug, PartialEq, Eq)]
pub struct Grid {
    /// Rows of the rectangle, the lowest rank first.
    pub rows: usize,
    /// Columns, from left to right.
    pub columns: usize,
    /// Features of each square.
    pub planes: usize,
    /// For each square the number of its cell, row by row.
    cells: Vec<u16>,
    /// For each square the squares of its neighbourhood, row by row from the lower left.
    neighbours: Vec<[Option<u16>; NEIGHBOURHOOD]>,
}

impl Grid {
    /// The grid of a board whose encoding has `planes` features a square.
    pub(super) fn new<V: Variant>(planes: usize) -> Self {
        let board = V::board();
        let (rows, columns) = (usize::from(board.ranks), usize::from(board.files));
        let place = |file: u8, rank: u8| usize::from(rank) * columns + usize::from(file);
        let cells: Vec<u16> = board.squares().iter().map(|s| place(s.file(), s.rank()) as u16).collect();
        let mut square_at = vec![None; rows * columns];
        for (square, &cell) in cells.iter().enumerate() {
            square_at[usize::from(cell)] = Some(square as u16);
        }
        let neighbour = |cell: u16, index: usize| {
            let row = (usize::from(cell) / columns + index / 3).checked_sub(1).filter(|&row| row < rows)?;
            let column = (usize::from(cell) % columns + index % 3).checked_sub(1).filter(|&c| c < columns)?;
            square_at[row * columns + column]
        };
        let neighbours = cells.iter().map(|&cell| std::array::from_fn(|i| neighbour(cell, i))).collect();
        Self { rows, columns, planes, cells, neighbours }
    }

    /// Squares of the board.
    #[must_use]
    pub fn squares(&self) -> usize {
        self.cells.len()
    }

    /// Features that belong to squares; they come first.
    #[must_use]
    pub fn square_features(&self) -> usize {
        self.planes * self.squares()
    }

    /// For each square the number of its cell, row by row.
    #[must_use]
    pub fn cells(&self) -> &[u16] {
        &self.cells
    }

    /// For each square those of its neighbourhood, row by row from the lower left; none off the board.
    #[must_use]
    pub fn neighbours(&self) -> &[[Option<u16>; NEIGHBOURHOOD]] {
        &self.neighbours
    }
}

#[cfg(test)]
mod tests {
    use camelot_core::{Cam, Camelot, Game, GrandCamelot, Patience, Position};

    use super::*;
    use crate::Encode;

    fn grid<G: Encode>() -> &'static Grid {
        G::sizes().grid.unwrap()
    }

    #[test]
    fn boards_lie_in_their_rectangles() {
        let found = |grid: &Grid| (grid.rows, grid.columns, grid.squares(), grid.planes);
        assert_eq!(found(grid::<Position<Cam>>()), (13, 7, 67, 8));
        assert_eq!(found(grid::<Position<Camelot>>()), (16, 12, 160, 8));
        assert_eq!(found(grid::<Position<GrandCamelot>>()), (16, 16, 180, 12));
        assert!(Patience::sizes().grid.is_none());
    }

    fn check_neighbours<V: Variant>()
    where
        Position<V>: Encode,
    {
        let (board, grid) = (V::board(), grid::<Position<V>>());
        for (square, around) in board.squares().iter().zip(grid.neighbours()) {
            let found = around.iter().flatten().map(|&number| board.squares()[usize::from(number)]);
            let mut found: Vec<_> = found.filter(|other| other != square).collect();
            let mut expected: Vec<_> = board.steps(*square).squares().collect();
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected, "{} {square:?}", Position::<V>::NAME);
            assert_eq!(around[4], Some(board.dense(*square) as u16));
        }
    }

    #[test]
    fn neighbours_are_a_step_away() {
        check_neighbours::<Cam>();
        check_neighbours::<Camelot>();
        check_neighbours::<GrandCamelot>();
    }
}
