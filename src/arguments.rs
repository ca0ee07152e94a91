//! The arguments of every verb.

mod analysis;
mod contests;
mod files;
mod help;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;

use camelot_core::RuleSet;
use camelot_selfplay::{PlayerError, PlayerSpec};
use clap::error::ErrorKind;
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::clock::{TimeControl, parse_time_control};
use crate::config::Architecture;
use crate::games::name_argument;
pub(crate) use analysis::AnalyzeArguments;
pub(crate) use contests::{LadderArguments, MatchArguments, TournamentArguments};
pub(crate) use files::{ExportArguments, ExportFormat, RecordsArguments, ReportArguments};
pub(crate) use help::{CompletionsArguments, ManArguments};

/// Trains and plays Cam, Cam All Knights, Camelot, Grand Camelot and the patience by self-play.
#[derive(Debug, Parser)]
#[command(name = "camelot", version, max_term_width = 100)]
pub(crate) struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Train a network by self-play, and measure it at the end
    Train(TrainArguments),
    /// Play two players against each other
    Match(MatchArguments),
    /// Let every player meet every other, and rate them on one scale
    Tournament(TournamentArguments),
    /// Rate a player against fixed references
    Ladder(LadderArguments),
    /// Play against a player in the terminal or in a browser
    Play(PlayArguments),
    /// Answer a match runner or a board program on standard input and output
    Engine(EngineArguments),
    /// Say what a network thinks of positions, as JSON lines
    Analyze(AnalyzeArguments),
    /// List the legal moves of positions
    Moves(MovesArguments),
    /// Count the positions in reach of a position
    Perft(PerftArguments),
    /// Show, check and convert games
    Records(RecordsArguments),
    /// Write a page that shows how a run went
    Report(ReportArguments),
    /// Write a network as one file to play with, as plain tensors or as an ONNX model
    Export(ExportArguments),
    /// Measure speeds
    Bench(BenchArguments),
    /// Print what a shell needs to complete commands
    Completions(CompletionsArguments),
    /// Print a manual page
    Man(ManArguments),
}

const PLAYERS: &str = "\
Players:
  net:PATH[,sims=N|,movetime=MS][,threads=N][,memory=MIB]
      a checkpoint, a bundle or a run folder (its best checkpoint); search options
      besides: cpuct, growth, spread, fpu, temperature, even, captures,
      offers, reuse
  mcts:sims=N
      tree search with random playouts, no network
  alphabeta:depth=N|nodes=N|movetime=MS[,net=PATH]
      classical search of the board games; with the value of a network if
      one is named
  greedy
      looks one ply ahead
  random
      plays any legal move
  ugi:[OPTION=N,]COMMAND
      an external engine that speaks UGI; OPTION is movetime (in ms,
      default 1000), nodes or depth a move, or timeout (ms of silence,
      default 10000)";

/// Ends the program for arguments that cannot be read, or that ask for help: an error is one line.
pub(crate) fn refuse(error: &clap::Error) -> ExitCode {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand || !error.use_stderr() {
        error.exit();
    }
    let text = error.to_string();
    let parts = text
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more information"))
        .filter(|line| !line.is_empty());
    let mut line = String::new();
    for part in parts {
        let joint = if line.is_empty() || line.ends_with(':') { " " } else { "; " };
        line.push_str(joint);
        line.push_str(part);
    }
    eprintln!("{}; --help explains", line.trim());
    ExitCode::from(2)
}

/// A game and its rules.
#[derive(Debug, Args)]
pub(crate) struct GameArguments {
    /// The game
    #[arg(long, value_name = "GAME", value_parser = name_argument())]
    pub(crate) game: &'static str,
    /// The rule set: classic or wcf
    #[arg(long, value_name = "RULES", default_value = "classic", value_parser = str::parse::<RuleSet>)]
    pub(crate) rules: RuleSet,
}

/// `camelot train`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  camelot train configs/cam-quick.toml
  camelot train configs/cam-quick.toml --time 30m     goes on with a finished run
  camelot train --run runs/cam-quick                  goes on where a run stopped
  camelot train configs/cam.toml --dry-run            says what it would cost

