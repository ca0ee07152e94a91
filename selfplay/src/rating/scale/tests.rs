use super::*;
use crate::rating::simulated::pair_scores;
use crate::rng::{Purpose, generator};

/// A round robin of players with these ratings, `pairs` pairs of games each.
fn round_robin(elos: &[f64], pairs: usize, rng: &mut Generator) -> Vec<Pairing> {
    let mut pairings = Vec::new();
    for first in 0..elos.len() {
        for second in first + 1..elos.len() {
            let pair_scores = pair_scores(elos[first] - elos[second], 0.1, pairs, rng);
            pairings.push(Pairing { players: [first, second], pair_scores });
        }
    }
    pairings
}

#[test]
fn two_players_differ_as_in_a_match() {
    let scores = [1.0, 0.5, 0.75, 0.25, 1.0, 0.5, 0.5, 0.75];
    let pairings = [Pairing { players: [1, 0], pair_scores: scores.to_vec() }];
    let mut rng = generator(1, Purpose::Rating, 0);
    let found = ratings(2, &pairings, Anchor::Player(0, 0.0), &mut rng);
    let with_one_more = (scores.iter().sum::<f64>() + 0.5) / (scores.len() as f64 + 1.0);
    let elo = crate::rating::elo_of_score(with_one_more).unwrap();
    assert!((found[1].elo - elo).abs() < 0.01, "{found:?}, expected {elo}");
    assert_eq!((found[0].elo, found[0].low, found[0].high), (0.0, 0.0, 0.0));
    let match_elo = crate::rating::Elo::from_pairs(&scores);
    assert!((found[1].low - match_elo.low.unwrap()).abs() < 40.0, "{found:?}, {match_elo:?}");
}

#[test]
fn known_ratings_are_recovered_within_their_intervals() {
    let truth = [0.0, 120.0, 150.0, 400.0, 700.0];
    let mut rng = generator(2, Purpose::Rating, 0);
    let (tournaments, mut covered, mut errors) = (60, 0, 0.0);
    for _ in 0..tournaments {
        let pairings = round_robin(&truth, 100, &mut rng);
        let found = ratings(truth.len(), &pairings, Anchor::Player(0, 0.0), &mut rng);
        for (rating, elo) in found.iter().zip(truth).skip(1) {
            covered += usize::from(rating.low <= elo && elo <= rating.high);
            errors += (rating.elo - elo) / f64::from(4 * tournaments);
        }
    }
    let share = covered as f64 / f64::from(4 * tournaments);
    assert!((0.91..=0.99).contains(&share), "{share} of the intervals cover the truth");
    assert!(errors.abs() < 4.0, "mean error {errors}");
}

#[test]
fn a_player_is_placed_among_references() {
    let mut rng = generator(3, Purpose::Rating, 0);
    let references = [0.0, 300.0, 600.0];
    let pairings: Vec<Pairing> = references
        .iter()
        .enumerate()
        .map(|(i, elo)| Pairing {
            players: [3, i],
            pair_scores: pair_scores(450.0 - elo, 0.1, 400, &mut rng),
        })
        .collect();
    let found = rating_among(&references, &pairings, &mut rng);
    assert!((found.elo - 450.0).abs() < 40.0 && found.low < 450.0 && found.high > 450.0, "{found:?}");
}

#[test]
fn the_mean_is_zero_and_whoever_played_nobody_is_not_rated() {
    let pairings = [Pairing { players: [0, 2], pair_scores: vec![1.0; 50] }];
    let found = ratings(3, &pairings, Anchor::Mean, &mut generator(4, Purpose::Rating, 0));
    assert!(found.iter().map(|rating| rating.elo).sum::<f64>().abs() < 1e-6, "{found:?}");
    assert!(found[0].elo > 300.0 && found[0].high.is_finite() && found[0].low > 0.0, "{found:?}");
    assert!(found[1].low.is_infinite() && found[1].high.is_infinite(), "{found:?}");
}

#[test]
fn the_order_of_names_changes_nothing() {
    let mut rng = generator(5, Purpose::Rating, 0);
    let pairings = round_robin(&[0.0, 100.0, 200.0], 30, &mut rng);
    let turned: Vec<Pairing> = pairings
        .iter()
        .map(|pairing| Pairing {
            players: pairing.players.map(|player| 2 - player),
            pair_scores: pairing.pair_scores.clone(),
        })
        .collect();
    let rate =
        |pairings: &[Pairing]| ratings(3, pairings, Anchor::Mean, &mut generator(6, Purpose::Rating, 0));
    for (one, other) in rate(&pairings).iter().zip(rate(&turned).iter().rev()) {
        assert!((one.elo - other.elo).abs() < 0.1, "{one:?} {other:?}");
    }
}
