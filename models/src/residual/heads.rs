//! From the numbers of the squares to the value and the actions' logits.

use crate::encoding::Encoded;
use crate::inference::fold;
use crate::shape::LANES;
use crate::weights::Weights;
use crate::weights::residual::Part;

/// What the actions of one position are scored from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Maps<'a> {
    /// `[squares, 3 policy]`: what each square adds as an origin, a target, a capture.
    pub(crate) squares: &'a [f32],
    /// `[policy]`: what the summary adds.
    pub(crate) everywhere: &'a [f32],
}

/// The summary of a position from its pooled numbers, and what follows from it: the three logits of the value,
/// and what is added to every action.
#[inline(always)]
pub(super) fn summarise(
    weights: &Weights,
    pooled: &[f32],
    summary: &mut [f32],
    everywhere: &mut [f32],
) -> [f32; 3] {
    summary.copy_from_slice(weights.get(Part::SummaryBias));
    add_product(weights.get(Part::SummaryWeight), pooled, summary);
    for number in &mut *summary {
        *number = number.max(0.0);
    }
    everywhere.fill(0.0);
    add_product(weights.get(Part::PolicySummary), summary, everywhere);
    let bias = weights.get(Part::ValueBias);
    let mut logits = [bias[0], bias[1], bias[2]];
    for (x, row) in summary.iter().zip(weights.get(Part::ValueWeight).chunks_exact(3)) {
        for (logit, w) in logits.iter_mut().zip(row) {
            *logit += x * w;
        }
    }
    logits
}

/// Adds `input × weight` to `sums`, `weight` being `[input, sums]`.
#[inline(always)]
fn add_product(weight: &[f32], input: &[f32], sums: &mut [f32]) {
    let width = sums.len();
    for (block, sums) in sums.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
        let mut lanes = *sums;
        for (&x, row) in input.iter().zip(weight.chunks_exact(width)) {
            for (lane, w) in lanes.iter_mut().zip(&row[block * LANES..][..LANES]) {
                *lane += x * w;
            }
        }
        *sums = lanes;
    }
}

/// One logit for each action: the rectified sum of what belongs to it, weighed.
#[inline(always)]
pub(crate) fn score(weights: &Weights, encoded: &Encoded, maps: Maps<'_>, logits: &mut [f32]) {
    let policy = maps.everywhere.len();
    let squares = maps.squares.len() / (3 * policy);
    let [origins, targets, styles, captures] =
        [Part::Origin, Part::Target, Part::Style, Part::Capture].map(|part| weights.get(part));
    let output = weights.get(Part::PolicyOutput);
    let mut captures_start = 0;
    for (action, logit) in encoded.actions.iter().zip(logits) {
        let captured = &encoded.captures[captures_start..action.captures_end as usize];
        captures_start = action.captures_end as usize;
        let mut lanes = [0.0; LANES];
        for block in (0..policy).step_by(LANES) {
            let mut sums = [0.0; LANES];
            sums.copy_from_slice(&maps.everywhere[block..][..LANES]);
            let mut add = |numbers: &[f32], start: usize| {
                for (sum, number) in sums.iter_mut().zip(&numbers[start + block..][..LANES]) {
                    *sum += number;
                }
            };
            // The rows of the tables come kind after kind, each with a row a square.
            for (table, row, map) in [(origins, action.origin, 0), (targets, action.target, 1)] {
                let row = usize::from(row);
                add(maps.squares, (3 * (row % squares) + map) * policy);
                add(table, row * policy);
            }
            add(styles, usize::from(action.style) * policy);
            for row in captured.iter().map(|&row| usize::from(row)) {
                add(maps.squares, (3 * (row % squares) + 2) * policy);
                add(captures, row * policy);
            }
            for ((lane, sum), weight) in lanes.iter_mut().zip(sums).zip(&output[block..][..LANES]) {
                *lane += sum.max(0.0) * weight;
            }
        }
        *logit = fold(lanes);
    }
}
