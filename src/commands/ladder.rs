//! `camelot ladder`: a player against the fixed references of its game, on their scale of ratings.

use std::fmt::Write as _;

use camelot_models::Encode;
use camelot_selfplay::players::{Advance, LoadedPlayer};
use camelot_selfplay::rating::{Pairing, Rating, rating_among};
use camelot_selfplay::{MatchReport, Purpose, generator};
use serde::Serialize;

use super::matches::{warn, watched_match};
use super::{print_json, print_line, thread_pool};
use crate::arguments::LadderArguments;
use crate::failure::Failure;
use crate::games::{game_of_players, with_game};
use crate::references::{self, Reference};

/// Whoever scores less than this against a reference is not asked to play the stronger ones.
const HOPELESS: f64 = 0.05;

pub(crate) fn run(arguments: &LadderArguments) -> Result<(), Failure> {
    let game = game_of_players(arguments.game, std::slice::from_ref(&arguments.player))?;
    with_game!(game, G => climb::<G>(arguments))
}

/// What was scored against a reference: a row for `--json`.
#[derive(Debug, Serialize)]
struct Row<'a> {
    reference: &'a str,
    reference_elo: f64,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    score: f64,
}

/// The last row for `--json`.
#[derive(Debug, Serialize)]
struct Answer {
    elo: f64,
    elo_low: f64,
    elo_high: f64,
}

fn climb<G: Encode + Advance>(arguments: &LadderArguments) -> Result<(), Failure> {
    let references = references::of(G::NAME, arguments.meetings.rules)?;
    let player = LoadedPlayer::load::<G>(&arguments.player)?;
    let pool = thread_pool(arguments.meetings.threads)?;
    let settings = arguments.meetings.settings();
    eprintln!(
        "{} on the ladder of {}: {} references, {} games against each",
        arguments.player,
        G::NAME,
        references.len(),
        arguments.meetings.games
    );
    if !arguments.json {
        print_line("  Elo (of the reference)     games   won drawn  lost   score  reference")?;
    }
    let mut pairings = Vec::new();
    for (number, reference) in references.iter().enumerate() {
        let both = [player.clone(), LoadedPlayer::load::<G>(&reference.player)?];
        let report = watched_match::<G>(&pool, &both, &settings).ok_or_else(|| {
            eprintln!("stopped; without all its matches a player has no rating");
            Failure::Interrupted
        })?;
        warn([&arguments.player, &reference.player], &report);
        print_row(arguments, reference, &report)?;
        let score = report.score();
        pairings.push(Pairing { players: [references.len(), number], pair_scores: report.pair_scores });
        if score < HOPELESS && number + 1 < references.len() {
            eprintln!("the stronger references are left out");
            break;
        }
    }
    let elos: Vec<f64> = references.iter().map(|reference| reference.elo).collect();
    let mut rng = generator(arguments.meetings.seed, Purpose::Rating, 0);
    print_rating(arguments, rating_among(&elos, &pairings, &mut rng))
}

fn print_row<G: Encode>(
    arguments: &LadderArguments,
    reference: &Reference,
    report: &MatchReport<G>,
) -> Result<(), Failure> {
    let MatchReport { wins, draws, losses, .. } = *report;
    let (name, games, score) = (reference.player.to_string(), wins + draws + losses, report.score());
    if arguments.json {
        let reference_elo = reference.elo;
        return print_json(&Row { reference: &name, reference_elo, games, wins, draws, losses, score });
    }
    let mut line = format!("{:>5.0} ", reference.elo);
    let interval = format!("[{:.0}, {:.0}]", reference.elo_low, reference.elo_high);
    let percent = 100.0 * score;
    let _ =
        write!(line, "{interval:<18} {games:>7} {wins:>5} {draws:>5} {losses:>5} {percent:>5.1} %  {name}");
    print_line(&line)
}

fn print_rating(arguments: &LadderArguments, rating: Rating) -> Result<(), Failure> {
    let Rating { elo, low, high } = rating;
    if arguments.json {
        return print_json(&Answer { elo, elo_low: low, elo_high: high });
    }
    print_line(&format!(
        "{}: Elo {elo:.0} [{low:.0}, {high:.0}] (95 %, the references taken as certain)",
        arguments.player
    ))
}
