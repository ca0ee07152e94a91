//! Moves as people type them: in full, or in a short form that only one legal move fits.

use super::table::Shown;

/// Reads a legal move.
///
/// # Errors
///
/// One line that says what is wrong: with the text as a full move, or which moves a short form may mean.
pub(super) fn read<G: Shown>(position: &G, text: &str) -> Result<G::Action, String> {
    let error = match position.parse_action(text) {
        Ok(action) => return Ok(action),
        Err(error) => error,
    };
    let mut legal = Vec::new();
    position.legal_actions(&mut legal);
    match position.meant(text, &legal).as_slice() {
        [action] => Ok(*action),
        [] => {
            // Squares that are joined by nothing are no worse a move for it.
            let spelt = squares(text).and_then(|squares| joined(&squares).last());
            let spelt = spelt.and_then(|spelt| position.parse_action(&spelt).err());
            let error = spelt.map_or_else(|| error.to_string(), |error| error.to_string());
            let duty = if position.must_capture(&legal) { ", and you must capture" } else { "" };
            Err(format!("{error}{duty}"))
        }
        several => {
            let texts: Vec<_> = several.iter().map(|&action| position.action_text(action)).collect();
            Err(format!("`{text}` may be {}", texts.join(" or ")))
        }
    }
}

/// The squares that a text names one after the other, without regard to what joins them: pairs of a letter and
/// a number. None if there is anything else in it.
pub(super) fn squares(text: &str) -> Option<Vec<String>> {
    let mut squares: Vec<String> = Vec::new();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            // No board has a file X.
            '-' | ' ' | ',' | '\t' | 'x' | 'X' | '×' => {}
            letter if letter.is_ascii_alphabetic() => {
                let mut square = letter.to_ascii_uppercase().to_string();
                while let Some(digit) = characters.next_if(char::is_ascii_digit) {
                    square.push(digit);
                }
                squares.push(square);
            }
            _ => return None,
        }
    }
    (!squares.is_empty() && squares.iter().all(|square| square.len() > 1)).then_some(squares)
}

/// The ways to join squares to the text of a move: some canters or a step first, then jumps.
pub(super) fn joined(squares: &[String]) -> impl Iterator<Item = String> {
    let links = squares.len().saturating_sub(1);
    (0..=links).map(move |quiet| {
        let mut text = squares[0].clone();
        for (number, square) in squares[1..].iter().enumerate() {
            text.push(if number < quiet { '-' } else { 'x' });
            text.push_str(square);
        }
        text
    })
}

#[cfg(test)]
mod tests {
    use camelot_core::{Cam, Game, Patience, Position, RuleSet};

    use super::*;

    fn full<G: Shown>(position: &G, text: &str) -> Result<String, String> {
        read(position, text).map(|action| position.action_text(action))
    }

    #[test]
    fn squares_are_read_whatever_joins_them() {
        let found = |text| squares(text).unwrap_or_default().join(" ");
        assert_eq!(found("d7h9"), "D7 H9");
        assert_eq!(found("D7 x F9-h11"), "D7 F9 H11");
        for text in ["", "d", "7", "d7?", "d7h", "hello"] {
            assert_eq!(found(text), "", "{text}");
        }
    }

    #[test]
    fn a_short_form_is_a_move_that_nothing_else_fits() {
        let start = Position::<Cam>::start(RuleSet::Classic);
        assert_eq!(full(&start, "c4c6").unwrap(), "C4-C6");
        assert_eq!(full(&start, "c4 C6").unwrap(), "C4-C6");
        let error = full(&start, "c4c9").unwrap_err();
        assert!(error.contains("bad move `C4-C9`: no way from C4 to C9"), "{error}");
        // Both ways round take one piece each and end on the same square.
        let two_ways = Position::<Cam>::parse("1/3/5/7/7/2bb3/2b4/2wb3/7/b6/5/3/1 W - 0", RuleSet::Classic);
        let two_ways = two_ways.unwrap();
        let mut legal = Vec::new();
        two_ways.legal_actions(&mut legal);
        for action in &legal {
            let squares = format!("{}{}", action.from, action.to);
            let rivals =
                legal.iter().filter(|other| (other.from, other.to) == (action.from, action.to)).count();
            assert_eq!(full(&two_ways, &squares).is_ok(), rivals == 1, "{squares}");
            let route = two_ways.action_text(*action);
            assert_eq!(full(&two_ways, &route.replace('x', "").to_lowercase()).unwrap(), route);
        }
    }

    #[test]
    fn a_duty_that_is_forgotten_is_named() {
        let position =
            Position::<Cam>::parse("1/3/5/7/7/5b1/7/3b3/4w2/7/5/3/1 W - 0", RuleSet::Classic).unwrap();
        let error = full(&position, "e5e6").unwrap_err();
        assert!(error.ends_with("you must capture"), "{error}");
        assert_eq!(full(&position, "c7").unwrap(), "E5xC7");
    }

    #[test]
    fn cards_have_short_forms_too() {
        let position = Patience::parse("KQQK/J9AJ/JT.J/KQQK - r 37 0000000000000", RuleSet::Classic).unwrap();
        assert_eq!(full(&position, "5+6").unwrap(), full(&position, "6 5").unwrap());
        assert!(full(&position, "d").is_err());
    }
}
