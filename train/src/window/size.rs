//! How large the window is: all of the first positions, then a growing number, at last a fixed one.

/// What a window may hold, in positions.
///
/// A young run forgets fast, since its first games were played at random; an old one remembers more, since its
/// player changes slowly. After `n` positions in all, beyond the first `c` of them, the window holds
///
/// ```text
/// c · (1 + β · ((n / c)^α - 1) / α)    α = 0.75, β = 0.4
/// ```
///
/// of the newest, as in `KataGo` (Wu, "Accelerating self-play learning in Go", 2019, appendix C).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowSize {
    /// Positions until which nothing is forgotten; no more than `most`.
    pub first: usize,
    /// The largest number.
    pub most: usize,
}

impl WindowSize {
    /// A window that does not grow.
    #[must_use]
    pub fn fixed(positions: usize) -> Self {
        Self { first: positions, most: positions }
    }

    /// The size after so many positions in all. It never grows by more than came in, so that a position that was
    /// forgotten is never missed later.
    #[must_use]
    pub fn at(self, positions: u64) -> usize {
        const EXPONENT: f64 = 0.75;
        const SLOPE: f64 = 0.4;
        let first = self.first as f64;
        let ratio = (positions as f64 / first).max(1.0);
        let size = first * (1.0 + SLOPE * (ratio.powf(EXPONENT) - 1.0) / EXPONENT);
        (size as usize).min(self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_grows_by_the_published_law_up_to_its_limit() {
        let size = WindowSize { first: 1_000, most: 5_000 };
        assert_eq!([0, 10, 1_000].map(|positions| size.at(positions)), [1_000; 3]);
        // 16^0.75 = 8: 1000 (1 + 0.4 · 7 / 0.75).
        assert_eq!(size.at(16_000), 4_733);
        assert_eq!(size.at(1_000_000_000), 5_000);
        assert_eq!(WindowSize::fixed(700).at(1_000_000), 700);
    }

    #[test]
    fn it_never_grows_by_more_than_comes_in() {
        let size = WindowSize { first: 1_000, most: 50_000 };
        for positions in (0..200_000).step_by(37) {
            let (before, after) = (size.at(positions), size.at(positions + 37));
            assert!(before <= after && after <= before + 37, "{positions}: {before}, {after}");
        }
    }
}
