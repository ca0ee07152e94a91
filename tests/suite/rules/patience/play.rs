//! Whole games: those of the reference engine, and random ones held against the slow rules.

use std::collections::BTreeSet;

use camelot_core::patience::{Act, Rank};
use camelot_core::{Game, Line, Patience, RuleSet, Turn};
use rand::RngExt;
use serde::Deserialize;
use serde_json::Value as Json;

use super::super::{json, legal, rng};
use super::slow::{Table, symbol};

/// A game of the reference engine. Ranks are numbers from 1 for the ace to 13 for the king, 0 for an
/// empty cell.
#[derive(Deserialize)]
struct Published {
    deck: Vec<usize>,
    actions: Vec<Vec<Json>>,
    result: String,
    removed: u8,
    #[serde(rename = "final")]
    last: Vec<usize>,
}

fn text_of(action: &[Json]) -> String {
    match (action[0].as_str().unwrap(), &action[1..]) {
        ("deal", []) => "deal".into(),
        ("ten", [cell]) => format!("remove:{cell}"),
        ("place", [cell]) => format!("place:{cell}"),
        ("pair", [one, other]) => format!("pair:{one}+{other}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn games_of_the_reference_engine_replay() {
    let games: Vec<Published> = json("patience.json");
    assert_eq!(games.len(), 6);
    for game in games {
        let mut deck = game.deck.iter();
        let mut line = Line::new(Patience::start(RuleSet::Classic));
        for action in &game.actions {
            assert_eq!(line.outcome(), None, "{}", line.position());
            let text = text_of(action);
            let action = line.position().parse_action(&text).unwrap();
            line.play(action);
            if action == Act::Deal {
                assert_eq!(line.position().turn(), Turn::Chance);
                let card = *deck.next().unwrap();
                line.play(line.position().parse_action(&format!("draw:{}", symbol(card))).unwrap());
            }
        }
        let last: String = game.last.iter().map(|&rank| if rank == 0 { '.' } else { symbol(rank) }).collect();
        assert_eq!(line.position().to_string()[..19].replace('/', ""), last);
        assert_eq!(line.position().removed(), game.removed);
        let won = line.outcome().expect("the listed games are over").value.absolute() == 1.0;
        assert_eq!(if won { "won" } else { "lost" }, game.result);
    }
}

/// Plays a random game on both tables and compares them at each step. A lucky player removes whenever it
/// can, so that the ends of long games are seen too.
fn compare(seed: u64, seen: &mut [usize; 4]) {
    let mut rng = rng(seed);
    let mut table = Table::new();
    let mut position = Patience::start(RuleSet::Classic);
    loop {
        let result = position.outcome().map(|o| if o.value.absolute() == 1.0 { "won" } else { "lost" });
        assert_eq!(result, table.result(), "{position}");
        assert_eq!((usize::from(position.removed()), position.removal()), (table.score, table.removal));
        if let Some(result) = result {
            seen[usize::from(result == "won")] += 1;
            return;
        }
        let actions = legal(&position);
        let texts: BTreeSet<String> = actions.iter().map(ToString::to_string).collect();
        assert_eq!(texts, table.actions(), "{position}");
        let skilled = seed.is_multiple_of(2);
        let wished = |action: &&Act| match (position.turn(), action) {
            (Turn::Chance, Act::Draw(rank)) => *rank < Rank::JACK || !position.homes(*rank).is_empty(),
            (_, Act::Place(cell)) => [5, 6, 9, 10].contains(&cell.index()) || legal(&position).len() < 5,
            (_, action) => **action != Act::Deal || texts.len() == 1,
        };
        let good: Vec<Act> = actions.iter().filter(wished).copied().collect();
        let pool = if skilled && !good.is_empty() { good } else { actions };
        let action = pool[rng.random_range(0..pool.len())];
        seen[2] += 1;
        seen[3] = seen[3].max(table.score);
        table.play(&action.to_string());
        position.play(action);
    }
}

#[test]
fn random_games_agree_with_the_slow_rules() {
    let mut seen = [0; 4];
    for seed in 0..3_000 {
        compare(seed, &mut seen);
    }
    let [lost, won, plies, most_removed] = seen;
    assert!(lost > 2_000 && won > 20 && plies > 100_000 && most_removed >= 38, "{seen:?}");
}

#[test]
fn chance_weighs_ranks_by_what_is_left_of_them() {
    for seed in 0..50 {
        let mut rng = rng(seed);
        let mut position = Patience::start(RuleSet::Classic);
        while position.outcome().is_none() {
            let actions = legal(&position);
            if position.turn() == Turn::Chance {
                for &action in &actions {
                    let Act::Draw(rank) = action else { panic!("{action} by chance") };
                    let expected = f32::from(position.stock(rank)) / f32::from(position.stock_left());
                    assert!(expected > 0.0 && position.chance_weight(action) == expected);
                }
                let total: f32 = actions.iter().map(|&action| position.chance_weight(action)).sum();
                assert!((total - 1.0).abs() < 1e-6);
            }
            position.play(actions[rng.random_range(0..actions.len())]);
        }
    }
}

/// The image of a text under a map of cells.
fn image(position: &Patience, map: impl Fn(usize) -> usize) -> Patience {
    let text = position.to_string();
    let cells: Vec<char> = text[..19].replace('/', "").chars().collect();
    let rows: Vec<String> =
        (0..4).map(|row| (0..4).map(|column| cells[map(4 * row + column)]).collect()).collect();
    Patience::parse(&(rows.join("/") + &text[19..]), RuleSet::Classic).unwrap()
}

fn image_of_action(text: &str, map: impl Fn(usize) -> usize) -> String {
    let mapped = |cell: &str| map(cell.parse().unwrap());
    match text.split_once(':') {
        Some(("pair", cells)) => {
            let (one, other) = cells.split_once('+').unwrap();
            let (one, other) = (mapped(one), mapped(other));
            format!("pair:{}+{}", one.min(other), one.max(other))
        }
        Some((verb @ ("place" | "remove"), cell)) => format!("{verb}:{}", mapped(cell)),
        _ => text.into(),
    }
}

#[test]
fn mirror_images_have_mirrored_actions() {
    for seed in 0..60 {
        let mut rng = rng(seed);
        let mut position = Patience::start(RuleSet::Classic);
        while position.outcome().is_none() {
            let actions = legal(&position);
            for mask in [3, 12, 15] {
                let map = |cell: usize| cell ^ mask;
                let there = image(&position, map);
                let expected: BTreeSet<String> =
                    actions.iter().map(|action| image_of_action(&action.to_string(), map)).collect();
                assert_eq!(super::actions(&there), expected, "{position}");
                assert_eq!(there.outcome(), None);
            }
            position.play(actions[rng.random_range(0..actions.len())]);
        }
        assert_eq!(image(&position, |cell| cell ^ 15).outcome(), position.outcome());
    }
}
