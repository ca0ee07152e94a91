//! What the newest games of a run show: a few of them move by move, and whether its values come true.

use std::fs;
use std::path::Path;

use camelot_core::record::GameRecord;
use camelot_core::{Line, Outcome, Turn};
use camelot_train::shard;
use serde::Serialize;

use crate::commands::picture::{Field, Pictured};
use crate::run_folder::WINDOW;

/// Shards that are looked at, from the newest.
const SHARDS: usize = 4;
/// Games of them whose values are compared with their results.
const GAMES: usize = 2_000;
/// Classes of expected results.
const CLASSES: usize = 10;

/// What is taken from the newest games.
#[derive(Clone, Debug, Default)]
pub(super) struct Examples {
    pub(super) shown: Shown,
    /// Classes that hold positions, by expected result.
    pub(super) calibration: Vec<Class>,
}

/// Games to click through, as the page's script reads them.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Shown {
    fields: Vec<Field>,
    pub(super) games: Vec<Game>,
}

/// One game.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Game {
    title: String,
    /// The position before each ply, and the last one.
    frames: Vec<Frame>,
}

#[derive(Clone, Debug, Serialize)]
struct Frame {
    contents: String,
    caption: String,
    /// The move that led here; none for the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<String>,
    /// What the search expected here for the first team, from 0 to 1, where it was recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<f32>,
}

/// Positions whose searches expected about the same.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Class {
    /// The mean expected result of the player to move, from 0 to 1.
    pub(super) expected: f64,
    /// The mean result, likewise.
    pub(super) came: f64,
    pub(super) positions: u64,
}

impl Examples {
    /// From the newest shards of a run's window; empty where there are none. Damaged shards and games are left out.
    pub(super) fn of_run<G: Pictured>(run: &Path) -> Self {
        let records = newest_records::<G>(&run.join(WINDOW));
        let calibration = calibration::<G>(&records);
        let games = chosen(&records).into_iter().filter_map(Game::of::<G>).collect();
        Self { shown: Shown { fields: G::fields(), games }, calibration }
    }
}

/// The games of the newest shards, the newest shard first.
fn newest_records<G: Pictured>(window: &Path) -> Vec<GameRecord> {
    let names = fs::read_dir(window).into_iter().flatten().flatten();
    let mut iterations: Vec<u64> =
        names.filter_map(|entry| shard::iteration_of(entry.file_name().to_str()?)).collect();
    iterations.sort_unstable_by(|one, other| other.cmp(one));
    let shards = iterations.into_iter().take(SHARDS);
    shards
        .filter_map(|iteration| shard::load(window, iteration, G::NAME).ok())
        .flat_map(|s| s.records)
        .collect()
}

/// A short, a middling and a long game, and of those the first that was drawn.
fn chosen(records: &[GameRecord]) -> Vec<&GameRecord> {
    let mut by_length: Vec<&GameRecord> = records.iter().collect();
    by_length.sort_by_key(|record| record.plies.len());
    let drawn = by_length.iter().position(|record| record.outcome.winner().is_none());
    let quantile = |share: f64| (by_length.len().saturating_sub(1) as f64 * share) as usize;
    let mut numbers = vec![quantile(0.1), quantile(0.5), quantile(0.9)];
    numbers.extend(drawn);
    numbers.dedup();
    numbers.into_iter().filter_map(|number| by_length.get(number).copied()).collect()
}

impl Game {
    fn of<G: Pictured>(record: &GameRecord) -> Option<Self> {
        let mut frames = Vec::new();
        let mut after = None;
        let frame = |position: &G, after: Option<String>, expected| Frame {
            contents: position.contents(),
            caption: position.caption(),
            after,
            expected,
        };
        let line: Line<G> = record
            .replay(|position: &G, actions, ply| {
                let expected = ply.search.as_ref().map(|search| {
                    let value = (search.wdl[0] - search.wdl[2]) * position.team_to_move().sign();
                    f32::midpoint(1.0, value)
                });
                frames.push(frame(position, after.take(), expected));
                after = Some(position.action_text(actions[usize::from(ply.action)]));
            })
            .ok()?;
        let mut last = frame(line.position(), after, None);
        last.caption = "the end".into();
        frames.push(last);
        Some(Self { title: format!("{}, {} plies", ended::<G>(record.outcome), record.plies.len()), frames })
    }
}

/// How a game ended.
fn ended<G: Pictured>(outcome: Outcome) -> String {
    if let Some(points) = G::points(outcome.value) {
        return format!("{points:.0} points");
    }
    match outcome.winner() {
        None => format!("drawn by {}", outcome.reason),
        Some(team) => {
            let seats: Vec<&str> = G::seats_of(team).map(G::seat_name).collect();
            format!("won for {} by {}", seats.join(" and "), outcome.reason)
        }
    }
}

