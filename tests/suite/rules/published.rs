//! Published games, variations, an opening and endings: every move is legal, ends as the source says,
//! and reads back from its canonical spelling.

use std::collections::BTreeSet;

use camelot_core::{Camelot, Game, Line, Position, RuleSet, Variant};
use serde::Deserialize;

use super::sheet::at;
use super::{Effect, effects, json, legal};

#[derive(Deserialize)]
struct Published {
    /// First moves that lose material at once: the federation's list, as far as the next move shows it.
    first_moves_that_lose: Vec<String>,
    /// The others on that list.
    first_moves_claimed_to_lose: Vec<String>,
    games: Vec<PublishedGame>,
}

#[derive(Deserialize)]
struct PublishedGame {
    name: String,
    game: String,
    rules: Vec<String>,
    /// A position string, or `start`.
    start: String,
    source: String,
    moves: Vec<String>,
    /// The outcome after the last move; null where the listed moves do not end the game.
    outcome: Option<String>,
    variations: Vec<Variation>,
}

/// A line that replaces the main line from a move of an army, named by its letter, on.
#[derive(Deserialize)]
struct Variation {
    #[serde(rename = "move")]
    number: usize,
    army: char,
    moves: Vec<String>,
    outcome: Option<String>,
    /// The pieces left at the end, sorted letters, where the source states them.
    pieces: Option<String>,
}

impl Variation {
    fn ply<V: Variant>(&self) -> usize {
        let place = V::LETTERS.iter().position(|&letter| char::from(letter) == self.army);
        usize::from(V::SEATS) * (self.number - 1) + place.expect("an army of the game")
    }
}

/// Plays a published move and checks that its canonical spelling is read as the same action.
fn play<V: Variant>(line: &mut Line<Position<V>>, text: &str, name: &str) {
    assert_eq!(line.outcome(), None, "{name}: over before {text}");
    let position = line.position();
    let action = position.parse_action(text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let written = position.action_text(action);
    assert_eq!(position.parse_action(&written).unwrap(), action, "{name}: {text} written as {written}");
    assert!(written.len() <= text.len(), "{name}: {written} is longer than {text}");
    line.play(action);
}

fn check_end<V: Variant>(line: &Line<Position<V>>, outcome: Option<&str>, name: &str) {
    assert_eq!(line.outcome().map(|outcome| outcome.token()), outcome, "{name}: the end");
}

/// Plays a game and its variations; returns how many moves were played.
fn check<V: Variant>(game: &PublishedGame, rules: RuleSet) -> usize {
    let start = match game.start.as_str() {
        "start" => Position::<V>::start(rules),
        text => Position::parse(text, rules).unwrap(),
    };
    let name = format!("{} ({}, {})", game.name, game.source, rules.name());
    let mut line = Line::new(start);
    let mut stops = vec![line.clone()];
    for text in &game.moves {
        play(&mut line, text, &name);
        stops.push(line.clone());
    }
    check_end(&line, game.outcome.as_deref(), &name);
    let mut played = game.moves.len();
    for variation in &game.variations {
        let name = format!("{name}, variation at move {} of {}", variation.number, variation.army);
        let mut line = stops[variation.ply::<V>()].clone();
        for text in &variation.moves {
            play(&mut line, text, &name);
        }
        check_end(&line, variation.outcome.as_deref(), &name);
        if let Some(pieces) = &variation.pieces {
            let placement = line.position().to_string();
            let placement = placement.split(' ').next().unwrap();
            let mut letters: Vec<char> = placement.chars().filter(char::is_ascii_alphabetic).collect();
            letters.sort_unstable();
            assert_eq!(&letters.iter().collect::<String>(), pieces, "{name}");
        }
        played += variation.moves.len();
    }
    played
}

#[test]
fn every_published_move_is_legal() {
    let published: Published = json("published.json");
    let (mut lines, mut moves) = (0, 0);
    for game in &published.games {
        for rules in &game.rules {
            let rules: RuleSet = rules.parse().unwrap();
            moves += by_game!(game.game.as_str(), check(game, rules));
            lines += 1 + game.variations.len();
        }
    }
    assert_eq!((lines, moves), (56, 447));
}

/// Twelve of the fourteen moves let Black capture at once, and no other first move does. The claim for
/// the other two, Knights stepping aside, needs more than the next move: here they are only legal.
#[test]
fn the_first_moves_that_let_black_capture_are_the_published_ones() {
    let published: Published = json("published.json");
    let start = Position::<Camelot>::start(RuleSet::Classic);
    let read = |texts: &[String]| -> BTreeSet<_> {
        texts.iter().map(|text| start.parse_action(text).unwrap()).collect()
    };
    let mut losing = BTreeSet::new();
    for action in legal(&start) {
        let mut next = start;
        next.play(action);
        if legal(&next).iter().any(|reply| !reply.captured.is_empty()) {
            losing.insert(action);
        }
    }
    assert_eq!(losing.len(), 12);
    assert_eq!(losing, read(&published.first_moves_that_lose));
    assert_eq!(read(&published.first_moves_claimed_to_lose).len(), 2);
}

/// Black's fourth move of the published ending is forced, and its second is open to a Man only: a
/// Knight that canters there comes next to exposed pieces and must capture.
#[test]
fn the_published_ending_forces_a_capture_and_tells_man_from_knight() {
    let published: Published = json("published.json");
    let ending = published.games.iter().find(|game| game.moves.iter().any(|text| text == "I2-G2")).unwrap();
    let mut position = Position::<Camelot>::parse(&ending.start, RuleSet::Classic).unwrap();
    for (ply, text) in ending.moves.iter().enumerate() {
        if ply == 3 {
            let knights = position.to_string().replace('b', "B");
            let knights = Position::<Camelot>::parse(&knights, RuleSet::Classic).unwrap();
            assert!(position.parse_action(text).is_ok());
            assert!(knights.parse_action(text).is_err(), "a Knight plays {text}");
        }
        if ply == 7 {
            let forced = Effect::new(at("H2"), at("F4"), vec![at("G3")]);
            assert_eq!(effects(&position), BTreeSet::from([forced]));
        }
        position.play(position.parse_action(text).unwrap());
    }
}
