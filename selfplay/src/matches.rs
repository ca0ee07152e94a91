//! Matches: games in pairs from the same opening, sides swapped, on all cores.
//!
//! Ruling A27: a game of one seat has no sides to swap. Both players play the same deal, each alone, and the better
//! result wins the pair. Chance draws from a generator of its own that depends on the seed and the pair
//! only, one number a draw, so both meet the same cards in the same order whatever they do with them: what
//! is left to come depends on what came alone. There are no random plies at the start; the deals differ.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use camelot_core::{Game, Line, Outcome, Reason, RuleSet, Team, Turn};
use camelot_models::Encode;
use rayon::prelude::*;

use crate::games::random_opening;
use crate::players::{Advance, Forfeit, LoadedPlayer, Player};
use crate::rating::{Elo, Estimate, Sprt, SprtVerdict};
use crate::rng::{Generator, Purpose, generator};
use crate::rollout::draw_outcome;
use crate::search::Limits;

/// How a match is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatchSettings {
    /// Pairs of games.
    pub pairs: u64,
    /// Random plies before the players take over; none in a game of one seat.
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
    /// Why a player gave it up, if one did.
    pub forfeit: Option<Forfeit>,
    /// The team that the first player held. In a game of one seat, whose player is team One, team Two says
    /// that the first player looked on while the second played.
    pub first_player: Team,
}

impl<G: Game> MatchGame<G> {
    /// The first player's score: 1, ½ or 0.
    #[must_use]
    pub fn score(&self) -> f64 {
        f64::from(f32::midpoint(self.outcome.value.for_team(self.first_player), 1.0))
    }

    /// The player who gave it up, if one did: 0 for the first, 1 for the second.
    #[must_use]
    pub fn forfeiter(&self) -> Option<usize> {
        let loser = self.outcome.winner().filter(|_| self.forfeit.is_some())?.other();
        Some(usize::from(loser != self.first_player))
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

/// How a player did in a game of one seat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solo {
    /// The mean of [`Game::points`]: the cards removed in the patience.
    pub points: Estimate,
    /// The share of games won.
    pub wins: Estimate,
}

/// The result of a match, from the first player's view. What is won, drawn or lost is a game, or in a game
/// of one seat a deal that both have played.
#[derive(Clone, Debug)]
pub struct MatchReport<G: Game> {
    /// Won by the first player.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost by the first player.
    pub losses: u64,
    /// The rating difference.
    pub elo: Elo,
    /// Different sequences of plies among the games.
    pub distinct_games: u64,
    /// The verdict of the sequential test, if one was asked for.
    pub verdict: Option<SprtVerdict>,
    /// The first player's mean score in each pair of games, in order; what ratings are made of.
    pub pair_scores: Vec<f64>,
    /// How each player did, in a game of one seat that counts points.
    pub solo: Option<[Solo; 2]>,
    /// The games in order.
    pub games: Vec<MatchGame<G>>,
}

impl<G: Game> MatchReport<G> {
    /// The first player's share of the points, in `[0, 1]`.
    #[must_use]
    pub fn score(&self) -> f64 {
        let decided = self.wins + self.draws + self.losses;
        (self.wins as f64 + self.draws as f64 / 2.0) / (decided as f64).max(1.0)
    }

    /// Why a player, 0 or 1, gave up games, one reason a game.
    pub fn forfeits(&self, player: usize) -> impl Iterator<Item = &Forfeit> {
        let by_player = move |game: &&MatchGame<G>| game.forfeiter() == Some(player);
        self.games.iter().filter(by_player).filter_map(|game| game.forfeit.as_ref())
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
            pair_scores.push(pair_score([&one, &two]));
            games.extend([one, two]);
        }
        next = until;
        verdict = settings.sprt.map(|sprt| sprt.verdict(&pair_scores));
        if verdict.is_some_and(|verdict| verdict != SprtVerdict::Undecided) {
            break;
        }
    }
    Some(report(games, pair_scores, verdict))
}

