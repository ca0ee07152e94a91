//! How strong the player is as it trains: now and then it plays a few references of known strength.
//!
//! The references are those of `camelot ladder`. The first is the one nearest to the last rating, each further one the
//! nearest to what has come out so far, so that few games say much. What is played depends on the
//! configuration and the iteration alone. A rating changes nothing in what is learnt, unless a match with the best-rated
//! player of before shows a weakness and `training.when_weaker` answers it.

use std::sync::Arc;

use camelot_models::{Encode, Weights};
use camelot_selfplay::matches::MatchProgress;
use camelot_selfplay::players::{Advance, Effort, LoadedPlayer, NetOptions};
use camelot_selfplay::rating::{Pairing, Rating, Sprt, SprtVerdict, rating_among};
use camelot_selfplay::rng::derive_seed;
use camelot_selfplay::{MatchSettings, Purpose, generator, play_match};
use rayon::ThreadPool;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::config::Config;
use crate::failure::Failure;
use crate::interrupt;
use crate::references::{self, Reference};

/// References played for one rating, at most.
const REFERENCES: usize = 3;

/// What must be shown for a player to count as weaker, in Elo: the one of before is stronger by the second number
/// rather than by the first.
const WEAKER: Sprt = Sprt { elo0: 0.0, elo1: 40.0 };

/// Pairs of games until that is left open.
const WEAKER_PAIRS: u64 = 150;

/// The name of the alarm in the metrics.
pub(super) const ALARM: &str = "strength";

/// A rating as it stands in `metrics.jsonl`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Rated {
    pub(crate) elo: f64,
    pub(crate) elo_low: f64,
    pub(crate) elo_high: f64,
    /// Games played for it.
    pub(crate) games: u64,
}

/// Rates the player at even distances of the budget.
#[derive(Debug)]
pub(super) struct Strength {
    references: Vec<(Reference, LoadedPlayer)>,
    /// How often over the whole budget.
    times: u32,
    last: Option<Rated>,
    best: Option<(u64, Rated)>,
    /// The last match showed the best-rated player of before to be stronger.
    weaker: bool,
}

impl Strength {
    /// Without a rating yet.
    pub(super) fn new<G: Encode + Advance>(config: &Config) -> Result<Self, Failure> {
        let times = config.evaluation.ratings;
        let mut loaded = Vec::new();
        if times > 0 {
            for reference in references::of(G::NAME, config.rules)? {
                let player = LoadedPlayer::load::<G>(&reference.player)?;
                loaded.push((reference, player));
            }
        }
        Ok(Self { references: loaded, times, last: None, best: None, weaker: false })
    }

    /// Takes in the ratings in a run's metrics.
    pub(super) fn remember(&mut self, past: &[Value]) {
        for entry in past {
            let rated = entry.get("rating").and_then(|rating| Rated::deserialize(rating).ok());
            if let (Some(rated), Some(iteration)) = (rated, entry["iteration"].as_u64()) {
                self.note(iteration, rated);
            }
            self.weaker =
                entry["alarms"].as_array().is_some_and(|alarms| alarms.iter().any(|name| name == ALARM));
        }
    }

    /// Whether a rating falls between two shares of the budget, each from 0 to 1.
    pub(super) fn is_due(&self, before: f64, now: f64) -> bool {
        let marks = |progress: f64| (progress * f64::from(self.times)).floor();
        marks(now) > marks(before)
    }

    /// Plays the references. `None` if interrupted.
    pub(super) fn rate<G: Encode + Advance>(
        &mut self,
        weights: &Arc<Weights>,
        iteration: u64,
        config: &Config,
        pool: &ThreadPool,
    ) -> Option<Rated> {
        let player = player(weights, config);
        let seed = derive_seed(config.seed, Purpose::Rating, iteration);
        let settings = settings(config, seed);
        let progress = MatchProgress { stop: interrupt::listen(), ..MatchProgress::default() };
        let elos: Vec<f64> = self.references.iter().map(|(reference, _)| reference.elo).collect();
        let mut pairings: Vec<Pairing> = Vec::new();
        let mut guess = self.last.map_or(0.0, |rated| rated.elo);
        let mut found = None;
        while let Some(next) = nearest(&elos, guess, &pairings) {
            let opponent = &self.references[next].1;
            let report = pool.install(|| play_match::<G>(&player, opponent, &settings, &progress))?;
            pairings.push(Pairing { players: [elos.len(), next], pair_scores: report.pair_scores });
            let mut rng = generator(seed, Purpose::Rating, pairings.len() as u64);
            let rating = rating_among(&elos, &pairings, &mut rng);
            guess = rating.elo;
            found = Some(rating);
        }
        let Rating { elo, low: elo_low, high: elo_high } = found?;
        let rated = Rated { elo, elo_low, elo_high, games: 2 * settings.pairs * pairings.len() as u64 };
        self.note(iteration, rated);
        Some(rated)
    }

