//! Positions and their actions, gathered for one pass of a network.

use crate::encoding::Encoded;

/// A logit that no legal action has: pads the rows of a batch.
const MASKED_LOGIT: f32 = -1e9;

/// Positions and their actions, gathered for one pass.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// Positions.
    pub size: usize,
    /// The active features of all positions, and how many each position has.
    features: Vec<u16>,
    feature_counts: Vec<usize>,
    /// A row index for each action of each position.
    pub(super) position_of: Vec<i32>,
    pub(super) origins: Vec<i32>,
    pub(super) targets: Vec<i32>,
    pub(super) styles: Vec<i32>,
    /// For each captured piece: the action, and its row of the capture table.
    pub(super) capture_actions: Vec<i32>,
    pub(super) captures: Vec<i32>,
    /// How many actions each position has.
    action_counts: Vec<usize>,
}

impl Batch {
    /// Adds one position with its actions.
    pub fn push(&mut self, encoded: &Encoded) {
        self.features.extend(&encoded.features);
        self.feature_counts.push(encoded.features.len());
        for (i, action) in encoded.actions.iter().enumerate() {
            let index = self.origins.len() as i32;
            self.position_of.push(self.size as i32);
            self.origins.push(i32::from(action.origin));
            self.targets.push(i32::from(action.target));
            self.styles.push(i32::from(action.style));
            for &capture in encoded.captures_of(i) {
                self.capture_actions.push(index);
                self.captures.push(i32::from(capture));
            }
        }
        self.action_counts.push(encoded.actions.len());
        self.size += 1;
    }

    /// Removes all positions.
    pub fn clear(&mut self) {
        let Self { size, features, feature_counts, action_counts, position_of, .. } = self;
        *size = 0;
        features.clear();
        feature_counts.clear();
        action_counts.clear();
        position_of.clear();
        let Self { origins, targets, styles, capture_actions, captures, .. } = self;
        for list in [origins, targets, styles, capture_actions, captures] {
            list.clear();
        }
    }

    /// The active features of each position.
    pub(super) fn features(&self) -> impl Iterator<Item = &[u16]> {
        let mut rest = self.features.as_slice();
        self.feature_counts.iter().map(move |&count| {
            let (of_position, others) = rest.split_at(count);
            rest = others;
            of_position
        })
    }

    /// The most actions that a position has: the width of the padded policy.
    #[must_use]
    pub fn width(&self) -> usize {
        self.action_counts.iter().copied().max().unwrap_or(0)
    }

    /// Lays one number an action, position after position, out in padded rows `[size, width]`.
    #[must_use]
    pub fn pad(&self, numbers: &[f32]) -> Vec<f32> {
        let width = self.width();
        let mut padded = vec![0.0; self.size * width];
        let mut start = 0;
        for (row, &count) in self.action_counts.iter().enumerate() {
            padded[row * width..][..count].copy_from_slice(&numbers[start..start + count]);
            start += count;
        }
        padded
    }

    /// For each cell of the padded policy its action, and what to add to its logit.
    pub(super) fn padding(&self) -> (Vec<i32>, Vec<f32>) {
        let width = self.width();
        let mut index = vec![0; self.size * width];
        let mut mask = vec![MASKED_LOGIT; self.size * width];
        let mut action = 0;
        for (row, &count) in self.action_counts.iter().enumerate() {
            for cell in row * width..row * width + count {
                index[cell] = action;
                mask[cell] = 0.0;
                action += 1;
            }
        }
        (index, mask)
    }
}
