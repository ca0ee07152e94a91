//! Encodings of positions that play seldom or never reaches.

use std::sync::Arc;

use camelot_core::{Game, RuleSet};

use super::*;
use crate::{Evaluator, NetEvaluator, NetworkShape, Weights};

fn encoded<V: EncodedVariant>(text: &str) -> Encoded {
    let position = Position::<V>::parse(text, RuleSet::Classic).unwrap();
    let mut actions = Vec::new();
    position.legal_actions(&mut actions);
    let mut encoded = Encoded::default();
    position.encode(Mirror::Straight, &actions, &mut encoded);
    encoded
}

#[test]
fn a_composed_position_with_very_many_captures_is_encoded_and_judged() {
    let text = "2/8/10/12/12/12/1WW1b1b1WW2/3bbbbb4/1WW1b1b1WW2/3bbbbb4/1WW1b1b1WW2/12/12/10/8/2 W 0,0 0";
    let position = Position::<Camelot>::parse(text, RuleSet::Classic).unwrap();
    let mut actions = Vec::new();
    position.legal_actions(&mut actions);
    let encoded = encoded::<Camelot>(text);
    assert!(encoded.captures.len() > usize::from(u16::MAX));
    for (i, action) in actions.iter().enumerate() {
        assert_eq!(encoded.captures_of(i).len(), action.captured.len() as usize);
    }
    let shape = NetworkShape { accumulator: 32, hidden: 32, policy: 32 };
    let weights = Weights::random(Position::<Camelot>::sizes(), shape, 1);
    let mut logits = Vec::new();
    let wdl = NetEvaluator::new(Arc::new(weights)).evaluate(&position, &actions, &mut logits);
    assert!(wdl.win.is_finite() && logits.iter().all(|logit| logit.is_finite()));
}

#[test]
fn every_index_lies_within_its_table() {
    for text in [
        "1/3/5/2B1B2/1bbbbb1/7/7/7/1wwwww1/2W1W2/5/3/1 B - 99",
        "1/3/5/wwwwwww/wwwwwww/ww5/7/7/7/7/5/3/b W - 0",
        "1/3/5/7/7/7/7/7/7/7/5/3/1 W - 0",
    ] {
        let (encoded, sizes) = (encoded::<Cam>(text), Position::<Cam>::sizes());
        assert!(encoded.features.iter().all(|&feature| usize::from(feature) < sizes.inputs), "{text}");
        let mut once = encoded.features.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), encoded.features.len(), "{text}");
        for action in &encoded.actions {
            assert!(usize::from(action.origin) < sizes.origins && usize::from(action.target) < sizes.targets);
        }
    }
}

#[test]
fn the_documented_number_of_features_is_right() {
    assert_eq!(Position::<Cam>::sizes().inputs, 596);
    assert_eq!(Position::<Camelot>::sizes().inputs, 1354);
}
