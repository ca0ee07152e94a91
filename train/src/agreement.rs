//! The two networks agree, and both see the board's symmetries.

use std::sync::Arc;

use burn::tensor::Device;
use camelot_core::record::sorted_actions;
use camelot_core::{Game, Move, Position, RuleSet, Square};
use camelot_models::encoding::{Encode, Encoded, EncodedVariant, Mirror};
use camelot_models::inference::AGREEMENT;
use camelot_models::network::{Batch, Network};
use camelot_models::{Evaluator, NetEvaluator, NetworkShape, Wdl};

use crate::adam::to_host;
use crate::fixtures::{Cam, Camelot, random_samples, sizeable_weights};

const SHAPE: NetworkShape = NetworkShape { accumulator: 96, hidden: 64, policy: 32 };
const TOLERANCE: f32 = 1e-4;

fn positions<G: Game>(count: usize) -> Vec<G> {
    random_samples::<G>(count, 17).into_iter().map(|sample| sample.position).collect()
}

fn assert_near(found: &[f32], expected: &[f32]) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() < TOLERANCE * b.abs().max(1.0), "{a}, expected {b}");
    }
}

fn difference(found: &[f32], expected: &[f32]) -> f32 {
    assert_eq!(found.len(), expected.len());
    found.iter().zip(expected).fold(0.0, |most, (a, b)| (a - b).abs().max(most))
}

fn shares(wdl: Wdl) -> [f32; 3] {
    [wdl.win, wdl.draw, wdl.loss]
}

fn check_networks<G: Encode>() {
    let weights = Arc::new(sizeable_weights::<G>(SHAPE, 5));
    for mirror in [Mirror::Straight, Mirror::Mirrored] {
        let mut evaluator = NetEvaluator::<G>::new(&weights);
        if mirror == Mirror::Mirrored {
            evaluator = evaluator.mirrored();
        }
        let positions = positions::<G>(200);
        let mut batch = Batch::default();
        let mut encoded = Encoded::default();
        for position in &positions {
            position.encode(mirror, &sorted_actions(position), &mut encoded);
            batch.push(&encoded, G::sizes());
        }
        let output = Network::new(&weights, G::sizes(), &Device::flex()).forward(&batch);
        let (logits, log_wdl) = (to_host(output.logits), to_host(output.log_wdl));
        let mut found = Vec::new();
        let (mut spread, mut worst) = (0.0_f32, 0.0_f32);
        for (row, position) in positions.iter().enumerate() {
            let actions = sorted_actions(position);
            let wdl = evaluator.evaluate(position, &actions, &mut found);
            let expected: Vec<f32> = log_wdl[row * 3..][..3].iter().map(|log| log.exp()).collect();
            worst = worst.max(difference(&shares(wdl), &expected));
            let expected = &logits[row * batch.width()..][..actions.len()];
            let largest = expected.iter().fold(1.0_f32, |most, logit| logit.abs().max(most));
            worst = worst.max(difference(&found, expected) / largest);
            spread = spread.max(largest);
        }
        println!("{}: largest difference {worst:.5}", G::NAME);
        assert!(worst < AGREEMENT, "{worst}");
        assert!(spread > 0.5, "the logits are too small to compare: {spread}");
    }
}

#[test]
fn burn_and_the_plain_loops_say_the_same() {
    check_networks::<Cam>();
    check_networks::<Camelot>();
}

/// The position with the armies changed and the board turned over, or mirrored left to right.
fn transform<V: EncodedVariant>(position: &Position<V>, swap: bool) -> Position<V> {
    let text = position.to_string();
    let fields: Vec<&str> = text.split(' ').collect();
    let change = |letters: &str| -> String { letters.chars().map(exchange).collect() };
    let ranks = fields[0].split('/');
    let (placement, mover, castle_moves) = if swap {
        let placement: Vec<_> = ranks.rev().map(change).collect();
        let castle_moves: Vec<_> = fields[2].split(',').rev().collect();
        (placement.join("/"), change(fields[1]), castle_moves.join(","))
    } else {
        let placement: Vec<_> = ranks.map(reversed).collect();
        (placement.join("/"), fields[1].into(), fields[2].into())
    };
    let text = [&placement, &mover, &castle_moves, fields[3]].join(" ");
    Position::parse(&text, RuleSet::Classic).unwrap()
}

fn exchange(letter: char) -> char {
    match letter {
        'W' => 'B',
        'B' => 'W',
        'w' => 'b',
        'b' => 'w',
        other => other,
    }
}

/// A rank read from the other end; runs of empty squares may have two digits.
fn reversed(rank: &str) -> String {
    let mut parts: Vec<String> = Vec::new();
    for c in rank.chars() {
        match parts.last_mut() {
            Some(run) if c.is_ascii_digit() && run.ends_with(|l: char| l.is_ascii_digit()) => run.push(c),
            _ => parts.push(c.into()),
        }
    }
    parts.into_iter().rev().collect()
}

/// The same move with its squares changed.
fn image(action: Move, square: impl Fn(Square) -> Square) -> Move {
    let captured = action.captured.squares().map(&square).collect();
    Move { from: square(action.from), to: square(action.to), captured }
}

fn check_symmetries<V: EncodedVariant>() {
    let weights = Arc::new(sizeable_weights::<Position<V>>(SHAPE, 6));
    let mut straight = NetEvaluator::<Position<V>>::new(&weights);
    let mut mirrored = NetEvaluator::<Position<V>>::new(&weights).mirrored();
    let (mut expected, mut found) = (Vec::new(), Vec::new());
    for position in positions::<Position<V>>(200) {
        let board = position.board();
        let actions = sorted_actions(&position);
        let wdl = straight.evaluate(&position, &actions, &mut expected);
        for swap in [true, false] {
            let other = transform(&position, swap);
            let square = |s| if swap { board.flipped(s) } else { board.mirrored(s) };
            let images: Vec<_> = actions.iter().map(|&action| image(action, square)).collect();
            assert_eq!(images.len(), sorted_actions(&other).len());
            let evaluator = if swap { &mut straight } else { &mut mirrored };
            let image_wdl = evaluator.evaluate(&other, &images, &mut found);
            assert_near(&shares(image_wdl), &shares(wdl));
            assert_near(&found, &expected);
        }
    }
}

#[test]
fn changed_armies_and_mirrored_boards_are_judged_alike() {
    check_symmetries::<camelot_core::Cam>();
    check_symmetries::<camelot_core::Camelot>();
}
