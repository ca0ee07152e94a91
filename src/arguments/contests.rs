//! The arguments of the verbs that let players meet.

use std::path::PathBuf;

use camelot_core::RuleSet;
use camelot_selfplay::rating::Sprt;
use camelot_selfplay::{MatchSettings, PlayerSpec};
use clap::Args;

use super::{PLAYERS, parse_player};
use crate::games::name_argument;

/// `camelot match`.
#[derive(Debug, Args)]
#[command(after_help = format!("{PLAYERS}

Example:
  camelot match net:runs/cam-quick mcts:sims=1000 --games 200
  camelot match greedy random --game camelot

In the patience each player plays the same deals alone; the better result wins a deal.

Exit code 3 if a test was asked for with --sprt and its verdict is not `passed`."))]
pub(crate) struct MatchArguments {
    /// The first player
    #[arg(value_parser = parse_player)]
    pub(crate) first: PlayerSpec,
    /// The second player
    #[arg(value_parser = parse_player)]
    pub(crate) second: PlayerSpec,
    /// The game [default: that of the first network]
    #[arg(long, value_name = "GAME", value_parser = name_argument())]
    pub(crate) game: Option<&'static str>,
    /// The rule set: classic or wcf
    #[arg(long, value_name = "RULES", default_value = "classic", value_parser = str::parse::<RuleSet>)]
    pub(crate) rules: RuleSet,
    /// Games; an even number, played in pairs with sides swapped, or of one deal in the patience
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = parse_games)]
    pub(crate) games: u64,
    /// Random plies before the players take over; none in the patience, where the deals differ
    #[arg(long, value_name = "PLIES", default_value_t = 4, value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub(crate) openings: u32,
    /// Stop when a sequential test of these Elo differences is decided, such as 0,20
    #[arg(long, value_name = "ELO0,ELO1", value_parser = parse_sprt, allow_hyphen_values = true)]
    pub(crate) sprt: Option<Sprt>,
    /// Threads [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Root seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Write the games to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) pgn: Option<PathBuf>,
    /// The result as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// `camelot tournament`.
#[derive(Debug, Args)]
#[command(after_help = format!("{PLAYERS}

Example:
  camelot tournament net:runs/cam-quick greedy alphabeta:depth=2 --game cam
  camelot tournament runs/cam-quick random         the checkpoints of a run

Ratings are the most likely ones under the model of Bradley and Terry, with 95 % intervals; random is 0 where it
takes part, the mean of all players otherwise."))]
pub(crate) struct TournamentArguments {
    /// Players, and run folders for the checkpoints that they keep
    #[arg(required = true, value_name = "PLAYER")]
    pub(crate) players: Vec<String>,
    /// The game [default: that of the first network]
    #[arg(long, value_name = "GAME", value_parser = name_argument())]
    pub(crate) game: Option<&'static str>,
    #[command(flatten)]
    pub(crate) meetings: MeetingArguments,
    /// Of a run folder at most so many checkpoints, spread evenly
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = parse_checkpoints)]
    pub(crate) checkpoints: usize,
    /// Write the games to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) pgn: Option<PathBuf>,
    /// The result as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// `camelot ladder`.
#[derive(Debug, Args)]
#[command(after_help = format!("{PLAYERS}

Example:
  camelot ladder net:runs/cam-quick

Random play is 0. The ratings of the references were measured by a tournament, whose command is kept in
src/references.toml. The interval is that of this player's games; those of the references come on top."))]
pub(crate) struct LadderArguments {
    /// The player to be rated
    #[arg(value_parser = parse_player)]
    pub(crate) player: PlayerSpec,
    /// The game [default: that of the network]
    #[arg(long, value_name = "GAME", value_parser = name_argument())]
    pub(crate) game: Option<&'static str>,
    #[command(flatten)]
    pub(crate) meetings: MeetingArguments,
    /// One JSON object a reference, then one with the rating
    #[arg(long)]
    pub(crate) json: bool,
}

/// How the games of a tournament or a ladder are played.
#[derive(Debug, Args)]
pub(crate) struct MeetingArguments {
    /// The rule set: classic or wcf
    #[arg(long, value_name = "RULES", default_value = "classic", value_parser = str::parse::<RuleSet>)]
    pub(crate) rules: RuleSet,
    /// Games of each two players; an even number, played in pairs with sides swapped
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = parse_games)]
    pub(crate) games: u64,
    /// Random plies before the players take over
    #[arg(long, value_name = "PLIES", default_value_t = 4, value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub(crate) openings: u32,
    /// Threads [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Root seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
}

impl MeetingArguments {
    /// The settings of one match.
    pub(crate) fn settings(&self) -> MatchSettings {
        MatchSettings {
            pairs: self.games / 2,
            opening_plies: self.openings,
            seed: self.seed,
            rules: self.rules,
            sprt: None,
        }
    }
}

fn parse_checkpoints(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| (1..=1000).contains(count));
    count.ok_or_else(|| "expected a number from 1 to 1000".into())
}

fn parse_games(text: &str) -> Result<u64, String> {
    let games =
        text.parse().ok().filter(|&games: &u64| games.is_multiple_of(2) && (2..=10_000_000).contains(&games));
    games.ok_or_else(|| "expected an even number from 2 to 10000000".into())
}

fn parse_sprt(text: &str) -> Result<Sprt, String> {
    let numbers =
        text.split_once(',').and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
    match numbers {
        Some((elo0, elo1)) if elo0 < elo1 && f64::abs(elo0) <= 1000.0 && f64::abs(elo1) <= 1000.0 => {
            Ok(Sprt { elo0, elo1 })
        }
        _ => Err("expected two Elo differences within 1000 with the smaller first, such as 0,20".into()),
    }
}
