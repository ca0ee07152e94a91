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
    /// Win, draw, loss: 1 for what the game came to, 0 for the others.
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
                    outcome: one_hot(record.outcome, G::team(seat)),
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

/// The outcome as win, draw, loss in the view of `team`.
fn one_hot(outcome: Outcome, team: Team) -> [f32; 3] {
    match outcome.value.for_team(team) {
        value if value > 0.0 => [1.0, 0.0, 0.0],
        value if value < 0.0 => [0.0, 0.0, 1.0],
        _ => [0.0, 1.0, 0.0],
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
    fn a_false_record_is_refused() {
        let mut record = random_records::<Cam>(1, 2).remove(0);
        record.plies[3].action = u16::MAX;
        assert!(matches!(samples_of::<Cam>(&record), Err(RecordError::Ply { ply: 3, .. })));
        record.game = "chess".into();
        assert!(matches!(samples_of::<Cam>(&record), Err(RecordError::Game { .. })));
    }
}
