//! What an exported network says of itself, whatever the format.

use crate::encoding::{ENCODING_VERSION, Encode};
use crate::weights::Weights;

/// Names and texts: the game, the version of the encoding, the architecture with its widths, and the hash of the
/// numbers by which records name the network.
pub(crate) fn identity<G: Encode>(weights: &Weights) -> [(&'static str, String); 4] {
    [
        ("game", G::NAME.into()),
        ("encoding", ENCODING_VERSION.to_string()),
        ("network", weights.shape.to_string()),
        ("hash", format!("{:016x}", weights.hash())),
    ]
}
