//! What every game promises, board games and toy games alike.

use std::collections::HashSet;

use camelot_core::toys::{Dice, Relay, Subtraction, exact_value};
use camelot_core::{
    Cam, CamAllKnights, Camelot, Game, GrandCamelot, Patience, Position, RuleSet, Seat, Team, Turn,
};

use super::{RULE_SETS, legal, random_game, rng};

/// More plies than any random game of this family takes: pieces and castle squares bound the resets
/// of the quiet-ply count.
const MOST_PLIES: usize = 4_000;

fn conformance<G: Game>(games: u64) {
    for rules in RULE_SETS {
        for seed in 0..games {
            let line = random_game(G::start(rules), &mut rng(seed), |line| {
                check_position(line.position());
                assert!(line.actions().len() < MOST_PLIES, "a game without end");
            });
            assert_eq!(line.start(), &G::start(rules));
            let value = line.outcome().expect("random games end").value.absolute();
            assert!((-1.0..=1.0).contains(&value), "{value}");
        }
    }
}

fn check_position<G: Game>(position: &G) {
    let text = position.to_string();
    let read = G::parse(&text, position.rules()).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(&read, position, "{text}");
    assert_eq!(read.to_string(), text);
    assert_eq!(read.key(), position.key(), "{text}: key");
    assert_eq!(read.outcome(), position.outcome(), "{text}: outcome");
    assert_eq!(read.turn(), position.turn(), "{text}: turn");
    if position.outcome().is_some() {
        return;
    }
    let actions = legal(position);
    assert!(!actions.is_empty(), "{text} goes on without an action");
    assert_eq!(actions, legal(position), "{text}: the order is not fixed");
    assert_eq!(actions, legal(&read), "{text}: the order depends on the way here");
    let distinct: HashSet<G::Action> = actions.iter().copied().collect();
    assert_eq!(distinct.len(), actions.len(), "{text}: duplicate action");
    let named: HashSet<String> = actions.iter().map(ToString::to_string).collect();
    assert_eq!(named.len(), actions.len(), "{text}: two actions of one name");
    check_appending(position, &actions);
    for &action in &actions {
        let written = position.action_text(action);
        assert_eq!(position.parse_action(&written).as_ref(), Ok(&action), "{text}: {written}");
    }
    check_turn(position, &actions);
}

/// What stands in the buffer already is left alone.
fn check_appending<G: Game>(position: &G, actions: &[G::Action]) {
    let mut twice = actions.to_vec();
    position.legal_actions(&mut twice);
    assert_eq!(twice, actions.repeat(2), "{position}: actions are appended");
}

fn check_turn<G: Game>(position: &G, actions: &[G::Action]) {
    match position.turn() {
        Turn::Player(seat) => assert!(seat.0 < G::SEATS, "{position}: seat {seat:?}"),
        Turn::Chance => {
            let weights: Vec<f32> = actions.iter().map(|&action| position.chance_weight(action)).collect();
            assert!(weights.iter().all(|&weight| weight > 0.0), "{position}: {weights:?}");
            assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{position}: {weights:?}");
        }
    }
}

#[test]
fn camelot_conforms() {
    conformance::<Position<Camelot>>(8);
}

#[test]
fn cam_conforms() {
    conformance::<Position<Cam>>(30);
}

#[test]
fn cam_all_knights_conforms() {
    conformance::<Position<CamAllKnights>>(30);
}

#[test]
fn grand_camelot_conforms() {
    conformance::<Position<GrandCamelot>>(2);
}

#[test]
fn the_patience_conforms() {
    conformance::<Patience>(300);
}

#[test]
fn toy_games_conform() {
    conformance::<Subtraction>(200);
    conformance::<Relay>(200);
    conformance::<Dice>(200);
}

fn assert_value<G: Game>(position: &G, expected: f32) {
    let value = exact_value(position);
    assert!((value - expected).abs() < 1e-6, "{position} is worth {value}, not {expected}");
}

/// Heaps of 4 and 8 are lost for who is to move: whatever is taken, the opponent takes the rest to the
/// next multiple of four. All others are won by leaving such a heap.
#[test]
fn subtraction_is_worth_what_theory_says() {
    for heap in 1..=10 {
        let value = if heap % 4 == 0 { -1.0 } else { 1.0 };
        assert_value(&Subtraction::with_heap(heap), value);
    }
    assert_value(&Subtraction::parse("8 1", RuleSet::Classic).unwrap(), 1.0);
    assert_value(&Subtraction::parse("7 1", RuleSet::Classic).unwrap(), -1.0);
}

/// By hand, with the teams that move in order:
/// * heap 3, One Two: One leaves 1 or 2 and Two takes them;
/// * heap 3, One One: One takes all in two turns;
/// * heap 4, One Two One Two: One leaves 3, Two must leave 1 or 2;
/// * heap 5, One Two: four stones at most are taken, nobody takes the last;
/// * heap 4, One Two: One leaves 3, out of Two's reach, for a draw, since leaving 2 loses;
/// * the start, heap 9, One Two One Two One One Two One: counting back, the first team wins from 7 and
///   from 8 with Two to move in second place, since each heap that Two can leave (5, 6, 7) is won by
///   leaving 4, 5 or 6 to Two, who then cannot keep One's double turn from the last stone.
#[test]
fn relay_is_worth_what_hand_analysis_says() {
    assert_value(&Relay::new(2, [1, 1, 0, 0]), 1.0);
    assert_value(&Relay::new(3, [1, 1, 0, 0]), -1.0);
    assert_value(&Relay::new(3, [1, 0, 1, 0]), 1.0);
    assert_value(&Relay::new(4, [1, 1, 1, 1]), 1.0);
    assert_value(&Relay::new(5, [1, 1, 0, 0]), 0.0);
    assert_value(&Relay::new(4, [1, 1, 0, 0]), 0.0);
    assert_value(&Relay::start(RuleSet::Classic), 1.0);
}

/// In sums: with one throw left `s` becomes `(3s + 9) / 4`, more than `s` below 9, so the player
/// throws. With two left that makes `(9s + 54) / 16`, again more than any `s` of one throw. At the
/// start it is the mean over 0, 2, 3, 4 of the latter (0 for the lost throw): `243 / 64`. A sum `s` is
/// worth `s / 6 - 1`.
#[test]
fn dice_are_worth_what_hand_analysis_says() {
    let dice = |text: &str| Dice::parse(text, RuleSet::Classic).unwrap();
    assert_value(&dice("8 2 choosing"), 33.0 / 24.0 - 1.0);
    assert_value(&dice("10 2 choosing"), 10.0 / 6.0 - 1.0);
    assert_value(&dice("4 1 choosing"), 90.0 / 96.0 - 1.0);
    assert_value(&Dice::start(RuleSet::Classic), 243.0 / 384.0 - 1.0);
}

#[test]
fn seats_alternate_between_the_teams() {
    assert_eq!([0, 1, 2, 3].map(|seat| Relay::team(Seat(seat))), [Team::One, Team::Two].repeat(2)[..]);
}
