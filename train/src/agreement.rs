//! The two networks agree, and both see the board's symmetries. How they agree with other programs is looked at in
//! `tests/suite/command_line/elsewhere.rs`.

use std::io::Write;

use burn::tensor::Device;
use camelot_core::record::sorted_actions;
use camelot_core::{Game, Move, Position, RuleSet, Square, Turn};
use camelot_models::encoding::{Encode, EncodedVariant, Mirror};
use camelot_models::{
    Compute, DeviceEvaluator, Evaluation, Evaluator, NetEvaluator, Request, ResidualShape, Shape,
    SparseShape, Wdl, inference, residual,
};
use rand::RngExt;

use crate::fixtures::{Cam, Camelot, rng, sizeable_weights};

const SPARSE: Shape = Shape::Sparse(SparseShape { accumulator: 96, hidden: 64, policy: 32 });
const RESIDUAL: Shape = Shape::Residual(ResidualShape { blocks: 2, channels: 64, hidden: 32, policy: 64 });
const TOLERANCE: f32 = residual::AGREEMENT;

/// Positions of random games in which a player is to move.
fn positions<G: Game>(count: usize) -> Vec<G> {
    let mut rng = rng(17);
    let mut found = Vec::new();
    let mut position = G::start(RuleSet::Classic);
    while found.len() < count {
        if position.outcome().is_some() {
            position = G::start(RuleSet::Classic);
        }
        let actions = sorted_actions(&position);
        if position.turn() != Turn::Chance {
            found.push(position.clone());
        }
        position.play(actions[rng.random_range(0..actions.len())]);
    }
    found
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

/// Compares the search's own evaluator with burn, and prints the largest differences: of shares, and of logits as a
/// part of the position's largest one, or of 1 if that is larger.
fn check_networks<G: Encode>(shape: Shape, mirror: Mirror, count: usize) {
    let bound = if shape == SPARSE { inference::AGREEMENT } else { residual::AGREEMENT };
    let weights = sizeable_weights::<G>(shape, 5);
    let mut own = NetEvaluator::<G>::new(&weights);
    let mut burn = DeviceEvaluator::<G>::new(&weights, &Device::flex());
    if mirror == Mirror::Mirrored {
        (own, burn) = (own.mirrored(), burn.mirrored());
    }
    let positions = positions::<G>(count);
    let actions: Vec<_> = positions.iter().map(sorted_actions).collect();
    let requests: Vec<_> =
        positions.iter().zip(&actions).map(|(position, actions)| Request { position, actions }).collect();
    let mut answers = [vec![Evaluation::default(); count], vec![Evaluation::default(); count]];
    own.evaluate_batch(&requests, &mut answers[0]);
    burn.evaluate_batch(&requests, &mut answers[1]);
    let (mut spread, mut value, mut logits) = (0.0_f32, 0.0_f32, 0.0_f32);
    for (found, expected) in answers[0].iter().zip(&answers[1]) {
        value = value.max(difference(&shares(found.wdl), &shares(expected.wdl)));
        let largest = expected.logits.iter().fold(1.0_f32, |most, logit| logit.abs().max(most));
        logits = logits.max(difference(&found.logits, &expected.logits) / largest);
        spread = spread.max(largest);
    }
    let report = format!(
        "{}, {shape}, {mirror:?}, {count} positions: search and burn differ by {value:.1e} in value, {logits:.1e} in \
         logits (below {bound})",
        G::NAME
    );
    writeln!(std::io::stderr(), "{report}").unwrap();
    assert!(value.max(logits) < bound, "{report}");
    assert!(spread > 0.5, "the logits are too small to compare: {spread}");
}

fn check_both_views<G: Encode>(shape: Shape) {
    check_networks::<G>(shape, Mirror::Straight, 1000);
    check_networks::<G>(shape, Mirror::Mirrored, 100);
}

#[test]
fn burn_and_the_plain_loops_say_the_same() {
    check_both_views::<Cam>(SPARSE);
    check_both_views::<Position<camelot_core::CamAllKnights>>(SPARSE);
    check_both_views::<Camelot>(SPARSE);
    check_both_views::<Position<camelot_core::GrandCamelot>>(SPARSE);
    check_both_views::<camelot_core::Patience>(SPARSE);
}

#[test]
fn burn_and_the_own_convolutions_say_the_same() {
    check_both_views::<Cam>(RESIDUAL);
    check_both_views::<Position<camelot_core::CamAllKnights>>(RESIDUAL);
    check_both_views::<Camelot>(RESIDUAL);
    check_both_views::<Position<camelot_core::GrandCamelot>>(RESIDUAL);
}

/// What a graphics card would do, done by burn on the processor.
#[test]
fn a_device_judges_batches_as_the_own_convolutions_do() {
    let weights = sizeable_weights::<Cam>(RESIDUAL, 8);
    let mut own = NetEvaluator::<Cam>::new(&weights);
    let mut device = NetEvaluator::<Cam>::on(&weights, &Compute::Gpu(Device::flex()));
    assert!(device.batch_size() > own.batch_size());
    let positions = positions::<Cam>(30);
    let actions: Vec<_> = positions.iter().map(sorted_actions).collect();
    let requests: Vec<_> =
        positions.iter().zip(&actions).map(|(position, actions)| Request { position, actions }).collect();
    let (mut expected, mut found) = (vec![Evaluation::default(); 30], vec![Evaluation::default(); 30]);
    own.evaluate_batch(&requests, &mut expected);
    device.evaluate_batch(&requests, &mut found);
    for (found, expected) in found.iter().zip(&expected) {
        assert_near(&shares(found.wdl), &shares(expected.wdl));
        assert_near(&found.logits, &expected.logits);
    }
    let alone = device.evaluate(&positions[3], &actions[3], &mut found[3].logits);
    assert_near(&shares(alone), &shares(expected[3].wdl));
    assert_near(&found[3].logits, &expected[3].logits);
}

/// A batch of any size gives each position the very answer that it gets alone.
#[test]
fn answers_do_not_depend_on_the_batch() {
    let weights = sizeable_weights::<Cam>(RESIDUAL, 7);
    let mut evaluator = NetEvaluator::<Cam>::new(&weights);
    let positions = positions::<Cam>(40);
    let actions: Vec<_> = positions.iter().map(sorted_actions).collect();
    let requests: Vec<_> =
        positions.iter().zip(&actions).map(|(position, actions)| Request { position, actions }).collect();
    let mut alone = vec![Evaluation::default(); requests.len()];
    for (request, answer) in requests.iter().zip(&mut alone) {
        answer.wdl = evaluator.evaluate(request.position, request.actions, &mut answer.logits);
    }
    for size in [1, 2, 3, 5, 16, 40] {
        let mut together = vec![Evaluation::default(); requests.len()];
        for (requests, answers) in requests.chunks(size).zip(together.chunks_mut(size)) {
            evaluator.evaluate_batch(requests, answers);
        }
        assert_eq!(together, alone, "batches of {size}");
    }
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

fn check_symmetries<V: EncodedVariant>(shape: Shape, count: usize) {
    let weights = sizeable_weights::<Position<V>>(shape, 6);
    let mut straight = NetEvaluator::<Position<V>>::new(&weights);
    let mut mirrored = NetEvaluator::<Position<V>>::new(&weights).mirrored();
    let (mut expected, mut found) = (Vec::new(), Vec::new());
    for position in positions::<Position<V>>(count) {
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
            if shape == RESIDUAL {
                assert_eq!((image_wdl, &found), (wdl, &expected), "sums in one order are equal");
            }
        }
    }
}

#[test]
fn changed_armies_and_mirrored_boards_are_judged_alike() {
    for (shape, count) in [(SPARSE, 200), (RESIDUAL, 50)] {
        check_symmetries::<camelot_core::Cam>(shape, count);
        check_symmetries::<camelot_core::Camelot>(shape, count);
    }
}
