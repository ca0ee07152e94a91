//! Spellings of moves against the slow generator's routes: every legal route is read as its move, no
//! other walk over the board is read at all, and the canonical route is the one that is written.

use std::collections::{BTreeMap, BTreeSet};

use camelot_core::{Cam, CamAllKnights, Camelot, Game, GrandCamelot, Position, RuleSet, Variant};
use rand::{Rng, RngExt};

use super::super::sheet::{At, Sheet, name};
use super::super::{Effect, RULE_SETS, legal, rng};
use super::met::Met;
use super::printed::{self, DIRECTIONS, Route, beyond};
use super::{crowded, settle};

/// Positions a game and random walks a position.
const POSITIONS: usize = 300;
const WALKS: usize = 60;

/// A random walk of leaps over pieces that mostly looks like a move: now and then it has the wrong
/// sign, visits a square twice, mixes canters and jumps, or stops short.
fn random_walk(sheet: &Sheet, rng: &mut impl Rng) -> String {
    let own = sheet.pieces(sheet.army);
    let is_friend = |at: At| sheet.team(sheet.army).contains(sheet.get(at).to_ascii_uppercase());
    let from = own[rng.random_range(0..own.len())];
    let mut text = name(from);
    let mut at = from;
    for _ in 0..rng.random_range(1..=4) {
        let leaps = DIRECTIONS.map(|direction| (beyond(at, direction, 1), beyond(at, direction, 2)));
        let open = |(over, land): &(At, At)| {
            sheet.get(*over).is_ascii_alphabetic() && (sheet.get(*land) == '.' || *land == from)
        };
        let open: Vec<(At, At)> = leaps.into_iter().filter(open).collect();
        if open.is_empty() {
            break;
        }
        let (over, land) = open[rng.random_range(0..open.len())];
        let canters = is_friend(over) != rng.random_bool(0.05);
        text.push(if canters { '-' } else { 'x' });
        text.push_str(&name(land));
        at = land;
    }
    text
}

/// Checks one position; returns how many random walks were legal routes and how many were not.
fn check_position<V: Variant>(sheet: &Sheet, rules: RuleSet, rng: &mut impl Rng) -> (usize, usize) {
    let position = Position::<V>::parse(&sheet.to_string(), rules).unwrap();
    let routes = printed::legal_routes(sheet, rules);
    let mut canonical: BTreeMap<Effect, &Route> = BTreeMap::new();
    for route in &routes {
        let read = position.parse_action(&route.text());
        assert_eq!(read.map(Effect::of), Ok(route.effect()), "{sheet}: {}", route.text());
        let best = canonical.entry(route.effect()).or_insert(route);
        if route.rank() < best.rank() {
            *best = route;
        }
    }
    for action in legal(&position) {
        assert_eq!(position.action_text(action), canonical[&Effect::of(action)].text(), "{sheet}");
    }
    let texts: BTreeSet<String> = routes.iter().map(Route::text).collect();
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..WALKS {
        let walk = random_walk(sheet, rng);
        let read = position.parse_action(&walk);
        assert_eq!(read.is_ok(), texts.contains(&walk), "{sheet} under {}: {walk}", rules.name());
        if read.is_ok() { accepted += 1 } else { refused += 1 }
    }
    (accepted, refused)
}

fn check<V: Variant>() {
    let mut rng = rng(0xC0FF_EE03);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..POSITIONS {
        let sheet = crowded(V::NAME, &mut rng);
        for rules in RULE_SETS {
            let mut sheet = sheet.clone();
            settle::<V>(&mut sheet, rules, &mut Met::default());
            // Where the game is over, the army to move may have no piece to walk with.
            if !sheet.pieces(sheet.army).is_empty() {
                let (right, wrong) = check_position::<V>(&sheet, rules, &mut rng);
                accepted += right;
                refused += wrong;
            }
        }
    }
    assert!(accepted > 1_000 && refused > 1_000, "{accepted} walks accepted, {refused} refused");
}

#[test]
fn camelot_reads_and_writes_routes_by_the_printed_rules() {
    check::<Camelot>();
}

#[test]
fn cam_reads_and_writes_routes_by_the_printed_rules() {
    check::<Cam>();
}

#[test]
fn cam_all_knights_reads_and_writes_routes_by_the_printed_rules() {
    check::<CamAllKnights>();
}

#[test]
fn grand_camelot_reads_and_writes_routes_by_the_printed_rules() {
    check::<GrandCamelot>();
}
