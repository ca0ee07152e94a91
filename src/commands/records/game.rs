//! One game of a file: as stored, and replayed.

use std::fmt;

use camelot_core::pgn::{PgnGame, RawGame};
use camelot_core::record::{GameRecord, RecordError};
use camelot_core::{Game, Line, Outcome, RuleSet, Shard};

use crate::arguments::RecordsArguments;
use crate::games::parse_name;

/// A game as a file holds it.
#[derive(Debug)]
pub(super) enum Stored<'a> {
    Record { shard: &'a Shard, record: &'a GameRecord },
    Text(RawGame<'a>),
}

/// A game that was replayed.
#[derive(Debug)]
pub(super) struct Opened<'a, G: Game> {
    pub(super) line: Line<G>,
    pub(super) outcome: Option<Outcome>,
    /// The tags of a game that was text.
    pub(super) tags: Vec<(String, String)>,
    /// The shard and record of a game that was none.
    pub(super) record: Option<(&'a Shard, &'a GameRecord)>,
}

/// What is wrong with a game.
#[derive(Debug)]
pub(super) struct Fault {
    /// The ply, from 1, if it is about one.
    pub(super) ply: Option<usize>,
    /// What is wrong.
    pub(super) why: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ply {
            Some(ply) => write!(f, ", ply {ply}: {}", self.why),
            None => write!(f, ": {}", self.why),
        }
    }
}

impl From<String> for Fault {
    fn from(why: String) -> Self {
        Self { ply: None, why }
    }
}

impl<'a> Stored<'a> {
    /// The name of the game that is played.
    pub(super) fn game(&self, arguments: &RecordsArguments) -> Result<&'static str, Fault> {
        match self {
            Self::Record { shard, record } if record.game != shard.game => {
                Err(format!("a record of `{}` in a shard of `{}`", record.game, shard.game).into())
            }
            Self::Record { record, .. } => Ok(parse_name(&record.game)?),
            Self::Text(game) => match (game.variant(), game.fault()) {
                (Some(name), _) => Ok(parse_name(&name)?),
                (None, Some(error)) => Err(Fault { ply: error.ply, why: error.to_string() }),
                (None, None) => arguments.game.ok_or_else(|| {
                    let why =
                        "no tag says which game it is: expected [Variant \"cam\"] or the like, or --game";
                    format!("line {}: {why}", game.place.line).into()
                }),
            },
        }
    }

    /// Replays the game.
    pub(super) fn open<G: Game>(&self, rules: RuleSet) -> Result<Opened<'a, G>, Fault> {
        match self {
            Self::Record { shard, record } => {
                let line = record.replay::<G>(|_, _, _| {}).map_err(|error| match error {
                    RecordError::Ply { ply, why } => Fault { ply: Some(ply + 1), why },
                    other => other.to_string().into(),
                })?;
                Ok(Opened {
                    line,
                    outcome: Some(record.outcome),
                    tags: Vec::new(),
                    record: Some((shard, record)),
                })
            }
            Self::Text(game) => match game.read::<G>(rules) {
                Ok(PgnGame { line, outcome, tags }) => Ok(Opened { line, outcome, tags, record: None }),
                Err(error) => Err(Fault { ply: error.ply, why: error.to_string() }),
            },
        }
    }
}

impl<G: Game> Opened<'_, G> {
    /// The game for writing as PGN. `number` is its place in its file, from 1.
    pub(super) fn pgn(&self, number: usize) -> PgnGame<G> {
        let tags = match self.record {
            None => self.tags.clone(),
            Some((shard, record)) => {
                let player = network_name(record.network);
                let round = format!("{}.{number}", shard.iteration);
                [
                    ("Event", "camelot self-play"),
                    ("Round", &round),
                    ("White", &player),
                    ("Black", &player),
                    ("Engine", &record.engine),
                    ("Seed", &record.seed.to_string()),
                ]
                .map(|(name, value)| (name.to_string(), value.to_string()))
                .to_vec()
            }
        };
        PgnGame { line: self.line.clone(), outcome: self.outcome, tags }
    }
}

/// What the network of a record is called.
pub(super) fn network_name(network: u64) -> String {
    if network == 0 { "?".into() } else { format!("network {network:016x}") }
}

/// Replays a stored game and runs `$body` with `$opened` standing for it.
macro_rules! with_opened {
    ($game:expr, $arguments:expr, $opened:ident => $body:expr) => {{
        let name = $game.game($arguments)?;
        let result: Result<Result<_, Fault>, crate::failure::Failure> = crate::games::with_game!(name, G => {
            Ok($game.open::<G>($arguments.rules).and_then(|$opened: Opened<'_, G>| $body))
        });
        result.unwrap_or_else(|_| Err(format!("unknown game `{name}`").into()))
    }};
}
pub(super) use with_opened;
