//! Game records: a true one replays, an altered one is refused with the reason.

use camelot_core::codec::{self, Format};
use camelot_core::record::{
    GameRecord, PLY_LIMIT, POLICY_ONE, PlyRecord, RecordError, SearchRecord, quantise_policy, sorted_actions,
};
use camelot_core::toys::{Dice, Relay};
use camelot_core::{
    Cam, CamAllKnights, Camelot, Game, GrandCamelot, Outcome, Patience, Position, Reason, RuleSet, Team,
    Value,
};

use super::{RULE_SETS, random_game, rng};

/// A record of a random game, every other ply with a search that found all actions equal.
fn record<G: Game>(rules: RuleSet, seed: u64) -> GameRecord {
    let mut positions = Vec::new();
    let line = random_game(G::start(rules), &mut rng(seed), |line| positions.push(line.position().clone()));
    let ply = |(number, (position, action)): (usize, (&G, &G::Action))| {
        let actions = sorted_actions(position);
        let search = SearchRecord {
            policy: quantise_policy(&vec![1.0 / actions.len() as f32; actions.len()]),
            wdl: [0.25, 0.5, 0.25],
            simulations: 16,
        };
        PlyRecord {
            action: actions.iter().position(|other| other == action).unwrap() as u16,
            search: (number % 2 == 0).then_some(search),
        }
    };
    GameRecord {
        game: G::NAME.into(),
        rules,
        start: G::start(rules).to_string(),
        plies: positions.iter().zip(line.actions()).enumerate().map(ply).collect(),
        outcome: line.outcome().unwrap(),
        seed,
        network: 0,
        engine: "test".into(),
    }
}

fn replays<G: Game>() {
    for rules in RULE_SETS {
        for seed in 0..5 {
            let record = record::<G>(rules, seed);
            let mut visited = 0;
            let line = record
                .replay::<G>(|position, actions, ply| {
                    assert_eq!(position.rules(), G::start(rules).rules());
                    assert_eq!(actions, sorted_actions(position));
                    assert_eq!(ply, &record.plies[visited]);
                    visited += 1;
                })
                .unwrap();
            assert_eq!((visited, line.outcome()), (record.plies.len(), Some(record.outcome)));
        }
    }
}

#[test]
fn a_true_record_replays() {
    replays::<Position<Camelot>>();
    replays::<Position<Cam>>();
    replays::<Position<CamAllKnights>>();
    replays::<Position<GrandCamelot>>();
    replays::<Patience>();
    replays::<Relay>();
    replays::<Dice>();
}

#[test]
fn a_record_survives_its_frame() {
    const FORMAT: Format = Format { magic: *b"CZTEST\0\0", version: 1 };
    let record = record::<Position<Cam>>(RuleSet::Wcf, 3);
    let frame = codec::encode(FORMAT, &record).unwrap();
    assert_eq!(codec::decode::<GameRecord>(FORMAT, &frame).unwrap(), record);
}

/// The refusal of a Cam record after `alter` has changed it.
fn refusal(alter: impl FnOnce(&mut GameRecord)) -> RecordError {
    let mut record = record::<Position<Cam>>(RuleSet::Classic, 11);
    assert!(record.plies.len() > 4, "a game long enough to alter");
    alter(&mut record);
    record.replay::<Position<Cam>>(|_, _, _| {}).expect_err("an altered record")
}

fn refused_at(expected: usize, part: &str, alter: impl FnOnce(&mut GameRecord)) {
    let error = refusal(alter);
    assert!(error.to_string().contains(part), "`{error}` lacks `{part}`");
    assert!(matches!(error, RecordError::Ply { ply, .. } if ply == expected), "{error}");
}

/// Alters the search of ply 2, which has one.
fn refused_search(part: &str, alter: impl FnOnce(&mut SearchRecord)) {
    refused_at(2, part, |record| alter(record.plies[2].search.as_mut().unwrap()));
}

#[test]
fn plies_that_do_not_fit_are_refused() {
    refused_at(0, "action 54 of 54", |record| record.plies[0].action = 54);
    refused_at(3, "action 65535 of", |record| record.plies[3].action = u16::MAX);
    let extra = PlyRecord { action: 0, search: None };
    let plies = record::<Position<Cam>>(RuleSet::Classic, 11).plies.len();
    refused_at(plies, "already over", |record| record.plies.push(extra.clone()));
    refused_at(PLY_LIMIT, "more than", |record| record.plies = vec![extra.clone(); PLY_LIMIT + 1]);
}

#[test]
fn searches_that_do_not_fit_are_refused() {
    refused_search("a policy over", |search| search.policy.push(0));
    refused_search("a policy over", |search| search.policy.truncate(1));
    refused_search("sums to", |search| search.policy[0] = POLICY_ONE);
    refused_search("sums to 0.000", |search| search.policy.fill(0));
    for wdl in [[0.5, 0.5, 0.5], [1.5, -0.5, 0.0], [f32::NAN, 0.5, 0.5]] {
        refused_search("win, draw and loss", |search| search.wdl = wdl);
    }
}

#[test]
fn outcomes_that_do_not_fit_are_refused() {
    let refused = |outcome: fn(Outcome) -> Outcome| {
        let error = refusal(|record| record.outcome = outcome(record.outcome));
        assert!(matches!(error, RecordError::Outcome { .. }), "{error}");
    };
    refused(|true_one| Outcome { reason: Reason::Adjudication, ..true_one });
    refused(|true_one| Outcome { value: Value::new(0.5).unwrap(), ..true_one });
    refused(|true_one| match true_one.winner() {
        Some(team) => Outcome::win(team.other(), true_one.reason),
        None => Outcome::win(Team::One, true_one.reason),
    });
    let error = refusal(|record| drop(record.plies.pop()));
    assert!(matches!(error, RecordError::Outcome { .. }), "{error}");
    assert!(error.to_string().contains("a game that goes on"), "{error}");
}

/// Only whoever ran the game can end it early, and only with a value that is one.
#[test]
fn an_unfinished_game_needs_an_adjudication() {
    let mut record = record::<Position<Cam>>(RuleSet::Classic, 11);
    record.plies.pop();
    record.outcome = Outcome { value: Value::new(0.25).unwrap(), reason: Reason::Adjudication };
    record.replay::<Position<Cam>>(|_, _, _| {}).unwrap();
    record.outcome.value = serde_json::from_str("5.0").unwrap();
    assert!(record.replay::<Position<Cam>>(|_, _, _| {}).is_err());
}

#[test]
fn records_of_other_games_and_starts_are_refused() {
    let error = refusal(|record| record.game = "camelot".into());
    assert!(matches!(error, RecordError::Game { .. }), "{error}");
    let camelot = record::<Position<Camelot>>(RuleSet::Classic, 0);
    let error = camelot.replay::<Position<Cam>>(|_, _, _| {}).unwrap_err();
    assert!(error.to_string().contains("`camelot`, expected `cam`"), "{error}");
    let error = refusal(|record| record.start = camelot.start);
    assert!(matches!(error, RecordError::Start(_)), "{error}");
}
