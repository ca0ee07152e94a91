//! Training: the replay window, losses, the learner, learning-rate schedules and metrics.
//!
//! Self-play hands in game records and takes out weights; this crate knows neither search nor
//! arguments. The same records, seeds and configuration give the same weights bit for bit, whatever the
//! number of threads and however often the run was stopped and resumed.

mod adam;
pub mod assessment;
pub mod learner;
pub mod metrics;
mod pass;
pub mod sample;
pub mod schedule;
pub mod shard;
pub mod window;

#[cfg(test)]
mod agreement;
#[cfg(test)]
mod fixtures;

pub use assessment::Assessment;
pub use learner::{Learner, LearnerConfig, LearnerError, Losses};
pub use metrics::{Metrics, MetricsError};
pub use sample::{Sample, samples_of};
pub use schedule::LearningRate;
pub use shard::ShardError;
pub use window::{ReplayWindow, ShardProblem, WindowError, WindowSize};
