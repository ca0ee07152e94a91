//! Networks from outside are checked whole.

use camelot_core::{Cam, Patience, Position};

use super::*;
use crate::Encode;
use crate::shape::{ResidualShape, SparseShape};

const SPARSE: SparseShape = SparseShape { accumulator: 64, hidden: 32, policy: 32 };
const RESIDUAL: ResidualShape = ResidualShape { blocks: 1, channels: 32, hidden: 32, policy: 32 };

fn sizes() -> Sizes {
    Position::<Cam>::sizes()
}

#[test]
fn sound_networks_pass_and_have_their_own_hashes() {
    let networks = [Weights::random(sizes(), SPARSE, 1), Weights::random(sizes(), RESIDUAL, 1)];
    for weights in &networks {
        weights.check(sizes()).unwrap();
        let names: std::collections::HashSet<_> =
            weights.shape.matrices(sizes()).into_iter().map(|matrix| matrix.name).collect();
        assert_eq!(names.len(), weights.iter().len());
    }
    assert_ne!(networks[0].hash(), networks[1].hash());
    assert_eq!(networks[1].hash(), Weights::random(sizes(), RESIDUAL, 1).hash());
}

#[test]
fn what_does_not_fit_is_named() {
    let error = |weights: &Weights| weights.check(sizes()).unwrap_err();
    let mut weights = Weights::random(sizes(), RESIDUAL, 1);
    weights.shape = ResidualShape { blocks: 2, ..RESIDUAL }.into();
    assert_eq!(error(&weights), "20 matrices, expected 24");
    weights.shape = ResidualShape { blocks: usize::MAX, ..RESIDUAL }.into();
    assert!(error(&weights).contains("expected 1 to 40"), "{}", error(&weights));
    weights.shape = ResidualShape { channels: 48, ..RESIDUAL }.into();
    assert!(error(&weights).contains("a width of 48"), "{}", error(&weights));
    weights.shape = ResidualShape { channels: 64, ..RESIDUAL }.into();
    assert!(
        error(&weights).contains("input.planes has 2304 numbers, expected 72 x 64"),
        "{}",
        error(&weights)
    );
    weights.shape = RESIDUAL.into();
    weights.get_mut(residual::Part::PolicyOutput)[3] = f32::NAN;
    assert!(error(&weights).starts_with("policy.output holds numbers"), "{}", error(&weights));
    weights.shape = SPARSE.into();
    assert_eq!(error(&weights), "20 matrices, expected 12");
}

#[test]
fn a_residual_network_needs_a_board() {
    let weights = Weights::random(sizes(), RESIDUAL, 1);
    assert!(weights.check(Patience::sizes()).unwrap_err().contains("needs a board"));
}