    fn note(&mut self, iteration: u64, rated: Rated) {
        self.last = Some(rated);
        if self.best.is_none_or(|(_, best)| rated.elo > best.elo) {
            self.best = Some((iteration, rated));
        }
    }

    /// The iteration of the best rating.
    pub(super) fn best(&self) -> Option<u64> {
        self.best.map(|(iteration, _)| iteration)
    }

    /// The iteration of the best rating, if the last one lies so far below it that a match has to say more.
    pub(super) fn suspect(&self) -> Option<u64> {
        let (last, (iteration, best)) = (self.last?, self.best?);
        (last.elo_high < best.elo).then_some(iteration)
    }

    /// Plays the best-rated weights of before against those of now until one is shown to be stronger
    /// ([`WEAKER`]). `None` if interrupted.
    pub(super) fn compare<G: Encode + Advance>(
        &mut self,
        [best, now]: [&Arc<Weights>; 2],
        iteration: u64,
        config: &Config,
        pool: &ThreadPool,
    ) -> Option<bool> {
        let [best, now] = [best, now].map(|weights| player(weights, config));
        let settings = settings(config, derive_seed(config.seed, Purpose::Rating, iteration));
        self.weaker = pool.install(|| is_stronger::<G>(&best, &now, settings))?;
        Some(self.weaker)
    }

    /// Nothing speaks against the player any more.
    pub(super) fn clear(&mut self) {
        self.weaker = false;
    }

    /// Whether the player was last shown to be weaker than before.
    pub(super) fn weaker(&self) -> bool {
        self.weaker
    }
}

/// Weights as a player of the evaluation.
pub(super) fn player(weights: &Arc<Weights>, config: &Config) -> LoadedPlayer {
    let effort = Effort::Simulations(config.evaluation.simulations);
    LoadedPlayer::Net(Arc::clone(weights), NetOptions { effort, ..NetOptions::default() })
}

/// A match of the evaluation; of as many games as a rating has against each reference.
fn settings(config: &Config, seed: u64) -> MatchSettings {
    MatchSettings {
        pairs: config.evaluation.rating_games / 2,
        opening_plies: config.evaluation.opening_plies,
        seed,
        rules: config.rules,
        sprt: None,
    }
}

/// Whether the first of two players is shown to be stronger ([`WEAKER`]). `None` if interrupted.
fn is_stronger<G: Encode + Advance>(
    first: &LoadedPlayer,
    second: &LoadedPlayer,
    settings: MatchSettings,
) -> Option<bool> {
    let settings = MatchSettings { sprt: Some(WEAKER), pairs: WEAKER_PAIRS, ..settings };
    let progress = MatchProgress { stop: interrupt::listen(), ..MatchProgress::default() };
    let report = play_match::<G>(first, second, &settings, &progress)?;
    Some(report.verdict == Some(SprtVerdict::Passed))
}

/// Whether new weights win the majority of points against those that played before, in a match of the promotion
/// gate. `None` if interrupted.
pub(super) fn passes_gate<G: Encode + Advance>(
    [new, old]: [&Arc<Weights>; 2],
    iteration: u64,
    config: &Config,
    pool: &ThreadPool,
) -> Option<bool> {
    let [new, old] = [new, old].map(|weights| player(weights, config));
    let seed = derive_seed(config.seed, Purpose::Gate, iteration);
    let settings = MatchSettings { pairs: config.gate.games / 2, ..settings(config, seed) };
    let progress = MatchProgress { stop: interrupt::listen(), ..MatchProgress::default() };
    let report = pool.install(|| play_match::<G>(&new, &old, &settings, &progress))?;
    Some(report.score() > 0.5)
}

