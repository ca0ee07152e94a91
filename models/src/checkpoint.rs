//! Checkpoints: everything that a run needs to go on, or a player needs to play, in one file.

use std::io;
use std::path::{Path, PathBuf};

use camelot_core::RuleSet;
use camelot_core::codec::{self, CodecError, Format};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::encoding::{ENCODING_VERSION, Encode};
use crate::files::{read_limited, write_atomically};
use crate::weights::Weights;

/// The frame of a checkpoint file.
pub const FORMAT: Format = Format { magic: *b"CZCHECKP", version: 3 };

/// The file name's ending, without the dot.
pub const EXTENSION: &str = "checkpoint";

/// How far a run has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Counters {
    /// Finished iterations.
    pub iteration: u64,
    /// Self-play games.
    pub games: u64,
    /// Plies of those games.
    pub plies: u64,
    /// Positions that were written to the replay window.
    pub positions: u64,
    /// Optimizer steps.
    pub steps: u64,
    /// Seconds of training, self-play included, over all sittings.
    pub seconds: f64,
}

/// The state of the optimizer: first and second moments of each matrix, and steps taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OptimizerState {
    /// Steps taken.
    pub steps: u64,
    /// First moments.
    pub first: Weights,
    /// Second moments.
    pub second: Weights,
}

/// One checkpoint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// The game's name.
    pub game: String,
    /// The rule set it was trained under.
    pub rules: RuleSet,
    /// The version of the encoding.
    pub encoding: u32,
    /// The version of the program that wrote it.
    pub engine: String,
    /// The run's root seed.
    pub seed: u64,
    /// How far the run has come.
    pub counters: Counters,
    /// The weights that are trained.
    pub weights: Weights,
    /// Their moving average, which plays unless `promoted` does.
    pub averaged: Weights,
    /// The averaged weights that last passed the promotion gate, in a run that has one.
    pub promoted: Option<Weights>,
    /// What the learning rate is multiplied by, above 0 up to 1: less than 1 after the run was rolled back.
    pub rate_scale: f64,
    /// The optimizer's state, absent before the first step.
    pub optimizer: Option<OptimizerState>,
}

/// A checkpoint that cannot be used.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// The file system refused.
    #[error("checkpoint {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// Not a checkpoint, or a damaged one.
    #[error("checkpoint {path}: {source}")]
    Codec {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: CodecError,
    },
    /// A sound file with contents that cannot be used here.
    #[error("checkpoint {path}: {why}")]
    Contents {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
}

impl Checkpoint {
    /// Writes the checkpoint; the file is whole or absent.
    ///
    /// # Errors
    ///
    /// If it cannot be encoded or written.
    pub fn save(&self, path: &Path) -> Result<(), CheckpointError> {
        let frame = codec::encode(FORMAT, self)
            .map_err(|source| CheckpointError::Codec { path: path.into(), source })?;
        write_atomically(path, &frame).map_err(|source| CheckpointError::Io { path: path.into(), source })
    }

    /// Reads a checkpoint of any game and checks what does not depend on the game.
    ///
    /// # Errors
    ///
    /// Names the file and what is wrong with it.
    pub fn load(path: &Path) -> Result<Self, CheckpointError> {
        let frame = read_limited(path, codec::FRAME_LIMIT_BYTES)
            .map_err(|source| CheckpointError::Io { path: path.into(), source })?;
        let checkpoint: Self = codec::decode(FORMAT, &frame)
            .map_err(|source| CheckpointError::Codec { path: path.into(), source })?;
        Ok(checkpoint)
    }

    /// Reads a checkpoint of `G` and checks every number in it.
    ///
    /// # Errors
    ///
    /// As [`Checkpoint::load`], and for a checkpoint of another game or encoding.
    pub fn load_for<G: Encode>(path: &Path) -> Result<Self, CheckpointError> {
        let checkpoint = Self::load(path)?;
        checkpoint.check::<G>().map_err(|why| CheckpointError::Contents { path: path.into(), why })?;
        Ok(checkpoint)
    }

    /// The weights that play.
    #[must_use]
    pub fn into_player(self) -> Weights {
        self.promoted.unwrap_or(self.averaged)
    }

    pub(crate) fn check<G: Encode>(&self) -> Result<(), String> {
        if self.game != G::NAME {
            return Err(format!("trained for `{}`, expected `{}`", self.game, G::NAME));
        }
        if self.encoding != ENCODING_VERSION {
            return Err(format!("encoding version {}, expected {ENCODING_VERSION}", self.encoding));
        }
        let sizes = G::sizes();
        let mut all = vec![&self.weights, &self.averaged];
        all.extend(&self.promoted);
        all.extend(self.optimizer.iter().flat_map(|state| [&state.first, &state.second]));
        for weights in all {
            weights.check(sizes)?;
            if weights.shape != self.weights.shape {
                return Err("its parts have different shapes".into());
            }
        }
        let seconds = self.counters.seconds;
        if !(seconds.is_finite() && seconds >= 0.0) {
            return Err(format!("{seconds} seconds of training"));
        }
        if !(self.rate_scale > 0.0 && self.rate_scale <= 1.0) {
            return Err(format!("a learning rate times {}, expected above 0 up to 1", self.rate_scale));
        }
        Ok(())
    }
}

/// The folder of a run's checkpoints inside its run folder.
pub const FOLDER: &str = "checkpoints";

/// The file of an iteration's checkpoint in a run folder.
#[must_use]
pub fn file_in(run: &Path, iteration: u64) -> PathBuf {
    run.join(FOLDER).join(format!("{iteration:06}.{EXTENSION}"))
}

/// The file in a run folder that names the iteration of its best checkpoint, where that is not the newest.
pub const BEST: &str = "best";

/// The checkpoint that a run folder stands for: the newest, or the one that [`BEST`] names because the newest was
/// found to be weaker. None if there is no checkpoint.
#[must_use]
pub fn best_in(run: &Path) -> Option<PathBuf> {
    let named = std::fs::read_to_string(run.join(BEST)).ok();
    let named = named.and_then(|text| text.trim().parse().ok()).map(|iteration| file_in(run, iteration));
    named.filter(|file| file.is_file()).or_else(|| list(run).pop().map(|(_, file)| file))
}

/// The checkpoints of a run folder with their iterations, oldest first; none if there is no such folder.
#[must_use]
pub fn list(run: &Path) -> Vec<(u64, PathBuf)> {
    let entries = std::fs::read_dir(run.join(FOLDER)).into_iter().flatten().flatten();
    let mut found: Vec<(u64, PathBuf)> = entries
        .filter_map(|entry| {
            let path = entry.path();
            let iteration = path.file_stem()?.to_str()?.parse().ok()?;
            (path == file_in(run, iteration)).then_some((iteration, path))
        })
        .collect();
    found.sort_unstable();
    found
}
