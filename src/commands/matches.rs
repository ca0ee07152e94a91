//! `camelot match`: two players against each other.

use std::fmt;
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use camelot_models::Encode;
use camelot_selfplay::matches::{MatchProgress, Solo};
use camelot_selfplay::players::{Advance, LoadedPlayer};
use camelot_selfplay::rating::{Estimate, SprtVerdict};
use camelot_selfplay::{MatchReport, MatchSettings, PlayerSpec, play_match};
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};

use super::pgn_file::PgnFile;
use super::{print_json, print_line, thread_pool};
use crate::arguments::MatchArguments;
use crate::failure::Failure;
use crate::games::{game_of_players, with_game};
use crate::interrupt;

#[derive(Debug, Serialize)]
struct Answer {
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    distinct_games: u64,
    verdict: Option<&'static str>,
    /// Games that the first and the second player gave up.
    forfeits: [usize; 2],
    /// In the patience only.
    #[serde(flatten)]
    solo: Option<SoloAnswer>,
}

/// What both players did alone.
#[derive(Debug, Serialize)]
struct SoloAnswer {
    first: Alone,
    second: Alone,
}

/// What one player did alone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Alone {
    removed: Estimate,
    win_share: Estimate,
}

impl From<Solo> for Alone {
    fn from(solo: Solo) -> Self {
        Self { removed: solo.points, win_share: solo.wins }
    }
}

impl fmt::Display for Alone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { removed, win_share } = self;
        let [share, low, high] = [win_share.value, win_share.low, win_share.high].map(|share| 100.0 * share);
        write!(f, "{:.2} [{:.2}, {:.2}] removed, ", removed.value, removed.low, removed.high)?;
        write!(f, "{share:.2} % [{low:.2}, {high:.2}] won")
    }
}

pub(crate) fn run(arguments: &MatchArguments) -> Result<(), Failure> {
    let players = [arguments.first.clone(), arguments.second.clone()];
    let game = game_of_players(arguments.game, &players)?;
    with_game!(game, G => play::<G>(arguments))
}

fn play<G: Encode + Advance>(arguments: &MatchArguments) -> Result<(), Failure> {
    let players = [LoadedPlayer::load::<G>(&arguments.first)?, LoadedPlayer::load::<G>(&arguments.second)?];
    let pgn = arguments.pgn.as_deref().map(PgnFile::open).transpose()?;
    let settings = MatchSettings {
        pairs: arguments.games / 2,
        opening_plies: arguments.openings,
        seed: arguments.seed,
        rules: arguments.rules,
        sprt: arguments.sprt,
    };
    let pool = thread_pool(arguments.threads)?;
    let report = watched_match::<G>(&pool, &players, &settings).ok_or_else(|| {
        eprintln!("stopped; an unfinished match has no result");
        Failure::Interrupted
    })?;
    warn([&arguments.first, &arguments.second], &report);
    let printed = print_report(arguments, &report);
    if let Some(mut pgn) = pgn {
        pgn.add(&report, [&arguments.first, &arguments.second]);
        pgn.write()?;
    }
    match report.verdict {
        None | Some(SprtVerdict::Passed) => printed,
        Some(_) => Err(Failure::NotPassed),
    }
}

/// Plays a match with a progress bar on a terminal. `None` if interrupted.
pub(crate) fn watched_match<G: Encode + Advance>(
    pool: &rayon::ThreadPool,
    players: &[LoadedPlayer; 2],
    settings: &MatchSettings,
) -> Option<MatchReport<G>> {
    let progress = MatchProgress { stop: interrupt::listen(), ..MatchProgress::default() };
    let bar = if std::io::stderr().is_terminal() {
        let style = "{bar:30} {pos}/{len} games, {elapsed} gone, about {eta} left";
        let style = ProgressStyle::with_template(style).expect("the template is well formed");
        ProgressBar::new(2 * settings.pairs).with_style(style)
    } else {
        ProgressBar::hidden()
    };
    let progress = Arc::new(progress);
    let result = std::thread::scope(|scope| {
        let playing =
            scope.spawn(|| pool.install(|| play_match(&players[0], &players[1], settings, &progress)));
        while !playing.is_finished() {
            bar.set_position(progress.games.load(Ordering::Relaxed));
            std::thread::sleep(Duration::from_millis(20));
        }
        playing.join().expect("a match does not panic")
    });
    bar.finish_and_clear();
    result
}

fn print_report<G: Encode>(arguments: &MatchArguments, report: &MatchReport<G>) -> Result<(), Failure> {
    let elo = report.elo;
    if arguments.json {
        return print_json(&Answer {
            games: report.games.len() as u64,
            wins: report.wins,
            draws: report.draws,
            losses: report.losses,
            elo: elo.difference,
            elo_low: elo.low,
            elo_high: elo.high,
            distinct_games: report.distinct_games,
            verdict: report.verdict.map(SprtVerdict::name),
            forfeits: [0, 1].map(|player| report.forfeits(player).count()),
            solo: report
                .solo
                .map(|[first, second]| SoloAnswer { first: first.into(), second: second.into() }),
        });
    }
    print_line(&summary(&arguments.first, &arguments.second, report))?;
    for (player, solo) in [&arguments.first, &arguments.second].into_iter().zip(report.solo.iter().flatten())
    {
        print_line(&format!("{player}: {}", Alone::from(*solo)))?;
    }
    if let Some(verdict) = report.verdict {
        let sprt = arguments.sprt.map_or(String::new(), |s| format!(" of {} against {} Elo", s.elo0, s.elo1));
        print_line(&format!("sequential test{sprt}: {}", verdict.name()))?;
    }
    Ok(())
}

/// Says which player gave up games, how many, and why the first of them; and if many games were the same, so that
/// intervals are narrower than they should be.
pub(crate) fn warn<G: Encode>(players: [&dyn fmt::Display; 2], report: &MatchReport<G>) {
    for (number, player) in players.into_iter().enumerate() {
        if let Some(first) = report.forfeits(number).next() {
            let (count, games) = (report.forfeits(number).count(), report.games.len());
            eprintln!("warning: {player} forfeited {count} of {games} games, the first because: {first}");
        }
    }
    let (different, games) = (report.distinct_games, report.games.len() as u64);
    if G::SEATS > 1 && 2 * different < games {
        eprintln!(
            "warning: only {different} of {games} games are different; more random plies first help (--openings)"
        );
    }
}

/// Two lines for people.
pub(crate) fn summary<G: Encode>(first: &PlayerSpec, second: &PlayerSpec, report: &MatchReport<G>) -> String {
    let number = |elo: Option<f64>, open: &str| elo.map_or(open.to_string(), |elo| format!("{elo:+.0}"));
    let elo = report.elo;
    let (low, high) = elo.score_interval;
    let certain = if report.score() > 0.5 { "+inf" } else { "-inf" };
    let what = if G::SEATS > 1 { "games" } else { "deals" };
    format!(
        "{first} against {second}: {} {what}, +{} ={} -{}, {:.1} % [{:.1}, {:.1}]\n\
         Elo {} [{}, {}] (95 %); {} different games",
        report.wins + report.draws + report.losses,
        report.wins,
        report.draws,
        report.losses,
        100.0 * report.score(),
        100.0 * low,
        100.0 * high,
        number(elo.difference, certain),
        number(elo.low, "-inf"),
        number(elo.high, "+inf"),
        report.distinct_games,
    )
}
