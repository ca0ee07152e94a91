//! How the learning rate changes over a run.

use std::f64::consts::PI;

/// A linear warm-up, a plateau, and a decay along half a cosine (Loshchilov and Hutter 2017, equation 5,
/// without restarts).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LearningRate {
    /// The rate of the plateau.
    pub peak: f64,
    /// Steps until the plateau is reached; 0 for no warm-up.
    pub warmup_steps: u64,
    /// The share of `peak` that is left at the end of the run, in `[0, 1]`.
    pub final_fraction: f64,
    /// The progress at which the decay begins, in `[0, 1]`; 1 for no decay.
    pub decay_start: f64,
}

impl LearningRate {
    /// The rate of the step after `step` finished ones, at a progress of the run in `[0, 1]`.
    #[must_use]
    pub fn at(&self, step: u64, progress: f64) -> f64 {
        let warmup = match self.warmup_steps {
            0 => 1.0,
            steps => ((step + 1) as f64 / steps as f64).min(1.0),
        };
        let decay_span = 1.0 - self.decay_start;
        let decayed =
            if decay_span > 0.0 { ((progress - self.decay_start) / decay_span).clamp(0.0, 1.0) } else { 0.0 };
        let cosine = f64::midpoint(1.0, (PI * decayed).cos());
        self.peak * warmup * (self.final_fraction + (1.0 - self.final_fraction) * cosine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: LearningRate =
        LearningRate { peak: 0.002, warmup_steps: 100, final_fraction: 0.1, decay_start: 0.5 };

    fn assert_near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found}, expected {expected}");
    }

    #[test]
    fn it_rises_stays_and_falls() {
        assert_near(RATE.at(0, 0.0), 0.000_02);
        assert_near(RATE.at(49, 0.01), 0.001);
        assert_near(RATE.at(99, 0.02), 0.002);
        assert_near(RATE.at(5000, 0.5), 0.002);
        assert_near(RATE.at(7500, 0.75), 0.0011);
        assert_near(RATE.at(10_000, 1.0), 0.0002);
        assert_near(RATE.at(10_000, 1.5), 0.0002);
    }

    #[test]
    fn warmup_and_decay_can_be_left_out() {
        let flat = LearningRate { warmup_steps: 0, decay_start: 1.0, ..RATE };
        assert_near(flat.at(0, 0.0), 0.002);
        assert_near(flat.at(10, 1.0), 0.002);
    }
}
