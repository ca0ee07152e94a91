//! Positions with their complete move lists, made by a reference generator of the same rules: random
//! play (`moves.jsonl`) and positions crowded about the castles (`castle.jsonl`).

use std::collections::BTreeSet;

use camelot_core::{Game, Position, RuleSet, Variant};
use serde::Deserialize;

use super::sheet::{Sheet, at};
use super::slow::slow_effects;
use super::{Effect, effects, json_lines};

#[derive(Deserialize)]
struct Vector {
    game: String,
    position: String,
    moves: Vec<(String, String, Vec<String>)>,
}

/// Compares one listed position with the slow generator and with the crate.
fn check<V: Variant>(vector: &Vector) {
    let listed = vector.moves.iter().map(|(from, to, captured)| {
        Effect::new(at(from), at(to), captured.iter().map(|name| at(name)).collect())
    });
    let listed: BTreeSet<Effect> = listed.collect();
    let sheet = Sheet::read(&vector.game, &vector.position);
    assert_eq!(slow_effects(&sheet, RuleSet::Classic), listed, "slowly, {}", vector.position);
    let read = Position::<V>::parse(&vector.position, RuleSet::Classic).unwrap();
    assert_eq!(effects(&read), listed, "{}", vector.position);
}

/// Checks the listed positions and returns how many there were.
fn check_file(file: &str) -> usize {
    let vectors: Vec<Vector> = json_lines(file);
    for vector in &vectors {
        by_game!(vector.game.as_str(), check(vector));
    }
    vectors.len()
}

#[test]
fn move_lists_of_random_play_are_exact() {
    assert_eq!(check_file("moves.jsonl"), 80);
}

#[test]
fn move_lists_about_the_castles_are_exact() {
    assert_eq!(check_file("castle.jsonl"), 70);
}
