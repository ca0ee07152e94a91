//! How games look in a terminal.

use camelot_core::patience::{Act, Cell, REMOVABLE, Rank, Waste};
use camelot_core::{Game, Move, Outcome, Patience, Position, Seat, Square, Variant};
use camelot_models::Encode;
use camelot_models::encoding::EncodedVariant;
use camelot_selfplay::players::Advance;

use super::short;

/// A game that can be shown to people.
pub(super) trait Shown: Encode + Advance {
    /// How moves are typed.
    const HELP: &'static str;

    /// The position as a picture of characters; with colours the last move stands out.
    fn drawing(&self, coloured: bool, last: Option<Self::Action>) -> String;

    /// The legal actions that a text which is no full move may mean.
    fn meant(&self, text: &str, legal: &[Self::Action]) -> Vec<Self::Action>;

    /// The army to move, where a team has more than one.
    fn army_to_move(&self) -> Option<&'static str> {
        None
    }

    /// How a game ended, as a sentence.
    fn verdict(outcome: Outcome) -> String;

    /// What a player expects that gives this value, in `[-1, 1]`, to its own side.
    fn opinion(value: f32) -> String;
}

impl<V: EncodedVariant> Shown for Position<V> {
    const HELP: &'static str = "Type a move by its squares, such as C4-C6, D5xD7xF9 or in short c4c6";

    /// The board with its coordinates, the first army at the bottom. Knights are upper case, Men lower case.
    fn drawing(&self, coloured: bool, last: Option<Move>) -> String {
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
                    Some(square) => {
                        let moved = last.is_some_and(|last| [last.from, last.to].contains(&square));
                        text.push_str(&on_square(self, square, coloured, moved));
                    }
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

    /// Squares say where a move goes: a route whose links are left out, else its ends, else its end.
    fn meant(&self, text: &str, legal: &[Move]) -> Vec<Move> {
        let Some(squares) = short::squares(text) else { return Vec::new() };
        let mut routes: Vec<_> =
            short::joined(&squares).filter_map(|route| self.parse_action(&route).ok()).collect();
        routes.dedup();
        if !routes.is_empty() {
            return routes;
        }
        let ends = |action: &&Move| match squares.as_slice() {
            [to] => action.to.to_string() == *to,
            [from, to] => action.from.to_string() == *from && action.to.to_string() == *to,
            _ => false,
        };
        legal.iter().filter(ends).copied().collect()
    }

    fn army_to_move(&self) -> Option<&'static str> {
        (V::SEATS > 2).then(|| Self::seat_name(self.to_move()))
    }

    fn verdict(outcome: Outcome) -> String {
        let Some(team) = outcome.winner() else { return format!("Drawn by {}.", outcome.reason) };
        let armies: Vec<&str> = Self::seats_of(team).map(Self::seat_name).collect();
        let win = if armies.len() == 1 { "wins" } else { "win" };
        format!("{} {win} by {}.", armies.join(" and "), outcome.reason)
    }

    fn opinion(value: f32) -> String {
        format!("expects {:.0} % of the points", 50.0 * (value + 1.0))
    }
}

fn on_square<V: Variant>(position: &Position<V>, square: Square, coloured: bool, moved: bool) -> String {
    let owner = (0..V::SEATS).map(Seat).find(|&seat| position.army(seat).contains(square));
    let Some(seat) = owner else {
        return if coloured && moved { "\x1b[1m·\x1b[0m".into() } else { ".".into() };
    };
    let letter = char::from(V::LETTERS[seat.index()]);
    let knight = position.knights().contains(square);
    let letter = if knight { letter } else { letter.to_ascii_lowercase() };
    if !coloured {
        return letter.to_string();
    }
    // Yellow and cyan for two armies; the colours of their names for four.
    let colours: &[u8] = if V::SEATS == 2 { &[33, 36] } else { &[31, 32, 34, 33] };
    let mark = if moved { ";7" } else { "" };
    format!("\x1b[1;{}{mark}m{letter}\x1b[0m", colours[seat.index()])
}

impl Shown for Patience {
    const HELP: &'static str = "\
Place the card in your hand by the number of a cell, such as 6, or remove a ten the same way;
remove two cards that sum to ten as 4+9; `deal` turns over the next card";

    /// The tableau beside the numbers of its cells, then waste, stock and score.
    fn drawing(&self, coloured: bool, _last: Option<Act>) -> String {
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

    /// `d` deals; two numbers are a pair, whatever joins them.
    fn meant(&self, text: &str, legal: &[Act]) -> Vec<Act> {
        let numbers: Vec<_> =
            text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty()).collect();
        let full = match numbers.as_slice() {
            [] if text.eq_ignore_ascii_case("d") => "deal".into(),
            [one, other] => format!("{one}+{other}"),
            _ => return Vec::new(),
        };
        self.parse_action(&full).ok().filter(|act| legal.contains(act)).into_iter().collect()
    }

    fn verdict(outcome: Outcome) -> String {
        let removed = Self::points(outcome.value).unwrap_or_default();
        let result = if outcome.value.absolute() >= 1.0 { "Won" } else { "Lost" };
        format!("{result}: {removed:.0} cards removed.")
    }

    /// The value by another scale: that of the cards.
    fn opinion(value: f32) -> String {
        let points = f32::from(REMOVABLE) * (value + 1.0);
        format!("expects {points:.1} points: 1 a card removed, {REMOVABLE} for a win")
    }
}

/// A card; kings, queens and jacks stand out.
fn card(rank: Rank, coloured: bool) -> String {
    match (coloured, rank.court()) {
        (true, Some(_)) => format!("\x1b[1;33m{}\x1b[0m", rank.symbol()),
        _ => rank.symbol().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use camelot_core::{Cam, GrandCamelot, Reason, Team};

    use super::*;

    #[test]
    fn ends_and_opinions_are_told_in_the_words_of_the_game() {
        let [one, two] = [Team::One, Team::Two].map(|team| Outcome::win(team, Reason::Castle));
        assert_eq!(Position::<Cam>::verdict(two), "Black wins by castle.");
        assert_eq!(Position::<GrandCamelot>::verdict(one), "Red and Blue win by castle.");
        assert_eq!(Position::<GrandCamelot>::verdict(two), "Green and Yellow win by castle.");
        assert_eq!(Position::<Cam>::opinion(0.5), "expects 75 % of the points");
        let lost_with_twelve = 12.0 / 40.0 - 1.0;
        assert_eq!(
            Patience::opinion(lost_with_twelve),
            "expects 12.0 points: 1 a card removed, 40 for a win"
        );
        assert_eq!(Patience::opinion(1.0), "expects 80.0 points: 1 a card removed, 40 for a win");
    }
}