/// The first player's score over a pair of games: the mean of both, or in a game of one seat 1, ½ or 0 for
/// a better, an equal or a worse result of the first game than of the second.
fn pair_score<G: Game>([one, two]: [&MatchGame<G>; 2]) -> f64 {
    if G::SEATS > 1 {
        return f64::midpoint(one.score(), two.score());
    }
    let [mine, theirs] = [one, two].map(|game| game.outcome.value.absolute());
    f64::midpoint(1.0, f64::from(i8::from(mine > theirs) - i8::from(mine < theirs)))
}

/// Points and wins of each player.
fn solo<G: Game>(games: &[MatchGame<G>]) -> Option<[Solo; 2]> {
    if G::SEATS > 1 || games.is_empty() {
        return None;
    }
    let of = |player: Team| {
        let values =
            || games.iter().filter(|game| game.first_player == player).map(|game| game.outcome.value);
        let points: Option<Vec<f64>> = values().map(|value| G::points(value).map(f64::from)).collect();
        let wins = values().filter(|value| value.absolute() >= 1.0).count() as u64;
        let points = points?;
        Some(Solo { wins: Estimate::share(wins, points.len() as u64), points: Estimate::mean(&points) })
    };
    Some([of(Team::One)?, of(Team::Two)?])
}

fn report<G: Game>(
    games: Vec<MatchGame<G>>,
    pair_scores: Vec<f64>,
    verdict: Option<SprtVerdict>,
) -> MatchReport<G> {
    let games_scored = |score: f64| games.iter().filter(|game| game.score() == score).count() as u64;
    let pairs_scored = |score: f64| pair_scores.iter().filter(|&&pair| pair == score).count() as u64;
    let count = |score| if G::SEATS > 1 { games_scored(score) } else { pairs_scored(score) };
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
        elo: Elo::from_pairs(&pair_scores),
        distinct_games: distinct.len() as u64,
        verdict,
        pair_scores,
        solo: solo(&games),
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
    let plies = if G::SEATS > 1 { settings.opening_plies } else { 0 };
    let opening = random_opening(&G::start(settings.rules), plies, &mut rng);
    let mut play = |first_player: Team, number: u64| {
        let mut rng = generator(settings.seed, Purpose::Match, number);
        let mut chance = generator(settings.seed, Purpose::Chance, pair);
        play_game(players, opening.clone(), first_player, [&mut rng, &mut chance], progress)
    };
    Some([play(Team::One, 2 * pair)?, play(Team::Two, 2 * pair + 1)?])
}

fn play_game<G: Game>(
    players: &mut [Box<dyn Player<G>>; 2],
    mut line: Line<G>,
    first_player: Team,
    [rng, chance]: [&mut Generator; 2],
    progress: &MatchProgress,
) -> Option<MatchGame<G>> {
    let limits = Limits { stop: Some(Arc::clone(&progress.stop)), ..Limits::default() };
    for player in players.iter_mut() {
        player.new_game();
    }
    let (outcome, forfeit) = loop {
        if let Some(outcome) = line.outcome() {
            break (outcome, None);
        }
        if line.actions().len() >= PLY_LIMIT {
            break (line.position().broken_off(), None);
        }
        let action = match line.position().turn() {
            Turn::Player(seat) => {
                let team = G::team(seat);
                let thought = players[usize::from(team != first_player)].think(&line, &limits, rng);
                // Whoever was stopped while thinking is to blame for nothing.
                if progress.stop.load(Ordering::Relaxed) {
                    return None;
                }
                match thought {
                    Ok(thought) => thought.action,
                    // In a game of one seat that is the worst value there is.
                    Err(why) => break (Outcome::win(team.other(), Reason::Forfeit), Some(why)),
                }
            }
            Turn::Chance => {
                let mut outcomes = Vec::new();
                line.position().legal_actions(&mut outcomes);
                draw_outcome(line.position(), &outcomes, chance)
            }
        };
        line.play(action);
    };
    progress.games.fetch_add(1, Ordering::Relaxed);
    Some(MatchGame { line, outcome, forfeit, first_player })
}

#[cfg(test)]
mod tests;
