//! Matches: games in pairs from the same opening, sides swapped, on all cores.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use camelot_core::{Game, Line, Outcome, Reason, RuleSet, Team, Turn};
use camelot_models::Encode;
use rayon::prelude::*;

use crate::games::random_opening;
use crate::players::{Advance, LoadedPlayer, Player};
use crate::rating::{Elo, Sprt, SprtVerdict};
use crate::rng::{Generator, Purpose, generator};
use crate::rollout::draw_outcome;

/// How a match is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatchSettings {
    /// Pairs of games.
    pub pairs: u64,
    /// Random plies before the players take over.
    pub opening_plies: u32,
    /// The root seed.
    pub seed: u64,
    /// The rule set.
    pub rules: RuleSet,
    /// Stop as soon as this test is decided.
    pub sprt: Option<Sprt>,
}

/// A match game is called a draw after this many plies.
const PLY_LIMIT: usize = 2_000;

/// Pairs between two looks at the sequential test. Fixed, so that the number of threads changes nothing.
const PAIRS_A_LOOK: u64 = 8;

/// One finished game.
#[derive(Clone, Debug)]
pub struct MatchGame<G: Game> {
    /// The game as played, opening included.
    pub line: Line<G>,
    /// How it ended.
    pub outcome: Outcome,
    /// The team that the first player held.
    pub first_player: Team,
}

impl<G: Game> MatchGame<G> {
    /// The first player's score: 1, ½ or 0.
    #[must_use]
    pub fn score(&self) -> f64 {
        f64::from(f32::midpoint(self.outcome.value.for_team(self.first_player), 1.0))
    }
}

/// Counts kept up during a match, and the way to stop it.
#[derive(Debug, Default)]
pub struct MatchProgress {
    /// Finished games.
    pub games: AtomicU64,
    /// Set by whoever holds it to stop at the next ply; unfinished games are lost.
    pub stop: Arc<AtomicBool>,
}

/// The result of a match, from the first player's view.
#[derive(Clone, Debug)]
pub struct MatchReport<G: Game> {
    /// Games won by the first player.
    pub wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games lost by the first player.
    pub losses: u64,
    /// The rating difference.
    pub elo: Elo,
    /// Different sequences of plies among the games.
    pub distinct_games: u64,
    /// The verdict of the sequential test, if one was asked for.
    pub verdict: Option<SprtVerdict>,
    /// The games in order.
    pub games: Vec<MatchGame<G>>,
}

impl<G: Game> MatchReport<G> {
    /// The first player's share of the points, in `[0, 1]`.
    #[must_use]
    pub fn score(&self) -> f64 {
        (self.wins as f64 + self.draws as f64 / 2.0) / (self.games.len() as f64).max(1.0)
    }
}

/// Plays `first` against `second` on the ambient rayon pool. `None` if stopped.
#[must_use]
pub fn play_match<G: Encode + Advance>(
    first: &LoadedPlayer,
    second: &LoadedPlayer,
    settings: &MatchSettings,
    progress: &MatchProgress,
) -> Option<MatchReport<G>> {
    let mut games: Vec<MatchGame<G>> = Vec::new();
    let mut pair_scores = Vec::new();
    let mut verdict = settings.sprt.map(|_| SprtVerdict::Undecided);
    let mut next = 0;
    while next < settings.pairs {
        let look = if settings.sprt.is_some() { PAIRS_A_LOOK } else { settings.pairs };
        let until = (next + look).min(settings.pairs);
        let pairs: Option<Vec<[MatchGame<G>; 2]>> = (next as usize..until as usize)
            .into_par_iter()
            .map_init(
                || [first.seat::<G>(), second.seat::<G>()],
                |players, pair| play_pair(players, pair as u64, settings, progress),
            )
            .collect();
        for [one, two] in pairs? {
            pair_scores.push(f64::midpoint(one.score(), two.score()));
            games.extend([one, two]);
        }
        next = until;
        verdict = settings.sprt.map(|sprt| sprt.verdict(&pair_scores));
        if verdict.is_some_and(|verdict| verdict != SprtVerdict::Undecided) {
            break;
        }
    }
    Some(report(games, &pair_scores, verdict))
}

fn report<G: Game>(
    games: Vec<MatchGame<G>>,
    pair_scores: &[f64],
    verdict: Option<SprtVerdict>,
) -> MatchReport<G> {
    let count = |score: f64| games.iter().filter(|game| game.score() == score).count() as u64;
    let distinct: HashSet<u64> = games
        .iter()
        .map(|game| {
            let mut hasher = DefaultHasher::new();
            game.line.actions().hash(&mut hasher);
            hasher.finish()
        })
        .collect();
    MatchReport {
        wins: count(1.0),
        draws: count(0.5),
        losses: count(0.0),
        elo: Elo::from_pairs(pair_scores),
        distinct_games: distinct.len() as u64,
        verdict,
        games,
    }
}

fn play_pair<G: Game>(
    players: &mut [Box<dyn Player<G>>; 2],
    pair: u64,
    settings: &MatchSettings,
    progress: &MatchProgress,
) -> Option<[MatchGame<G>; 2]> {
    let mut rng = generator(settings.seed, Purpose::Opening, pair);
    let opening = random_opening(&G::start(settings.rules), settings.opening_plies, &mut rng);
    let mut play = |first_player: Team, number: u64| {
        let mut rng = generator(settings.seed, Purpose::Match, number);
        play_game(players, opening.clone(), first_player, &mut rng, progress)
    };
    Some([play(Team::One, 2 * pair)?, play(Team::Two, 2 * pair + 1)?])
}

fn play_game<G: Game>(
    players: &mut [Box<dyn Player<G>>; 2],
    mut line: Line<G>,
    first_player: Team,
    rng: &mut Generator,
    progress: &MatchProgress,
) -> Option<MatchGame<G>> {
    let outcome = loop {
        if let Some(outcome) = line.outcome() {
            break outcome;
        }
        if line.actions().len() >= PLY_LIMIT {
            break Outcome::draw(Reason::Adjudication);
        }
        if progress.stop.load(Ordering::Relaxed) {
            return None;
        }
        let action = match line.position().turn() {
            Turn::Player(seat) => {
                let player = usize::from(G::team(seat) != first_player);
                players[player].think(&line, rng).action
            }
            Turn::Chance => {
                let mut outcomes = Vec::new();
                line.position().legal_actions(&mut outcomes);
                draw_outcome(line.position(), &outcomes, rng)
            }
        };
        line.play(action);
    };
    progress.games.fetch_add(1, Ordering::Relaxed);
    Some(MatchGame { line, outcome, first_player })
}
