//! A bundle: one network with all that a player needs, and whose it is, in one file.

use std::path::Path;

use camelot_core::RuleSet;
use camelot_core::codec::{self, Format};
use serde::{Deserialize, Serialize};

use crate::checkpoint::{Checkpoint, CheckpointError, Counters};
use crate::encoding::{ENCODING_VERSION, Encode};
use crate::files::write_atomically;
use crate::weights::Weights;

/// The frame of a bundle file; its checksum covers all of the contents.
pub const FORMAT: Format = Format { magic: *b"CZBUNDLE", version: 1 };

/// The contents of a bundle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bundle {
    /// The game's name.
    pub game: String,
    /// The rule set it was trained under.
    pub rules: RuleSet,
    /// The version of the encoding.
    pub encoding: u32,
    /// The version of the program that trained it.
    pub engine: String,
    /// How long it was trained.
    pub counters: Counters,
    /// The configuration of the run as TOML; empty if it is not known.
    pub configuration: String,
    /// Under which terms the weights may be used, in one line.
    pub licence: String,
    /// The weights that play.
    pub weights: Weights,
}

impl Bundle {
    /// A bundle of what a checkpoint plays with.
    #[must_use]
    pub fn new(checkpoint: Checkpoint, configuration: String, licence: String) -> Self {
        Self {
            game: checkpoint.game.clone(),
            rules: checkpoint.rules,
            encoding: checkpoint.encoding,
            engine: checkpoint.engine.clone(),
            counters: checkpoint.counters,
            configuration,
            licence,
            weights: checkpoint.into_player(),
        }
    }

    /// Writes the bundle; the file is whole or absent.
    ///
    /// # Errors
    ///
    /// If it cannot be encoded or written.
    pub fn save(&self, path: &Path) -> Result<(), CheckpointError> {
        let frame = codec::encode(FORMAT, self)
            .map_err(|source| CheckpointError::Codec { path: path.into(), source })?;
        write_atomically(path, &frame).map_err(|source| CheckpointError::Io { path: path.into(), source })
    }

    /// Whether the network is one for `G`, with numbers that can be worked with.
    pub(crate) fn check<G: Encode>(&self) -> Result<(), String> {
        if self.game != G::NAME {
            return Err(format!("trained for `{}`, expected `{}`", self.game, G::NAME));
        }
        if self.encoding != ENCODING_VERSION {
            return Err(format!("encoding version {}, expected {ENCODING_VERSION}", self.encoding));
        }
        self.weights.check(G::sizes())
    }
}
