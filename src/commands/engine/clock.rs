//! How much of a clock's time a move may take.

use std::time::Duration;

/// What the clock of the player to move shows, and what a move adds to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Clock {
    pub(super) left: Duration,
    pub(super) increment: Duration,
}

/// Kept back for the way to the clock and the last simulations, at most half of what is left.
const MARGIN: Duration = Duration::from_millis(60);

/// The game is taken to last this many more moves of the player, wherever it stands. So the time left shrinks
/// by a share at each move, and a game that lasts longer is played faster.
const MOVES_AHEAD: u32 = 25;

/// No move takes more than this share of what is left, whatever the increment.
const LARGEST_SHARE: f64 = 0.5;

impl Clock {
    /// The time for a move: with `usable = left - margin` it is
    /// `min(usable / 25 + 3/4 increment, usable / 2)`, and at least a millisecond.
    pub(super) fn time_for_a_move(self) -> Duration {
        let usable = self.left.saturating_sub(MARGIN.min(self.left / 2));
        let fair = usable / MOVES_AHEAD + self.increment * 3 / 4;
        fair.min(usable.mul_f64(LARGEST_SHARE)).max(Duration::from_millis(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    fn clock(left_ms: u64, increment_ms: u64) -> Clock {
        Clock { left: ms(left_ms), increment: ms(increment_ms) }
    }

    #[test]
    fn a_share_and_most_of_the_increment() {
        assert_eq!(clock(60_060, 0).time_for_a_move(), ms(2_400));
        assert_eq!(clock(60_060, 1_000).time_for_a_move(), ms(3_150));
        assert_eq!(clock(1_060, 100_000).time_for_a_move(), ms(500));
        assert_eq!(clock(0, 0).time_for_a_move(), ms(1));
        assert_eq!(clock(0, 500).time_for_a_move(), ms(1));
    }

    /// A hundred moves of a side without an increment, and any number with one.
    #[test]
    fn the_flag_does_not_fall() {
        const OVERHEAD: Duration = Duration::from_millis(1);
        let games = [(1_000, 0, 100), (60_000, 0, 100), (1_000, 10, 1_000), (300_000, 2_000, 1_000)];
        for (start, increment, moves) in games {
            let mut now = clock(start, increment);
            for number in 0..moves {
                let spent = now.time_for_a_move() + OVERHEAD;
                assert!(spent < now.left, "{start} + {increment}: the flag falls at move {number}");
                now.left = now.left.saturating_sub(spent) + now.increment;
            }
        }
    }
}
