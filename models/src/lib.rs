//! How positions become numbers and numbers become opinions: encoding, networks, inference, checkpoints.
//!
//! There are two architectures ([`shape`]), each written twice: in burn for the trainer ([`network`]), and
//! for search in plain loops. The sparse one ([`inference`]) evaluates one position at a time a few hundred
//! thousand times a second, the residual one ([`residual`]) small batches at a hundredth of that speed. Tests
//! hold the two forms together. This crate knows neither search nor replay.

pub mod bundle;
pub mod checkpoint;
pub mod device;
pub mod encoding;
pub mod evaluator;
pub mod files;
mod identity;
pub mod inference;
pub mod net;
pub mod network;
pub mod onnx;
#[cfg(feature = "ort")]
pub mod ort;
pub mod residual;
pub mod safe_tensors;
pub mod shape;
pub mod stored;
pub mod weights;

pub use checkpoint::{Checkpoint, CheckpointError, Counters};
pub use device::{Compute, DeviceEvaluator};
pub use encoding::{Encode, Encoded, EncodedVariant, Mirror, Sizes};
pub use evaluator::{Evaluation, Evaluator, Request, Wdl};
pub use inference::SparseEvaluator;
pub use net::NetEvaluator;
pub use residual::ResidualEvaluator;
pub use shape::{ResidualShape, Shape, SparseShape};
pub use stored::Stored;
pub use weights::Weights;
