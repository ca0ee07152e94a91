//! From a game's name to its type: the one place where the games are listed for the command line.

use camelot_core::{Cam, CamAllKnights, Camelot, Game, GrandCamelot, Patience, Variant};
use camelot_selfplay::PlayerSpec;
use camelot_selfplay::players::network_game;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::failure::Failure;

/// The names of the games that every verb takes.
pub(crate) const NAMES: [&str; 5] =
    [Cam::NAME, CamAllKnights::NAME, Camelot::NAME, GrandCamelot::NAME, Patience::NAME];

/// Reads a game's name as an argument: help and errors list the games.
pub(crate) fn name_argument() -> impl TypedValueParser<Value = &'static str> {
    PossibleValuesParser::new(NAMES).try_map(|name| parse_name(&name))
}

/// Reads a game's name where it is no argument.
pub(crate) fn parse_name(text: &str) -> Result<&'static str, String> {
    let known = NAMES.into_iter().find(|&name| name == text);
    known.ok_or_else(|| format!("unknown game `{text}`: expected one of {}", NAMES.join(", ")))
}

/// The game that the first network among the players was trained for; `None` without a network.
pub(crate) fn game_of_network(players: &[PlayerSpec]) -> Result<Option<&'static str>, Failure> {
    let network = players.iter().find_map(|player| match player {
        PlayerSpec::Net(network) => Some(&network.path),
        PlayerSpec::AlphaBeta { network, .. } => network.as_ref(),
        _ => None,
    });
    network.map(|path| parse_name(&network_game(path)?).map_err(Failure::error)).transpose()
}

/// The game that was asked for, or the one that the first network among the players was trained for.
///
/// # Errors
///
/// If neither says.
pub(crate) fn game_of_players(
    asked: Option<&'static str>,
    players: &[PlayerSpec],
) -> Result<&'static str, Failure> {
    if let Some(game) = asked {
        return Ok(game);
    }
    let missing = || Failure::usage(format!("expected --game, one of {}", NAMES.join(", ")));
    game_of_network(players)?.ok_or_else(missing)
}

/// Runs `$body` with `$game` standing for the type of the game named `$name`.
macro_rules! with_game {
    ($name:expr, $game:ident => $body:expr) => {{
        use camelot_core::{Cam, CamAllKnights, Camelot, GrandCamelot, Patience, Position, Variant};
        let name: &str = $name;
        if name == Cam::NAME {
            type $game = Position<Cam>;
            $body
        } else if name == CamAllKnights::NAME {
            type $game = Position<CamAllKnights>;
            $body
        } else if name == Camelot::NAME {
            type $game = Position<Camelot>;
            $body
        } else if name == GrandCamelot::NAME {
            type $game = Position<GrandCamelot>;
            $body
        } else if name == <Patience as camelot_core::Game>::NAME {
            type $game = Patience;
            $body
        } else {
            Err($crate::failure::Failure::usage($crate::games::parse_name(name).unwrap_err()))
        }
    }};
}
pub(crate) use with_game;
