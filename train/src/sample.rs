//! What the network learns from: one searched position with its policy, its result and its search value.

use camelot_core::record::{GameRecord, PlyRecord, RecordError};
use camelot_core::{Game, Outcome, Team, Turn};

/// One position to learn from, everything seen by the player to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample<G> {
    /// The position, with a player to move.
    pub position: G,
    /// The improved policy: one weight a sorted legal action
    /// ([`camelot_core::record::sorted_actions`]), probabilities times
    /// [`camelot_core::record::POLICY_ONE`].
    pub policy: Box<[u16]>,
    /// Win, draw and loss shares of what the game came to: 1 for one of them, unless the game has results
    /// between a win and a loss.
    pub outcome: [f32; 3],
    /// Win, draw and loss shares at the root of the search.
    pub search: [f32; 3],
}

/// The searched positions of a game, in the order of play.
///
/// # Errors
///
/// If the record does not hold a game of `G`, or searches a position where chance decides.
pub fn samples_of<G: Game>(record: &GameRecord) -> Result<Vec<Sample<G>>, RecordError> {
    let mut samples = Vec::new();
    let mut ply = 0;
    let mut searched_chance = None;
    record.replay(|position: &G, _, played: &PlyRecord| {
        if let Some(search) = &played.search {
            match position.turn() {
                Turn::Player(seat) => samples.push(Sample {
                    position: position.clone(),
                    policy: search.policy.as_slice().into(),
                    outcome: shares(record.outcome, G::team(seat)),
                    search: search.wdl,
                }),
                Turn::Chance => searched_chance = searched_chance.or(Some(ply)),
            }
        }
        ply += 1;
    })?;
    match searched_chance {
        None => Ok(samples),
        Some(ply) => Err(RecordError::Ply { ply, why: "a search where chance decides".into() }),
    }
}

/// The outcome as win, draw and loss shares in the view of `team`: a draw is a draw, any other value `v` is
/// won by `(1 + v) / 2` and lost by `(1 - v) / 2`, so that the expected value is `v`.
fn shares(outcome: Outcome, team: Team) -> [f32; 3] {
    match outcome.value.for_team(team) {
        0.0 => [0.0, 1.0, 0.0],
        value => [f32::midpoint(1.0, value), 0.0, f32::midpoint(1.0, -value)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{Cam, random_records};
    use camelot_core::record::sorted_actions;

    #[test]
    fn samples_are_the_searched_plies_in_the_view_of_the_player_to_move() {
        for record in random_records::<Cam>(20, 1) {
            let samples = samples_of::<Cam>(&record).unwrap();
            let searched: Vec<_> = record.plies.iter().filter_map(|ply| ply.search.as_ref()).collect();
            assert_eq!(samples.len(), searched.len());
            for (sample, search) in samples.iter().zip(searched) {
                assert_eq!(&*sample.policy, search.policy.as_slice());
                assert_eq!(sample.policy.len(), sorted_actions(&sample.position).len());
                assert_eq!(sample.search, search.wdl);
                let expected = match record.outcome.winner() {
                    None => [0.0, 1.0, 0.0],
                    Some(Team::One) if sample.position.to_move().0 == 0 => [1.0, 0.0, 0.0],
                    Some(Team::Two) if sample.position.to_move().0 == 1 => [1.0, 0.0, 0.0],
                    Some(_) => [0.0, 0.0, 1.0],
                };
                assert_eq!(sample.outcome, expected);
            }
        }
    }

    #[test]
    fn a_result_between_a_win_and_a_loss_is_shared_out() {
        let of = |value: f32, team| {
            let value = camelot_core::Value::new(value).unwrap();
            shares(Outcome { value, reason: camelot_core::Reason::Objective }, team)
        };
        assert_eq!(of(-0.5, Team::One), [0.25, 0.0, 0.75]);
        assert_eq!(of(-0.5, Team::Two), [0.75, 0.0, 0.25]);
        assert_eq!(of(1.0, Team::One), [1.0, 0.0, 0.0]);
        assert_eq!(of(-1.0, Team::One), [0.0, 0.0, 1.0]);
        assert_eq!(of(0.0, Team::One), [0.0, 1.0, 0.0]);
    }

    #[test]
    fn samples_of_the_patience_are_the_players_decisions_with_the_final_value() {
        use camelot_core::{Patience, Turn};
        for mut record in random_records::<Patience>(10, 3) {
            let mut ply = 0;
            let mut turns = Vec::new();
            record.clone().replay(|position: &Patience, _, _| turns.push(position.turn())).unwrap();
            let chance = turns.iter().position(|&turn| turn == Turn::Chance).unwrap();
            for (record, turn) in record.plies.iter_mut().zip(&turns) {
                if *turn == Turn::Chance {
                    record.search = None;
                }
                ply += usize::from(record.search.is_some());
            }
            let samples = samples_of::<Patience>(&record).unwrap();
            assert_eq!(samples.len(), ply);
            let value = record.outcome.value.absolute();
            for sample in samples {
                let [win, draw, loss] = sample.outcome;
                assert!((win - loss - value).abs() < 1e-6 || draw == 1.0, "{win} {draw} {loss}: {value}");
            }
            let donor = record.plies.iter().find_map(|ply| ply.search.clone()).unwrap();
            let outcomes = 13;
            record.plies[chance].search = Some(camelot_core::record::SearchRecord {
                policy: camelot_core::record::quantise_policy(&vec![1.0 / outcomes as f32; outcomes]),
                ..donor
            });
            assert!(matches!(samples_of::<Patience>(&record), Err(RecordError::Ply { .. })));
        }
    }

    #[test]
    fn a_false_record_is_refused() {
        let mut record = random_records::<Cam>(1, 2).remove(0);
        record.plies[3].action = u16::MAX;
        assert!(matches!(samples_of::<Cam>(&record), Err(RecordError::Ply { ply: 3, .. })));
        record.game = "chess".into();
        assert!(matches!(samples_of::<Cam>(&record), Err(RecordError::Game { .. })));
    }
}
