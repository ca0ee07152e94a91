//! Properties of the board games over random play: keys, texts, symmetry.

use std::collections::BTreeSet;

use camelot_core::{Cam, CamAllKnights, Camelot, Game, GrandCamelot, Position, Reason, Seat, Team, Variant};

use super::sheet::{Sheet, Symmetry};
use super::{Effect, RULE_SETS, effects, legal, random_game, rng};

/// Calls `check` on each position of some random games under both rule sets.
fn on_random_play<V: Variant>(games: u64, mut check: impl FnMut(&Position<V>)) {
    for rules in RULE_SETS {
        for seed in 0..games {
            random_game(Position::start(rules), &mut rng(1_000 + seed), |line| check(line.position()));
        }
    }
}

/// Runs a check that is generic over the game for all of them. Games of Grand Camelot are long, so a
/// fifth of them will do.
macro_rules! for_every_game {
    ($check:ident, $games:expr) => {
        $check::<Camelot>($games);
        $check::<Cam>($games);
        $check::<CamAllKnights>($games);
        $check::<GrandCamelot>(u64::div_ceil($games, 5));
    };
}

fn keys_are_kept_up<V: Variant>(games: u64) {
    on_random_play::<V>(games, |position| assert_eq!(position.key(), position.fresh_key(), "{position}"));
}

#[test]
fn the_incremental_key_is_the_fresh_key() {
    for_every_game!(keys_are_kept_up, 40);
}

/// The key holds what the repetition rule compares and nothing else.
fn keys_tell_positions_apart<V: Variant>(games: u64) {
    on_random_play::<V>(games, |position| {
        let text = position.to_string();
        let sheet = Sheet::read(V::NAME, &text);
        let key = |sheet: &Sheet| {
            Position::<V>::parse(&sheet.to_string(), position.rules()).ok().map(|read| read.key())
        };
        let mut recounted = sheet.clone();
        recounted.quiet_plies = 7;
        if position.outcome().is_none() {
            assert_eq!(key(&recounted), Some(position.key()), "{text}: quiet plies are in the key");
        }
        // Some of these are refused, as the army put down cannot move; one that is read tells.
        for army in sheet.armies().into_iter().filter(|&army| army != sheet.army) {
            let mut other = sheet.clone();
            other.army = army;
            assert_ne!(key(&other), Some(position.key()), "{text}: the player to move");
        }
        for (place, &used) in sheet.castle_moves.iter().enumerate() {
            let mut other = sheet.clone();
            other.castle_moves[place] = (used + 1) % 3;
            assert_ne!(key(&other), Some(position.key()), "{text}: castle moves used");
        }
    });
}

#[test]
fn the_key_leaves_out_the_quiet_plies_alone() {
    for_every_game!(keys_tell_positions_apart, 4);
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
    for_every_game!(texts_agree, 20);
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
    for_every_game!(moves_read_back, 5);
}

fn read<V: Variant>(sheet: &Sheet, position: &Position<V>) -> Position<V> {
    Position::parse(&sheet.to_string(), position.rules()).unwrap()
}

/// Turning the board about turns the moves with it, when the armies are renamed for their new places.
///
/// With two armies every symmetry leaves the game as it is. With four, the move list of one position
/// follows every symmetry if the army to move takes the name of its new place, its partner that of the
/// new partner, and the opponents theirs. Teams as they sit at the table survive half turns and
/// diagonals, and the order of turns none of them but the diagonal that exchanges Red with Blue.
fn moves_follow_symmetry<V: Variant>(games: u64) {
    on_random_play::<V>(games, |position| {
        let sheet = Sheet::read(V::NAME, &position.to_string());
        let moves = effects(position);
        for symmetry in sheet.symmetries() {
            if moves.is_empty() && !sheet.keeps_turns(symmetry) {
                continue;
            }
            let turned = read(&sheet.turned(symmetry), position);
            let image = |effect: &Effect| effect.mapped(|at| sheet.image(symmetry, at));
            let expected: BTreeSet<Effect> = moves.iter().map(image).collect();
            assert_eq!(effects(&turned), expected, "{position} as {turned}");
            if sheet.keeps_turns(symmetry) {
                assert_eq!(ends(&turned), mapped_ends(position, &sheet, symmetry), "{position} as {turned}");
                one_move_follows(position, &turned, &sheet, symmetry);
            } else if sheet.keeps_teams(symmetry) && !depends_on_turns(position) {
                assert_eq!(ends(&turned), mapped_ends(position, &sheet, symmetry), "{position} as {turned}");
            }
        }
    });
}

type Ends = Option<(Option<Team>, Reason)>;

fn ends<V: Variant>(position: &Position<V>) -> Ends {
    position.outcome().map(|outcome| (outcome.winner(), outcome.reason))
}

/// The outcome for the renamed armies.
fn mapped_ends<V: Variant>(position: &Position<V>, sheet: &Sheet, symmetry: Symmetry) -> Ends {
    let first = sheet.armies()[0];
    let keeps_first = sheet.team(sheet.renamed(symmetry, first)) == sheet.team(first);
    let rename = |team: Team| if keeps_first { team } else { team.other() };
    ends(position).map(|(winner, reason)| (winner.map(rename), reason))
}

