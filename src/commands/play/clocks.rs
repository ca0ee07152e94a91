//! The clocks of a game against a person.

use std::time::{Duration, Instant};

use camelot_core::Team;

use crate::clock::{Clock, TimeControl};

/// Two clocks, one of which runs.
#[derive(Debug)]
pub(super) struct Clocks {
    left: [Duration; 2],
    increment: Duration,
    /// Since the last move.
    started: Instant,
}

impl Clocks {
    pub(super) fn new(control: TimeControl) -> Self {
        Self { left: [control.base; 2], increment: control.increment, started: Instant::now() }
    }

    /// What is left to a team whose clock runs.
    pub(super) fn left(&self, team: Team) -> Duration {
        self.left[index(team)].saturating_sub(self.started.elapsed())
    }

    /// How long a player of the team should think now.
    pub(super) fn time_for_a_move(&self, team: Team) -> Duration {
        Clock { left: self.left(team), increment: self.increment }.time_for_a_move()
    }

    /// The team has moved: its clock stops and the next one runs.
    pub(super) fn press(&mut self, team: Team) {
        self.left[index(team)] = self.left(team) + self.increment;
        self.started = Instant::now();
    }
}

fn index(team: Team) -> usize {
    usize::from(team == Team::Two)
}

/// Minutes and seconds, such as `4:05`.
pub(super) fn shown(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_minutes_and_seconds() {
        assert_eq!(shown(Duration::from_secs(245)), "4:05");
    }

    #[test]
    fn a_clock_runs_for_whoever_is_to_move() {
        let second = Duration::from_secs(1);
        let mut clocks = Clocks::new(TimeControl { base: 100 * second, increment: second });
        clocks.started -= 10 * second;
        assert!(clocks.left(Team::One) <= 90 * second);
        clocks.press(Team::One);
        assert!(clocks.left[0] <= 91 * second && clocks.left[0] > 80 * second);
        assert_eq!(clocks.left[1], 100 * second);
        clocks.started -= 200 * second;
        assert_eq!(clocks.left(Team::Two), Duration::ZERO);
    }
}