Ctrl-C stops in good order; the same command goes on.")]
pub(crate) struct TrainArguments {
    /// Configuration file; without it the run folder's own, or the built-in quick Cam run
    pub(crate) config: Option<PathBuf>,
    /// Run folder [default: runs/ and the configuration's name]
    #[arg(long, value_name = "DIR")]
    pub(crate) run: Option<PathBuf>,
    /// Set a configuration key, such as selfplay.simulations=64
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Training time in all, such as 90s, 30m or 8h
    #[arg(long, value_name = "TIME", value_parser = parse_minutes)]
    pub(crate) time: Option<f64>,
    /// Threads [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Root seed of all random numbers, in place of the configuration's
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Say what the run would cost in memory, disk and time, and begin nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// One JSON object a finished iteration on standard output
    #[arg(long)]
    pub(crate) json: bool,
}

/// `camelot play`.
#[derive(Debug, Args)]
#[command(after_help = format!("{PLAYERS}

Example:
  camelot play net:runs/cam-quick
  camelot play alphabeta:depth=4 --game camelot --clock 10+5 --pgn game.pgn
  camelot play greedy --game patience --side watch
  camelot play net:runs/cam-quick --web                 on a page in the browser

The page plays all games: those that PLAYER does not play, against players that need no network. With
--web, --game, --rules, --side, --position and --seed say how its first game begins. Ctrl-C ends it, with
exit code 130."))]
pub(crate) struct PlayArguments {
    /// The opponent; in the patience, whose hints you may ask for
    #[arg(value_parser = parse_player)]
    pub(crate) player: PlayerSpec,
    /// The game [default: that of the network]
    #[arg(long, value_name = "GAME", value_parser = name_argument())]
    pub(crate) game: Option<&'static str>,
    /// The rule set: classic or wcf
    #[arg(long, value_name = "RULES", default_value = "classic", value_parser = str::parse::<RuleSet>)]
    pub(crate) rules: RuleSet,
    /// Which side you take: in Grand Camelot white plays Red and Blue, black Green and Yellow; in the
    /// patience white plays
    #[arg(long, value_enum, default_value_t = Side::White)]
    pub(crate) side: Side,
    /// Start from this position instead of the start position
    #[arg(long, value_name = "POSITION")]
    pub(crate) position: Option<String>,
    /// Play by the clock: minutes for each side, and perhaps seconds added by each move, such as 5+3
    #[arg(long, value_name = "TIME", value_parser = parse_time_control)]
    pub(crate) clock: Option<TimeControl>,
    /// Keep the game in this PGN file, move by move
    #[arg(long, value_name = "FILE")]
    pub(crate) pgn: Option<PathBuf>,
    /// Root seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Serve a page to play on, to this machine alone unless ADDR says otherwise: an address, a port or
    /// both; port 0 is any free one [default: 127.0.0.1:8080 or the next free port]
    #[arg(long, value_name = "ADDR", num_args = 0..=1, default_missing_value = "", value_parser = parse_web_address, conflicts_with_all = ["clock", "pgn"])]
    pub(crate) web: Option<WebAddress>,
}

/// Where the page is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WebAddress {
    /// On this machine, at the usual port or the next free one.
    Usual,
    /// There and nowhere else.
    At(SocketAddr),
}

/// Reads an address, a port or both.
fn parse_web_address(text: &str) -> Result<WebAddress, String> {
    let loopback = IpAddr::V4(Ipv4Addr::LOCALHOST);
    let both = text.replace("localhost:", "127.0.0.1:").parse().ok();
    let port = || Some(SocketAddr::new(loopback, text.parse().ok()?));
    let address = || Some(SocketAddr::new(text.parse().ok()?, 8080));
    match both.or_else(port).or_else(address) {
        _ if text.is_empty() => Ok(WebAddress::Usual),
        Some(address) => Ok(WebAddress::At(address)),
        None => Err("expected an address such as 127.0.0.1:8080, or a port".into()),
    }
}

/// Who the user is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Side {
    /// The first player.
    White,
    /// The second player.
    Black,
    /// Nobody: the player plays both sides.
    Watch,
}

