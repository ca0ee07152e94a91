//! The arguments of `camelot analyze`.

use camelot_core::RuleSet;
use camelot_selfplay::PlayerSpec;
use clap::Args;

use super::{PLAYERS, parse_player};
use crate::games::name_argument;

/// `camelot analyze`.
#[derive(Debug, Args)]
#[command(after_help = format!("{PLAYERS}

Only networks analyze. A query is a line such as
  {{\"id\": \"a\", \"position\": \"...\", \"moves\": [\"B5-B6\"], \"simulations\": 800}}
where all but the id may be left out: the start position, no moves, the player's own effort. Its answer has the id, the
position, win, draw, loss and value in the view of the player to move, the same as `network` without a search, and for
each legal move prior, the network's logit, visits, value and the line found behind it, the move to play first. What is wrong with a query stands in its answer as `error`.
Answers come in the order in which they are done.

Example:
  camelot analyze net:runs/cam-quick,sims=800 < queries.jsonl > answers.jsonl"))]
pub(crate) struct AnalyzeArguments {
    /// The network
    #[arg(value_parser = parse_player)]
    pub(crate) player: PlayerSpec,
    /// The game, to be sure that it is the network's
    #[arg(long, value_name = "GAME", value_parser = name_argument())]
    pub(crate) game: Option<&'static str>,
    /// The rule set: classic or wcf
    #[arg(long, value_name = "RULES", default_value = "classic", value_parser = str::parse::<RuleSet>)]
    pub(crate) rules: RuleSet,
    /// Queries that are worked on at once [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}