/// Whether it takes the order of turns to say if and how a position is over.
fn depends_on_turns<V: Variant>(position: &Position<V>) -> bool {
    ends(position).is_none_or(|(_, reason)| reason == Reason::Stalemate)
}

/// One move, and the same move on the turned board, lead to the same position turned.
fn one_move_follows<V: Variant>(
    position: &Position<V>,
    turned: &Position<V>,
    sheet: &Sheet,
    symmetry: Symmetry,
) {
    if position.outcome().is_some() {
        return;
    }
    let action = legal(position)[0];
    let image = Effect::of(action).mapped(|at| sheet.image(symmetry, at));
    let same = legal(turned).into_iter().find(|&other| Effect::of(other) == image).unwrap();
    let [mut after, mut after_turned] = [*position, *turned];
    after.play(action);
    after_turned.play(same);
    let expected = Sheet::read(V::NAME, &after.to_string()).turned(symmetry).to_string();
    assert_eq!(after_turned.to_string(), expected, "{position} as {turned}");
}

#[test]
fn symmetric_positions_have_symmetric_moves() {
    for_every_game!(moves_follow_symmetry, 10);
}

/// How many symmetries the boards have, and how many of them keep teams and turns.
#[test]
fn the_symmetries_are_those_of_the_boards_and_seats() {
    for (game, whole) in [("camelot", [4, 4, 4]), ("cam", [4, 4, 4]), ("grand-camelot", [8, 4, 2])] {
        let sheet = Sheet::empty(game);
        let symmetries = sheet.symmetries();
        let count = |keeps: &dyn Fn(Symmetry) -> bool| symmetries.iter().filter(|&&s| keeps(s)).count();
        let teams = count(&|symmetry| sheet.keeps_teams(symmetry));
        let turns = count(&|symmetry| sheet.keeps_turns(symmetry));
        assert_eq!([symmetries.len(), teams, turns], whole, "{game}");
    }
}

/// What is called a win at once is one, and no entry into the castle is overlooked.
fn wins_at_once_are_seen<V: Variant>(games: u64) {
    let mut seen = 0;
    on_random_play::<V>(games, |position| {
        if position.outcome().is_some() {
            return;
        }
        let mut actions = Vec::new();
        position.legal_actions(&mut actions);
        let after = |action| {
            let mut next = *position;
            next.play(action);
            next.outcome()
        };
        let winner = Some(position.team_to_move());
        if let Some(found) = position.winning_action(&actions) {
            seen += 1;
            let outcome = after(actions[found]).filter(|outcome| outcome.winner() == winner);
            assert!(outcome.is_some(), "{position}: {}", position.action_text(actions[found]));
        } else {
            for &action in &actions {
                let castle = after(action)
                    .is_some_and(|outcome| outcome.winner() == winner && outcome.reason == Reason::Castle);
                assert!(!castle, "{position}: {}", position.action_text(action));
            }
        }
    });
    assert!(seen > 0, "{}: no win came up", V::NAME);
}

#[test]
fn moves_that_win_at_once_are_known_before_they_are_played() {
    for_every_game!(wins_at_once_are_seen, 100);
}

/// An offer captures nothing, obliges the other side to capture, and whatever that takes obliges in turn.
fn offers_are_answered<V: Variant>(games: u64) {
    let mut seen = 0;
    on_random_play::<V>(games, |position| {
        let follow = |from: &Position<V>, action| {
            let mut next = *from;
            next.play(action);
            next
        };
        let listed = |position: &Position<V>| {
            let mut actions = Vec::new();
            if position.outcome().is_none() {
                position.legal_actions(&mut actions);
            }
            actions
        };
        for action in listed(position) {
            let after = follow(position, action);
            let replies = listed(&after);
            let expected = action.captured.is_empty()
                && !replies.is_empty()
                && after.must_capture(&replies)
                && replies.iter().all(|&reply| {
                    let next = follow(&after, reply);
                    let answers = listed(&next);
                    !answers.is_empty() && next.must_capture(&answers)
                });
            // A piece in its own castle must leave it first, whatever the others could capture.
            let mut met = replies.iter().map(|&reply| follow(&after, reply)).collect::<Vec<_>>();
            met.extend([*position, after]);
            let plain = met.iter().all(|position| {
                let board = position.board();
                let castles = board.castle(Seat(0)) | board.castle(Seat(1));
                !(board.all & !position.vacant()).intersects(castles)
            });
            if plain {
                seen += u32::from(expected);
                assert_eq!(position.offers(action, &mut Vec::new()), expected, "{position}: {action}");
            }
        }
    });
    assert!(seen > 0, "{}: no offer came up", V::NAME);
}

#[test]
fn offers_are_known_before_they_are_made() {
    offers_are_answered::<Cam>(20);
    offers_are_answered::<Camelot>(5);
}
