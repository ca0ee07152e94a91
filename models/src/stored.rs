//! Networks on the disk, whatever kind of file they are in: checkpoints and bundles.

use std::path::Path;

use camelot_core::codec;

use crate::bundle::{self, Bundle};
use crate::checkpoint::{self, Checkpoint, CheckpointError};
use crate::encoding::Encode;
use crate::files::read_limited;
use crate::weights::Weights;

/// A file with a network in it.
#[derive(Debug)]
pub enum Stored {
    /// Of a run.
    Checkpoint(Box<Checkpoint>),
    /// For play.
    Bundle(Box<Bundle>),
}

impl Stored {
    /// Reads a file of either kind, which its first bytes tell.
    ///
    /// # Errors
    ///
    /// Names the file and what is wrong with it.
    pub fn load(path: &Path) -> Result<Self, CheckpointError> {
        let frame = read_limited(path, codec::FRAME_LIMIT_BYTES)
            .map_err(|source| CheckpointError::Io { path: path.into(), source })?;
        let decoded = if frame.starts_with(&bundle::FORMAT.magic) {
            codec::decode(bundle::FORMAT, &frame).map(|bundle| Self::Bundle(Box::new(bundle)))
        } else {
            codec::decode(checkpoint::FORMAT, &frame).map(|found| Self::Checkpoint(Box::new(found)))
        };
        decoded.map_err(|source| CheckpointError::Codec { path: path.into(), source })
    }

    /// The game's name.
    #[must_use]
    pub fn game(&self) -> &str {
        match self {
            Self::Checkpoint(checkpoint) => &checkpoint.game,
            Self::Bundle(bundle) => &bundle.game,
        }
    }

    /// Checks that the network is one for `G`; `path` is named in the error.
    ///
    /// # Errors
    ///
    /// If the network is of another game or encoding, or unsound.
    pub fn check<G: Encode>(&self, path: &Path) -> Result<(), CheckpointError> {
        let checked = match self {
            Self::Checkpoint(checkpoint) => checkpoint.check::<G>(),
            Self::Bundle(bundle) => bundle.check::<G>(),
        };
        checked.map_err(|why| CheckpointError::Contents { path: path.into(), why })
    }

    /// The weights that play, for `G`; `path` is named in the error.
    ///
    /// # Errors
    ///
    /// As [`Stored::check`].
    pub fn into_player<G: Encode>(self, path: &Path) -> Result<Weights, CheckpointError> {
        self.check::<G>(path)?;
        Ok(match self {
            Self::Checkpoint(checkpoint) => checkpoint.into_player(),
            Self::Bundle(bundle) => bundle.weights,
        })
    }
}
