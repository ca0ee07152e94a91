//! Board scenarios: one rule each, and the draws that need a line of play.

use std::collections::{BTreeMap, BTreeSet};

use camelot_core::{Camelot, Game, Line, Position, Reason, RuleSet, Variant};
use serde::Deserialize;
use serde_json::Value;

use super::sheet::{self, Sheet};
use super::{Effect, effects, json, legal};

#[derive(Deserialize)]
struct Scenario {
    id: String,
    game: String,
    to_move: char,
    pos: String,
    legal: Vec<String>,
    illegal: Vec<String>,
    n_outcomes: Option<usize>,
    castle_moves_used: BTreeMap<char, u8>,
    /// The team that has won after a move, `"draw"`, or null where the game goes on.
    after: BTreeMap<String, Value>,
    only: Option<Vec<String>>,
    #[serde(default)]
    next: BTreeMap<String, char>,
}

/// Puts pieces such as `W: K F3, M G3; B: M D7` on an empty board.
pub(super) fn set_up(game: &str, pieces: &str) -> Sheet {
    let mut sheet = Sheet::empty(game);
    for army in pieces.split("; ") {
        let (letter, squares) = army.split_once(": ").unwrap();
        let mut piece = letter.chars().next().unwrap();
        for word in squares.split([' ', ',']).filter(|word| !word.is_empty()) {
            match word {
                "K" => piece = piece.to_ascii_uppercase(),
                "M" => piece = piece.to_ascii_lowercase(),
                square => sheet.set(sheet::at(square), piece),
            }
        }
    }
    sheet
}

impl Scenario {
    fn position<V: Variant>(&self) -> Position<V> {
        if self.pos == "START" {
            return Position::start(RuleSet::Classic);
        }
        let mut sheet = set_up(&self.game, &self.pos);
        sheet.army = self.to_move;
        for (army, &used) in &self.castle_moves_used {
            let place = sheet.place(*army);
            sheet.castle_moves[place] = used;
        }
        Position::parse(&sheet.to_string(), RuleSet::Classic).unwrap()
    }

    fn outcome_fits<V: Variant>(&self, position: &Position<V>, expected: &Value) {
        let expected = match expected {
            Value::Null => None,
            Value::String(draw) if draw == "draw" => Some("draw"),
            Value::Number(team) if team.as_u64() == Some(0) => Some("p1win"),
            Value::Number(team) if team.as_u64() == Some(1) => Some("p2win"),
            other => panic!("{}: unknown outcome {other}", self.id),
        };
        assert_eq!(position.outcome().map(|outcome| outcome.token()), expected, "{}", self.id);
    }
}

fn check<V: Variant>(scenario: &Scenario) {
    let id = &scenario.id;
    let position = scenario.position::<V>();
    let effect = |text: &String| match position.parse_action(text) {
        Ok(action) => Effect::of(action),
        Err(error) => panic!("{id}: {error}"),
    };
    for text in &scenario.legal {
        effect(text);
    }
    for text in &scenario.illegal {
        assert!(position.parse_action(text).is_err(), "{id}: {text} is read as legal");
    }
    let moves = effects(&position);
    if let Some(count) = scenario.n_outcomes {
        assert_eq!(moves.len(), count, "{id}");
    }
    if let Some(only) = &scenario.only {
        assert_eq!(moves, only.iter().map(effect).collect::<BTreeSet<_>>(), "{id}");
    }
    for (text, expected) in &scenario.after {
        let mut next = position;
        next.play(position.parse_action(text).unwrap());
        scenario.outcome_fits(&next, expected);
        if let Some(&army) = scenario.next.get(text) {
            assert_eq!(char::from(V::LETTERS[next.to_move().index()]), army, "{id}");
        }
    }
}

#[test]
fn every_scenario_holds() {
    let scenarios: Vec<Scenario> = json("scenarios.json");
    for scenario in &scenarios {
        by_game!(scenario.game.as_str(), check(scenario));
    }
    assert_eq!(scenarios.len(), 72);
}

/// A Camelot line from the start, or from pieces with a count of quiet plies.
fn camelot(pieces: Option<(&str, u16)>) -> Line<Position<Camelot>> {
    let Some((pieces, quiet_plies)) = pieces else { return Line::new(Position::start(RuleSet::Classic)) };
    let text = set_up("camelot", pieces).to_string();
    let text = format!("{} {quiet_plies}", text.strip_suffix(" 0").unwrap());
    Line::new(Position::parse(&text, RuleSet::Classic).unwrap())
}

