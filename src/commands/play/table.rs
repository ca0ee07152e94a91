//! How games look in a terminal.

use camelot_core::patience::{Cell, Rank, Waste};
use camelot_core::{Outcome, Patience, Position, Seat, Square, Team, Variant};
use camelot_models::Encode;
use camelot_models::encoding::EncodedVariant;
use camelot_selfplay::players::Advance;

/// A game that can be shown to people.
pub(super) trait Shown: Encode + Advance {
    /// How moves are typed.
    const HELP: &'static str;

    /// The position as a picture of characters.
    fn drawing(&self, coloured: bool) -> String;

    /// The army to move, where a team has more than one.
    fn army_to_move(&self) -> Option<&'static str> {
        None
    }

    /// How a game ended, as a sentence.
    fn verdict(outcome: Outcome) -> String;
}

impl<V: EncodedVariant> Shown for Position<V> {
    const HELP: &'static str = "Type a move by its squares, such as C4-C6 or D5xD7xF9";

    /// The board with its coordinates, the first army at the bottom. Knights are upper case, Men lower case.
    fn drawing(&self, coloured: bool) -> String {
        let board = self.board();
        let mut text = String::new();
        for rank in (0..board.ranks).rev() {
            let number = rank + 1;
            text.push_str(if number < 10 { "  " } else { " " });
            text.push_str(&number.to_string());
            text.push(' ');
            for file in 0..board.files {
                text.push(' ');
                match board.at(file, rank) {
                    None => text.push(' '),
                    Some(square) => text.push_str(&on_square(self, square, coloured)),
                }
            }
            text.push('\n');
        }
        text.push_str("    ");
        for file in 0..board.files {
            text.push(' ');
            text.push(char::from(b'A' + file));
        }
        text
    }

    fn army_to_move(&self) -> Option<&'static str> {
        (V::SEATS > 2).then(|| V::ARMIES[self.to_move().index()])
    }

    fn verdict(outcome: Outcome) -> String {
        let [one, two] = V::TEAMS;
        let wins = if V::SEATS == 2 { "wins" } else { "win" };
        match outcome.winner() {
            Some(Team::One) => format!("{one} {wins} by {}.", outcome.reason),
            Some(Team::Two) => format!("{two} {wins} by {}.", outcome.reason),
            None => format!("Drawn by {}.", outcome.reason),
        }
    }
}

fn on_square<V: Variant>(position: &Position<V>, square: Square, coloured: bool) -> String {
    let owner = (0..V::SEATS).map(Seat).find(|&seat| position.army(seat).contains(square));
    let Some(seat) = owner else { return ".".into() };
    let letter = char::from(V::LETTERS[seat.index()]);
    let knight = position.knights().contains(square);
    let letter = if knight { letter } else { letter.to_ascii_lowercase() };
    if !coloured {
        return letter.to_string();
    }
    // Yellow and cyan for two armies; the colours of their names for four.
    let colours: &[u8] = if V::SEATS == 2 { &[33, 36] } else { &[31, 32, 34, 33] };
    format!("\x1b[1;{}m{letter}\x1b[0m", colours[seat.index()])
}

impl Shown for Patience {
    const HELP: &'static str = "\
Place the card in your hand by the number of a cell, such as 6, or remove a ten the same way;
remove two cards that sum to ten as 4+9; `deal` turns over the next card";

    /// The tableau beside the numbers of its cells, then waste, stock and score.
    fn drawing(&self, coloured: bool) -> String {
        let mut text = String::new();
        for row in 0..4 {
            let cells = || Cell::all().skip(4 * row).take(4);
            text.push_str("  ");
            for cell in cells() {
                text.push(' ');
                match self.at(cell) {
                    None => text.push('.'),
                    Some(rank) => text.push_str(&card(rank, coloured)),
                }
            }
            text.push_str("    ");
            text.extend(cells().map(|cell| format!("{:>3}", cell.index())));
            text.push('\n');
        }
        let waste = match self.waste() {
            Waste::Empty => "no card in hand".to_string(),
            Waste::Turning => "a card is being turned over".into(),
            Waste::Card(rank) => format!("in hand: {}", card(rank, coloured)),
        };
        text + &format!("{waste}; {} to come, {} removed", self.stock_left(), self.removed())
    }

    fn verdict(outcome: Outcome) -> String {
        let removed = <Self as camelot_core::Game>::points(outcome.value).unwrap_or_default();
        let result = if outcome.value.absolute() >= 1.0 { "Won" } else { "Lost" };
        format!("{result}: {removed:.0} cards removed.")
    }
}

/// A card; kings, queens and jacks stand out.
fn card(rank: Rank, coloured: bool) -> String {
    match (coloured, rank.court()) {
        (true, Some(_)) => format!("\x1b[1;33m{}\x1b[0m", rank.symbol()),
        _ => rank.symbol().to_string(),
    }
}
