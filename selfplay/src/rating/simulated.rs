//! Matches between players of known strength, for tests of what is made of results.

use rand::RngExt;

use super::score_of_elo;
use crate::rng::Generator;

/// The share of games that are drawn between equals.
pub(super) const DRAWS: f64 = 0.3;

/// The mean scores of pairs between players whose ratings differ by `elo`. Both games of a pair begin with one
/// opening, which favours the side that has the first move by up to `luck` in expected score.
pub(super) fn pair_scores(elo: f64, luck: f64, pairs: usize, rng: &mut Generator) -> Vec<f64> {
    (0..pairs).map(|_| pair_score(elo, luck, rng)).collect()
}

fn pair_score(elo: f64, luck: f64, rng: &mut Generator) -> f64 {
    let expected = score_of_elo(elo);
    let luck = luck * (2.0 * rng.random::<f64>() - 1.0);
    // The luck of one game is the bad luck of the other, so that the mean stays what it is.
    let room = expected.min(1.0 - expected);
    let luck = luck.clamp(-room, room);
    f64::midpoint(game_score(expected + luck, rng), game_score(expected - luck, rng))
}

/// A game with this expected score.
fn game_score(expected: f64, rng: &mut Generator) -> f64 {
    let draws = DRAWS.min(2.0 * expected).min(2.0 * (1.0 - expected));
    match rng.random::<f64>() {
        number if number < expected - draws / 2.0 => 1.0,
        number if number < expected + draws / 2.0 => 0.5,
        _ => 0.0,
    }
}
