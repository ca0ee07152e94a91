//! The names of players: `net:PATH[,sims=N|,movetime=MS]`, `mcts:sims=N`,
//! `alphabeta:depth=N|nodes=N|movetime=MS[,net=PATH]`, `greedy`, `random`, `ugi:[OPTION=N,]COMMAND`.

use std::fmt::{self, Display};
use std::path::PathBuf;
use std::str::FromStr;

use super::{NetSpec, PlayerError, UgiSpec};
use crate::alphabeta::{Budget, MAX_PLY};

/// The most simulations, nodes or milliseconds a move that can be asked for.
const EFFORT_LIMIT: u32 = 100_000_000;

/// A player by name.
#[derive(Clone, Debug, PartialEq)]
pub enum PlayerSpec {
    /// A network with tree search.
    Net(NetSpec),
    /// Tree search with random playouts.
    Mcts {
        /// Playouts a move.
        simulations: u32,
    },
    /// Classical search.
    AlphaBeta {
        /// How far it looks.
        budget: Budget,
        /// A checkpoint file or a run folder, whose network's value it goes by; none for its own evaluation.
        network: Option<PathBuf>,
    },
    /// One ply of looking ahead.
    Greedy,
    /// A random legal action.
    Random,
    /// An external engine.
    Ugi(UgiSpec),
}

const KNOWN: &str = "expected `net:PATH[,sims=N|,movetime=MS]`, `mcts:sims=N`, \
                     `alphabeta:depth=N|nodes=N|movetime=MS[,net=PATH]`, `greedy`, `random` or `ugi:COMMAND`";

impl FromStr for PlayerSpec {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<Self, PlayerError> {
        let bad = |why: String| PlayerError::Spec { text: text.into(), why };
        let (kind, rest) = text.split_once(':').map_or((text, None), |(kind, rest)| (kind, Some(rest)));
        match (kind, rest) {
            ("greedy", None) => Ok(Self::Greedy),
            ("random", None) => Ok(Self::Random),
            ("mcts", Some(option)) => match option.split_once('=') {
                Some(("sims", number)) => Ok(Self::Mcts { simulations: count(number).map_err(bad)? }),
                _ => Err(bad("expected `mcts:sims=N`".into())),
            },
            ("alphabeta", Some(rest)) => {
                let (option, path) =
                    rest.split_once(",net=").map_or((rest, None), |(o, path)| (o, Some(path)));
                if path == Some("") {
                    return Err(bad("expected a path after `net=`".into()));
                }
                Ok(Self::AlphaBeta { budget: budget(option).map_err(bad)?, network: path.map(PathBuf::from) })
            }
            ("net", Some(rest)) => rest.parse().map(Self::Net).map_err(bad),
            ("ugi", Some(rest)) => rest.parse().map(Self::Ugi).map_err(bad),
            _ => Err(bad(KNOWN.into())),
        }
    }
}

/// Reads a number of simulations, nodes or milliseconds.
pub(super) fn count(number: &str) -> Result<u32, String> {
    let parsed = number.parse().ok().filter(|value| (1..=EFFORT_LIMIT).contains(value));
    parsed.ok_or_else(|| format!("`{number}`: expected a number from 1 to {EFFORT_LIMIT}"))
}

fn budget(option: &str) -> Result<Budget, String> {
    match option.split_once('=') {
        Some(("depth", number)) => {
            let plies = number.parse().ok().filter(|plies| (1..=MAX_PLY).contains(&usize::from(*plies)));
            let plies = plies.ok_or_else(|| format!("`{number}`: expected a number from 1 to {MAX_PLY}"))?;
            Ok(Budget::Depth(plies))
        }
        Some(("nodes", number)) => Ok(Budget::Nodes(count(number)?)),
        Some(("movetime", number)) => Ok(Budget::MoveTimeMs(count(number)?)),
        _ => Err("expected `alphabeta:depth=N`, `alphabeta:nodes=N` or `alphabeta:movetime=MS`".into()),
    }
}

impl Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Net(network) => network.fmt(f),
            Self::Mcts { simulations } => write!(f, "mcts:sims={simulations}"),
            Self::AlphaBeta { budget, network } => {
                match budget {
                    Budget::Depth(plies) => write!(f, "alphabeta:depth={plies}")?,
                    Budget::Nodes(count) => write!(f, "alphabeta:nodes={count}")?,
                    Budget::MoveTimeMs(ms) => write!(f, "alphabeta:movetime={ms}")?,
                }
                network.as_ref().map_or(Ok(()), |path| write!(f, ",net={}", path.display()))
            }
            Self::Greedy => f.write_str("greedy"),
            Self::Random => f.write_str("random"),
            Self::Ugi(engine) => engine.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back_as_they_are_written() {
        for text in [
            "net:runs/a b,sims=7",
            "net:x.checkpoint,movetime=50",
            "mcts:sims=1000",
            "alphabeta:depth=4",
            "alphabeta:nodes=10000",
            "alphabeta:movetime=50",
            "alphabeta:depth=3,net=runs/a, b",
            "greedy",
            "random",
            "ugi:nodes=5,engine 'a b'",
        ] {
            assert_eq!(text.parse::<PlayerSpec>().unwrap().to_string(), text);
        }
        assert_eq!("net:r".parse::<PlayerSpec>().unwrap().to_string(), "net:r,sims=200");
    }

    #[test]
    fn a_wrong_name_says_what_was_expected() {
        for (text, part) in [
            ("bogus", "expected `net:"),
            ("mcts", "expected `net:"),
            ("mcts:sims=0", "from 1 to"),
            ("mcts:sims=-3", "from 1 to"),
            ("mcts:nodes=3", "mcts:sims=N"),
            ("alphabeta", "expected `net:"),
            ("alphabeta:depth=0", "from 1 to 64"),
            ("alphabeta:depth=65", "from 1 to 64"),
            ("alphabeta:nodes=0", "from 1 to"),
            ("alphabeta:sims=3", "alphabeta:nodes=N"),
            ("alphabeta:depth=3,net=", "expected a path"),
            ("alphabeta:net=a", "alphabeta:nodes=N"),
            ("net:", "expected a path"),
            ("net:a,depth=1", "unknown option `depth`"),
            ("greedy:1", "expected `net:"),
            ("ugi", "expected `net:"),
            ("ugi:nodes=1,", "expected a command"),
        ] {
            let error = text.parse::<PlayerSpec>().unwrap_err().to_string();
            assert!(error.contains(part) && error.contains(text), "{text}: {error}");
        }
    }
}
