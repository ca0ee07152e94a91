//! The alarm for self-play in which draws take over: such a run learns little, and less from hour to hour.

use std::collections::VecDeque;

use super::entry::Summary;

/// A share of draws above this raises the alarm.
const LIMIT: f64 = 0.35;
/// It is taken off again below this, so that it does not flicker.
const RELIEF: f64 = 0.30;
/// The games that the share is taken over, at least, once there are so many.
const GAMES: u64 = 2_000;

/// Watches the share of draws over the last games.
#[derive(Debug, Default)]
pub(super) struct DrawAlarm {
    recent: VecDeque<(u64, u64)>,
    games: u64,
    draws: u64,
    raised: bool,
}

impl DrawAlarm {
    /// Takes the games of an iteration in. Says so when the alarm is raised or taken off.
    pub(super) fn update(&mut self, summary: &Summary) -> Option<String> {
        self.recent.push_back((summary.games, summary.draws));
        self.games += summary.games;
        self.draws += summary.draws;
        while let Some(&(games, draws)) = self.recent.front()
            && self.games - games >= GAMES
        {
            self.games -= games;
            self.draws -= draws;
            self.recent.pop_front();
        }
        let share = self.draws as f64 / self.games.max(1) as f64;
        let percent = 100.0 * share;
        if !self.raised && share > LIMIT && self.games >= GAMES {
            self.raised = true;
            return Some(format!(
                "alarm: {percent:.0} % of the last {} games were drawn, expected at most {:.0} %",
                self.games,
                100.0 * LIMIT
            ));
        }
        if self.raised && share < RELIEF {
            self.raised = false;
            return Some(format!("draws are down to {percent:.0} % of the last {} games", self.games));
        }
        None
    }

    /// Whether the alarm stands.
    pub(super) fn raised(&self) -> bool {
        self.raised
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn iteration(games: u64, draws: u64) -> Summary {
        Summary { games, draws, ..Summary::default() }
    }

    #[test]
    fn draws_that_take_over_are_reported_once() {
        let mut alarm = DrawAlarm::default();
        for _ in 0..20 {
            assert_eq!(alarm.update(&iteration(400, 120)), None);
        }
        let said: Vec<String> = (0..20).filter_map(|_| alarm.update(&iteration(400, 200))).collect();
        assert!(said.len() == 1 && said[0].starts_with("alarm: 38 %"), "{said:?}");
        assert!(alarm.raised());
        let said: Vec<String> = (0..20).filter_map(|_| alarm.update(&iteration(400, 40))).collect();
        assert!(said.len() == 1 && said[0].starts_with("draws are down"), "{said:?}");
        assert!(!alarm.raised());
    }

    #[test]
    fn a_few_games_raise_no_alarm() {
        let mut alarm = DrawAlarm::default();
        assert_eq!(alarm.update(&iteration(1_999, 1_999)), None);
        assert!(alarm.update(&iteration(1, 0)).is_some());
    }
}