/// Compares what searches expected with how their games ended.
fn calibration<G: Pictured>(records: &[GameRecord]) -> Vec<Class> {
    let mut classes = [Class::default(); CLASSES];
    for record in records.iter().take(GAMES) {
        let mut seen = Vec::new();
        let replayed = record.replay(|position: &G, _, ply| {
            if let (Some(search), Turn::Player(_)) = (&ply.search, position.turn()) {
                let team = position.team_to_move();
                let expected = f64::from(f32::midpoint(1.0, search.wdl[0] - search.wdl[2]));
                seen.push((expected, f64::from(f32::midpoint(1.0, record.outcome.value.for_team(team)))));
            }
        });
        if replayed.is_err() {
            continue;
        }
        for (expected, came) in seen {
            let class = &mut classes[((expected * CLASSES as f64) as usize).min(CLASSES - 1)];
            class.expected += expected;
            class.came += came;
            class.positions += 1;
        }
    }
    let mean = |class: Class| {
        let count = class.positions as f64;
        Class { expected: class.expected / count, came: class.came / count, ..class }
    };
    classes.into_iter().filter(|class| class.positions > 0).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use camelot_core::record::{PlyRecord, SearchRecord, sorted_actions};
    use camelot_core::{Cam, Game as _, Position, RuleSet};
    use camelot_selfplay::rollout::random_action;
    use camelot_selfplay::{Purpose, generator};

    use super::*;

    /// A random game whose searches are sure of the result that came, or of the other.
    fn record(seed: u64, right: bool) -> GameRecord {
        let mut rng = generator(seed, Purpose::Bench, 0);
        let mut line = Line::new(Position::<Cam>::start(RuleSet::Classic));
        let mut teams = Vec::new();
        let mut plies = Vec::new();
        let outcome = loop {
            if let Some(outcome) = line.outcome() {
                break outcome;
            }
            let actions = sorted_actions(line.position());
            let action = random_action(line.position(), &actions, &mut rng);
            let place = actions.iter().position(|&other| other == action).unwrap();
            let mut policy = vec![0; actions.len()];
            policy[place] = u16::MAX;
            let search = SearchRecord { policy, wdl: [0.0, 1.0, 0.0], simulations: 1 };
            teams.push(line.position().team_to_move());
            plies.push(PlyRecord { action: place as u16, search: Some(search) });
            line.play(action);
        };
        for (ply, team) in plies.iter_mut().zip(teams) {
            let value = outcome.value.for_team(team) * if right { 1.0 } else { -1.0 };
            let wdl = [value.max(0.0), 1.0 - value.abs(), (-value).max(0.0)];
            ply.search.as_mut().unwrap().wdl = wdl;
        }
        GameRecord {
            game: Position::<Cam>::NAME.into(),
            rules: RuleSet::Classic,
            start: Position::<Cam>::start(RuleSet::Classic).to_string(),
            plies,
            outcome,
            seed,
            network: 0,
            engine: "test".into(),
        }
    }

    #[test]
    fn values_that_come_true_lie_on_the_diagonal_and_others_do_not() {
        let of = |right| {
            let records: Vec<GameRecord> = (0..20).map(|seed| record(seed, right)).collect();
            calibration::<Position<Cam>>(&records)
        };
        assert!(of(true).len() >= 2);
        assert!(of(true).iter().all(|class| (class.expected - class.came).abs() < 1e-9), "{:?}", of(true));
        assert!(of(false).iter().any(|class| (class.expected - class.came).abs() > 0.9), "{:?}", of(false));
    }

    #[test]
    fn a_shown_game_has_a_frame_for_each_position() {
        let record = record(3, true);
        let game = Game::of::<Position<Cam>>(&record).unwrap();
        assert_eq!(game.frames.len(), record.plies.len() + 1);
        assert!(game.frames[0].after.is_none() && game.frames[1..].iter().all(|frame| frame.after.is_some()));
        // For the first team at every ply, whoever is to move.
        let expected = f32::midpoint(1.0, record.outcome.value.absolute());
        assert!(game.frames[..record.plies.len()].iter().all(|frame| frame.expected == Some(expected)));
        let mut broken = record.clone();
        broken.plies[0].action = u16::MAX;
        assert!(Game::of::<Position<Cam>>(&broken).is_none());
    }

    #[test]
    fn few_games_are_chosen_and_none_of_none() {
        let records: Vec<GameRecord> = (0..9).map(|seed| record(seed, true)).collect();
        assert!((3..=4).contains(&chosen(&records).len()));
        assert!(chosen(&[]).is_empty());
    }
}
