//! Properties of the board games over random play: keys, texts, symmetry.

use std::collections::BTreeSet;

use camelot_core::{Cam, CamAllKnights, Camelot, Game, Position, Variant};

use super::sheet::Sheet;
use super::{Effect, RULE_SETS, effects, legal, random_game, rng};

/// Calls `check` on each position of some random games under both rule sets.
fn on_random_play<V: Variant>(games: u64, mut check: impl FnMut(&Position<V>)) {
    for rules in RULE_SETS {
        for seed in 0..games {
            random_game(Position::start(rules), &mut rng(1_000 + seed), |line| check(line.position()));
        }
    }
}

fn for_every_game(games: u64, check: [&dyn Fn(u64); 3]) {
    for check in check {
        check(games);
    }
}

fn keys_are_kept_up<V: Variant>(games: u64) {
    on_random_play::<V>(games, |position| assert_eq!(position.key(), position.fresh_key(), "{position}"));
}

#[test]
fn the_incremental_key_is_the_fresh_key() {
    for_every_game(
        40,
        [&keys_are_kept_up::<Camelot>, &keys_are_kept_up::<Cam>, &keys_are_kept_up::<CamAllKnights>],
    );
}

/// The key holds what the repetition rule compares and nothing else.
fn keys_tell_positions_apart<V: Variant>(games: u64) {
    on_random_play::<V>(games, |position| {
        let text = position.to_string();
        let mut sheet = Sheet::read(V::NAME, &text);
        let (without_count, _) = text.rsplit_once(' ').unwrap();
        let key = |text: &str| Position::<V>::parse(text, position.rules()).unwrap().key();
        assert_eq!(key(&format!("{without_count} 7")), position.key(), "{text}: quiet plies are in the key");
        sheet.army = if sheet.army == 'W' { 'B' } else { 'W' };
        assert_ne!(key(&sheet.to_string()), position.key(), "{text}: the player to move");
    });
}

#[test]
fn the_key_leaves_out_the_quiet_plies_alone() {
    for_every_game(
        4,
        [
            &keys_tell_positions_apart::<Camelot>,
            &keys_tell_positions_apart::<Cam>,
            &keys_tell_positions_apart::<CamAllKnights>,
        ],
    );
}

/// The plain sheet and the crate write one position alike.
fn texts_agree<V: Variant>(games: u64) {
    on_random_play::<V>(games, |position| {
        let text = position.to_string();
        assert_eq!(Sheet::read(V::NAME, &text).to_string(), text);
        assert_eq!(Position::<V>::parse(&text, position.rules()).as_ref(), Ok(position));
    });
}

#[test]
fn position_texts_survive_a_round_trip() {
    for_every_game(20, [&texts_agree::<Camelot>, &texts_agree::<Cam>, &texts_agree::<CamAllKnights>]);
}

/// Every spelling that people use is read: lower case, and the canonical one.
fn moves_read_back<V: Variant>(games: u64) {
    on_random_play::<V>(games, |position| {
        if position.outcome().is_some() {
            return;
        }
        for action in legal(position) {
            let written = position.action_text(action);
            assert_eq!(position.parse_action(&written), Ok(action), "{position}: {written}");
            let lower = written.to_ascii_lowercase();
            assert_eq!(position.parse_action(&lower), Ok(action), "{position}: {lower}");
        }
    });
}

#[test]
fn every_legal_move_survives_a_round_trip() {
    for_every_game(
        5,
        [&moves_read_back::<Camelot>, &moves_read_back::<Cam>, &moves_read_back::<CamAllKnights>],
    );
}

/// Turning the board over or exchanging left and right turns the moves with it. The winner changes
/// with the armies.
fn moves_follow_symmetry<V: Variant>(games: u64) {
    on_random_play::<V>(games, |position| {
        let sheet = Sheet::read(V::NAME, &position.to_string());
        let moves = effects(position);
        let mapped = |map: &dyn Fn(&Effect) -> Effect| moves.iter().map(map).collect::<BTreeSet<_>>();
        let read = |sheet: Sheet| Position::<V>::parse(&sheet.to_string(), position.rules()).unwrap();

        let mirrored = read(sheet.mirrored());
        let expected = mapped(&|effect| effect.mapped(|at| sheet.mirror(at)));
        assert_eq!(effects(&mirrored), expected, "{position} mirrored");
        assert_eq!(mirrored.outcome(), position.outcome(), "{position} mirrored");

        let flipped = read(sheet.flipped());
        let expected = mapped(&|effect| effect.mapped(|at| sheet.flip(at)));
        assert_eq!(effects(&flipped), expected, "{position} turned over");
        let ends =
            |position: &Position<V>| position.outcome().map(|outcome| (outcome.winner(), outcome.reason));
        let swapped = ends(&flipped).map(|(winner, reason)| (winner.map(camelot_core::Team::other), reason));
        assert_eq!(swapped, ends(position), "{position} turned over");
    });
}

#[test]
fn symmetric_positions_have_symmetric_moves() {
    for_every_game(
        10,
        [
            &moves_follow_symmetry::<Camelot>,
            &moves_follow_symmetry::<Cam>,
            &moves_follow_symmetry::<CamAllKnights>,
        ],
    );
}
