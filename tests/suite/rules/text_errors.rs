//! Malformed positions and moves: one line that names what is wrong, what stands there and what would
//! be right, and never a panic.

use camelot_core::{Cam, Camelot, Game, GrandCamelot, Position, RuleSet, Variant};
use rand::{Rng, RngExt};
use serde::Deserialize;

use super::{json_lines, random_game, rng};

/// A malformed text and the parts that its message must have.
#[derive(Deserialize)]
struct Malformed {
    game: String,
    /// The position; the start where it is left out.
    position: Option<String>,
    /// The move, where the case is one.
    action: Option<String>,
    says: Vec<String>,
}

fn message<V: Variant>(case: &Malformed) -> String {
    let position = case.position.as_deref().map(|text| Position::<V>::parse(text, RuleSet::Classic));
    match (position, &case.action) {
        (Some(read), None) => read.expect_err(case.position.as_ref().unwrap()).to_string(),
        (position, Some(action)) => {
            let position = position.map_or_else(|| Position::start(RuleSet::Classic), Result::unwrap);
            position.parse_action(action).expect_err(action).to_string()
        }
        (None, None) => panic!("a case without a text"),
    }
}

fn is_one_short_line(message: &str) -> bool {
    !message.contains(char::is_control) && message.chars().count() < 400
}

#[test]
fn messages_name_the_field_the_value_and_the_expectation() {
    let cases: Vec<Malformed> = json_lines("malformed.jsonl");
    for case in &cases {
        let message = by_game!(case.game.as_str(), message(case));
        assert!(is_one_short_line(&message), "{message}");
        for part in &case.says {
            assert!(message.contains(part.as_str()), "`{message}` lacks `{part}`");
        }
    }
    assert_eq!(cases.len(), 84);
}

/// Characters that mutations write, texts of other alphabets among them.
const LETTERS: &[char] = &[
    '0', '1', '2', '3', '9', 'W', 'B', 'w', 'b', 'R', 'G', 'y', 'A', 'F', 'L', 'x', 'X', '-', '/', ' ', ',',
    '+', '\n', '\0', 'é', '١', '🙂',
];

fn mutate(text: &str, rng: &mut impl Rng) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..rng.random_range(1..=3) {
        let at = rng.random_range(0..=letters.len());
        let letter = LETTERS[rng.random_range(0..LETTERS.len())];
        match rng.random_range(0..5) {
            0 => letters.insert(at, letter),
            1 if at < letters.len() => letters[at] = letter,
            2 if at < letters.len() => drop(letters.remove(at)),
            3 => letters.truncate(at),
            _ => letters.extend_from_within(at..),
        }
    }
    letters.into_iter().collect()
}

/// Mutates the texts of random play. Whatever is still read as a position is written as it was read.
fn mutations<V: Variant>(games: u64) -> (usize, usize) {
    let (mut tried, mut read) = (0, 0);
    for seed in 0..games {
        let mut mutations = rng(7_000 + seed);
        random_game(Position::<V>::start(RuleSet::Classic), &mut rng(seed), |line| {
            let position = line.position();
            let text = mutate(&position.to_string(), &mut mutations);
            match Position::<V>::parse(&text, RuleSet::Classic) {
                Ok(again) => {
                    assert_eq!(again.to_string(), text);
                    read += 1;
                }
                Err(error) => assert!(is_one_short_line(&error.to_string()), "{error}"),
            }
            tried += 1;
            let mut actions = Vec::new();
            position.legal_actions(&mut actions);
            let Some(&action) = actions.first() else { return };
            let text = mutate(&position.action_text(action), &mut mutations);
            match position.parse_action(&text) {
                Ok(action) => assert!(actions.contains(&action), "{text}"),
                Err(error) => assert!(is_one_short_line(&error.to_string()), "{error}"),
            }
        });
    }
    (tried, read)
}

#[test]
fn mutated_texts_are_read_or_refused_and_never_panic() {
    for (tried, read) in [mutations::<Camelot>(40), mutations::<Cam>(60), mutations::<GrandCamelot>(8)] {
        assert!(tried > 3_000 && read > 0 && read < tried / 2, "{read} of {tried} mutations were read");
    }
}
