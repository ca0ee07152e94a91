//! How much of a clock's time a move may take.

use std::time::Duration;

/// What the clock of the player to move shows, and what a move adds to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Clock {
    pub(crate) left: Duration,
    pub(crate) increment: Duration,
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
    pub(crate) fn time_for_a_move(self) -> Duration {
        let usable = self.left.saturating_sub(MARGIN.min(self.left / 2));
        let fair = usable / MOVES_AHEAD + self.increment * 3 / 4;
        fair.min(usable.mul_f64(LARGEST_SHARE)).max(Duration::from_millis(1))
    }
}

/// The time of a game for each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimeControl {
    /// For all moves.
    pub(crate) base: Duration,
    /// Added by each move.
    pub(crate) increment: Duration,
}

/// Reads a time control: minutes, and perhaps seconds a move behind a plus sign, such as `5+3`.
pub(crate) fn parse_time_control(text: &str) -> Result<TimeControl, String> {
    const LONGEST_MINUTES: f64 = 24.0 * 60.0;
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    let number = |text: &str| text.parse().ok().filter(|value: &f64| value.is_finite() && *value >= 0.0);
    let minutes = number(base).filter(|&minutes| minutes > 0.0 && minutes <= LONGEST_MINUTES);
    let seconds = number(increment).filter(|&seconds| seconds <= 60.0 * LONGEST_MINUTES);
    match (minutes, seconds) {
        (Some(minutes), Some(seconds)) => Ok(TimeControl {
            base: Duration::from_secs_f64(60.0 * minutes),
            increment: Duration::from_secs_f64(seconds),
        }),
        _ => Err("expected minutes, and perhaps seconds a move, such as 5 or 5+3".into()),
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
    fn time_controls_are_minutes_and_seconds() {
        let control = parse_time_control("0.5+2").unwrap();
        assert_eq!((control.base.as_secs(), control.increment.as_secs()), (30, 2));
        assert_eq!(parse_time_control("5").unwrap().increment, Duration::ZERO);
        for wrong in ["", "0", "-1", "5+", "5+x", "inf", "5+nan", "1e9"] {
            assert!(parse_time_control(wrong).is_err(), "{wrong}");
        }
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
