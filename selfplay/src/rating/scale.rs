//! Several players on one Elo scale, by the model of Bradley and Terry (1952): a player's expected share of the points
//! depends on the difference of two ratings alone. Draws count as half a win each.
//!
//! The ratings are the most likely ones, found by Newton's steps on one player after another. Their intervals
//! come from Rubin's Bayesian bootstrap ("The Bayesian bootstrap", 1981): the ratings are found again many
//! times with random weights on the pairs of games. Both take for each player half a pair won and half a pair lost in
//! addition, shared out over its opponents, as in a match of two; so no rating is infinite.

use rand::RngExt;

use super::score_of_elo;
use crate::rng::Generator;

/// The games between two players.
#[derive(Clone, Debug, PartialEq)]
pub struct Pairing {
    /// Which two of the players, by number.
    pub players: [usize; 2],
    /// The first one's mean score in each pair of games, from 0 to 1.
    pub pair_scores: Vec<f64>,
}

/// A rating with a 95 % interval, in Elo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The most likely value.
    pub elo: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

/// What a player's rating is measured from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Anchor {
    /// The mean of all players is 0.
    Mean,
    /// This player has this rating.
    Player(usize, f64),
}

/// How often the ratings are found again for the intervals.
const SAMPLES: usize = 1_000;

/// The ratings of all players, from the games between them. Players without any game come out level with the
/// anchor, and say so by an infinite interval.
#[must_use]
pub fn ratings(players: usize, pairings: &[Pairing], anchor: Anchor, rng: &mut Generator) -> Vec<Rating> {
    let fixed = vec![None; players];
    intervals(&fixed, pairings, rng, |elos| {
        let zero = match anchor {
            Anchor::Mean => elos.iter().sum::<f64>() / elos.len().max(1) as f64,
            Anchor::Player(player, rating) => elos[player] - rating,
        };
        for elo in elos {
            *elo -= zero;
        }
    })
}

/// The rating of one more player, numbered `references.len()`, from games against players whose ratings are known.
#[must_use]
pub fn rating_among(references: &[f64], pairings: &[Pairing], rng: &mut Generator) -> Rating {
    let mut fixed: Vec<Option<f64>> = references.iter().copied().map(Some).collect();
    fixed.push(None);
    intervals(&fixed, pairings, rng, |_| {})[references.len()]
}

/// Ratings and intervals; those in `fixed` are known. `place` moves a scale to where it is wanted.
fn intervals(
    fixed: &[Option<f64>],
    pairings: &[Pairing],
    rng: &mut Generator,
    place: impl Fn(&mut [f64]),
) -> Vec<Rating> {
    let start: Vec<f64> = fixed.iter().map(|elo| elo.unwrap_or(0.0)).collect();
    let added = (fixed.len() as f64 / (2 * pairings.len().max(1)) as f64).min(1.0);
    let totals: Vec<Total> = pairings.iter().map(|pairing| Total::of(pairing, added)).collect();
    let mut best = start;
    fit(&mut best, fixed, &totals);
    let mut samples: Vec<Vec<f64>> = vec![Vec::with_capacity(SAMPLES); fixed.len()];
    for _ in 0..SAMPLES {
        let totals: Vec<Total> =
            pairings.iter().map(|pairing| Total::weighted(pairing, added, rng)).collect();
        let mut sample = best.clone();
        fit(&mut sample, fixed, &totals);
        place(&mut sample);
        for (samples, &elo) in samples.iter_mut().zip(&sample) {
            samples.push(elo);
        }
    }
    place(&mut best);
    let played = |player| pairings.iter().any(|p| p.players.contains(&player) && !p.pair_scores.is_empty());
    let interval = |(player, samples): (usize, &mut Vec<f64>)| {
        samples.sort_unstable_by(f64::total_cmp);
        let elo = best[player];
        if fixed[player].is_none() && !played(player) {
            return Rating { elo, low: f64::NEG_INFINITY, high: f64::INFINITY };
        }
        let at = |share: f64| samples[((SAMPLES - 1) as f64 * share).round() as usize];
        Rating { elo, low: at(0.025).min(elo), high: at(0.975).max(elo) }
    };
    samples.iter_mut().enumerate().map(interval).collect()
}

/// What two players came to.
#[derive(Clone, Copy, Debug)]
struct Total {
    players: [usize; 2],
    /// Pairs played.
    pairs: f64,
    /// The first one's points in them, a pair being worth one.
    points: f64,
}

impl Total {
    /// All pairs, and `added` pairs of which half the points were won.
    fn of(pairing: &Pairing, added: f64) -> Self {
        let points = pairing.pair_scores.iter().sum::<f64>() + added / 2.0;
        Self { players: pairing.players, pairs: pairing.pair_scores.len() as f64 + added, points }
    }

    /// The same with random weights, which add up to the number of pairs.
    fn weighted(pairing: &Pairing, added: f64, rng: &mut Generator) -> Self {
        let [won, lost] = [added * half_weight(rng), added * half_weight(rng)];
        let (mut total, mut points) = (won + lost, won);
        for score in &pairing.pair_scores {
            let weight = -uniform(rng).ln();
            total += weight;
            points += weight * score;
        }
        let pairs = pairing.pair_scores.len() as f64 + added;
        Self { players: pairing.players, pairs, points: points / total * pairs }
    }
}

/// A number above 0, up to 1.
fn uniform(rng: &mut Generator) -> f64 {
    1.0 - rng.random::<f64>()
}

/// The weight of half a result: gamma distributed with shape ½, the square of a normal number, halved.
fn half_weight(rng: &mut Generator) -> f64 {
    -uniform(rng).ln() * (std::f64::consts::TAU * uniform(rng)).cos().powi(2)
}

/// A step moves a rating by at most this much, and ratings are found when none moves by more than that.
const LONGEST_STEP: f64 = 400.0;
const SHORTEST_STEP: f64 = 1e-3;
const SWEEPS: usize = 2_000;

/// Moves the ratings that are not fixed to where the results are most likely.
fn fit(elos: &mut [f64], fixed: &[Option<f64>], totals: &[Total]) {
    let unit = std::f64::consts::LN_10 / 400.0;
    for _ in 0..SWEEPS {
        let mut longest: f64 = 0.0;
        for player in 0..elos.len() {
            if fixed[player].is_some() {
                continue;
            }
            let (mut slope, mut curvature) = (0.0, 0.0);
            for total in totals.iter().filter(|total| total.players.contains(&player)) {
                let [first, second] = total.players;
                let expected = score_of_elo(elos[first] - elos[second]);
                let surplus = total.points - total.pairs * expected;
                slope += if player == first { surplus } else { -surplus };
                curvature += total.pairs * expected * (1.0 - expected);
            }
            if curvature > 0.0 {
                let step = (slope / curvature / unit).clamp(-LONGEST_STEP, LONGEST_STEP);
                elos[player] += step;
                longest = longest.max(step.abs());
            }
        }
        if longest < SHORTEST_STEP {
            break;
        }
    }
}

#[cfg(test)]
mod tests;