/// `camelot engine`.
#[derive(Debug, Args)]
#[command(after_help = format!("{PLAYERS}

Example:
  camelot engine net:runs/cam-quick
  camelot match 'ugi:nodes=200,camelot engine net:runs/cam-quick' greedy --game cam

The protocol is UGI; docs/ugi.md says what is understood. The end of the input ends the program."))]
pub(crate) struct EngineArguments {
    /// The player that thinks
    #[arg(value_parser = parse_player)]
    pub(crate) player: PlayerSpec,
    /// The game to begin with [default: the network's game, cam for other players]
    #[arg(long, value_name = "GAME", value_parser = name_argument())]
    pub(crate) game: Option<&'static str>,
    /// The rule set to begin with: classic or wcf
    #[arg(long, value_name = "RULES", default_value = "classic", value_parser = str::parse::<RuleSet>)]
    pub(crate) rules: RuleSet,
    /// Root seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
}

/// `camelot moves`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  camelot moves --game cam '1/3/5/2B1B2/1bbbbb1/7/7/7/1wwwww1/2W1W2/5/3/1 W - 0'
  camelot moves - --json < positions.jsonl    reads lines {\"game\": \"cam\", \"position\": \"...\"}")]
pub(crate) struct MovesArguments {
    /// Positions; none for the start position, `-` for JSON lines on standard input
    pub(crate) positions: Vec<String>,
    /// The game; may be left out with `-`
    #[arg(long, value_name = "GAME", value_parser = name_argument())]
    pub(crate) game: Option<&'static str>,
    /// The rule set: classic or wcf
    #[arg(long, value_name = "RULES", default_value = "classic", value_parser = str::parse::<RuleSet>)]
    pub(crate) rules: RuleSet,
    /// One JSON object a position
    #[arg(long)]
    pub(crate) json: bool,
}

/// `camelot perft`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  camelot perft --game camelot 3")]
pub(crate) struct PerftArguments {
    #[command(flatten)]
    pub(crate) game: GameArguments,
    /// Plies to look ahead
    #[arg(value_parser = clap::value_parser!(u32).range(0..=20))]
    pub(crate) depth: u32,
    /// Count from this position instead of the start position
    #[arg(long, value_name = "POSITION")]
    pub(crate) position: Option<String>,
    /// Also show the count of each move
    #[arg(long)]
    pub(crate) divide: bool,
    /// The result as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// `camelot bench`.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  camelot bench --game cam --threads 1

The work is fixed: on one machine and version the signature is always the same, only the speeds differ.")]
pub(crate) struct BenchArguments {
    /// What to measure; all if left out
    #[arg(value_enum)]
    pub(crate) what: Option<BenchKind>,
    /// The game
    #[arg(long, value_name = "GAME", default_value = "cam", value_parser = name_argument())]
    pub(crate) game: &'static str,
    /// The network's architecture
    #[arg(long, value_enum, default_value_t)]
    pub(crate) architecture: Architecture,
    /// Threads [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// One JSON object a figure
    #[arg(long)]
    pub(crate) json: bool,
}

/// What can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BenchKind {
    /// Positions counted by perft, and random games.
    Movegen,
    /// Random games.
    Playouts,
    /// Network evaluations.
    Eval,
    /// Simulations of searches with a network, one thread.
    Search,
    /// Simulations in self-play, all threads.
    Selfplay,
    /// Positions learnt from.
    Train,
}

fn parse_player(text: &str) -> Result<PlayerSpec, PlayerError> {
    text.parse()
}

/// Reads a time such as `90s`, `30m` or `8h`, as minutes.
fn parse_minutes(text: &str) -> Result<f64, String> {
    let unit = text.chars().last().unwrap_or_default();
    let (number, minutes) = match unit {
        's' => (&text[..text.len() - 1], 1.0 / 60.0),
        'm' => (&text[..text.len() - 1], 1.0),
        'h' => (&text[..text.len() - 1], 60.0),
        _ => ("", 0.0),
    };
    let value = number.parse().ok().filter(|value: &f64| value.is_finite() && *value > 0.0);
    value.map(|value| value * minutes).ok_or_else(|| "expected a time such as 90s, 30m or 8h".into())
}