impl std::fmt::Display for Rated {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.0} [{:.0}, {:.0}] Elo", self.elo, self.elo_low, self.elo_high)
    }
}

/// The reference nearest to a rating that has not been played; none once enough have.
fn nearest(elos: &[f64], guess: f64, played: &[Pairing]) -> Option<usize> {
    if played.len() == REFERENCES {
        return None;
    }
    let fresh = |number: &usize| played.iter().all(|pairing| pairing.players[1] != *number);
    let distance = |number: usize| (elos[number] - guess).abs();
    (0..elos.len()).filter(fresh).min_by(|&one, &other| distance(one).total_cmp(&distance(other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rated(elo: f64) -> Rated {
        Rated { elo, elo_low: elo - 50.0, elo_high: elo + 50.0, games: 60 }
    }

    fn strength(times: u32) -> Strength {
        Strength { references: Vec::new(), times, last: None, best: None, weaker: false }
    }

    #[test]
    fn ratings_come_at_even_distances_and_at_the_end() {
        let strength = strength(4);
        let steps: Vec<f64> = (0..=10).map(|tenth| f64::from(tenth) / 10.0).collect();
        let due: Vec<f64> =
            steps.windows(2).filter(|step| strength.is_due(step[0], step[1])).map(|step| step[1]).collect();
        assert_eq!(due, [0.3, 0.5, 0.8, 1.0]);
        assert!(!super::tests::strength(0).is_due(0.0, 1.0));
    }

    #[test]
    fn the_nearest_reference_that_is_left_is_played() {
        let elos = [0.0, 300.0, 500.0, 900.0];
        let played = |numbers: &[usize]| -> Vec<Pairing> {
            numbers.iter().map(|&number| Pairing { players: [4, number], pair_scores: Vec::new() }).collect()
        };
        assert_eq!(nearest(&elos, 0.0, &[]), Some(0));
        assert_eq!(nearest(&elos, 420.0, &played(&[0])), Some(2));
        assert_eq!(nearest(&elos, 420.0, &played(&[0, 2])), Some(1));
        assert_eq!(nearest(&elos, 420.0, &played(&[0, 2, 1])), None);
    }

    #[test]
    fn only_a_clear_fall_is_looked_into() {
        let mut strength = strength(10);
        for (iteration, elo) in [(1, 500.0), (2, 700.0), (3, 660.0)] {
            strength.note(iteration, rated(elo));
            assert_eq!(strength.suspect(), None);
        }
        strength.note(4, rated(640.0));
        assert_eq!((strength.suspect(), strength.best()), (Some(2), Some(2)));
        strength.note(5, rated(701.0));
        assert_eq!((strength.suspect(), strength.best()), (None, Some(5)));
    }

    #[test]
    fn the_stronger_player_is_told_from_the_weaker_and_from_itself() {
        use camelot_core::{Cam, Position, RuleSet};
        use camelot_selfplay::PlayerSpec;
        let load = |spec: PlayerSpec| LoadedPlayer::load::<Position<Cam>>(&spec).unwrap();
        let (greedy, random) = (load(PlayerSpec::Greedy), load(PlayerSpec::Random));
        let settings =
            MatchSettings { pairs: 1, opening_plies: 4, seed: 5, rules: RuleSet::Classic, sprt: None };
        let stronger = |first, second| is_stronger::<Position<Cam>>(first, second, settings).unwrap();
        assert!(stronger(&greedy, &random));
        assert!(!stronger(&random, &greedy) && !stronger(&random, &random));
    }

    #[test]
    fn ratings_and_the_alarm_are_remembered() {
        let entry = |iteration: u64, elo: Option<f64>, alarms: &[&str]| serde_json::json!({ "iteration": iteration, "rating": elo.map(rated), "alarms": alarms });
        let mut strength = strength(10);
        strength.remember(&[
            entry(1, Some(300.0), &[]),
            entry(2, Some(100.0), &[ALARM]),
            entry(3, None, &[ALARM]),
        ]);
        assert!(strength.weaker() && strength.suspect() == Some(1));
        strength.remember(&[entry(4, Some(290.0), &["draws"])]);
        assert!(!strength.weaker());
    }
}