pub(super) fn play<V: Variant>(line: &mut Line<Position<V>>, moves: &str) {
    for text in moves.split(' ') {
        let action = line.position().parse_action(text).unwrap();
        assert_eq!(line.outcome(), None, "before {text}");
        line.play(action);
    }
}

pub(super) fn reason<V: Variant>(line: &Line<Position<V>>) -> Option<Reason> {
    line.outcome().map(|outcome| outcome.reason)
}

/// R01.
#[test]
fn the_third_occurrence_draws() {
    let mut line = camelot(None);
    play(&mut line, "C6-C5 C11-C12 C5-C6 C12-C11");
    assert_eq!((line.occurrences(), line.outcome()), (2, None));
    play(&mut line, "J6-K5 J11-J12 K5-J6 J12-J11");
    assert_eq!((line.occurrences(), reason(&line)), (3, Some(Reason::Repetition)));
    assert_eq!(line.outcome().unwrap().winner(), None);
}

/// R02.
#[test]
fn a_capture_on_the_hundredth_quiet_ply_resets_the_count() {
    let mut line = camelot(Some(("W: M D4, A10; B: M E6, L13, L12", 98)));
    play(&mut line, "D4-D5");
    assert_eq!(line.position().quiet_plies(), 99);
    play(&mut line, "E6xC4");
    assert_eq!((line.position().quiet_plies(), line.outcome()), (0, None));
}

/// R03: both sides wander, never to a position seen before, so that only the count can end it.
#[test]
fn a_hundred_quiet_plies_draw() {
    let mut line = camelot(Some(("W: M D4, G4; B: M D13, G13", 0)));
    for ply in 1..=100 {
        assert_eq!(line.outcome(), None, "ply {ply}");
        let wanders = |action| {
            let mut next = line.clone();
            next.play(action);
            let quiet = next.position().quiet_plies() == ply && next.occurrences() == 1;
            let apart = Effect::of(action).to.1 < 6 || Effect::of(action).to.1 > 9;
            (quiet && apart).then_some(action)
        };
        let action = legal(line.position()).into_iter().find_map(wanders).unwrap();
        line.play(action);
    }
    assert_eq!(reason(&line), Some(Reason::QuietPlies));
    assert_eq!(line.outcome().unwrap().winner(), None);
}

/// R04.
#[test]
fn an_entry_into_the_goal_castle_resets_the_count_and_a_castle_move_does_not() {
    let mut line = camelot(Some(("W: M F15, E8; B: M L13, L12", 50)));
    play(&mut line, "F15-F16");
    assert_eq!(line.position().quiet_plies(), 0);
    play(&mut line, "L13-K13 F16-G16");
    assert_eq!(line.position().quiet_plies(), 2);
}

/// R05.
#[test]
fn castle_moves_used_tell_positions_apart() {
    let mut line = camelot(Some(("W: M F16, E5; B: M L5, L7", 0)));
    let placement =
        |line: &Line<Position<Camelot>>| line.position().to_string().split(' ').next().unwrap().to_string();
    let before = placement(&line);
    play(&mut line, "F16-G16 L5-K5 G16-F16 K5-L5");
    assert_eq!((placement(&line), line.occurrences()), (before, 1));
    play(&mut line, "E5-E6 L5-K5 E6-E5 K5-L5 E5-E4 L5-L4 E4-E5");
    assert_eq!(line.outcome(), None);
    play(&mut line, "L4-L5");
    assert_eq!((line.occurrences(), reason(&line)), (3, Some(Reason::Repetition)));
}

/// A piece walled in in its own castle: the castle's other square is no way out.
#[test]
fn a_step_inside_the_own_castle_does_not_save_from_stalemate() {
    for (pieces, last) in [
        ("W: M F1; B: M E2, F2, G2, D3, F3, H4", "H4-H3"),
        ("W: K G1; B: M F2, G2, H2, E3, G3, I3, L9", "L9-L8"),
    ] {
        let mut sheet = set_up("camelot", pieces);
        sheet.army = 'B';
        let mut line = Line::new(Position::<Camelot>::parse(&sheet.to_string(), RuleSet::Classic).unwrap());
        play(&mut line, last);
        assert_eq!(reason(&line), Some(Reason::Stalemate), "{pieces}");
    }
}
