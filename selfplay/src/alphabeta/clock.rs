//! When a classical search stops.

use std::time::Instant;

use crate::search::Limits;

/// How often the clock is read and the wish to stop looked for.
const NODES_A_LOOK: u32 = 256;

/// Counts the positions visited and says when it is enough.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    limits: Limits,
    started: Instant,
    nodes: u32,
    ended: bool,
}

impl Default for Clock {
    fn default() -> Self {
        Self::start(Limits::default())
    }
}

impl Clock {
    /// A clock that starts now; simulations are positions visited.
    pub(super) fn start(limits: Limits) -> Self {
        Self { limits, started: Instant::now(), nodes: 0, ended: false }
    }

    /// Counts a position that is about to be visited. `None` if it must not be.
    pub(super) fn tick(&mut self) -> Option<()> {
        let spent = self.nodes >= self.limits.simulations.unwrap_or(u32::MAX);
        let look = || self.nodes.is_multiple_of(NODES_A_LOOK);
        let late = || self.limits.time.is_some_and(|time| self.started.elapsed() >= time);
        if self.ended || spent || look() && (self.limits.stopped() || late()) {
            self.ended = true;
            return None;
        }
        self.nodes += 1;
        Some(())
    }

    /// The positions visited so far.
    pub(super) fn nodes(&self) -> u32 {
        self.nodes
    }
}
