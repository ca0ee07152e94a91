//! When a search ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

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

/// How often the clock is read.
const SIMULATIONS_A_LOOK: u32 = 16;

/// Counts simulations against limits.
#[derive(Debug)]
pub(super) struct Watch<'a> {
    limits: &'a Limits,
    started: Instant,
    simulations: u32,
}

impl<'a> Watch<'a> {
    /// Starts to count.
    pub(super) fn new(limits: &'a Limits) -> Self {
        Self { limits, started: Instant::now(), simulations: 0 }
    }

    /// Whether one more simulation may begin; counts it.
    pub(super) fn allows_another(&mut self) -> bool {
        let look = self.simulations.is_multiple_of(SIMULATIONS_A_LOOK);
        let late = || look && self.limits.time.is_some_and(|time| self.started.elapsed() >= time);
        let spent = self.limits.simulations.is_some_and(|count| self.simulations >= count);
        if spent || self.limits.stopped() || late() {
            return false;
        }
        self.simulations += 1;
        true
    }

    /// Takes back a simulation that did not come about.
    pub(super) fn take_back(&mut self) {
        self.simulations -= 1;
    }

    /// Simulations counted.
    pub(super) fn simulations(&self) -> u32 {
        self.simulations
    }
}
