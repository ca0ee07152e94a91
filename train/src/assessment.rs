//! How well a network foresees games that it has not learnt from.

/// Classes of expected results, of equal width over `[-1, 1]`.
const CLASSES: usize = 10;

/// What a network said of positions, against what came of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Assessment {
    /// Positions.
    pub positions: u64,
    /// Mean cross entropy of the value with the target that learning would have, in natural logarithms.
    pub value_loss: f64,
    /// How far results lie from what was expected: the difference of both means in each of ten classes of expected
    /// values, weighed by their positions (the expected calibration error of Naeini et al., 2015). In `[0, 2]`, as
    /// results are in `[-1, 1]`; few positions alone give some.
    pub calibration_error: f64,
}

impl Assessment {
    /// From the loss, and the expected and the real result of each position, in `[-1, 1]`.
    pub(crate) fn new(value_loss: f64, results: impl Iterator<Item = (f32, f32)>) -> Self {
        let mut positions = 0;
        let mut differences = [0.0; CLASSES];
        for (expected, came) in results {
            let class = (f32::midpoint(expected, 1.0) * CLASSES as f32) as usize;
            differences[class.min(CLASSES - 1)] += f64::from(came - expected);
            positions += 1;
        }
        let apart: f64 = differences.iter().map(|difference: &f64| difference.abs()).sum();
        Self { positions, value_loss, calibration_error: apart / positions.max(1) as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_count_within_classes_and_not_across_them() {
        let of = |results: &[(f32, f32)]| Assessment::new(0.5, results.iter().copied());
        // Half of what was held for even is won, half lost.
        assert_eq!(of(&[(0.1, 1.0), (0.1, -1.0), (0.1, 0.3)]).calibration_error.round(), 0.0);
        // Expected 0.9 and came 0.4, expected -0.9 and came -0.4: each half off.
        let far = of(&[(0.9, 1.0), (0.9, -0.2), (-0.9, -1.0), (-0.9, 0.2)]);
        assert!((far.calibration_error - 0.5).abs() < 1e-6, "{far:?}");
        assert_eq!((far.positions, far.value_loss), (4, 0.5));
        assert_eq!(of(&[]).calibration_error, 0.0);
        assert_eq!(of(&[(1.0, 1.0), (-1.0, -1.0)]).calibration_error, 0.0);
    }
}
