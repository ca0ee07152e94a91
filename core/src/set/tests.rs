//! Sets against the plain arithmetic of files and ranks.

use super::*;

fn grid() -> impl Iterator<Item = Square> {
    (0..=255).map(Square)
}

fn offset(square: Square, files: i32, ranks: i32) -> SquareSet {
    let (file, rank) = (i32::from(square.file()) + files, i32::from(square.rank()) + ranks);
    if (0..16).contains(&file) && (0..16).contains(&rank) {
        SquareSet::of(Square::at(file as u8, rank as u8))
    } else {
        SquareSet::EMPTY
    }
}

#[test]
fn steps_and_leaps_are_those_of_the_grid() {
    for square in grid() {
        let set = SquareSet::of(square);
        each_direction!(D => {
            let (files, ranks) = DIRECTIONS[D];
            assert_eq!(set.step::<D>(), offset(square, files, ranks), "{square:?} {D}");
            assert_eq!(set.leap::<D>(), offset(square, 2 * files, 2 * ranks), "{square:?} {D}");
            assert_eq!(set.leap_back::<D>(), offset(square, -2 * files, -2 * ranks));
        });
    }
}

#[test]
fn a_set_holds_what_was_put_in() {
    let mut set = SquareSet::EMPTY;
    for square in grid() {
        assert!(!set.contains(square));
        assert_eq!(SquareSet::of(square).any(), Some(square));
        set.insert(square);
        assert!(set.contains(square));
    }
    assert_eq!(set, !SquareSet::EMPTY);
    set.remove(Square::at(3, 5));
    assert_eq!(set.len(), 255);
    let mut listed: Vec<Square> = set.squares().collect();
    listed.sort_unstable();
    assert_eq!(listed, grid().filter(|&square| square != Square::at(3, 5)).collect::<Vec<_>>());
}
