//! A number that is watched over the last games: an alarm is raised when its mean crosses a limit, and taken off
//! again when it has come back some way, so that it does not flicker.

use std::collections::VecDeque;

/// When an alarm is raised.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Raised beyond this.
    pub(super) limit: f64,
    /// Taken off on this side of it. Above `limit` if small numbers are bad, below it if large ones are.
    pub(super) relief: f64,
    /// The games or positions that the mean is taken over, once there are so many; before, no alarm is raised.
    pub(super) over: f64,
}

/// What an update changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Change {
    /// The alarm was raised at this mean.
    Raised(f64),
    /// It was taken off at this mean.
    TakenOff(f64),
}

/// The alarm.
#[derive(Debug)]
pub(super) struct Alarm {
    limits: Limits,
    /// Weight, and weight times number, of each iteration.
    recent: VecDeque<(f64, f64)>,
    raised: bool,
}

impl Alarm {
    pub(super) fn new(limits: Limits) -> Self {
        Self { limits, recent: VecDeque::new(), raised: false }
    }

    /// Takes in the mean of an iteration over so many games or positions.
    pub(super) fn update(&mut self, weight: f64, mean: f64) -> Option<Change> {
        self.recent.push_back((weight, weight * mean));
        while self.recent.front().is_some_and(|&(oldest, _)| self.weight() - oldest >= self.limits.over) {
            self.recent.pop_front();
        }
        let Limits { limit, relief, over } = self.limits;
        let mean = self.recent.iter().map(|&(_, sum)| sum).sum::<f64>() / self.weight().max(1.0);
        let beyond = |bound: f64| if relief < limit { mean > bound } else { mean < bound };
        if !self.raised && self.weight() >= over && beyond(limit) {
            self.raised = true;
            return Some(Change::Raised(mean));
        }
        if self.raised && !beyond(relief) {
            self.raised = false;
            return Some(Change::TakenOff(mean));
        }
        None
    }

    fn weight(&self) -> f64 {
        self.recent.iter().map(|&(weight, _)| weight).sum()
    }

    /// Whether the alarm stands.
    pub(super) fn raised(&self) -> bool {
        self.raised
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HIGH: Limits = Limits { limit: 0.35, relief: 0.3, over: 2_000.0 };
    const LOW: Limits = Limits { limit: 0.5, relief: 0.6, over: 2_000.0 };

    #[test]
    fn crossing_the_limit_is_reported_once_each_way() {
        for (limits, good, bad) in [(HIGH, 0.1, 0.5), (LOW, 0.9, 0.2)] {
            let mut alarm = Alarm::new(limits);
            let mut changes =
                |mean: f64| (0..20).filter_map(|_| alarm.update(400.0, mean)).collect::<Vec<_>>();
            assert_eq!(changes(good), []);
            assert!(matches!(changes(bad)[..], [Change::Raised(_)]));
            assert_eq!(changes(f64::midpoint(limits.limit, limits.relief)), [], "it flickers");
            assert!(matches!(changes(good)[..], [Change::TakenOff(_)]));
        }
    }

    #[test]
    fn the_mean_is_over_the_last_games_alone_and_over_enough_of_them() {
        let mut alarm = Alarm::new(HIGH);
        assert_eq!(alarm.update(1_999.0, 1.0), None);
        assert_eq!(alarm.update(1.0, 0.0), Some(Change::Raised(0.9995)));
        assert_eq!(alarm.update(2_000.0, 0.2), Some(Change::TakenOff(0.2)));
        assert!(!alarm.raised());
    }
}
