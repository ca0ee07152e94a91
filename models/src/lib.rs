//! How positions become numbers and numbers become opinions: encoding, networks, inference, checkpoints.
//!
//! The network is written twice: [`network`] in burn, for the trainer, and [`inference`] in plain loops,
//! for search, which evaluates one position at a time a few hundred thousand times a second. A test
//! holds the two together. This crate knows neither search nor replay.

pub mod checkpoint;
pub mod encoding;
pub mod evaluator;
pub mod files;
pub mod inference;
pub mod network;
pub mod weights;

pub use checkpoint::{Checkpoint, CheckpointError, Counters};
pub use encoding::{Encode, Encoded, Mirror, Sizes};
pub use evaluator::{Evaluation, Evaluator, Request, Wdl};
pub use inference::NetEvaluator;
pub use weights::{NetworkShape, Weights};
