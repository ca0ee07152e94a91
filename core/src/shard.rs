//! Shards: the game records of one iteration of self-play, as bytes. Files are left to whoever keeps them.

use serde::{Deserialize, Serialize};

use crate::codec::{self, CodecError, Format};
use crate::record::GameRecord;

/// The frame of a shard. The version also covers the order of actions that records count by.
pub const FORMAT: Format = Format { magic: *b"CZSHARD\0", version: 2 };

/// The games of one iteration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shard {
    /// The game's name.
    pub game: String,
    /// The iteration.
    pub iteration: u64,
    /// The games in the order of their seeds.
    pub records: Vec<GameRecord>,
}

impl Shard {
    /// The shard in its frame.
    ///
    /// # Errors
    ///
    /// If it is too large.
    pub fn to_frame(&self) -> Result<Vec<u8>, CodecError> {
        codec::encode(FORMAT, self)
    }

    /// Reads a shard out of its frame. The records are not replayed.
    ///
    /// # Errors
    ///
    /// If the frame is of another kind or version, or damaged.
    pub fn from_frame(frame: &[u8]) -> Result<Self, CodecError> {
        codec::decode(FORMAT, frame)
    }

    /// Whether bytes begin as a shard does.
    #[must_use]
    pub fn is_begun_by(bytes: &[u8]) -> bool {
        bytes.starts_with(&FORMAT.magic)
    }
}
