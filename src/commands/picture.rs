//! Positions as pictures on a page: where the fields lie, and what stands on them.

use camelot_core::patience::{Cell, Waste};
use camelot_core::{Game, Patience, Position, Seat};
use camelot_models::Encode;
use camelot_models::encoding::EncodedVariant;
use serde::Serialize;

/// A field of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Field {
    /// Column from the left, row from below, both from 0.
    pub(crate) x: u8,
    pub(crate) y: u8,
    /// Whether it belongs to a castle.
    pub(crate) castle: bool,
}

/// A game whose positions can be drawn.
pub(crate) trait Pictured: Encode {
    /// The fields, in the order of [`Self::contents`].
    fn fields() -> Vec<Field>;

    /// One character a field: `.` for nothing; of the armies the letters `a` to `d` in turn order, upper case for
    /// Knights; a card's own letter.
    fn contents(&self) -> String;

    /// What is to be said besides.
    fn caption(&self) -> String;
}

impl<V: EncodedVariant> Pictured for Position<V> {
    fn fields() -> Vec<Field> {
        let board = V::board();
        let castles = (0..V::SEATS).map(Seat).map(|seat| board.castle(seat));
        let castles: Vec<_> = castles.collect();
        let field = |square: &camelot_core::Square| Field {
            x: square.file(),
            y: square.rank(),
            castle: castles.iter().any(|castle| castle.contains(*square)),
        };
        board.squares().iter().map(field).collect()
    }

    fn contents(&self) -> String {
        let on = |square: &camelot_core::Square| {
            let owner = (0..V::SEATS).find(|&seat| self.army(Seat(seat)).contains(*square));
            let Some(seat) = owner else { return '.' };
            let letter = char::from(b'a' + seat);
            if self.knights().contains(*square) { letter.to_ascii_uppercase() } else { letter }
        };
        V::board().squares().iter().map(on).collect()
    }

    fn caption(&self) -> String {
        format!("{} to move", Self::seat_name(self.to_move()))
    }
}

impl Pictured for Patience {
    fn fields() -> Vec<Field> {
        (0..16).map(|cell| Field { x: cell % 4, y: 3 - cell / 4, castle: false }).collect()
    }

    fn contents(&self) -> String {
        Cell::all().map(|cell| self.at(cell).map_or('.', camelot_core::patience::Rank::symbol)).collect()
    }

    fn caption(&self) -> String {
        let hand = match self.waste() {
            Waste::Card(rank) => format!("in hand: {}", rank.symbol()),
            Waste::Empty | Waste::Turning => "no card in hand".into(),
        };
        format!("{hand}; {} to come, {} removed", self.stock_left(), self.removed())
    }
}

#[cfg(test)]
mod tests {
    use camelot_core::{Cam, GrandCamelot, RuleSet};

    use super::*;

    #[test]
    fn every_field_has_its_content() {
        fn check<G: Pictured>(pieces: usize, castles: usize) {
            let contents = G::start(RuleSet::Classic).contents();
            assert_eq!(contents.chars().count(), G::fields().len(), "{}", G::NAME);
            assert_eq!(contents.chars().filter(|&c| c != '.').count(), pieces, "{}", G::NAME);
            assert_eq!(G::fields().iter().filter(|field| field.castle).count(), castles, "{}", G::NAME);
        }
        check::<Position<Cam>>(14, 2);
        check::<Position<GrandCamelot>>(48, 8);
        check::<Patience>(0, 0);
    }

    #[test]
    fn white_stands_below_black() {
        let contents: Vec<char> = Position::<Cam>::start(RuleSet::Classic).contents().chars().collect();
        let fields = Position::<Cam>::fields();
        let lowest = |letter: char| {
            let of = fields.iter().zip(&contents).filter(|(_, c)| c.to_ascii_lowercase() == letter);
            of.map(|(field, _)| field.y).min().unwrap()
        };
        assert!(lowest('a') < lowest('b'));
    }
}
