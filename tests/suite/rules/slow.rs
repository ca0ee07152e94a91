//! The crate's generator against a slow one written from the printed rules: on random play, and on
//! random positions crowded about the castles, which random play almost never reaches.

#[path = "slow/printed.rs"]
mod printed;
#[path = "slow/routes.rs"]
mod routes;

use std::collections::BTreeSet;

use camelot_core::{Cam, CamAllKnights, Camelot, Game, Position, Reason, RuleSet, Variant};
use rand::{Rng, RngExt};

use super::sheet::{At, Sheet};
use super::{Effect, RULE_SETS, effects, random_game, rng};

/// Positions a game, half of them from random play and half crowded; each is tried under both rule
/// sets. The environment variable `CAMELOT_SLOW_POSITIONS` overrides it.
const POSITIONS: usize = 3_000;

fn positions() -> usize {
    match std::env::var("CAMELOT_SLOW_POSITIONS") {
        Ok(text) => text.parse().expect("CAMELOT_SLOW_POSITIONS is a number"),
        Err(_) => POSITIONS,
    }
}

/// What the positions tried had in them, so that a test can tell that it met the rare rules.
#[derive(Debug, Default)]
struct Met {
    positions: usize,
    /// A piece in its own castle.
    guards: usize,
    /// A piece in the goal castle that goes on.
    visitors: usize,
    captures: usize,
    /// Moves that differ between the rule sets.
    rulings: usize,
    stalemates: usize,
}

/// The legal moves of the player to move by the printed rules.
pub(super) fn slow_effects(sheet: &Sheet, rules: RuleSet) -> BTreeSet<Effect> {
    printed::legal_routes(sheet, rules).iter().map(printed::Route::effect).collect()
}

/// Compares the generators on one position under both rule sets.
fn compare<V: Variant>(text: &str, met: &mut Met) {
    let sheet = Sheet::read(V::NAME, text);
    let listed = RULE_SETS.map(|rules| {
        let position = Position::<V>::parse(text, rules).unwrap();
        let fast = effects(&position);
        let slow = slow_effects(&sheet, rules);
        assert_eq!(fast, slow, "{} {text} under {}", V::NAME, rules.name());
        match position.outcome().map(|outcome| outcome.reason) {
            None => assert!(!slow.is_empty(), "{text} goes on without a move"),
            Some(Reason::Stalemate) => {
                assert!(slow.is_empty(), "{text} is no stalemate");
                met.stalemates += 1;
            }
            Some(_) => {}
        }
        fast
    });
    let stands = |castle: Vec<At>| castle.iter().any(|&at| sheet.get(at).eq_ignore_ascii_case(&sheet.army));
    met.positions += 1;
    met.guards += usize::from(stands(sheet.castle(sheet.army)));
    met.visitors += usize::from(stands(sheet.castle(if sheet.army == 'W' { 'B' } else { 'W' })));
    met.captures += usize::from(listed[0].iter().any(|effect| !effect.captured.is_empty()));
    met.rulings += usize::from(listed[0] != listed[1]);
}

fn random_play<V: Variant>(count: usize, met: &mut Met) {
    let mut rng = rng(0xC0FF_EE01);
    let mut left = count;
    while left > 0 {
        random_game(Position::<V>::start(RuleSet::Classic), &mut rng, |line| {
            if left > 0 && line.outcome().is_none() {
                compare::<V>(&line.position().to_string(), met);
                left -= 1;
            }
        });
    }
}

/// A few pieces of both kinds in and near the castles, all else random.
fn crowded(game: &str, rng: &mut impl Rng) -> Sheet {
    let mut sheet = Sheet::empty(game);
    let squares = sheet.squares();
    let ends = [sheet.castle('W'), sheet.castle('B')].concat();
    let nearness = |at: At| ends.iter().map(|end| (at.0 - end.0).abs().max((at.1 - end.1).abs())).min();
    let near: Vec<At> = squares.iter().copied().filter(|&at| nearness(at) <= Some(3)).collect();
    for army in ['W', 'B'] {
        for _ in 0..rng.random_range(1..=7) {
            let place = match rng.random_range(0..8) {
                0 => ends[rng.random_range(0..ends.len())],
                1 => squares[rng.random_range(0..squares.len())],
                _ => near[rng.random_range(0..near.len())],
            };
            let knight = rng.random_bool(0.5);
            sheet.set(place, if knight { army } else { army.to_ascii_lowercase() });
        }
    }
    sheet.army = if rng.random_bool(0.5) { 'W' } else { 'B' };
    sheet.castle_moves = sheet.castle_moves.map(|used| used.map(|_| rng.random_range(0..=2)));
    sheet
}

fn check<V: Variant>() -> Met {
    let mut met = Met::default();
    let count = positions();
    random_play::<V>(count / 2, &mut met);
    let mut rng = rng(0xC0FF_EE02);
    for _ in 0..count - count / 2 {
        compare::<V>(&crowded(V::NAME, &mut rng).to_string(), &mut met);
    }
    assert_eq!(met.positions, count);
    if count >= POSITIONS {
        let least = [met.guards, met.visitors, met.captures].into_iter().min();
        assert!(least >= Some(count / 40) && met.rulings > 0, "{} met too little: {met:?}", V::NAME);
    }
    met
}

#[test]
fn camelot_agrees_with_the_printed_rules() {
    let met = check::<Camelot>();
    assert!(met.stalemates > 0 || met.positions < POSITIONS, "{met:?}");
}

#[test]
fn cam_agrees_with_the_printed_rules() {
    check::<Cam>();
}

#[test]
fn cam_all_knights_agrees_with_the_printed_rules() {
    check::<CamAllKnights>();
}

/// Camelot's first moves are 100 by effect and 112 by route.
#[test]
fn the_slow_generator_finds_the_known_number_of_first_routes() {
    let text = Position::<Camelot>::start(RuleSet::Classic).to_string();
    let routes = printed::legal_routes(&Sheet::read("camelot", &text), RuleSet::Classic);
    assert_eq!(routes.len(), 112);
    let effects: BTreeSet<Effect> = routes.iter().map(printed::Route::effect).collect();
    assert_eq!(effects.len(), 100);
}
