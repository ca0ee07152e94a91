//! When a search ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// When a search ends: at whichever limit comes first. Without any it goes on until the position is settled
/// or the tree is full.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// After this many simulations, exactly.
    pub simulations: Option<u32>,
    /// After this time.
    pub time: Option<Duration>,
    /// After this many plies of looking ahead, for players that search so; to the others it means nothing.
    pub depth: Option<u32>,
    /// As soon as this is set.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// So many simulations.
    #[must_use]
    pub fn simulations(count: u32) -> Self {
        Self { simulations: Some(count), ..Self::default() }
    }

    /// So much time.
    #[must_use]
    pub fn time(time: Duration) -> Self {
        Self { time: Some(time), ..Self::default() }
    }

    /// These limits; where they set neither simulations nor time, those of `own`. Whoever gave these limits
    /// keeps the depth and the way to stop.
    #[must_use]
    pub fn or(&self, own: &Self) -> Self {
        let (simulations, time) = match (self.simulations, self.time) {
            (None, None) => (own.simulations, own.time),
            given => given,
        };
        Self { simulations, time, depth: self.depth, stop: self.stop.clone() }
    }

    /// Whether somebody asked the search to stop.
    #[must_use]
    pub fn stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}
