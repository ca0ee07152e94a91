//! Positions as text: placement, army to move, castle moves used, quiet plies.

use std::fmt;

use crate::ending::quiet_ply_limit;
use crate::game::{PositionError, RuleSet, Seat};
use crate::position::Position;
use crate::set::Square;
use crate::variant::Variant;

impl<V: Variant> fmt::Display for Position<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = V::board();
        for rank in (0..board.ranks).rev() {
            let mut run = 0;
            for square in (0..board.files).filter_map(|file| board.at(file, rank)) {
                match letter(self, square) {
                    None => run += 1,
                    Some(letter) => {
                        write_run(f, &mut run)?;
                        write!(f, "{letter}")?;
                    }
                }
            }
            write_run(f, &mut run)?;
            if rank > 0 {
                f.write_str("/")?;
            }
        }
        write!(f, " {} ", char::from(V::LETTERS[self.to_move.index()]))?;
        if V::CASTLE_MOVES == 0 {
            f.write_str("-")?;
        } else {
            let used: Vec<_> = (0..V::SEATS).map(|s| self.castle_moves(Seat(s)).to_string()).collect();
            f.write_str(&used.join(","))?;
        }
        write!(f, " {}", self.quiet_plies)
    }
}

fn write_run(f: &mut fmt::Formatter<'_>, run: &mut u8) -> fmt::Result {
    if *run > 0 {
        write!(f, "{run}")?;
        *run = 0;
    }
    Ok(())
}

fn letter<V: Variant>(position: &Position<V>, square: Square) -> Option<char> {
    let seat = (0..V::SEATS).map(Seat).find(|&seat| position.army(seat).contains(square))?;
    let letter = char::from(V::LETTERS[seat.index()]);
    Some(if position.knights().contains(square) { letter } else { letter.to_ascii_lowercase() })
}

/// The most pieces of an army in a position that is read. Composed positions may hold more than a game
/// can, but not so many that the branches of a chain of jumps get out of hand.
const ARMY_LIMIT: u32 = 16;

/// Reads what `Display` writes; nothing else is accepted.
pub(crate) fn parse<V: Variant>(text: &str, rules: RuleSet) -> Result<Position<V>, PositionError> {
    let fields: Vec<&str> = text.split(' ').collect();
    let [placement, to_move, castle_moves, quiet_plies] = fields[..] else {
        return Err(PositionError::new(
            "the whole string",
            text,
            format!("four fields separated by one space, such as `{}`", V::shape().start),
        ));
    };
    let mut position = Position::empty(rules);
    place(&mut position, placement)?;
    let seat = V::LETTERS.iter().position(|&letter| to_move.as_bytes() == [letter]);
    let seat = seat.ok_or_else(|| {
        let letters: Vec<_> = V::LETTERS.iter().map(|&l| format!("`{}`", char::from(l))).collect();
        PositionError::new("the army to move", to_move, letters.join(" or "))
    })?;
    position.to_move = Seat(seat as u8);
    read_castle_moves(&mut position, castle_moves)?;
    let limit = quiet_ply_limit::<V>();
    position.quiet_plies = number(quiet_plies).filter(|&plies| plies <= limit).ok_or_else(|| {
        let expected = format!("a number from 0 to {limit}");
        PositionError::new("the count of quiet plies", quiet_plies, expected)
    })?;
    position.complete();
    if position.to_move.index() != seat {
        let next = char::from(V::LETTERS[position.to_move.index()]);
        let expected = format!("an army that can move: the turn passes to `{next}`");
        return Err(PositionError::new("the army to move", to_move, expected));
    }
    Ok(position)
}

/// A number written the one way that `Display` writes it.
fn number(text: &str) -> Option<u16> {
    text.parse().ok().filter(|value: &u16| value.to_string() == text)
}

fn place<V: Variant>(position: &mut Position<V>, placement: &str) -> Result<(), PositionError> {
    let board = V::board();
    let rows: Vec<&str> = placement.split('/').collect();
    if rows.len() != usize::from(board.ranks) {
        let expected = format!("{} ranks joined by `/`, found {}", board.ranks, rows.len());
        return Err(PositionError::new("the placement", placement, expected));
    }
    for (row, rank) in rows.iter().zip((0..board.ranks).rev()) {
        let squares: Vec<Square> = (0..board.files).filter_map(|file| board.at(file, rank)).collect();
        place_rank(position, row, &squares)?;
    }
    for seat in (0..V::SEATS).map(Seat) {
        if position.army(seat).len() > ARMY_LIMIT {
            let letter = char::from(V::LETTERS[seat.index()]);
            let expected = format!("at most {ARMY_LIMIT} pieces of {letter}");
            return Err(PositionError::new("the placement", placement, expected));
        }
        if let Some(square) = (position.army(seat) & board.side_castles(seat)).any() {
            let letter = char::from(V::LETTERS[seat.index()]);
            let expected = format!("no piece of {letter} on {square}, a castle it may not enter");
            return Err(PositionError::new("the placement", placement, expected));
        }
    }
    Ok(())
}

fn place_rank<V: Variant>(
    position: &mut Position<V>,
    row: &str,
    squares: &[Square],
) -> Result<(), PositionError> {
    let bad = || {
        let letters = std::str::from_utf8(V::LETTERS).unwrap_or_default();
        let expected = format!(
            "{} squares as runs of empty squares and the letters {letters}, either case",
            squares.len()
        );
        PositionError::new("a rank of the placement", row, expected)
    };
    let mut rest = row;
    let mut at = 0;
    while let Some(first) = rest.chars().next() {
        if first.is_ascii_digit() {
            let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            at +=
                usize::from(number(&rest[..digits]).filter(|&run| (1..=256).contains(&run)).ok_or_else(bad)?);
            rest = &rest[digits..];
            if at > squares.len() {
                return Err(bad());
            }
            continue;
        }
        let seat =
            V::LETTERS.iter().position(|&l| first.to_ascii_uppercase() == char::from(l)).ok_or_else(bad)?;
        let &square = squares.get(at).ok_or_else(bad)?;
        position.armies.as_mut()[seat].insert(square);
        if first.is_ascii_uppercase() {
            position.knights.insert(square);
        }
        at += 1;
        rest = &rest[first.len_utf8()..];
    }
    if at == squares.len() { Ok(()) } else { Err(bad()) }
}

fn read_castle_moves<V: Variant>(position: &mut Position<V>, text: &str) -> Result<(), PositionError> {
    const FIELD: &str = "the castle moves used";
    if V::CASTLE_MOVES == 0 {
        return if text == "-" { Ok(()) } else { Err(PositionError::new(FIELD, text, "`-`")) };
    }
    let bad = || {
        let expected = format!("{} numbers from 0 to {} joined by commas", V::SEATS, V::CASTLE_MOVES);
        PositionError::new(FIELD, text, expected)
    };
    let parts: Vec<&str> = text.split(',').collect();
    if parts.len() != usize::from(V::SEATS) {
        return Err(bad());
    }
    for (used, part) in position.castle_moves.iter_mut().zip(parts) {
        let count = number(part).filter(|&count| count <= u16::from(V::CASTLE_MOVES)).ok_or_else(bad)?;
        *used = count as u8;
    }
    Ok(())
}
