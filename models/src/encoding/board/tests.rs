//! Encodings of positions that play seldom or never reaches.

use camelot_core::record::sorted_actions;
use camelot_core::{Game, Line, Move, RuleSet};

use super::*;
use crate::{Evaluator, NetEvaluator, SparseShape, Weights};

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
    let shape = SparseShape { accumulator: 32, hidden: 32, policy: 32 };
    let weights = Weights::random(Position::<Camelot>::sizes(), shape, 1);
    let mut logits = Vec::new();
    let wdl = NetEvaluator::new(&weights).evaluate(&position, &actions, &mut logits);
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
    assert_eq!(Position::<GrandCamelot>::sizes().inputs, 2303);
}

/// A position of Grand Camelot with the board turned over the diagonal that exchanges Red with Blue and
/// Green with Yellow.
fn over_the_diagonal(text: &str) -> String {
    let [placement, mover, castle_moves, quiet_plies] = text.split(' ').collect::<Vec<_>>()[..] else {
        panic!("four fields in {text}");
    };
    let partner = |letter: char| match letter {
        'R' => 'B',
        'B' => 'R',
        'G' => 'Y',
        'Y' => 'G',
        'r' => 'b',
        'b' => 'r',
        'g' => 'y',
        'y' => 'g',
        other => other,
    };
    let board = GrandCamelot::board();
    let mut grid = [['.'; 16]; 16];
    for (row, rank) in placement.split('/').zip((0..16_u8).rev()) {
        let mut files = (0..16_u8).filter(|&file| board.at(file, rank).is_some());
        let mut run = 0;
        for letter in row.chars() {
            if let Some(digit) = letter.to_digit(10) {
                run = 10 * run + digit as usize;
                continue;
            }
            let file = files.nth(std::mem::take(&mut run)).unwrap();
            grid[usize::from(rank)][usize::from(file)] = partner(letter);
        }
    }
    let mut rows = Vec::new();
    for rank in (0..16_u8).rev() {
        let mut row = String::new();
        let mut run = 0;
        for file in (0..16_u8).filter(|&file| board.at(file, rank).is_some()) {
            match grid[usize::from(file)][usize::from(rank)] {
                '.' => run += 1,
                letter => {
                    if run > 0 {
                        row.push_str(&run.to_string());
                    }
                    run = 0;
                    row.push(letter);
                }
            }
        }
        if run > 0 {
            row.push_str(&run.to_string());
        }
        rows.push(row);
    }
    let used: Vec<&str> = castle_moves.split(',').collect();
    let used = [used[2], used[3], used[0], used[1]].join(",");
    let mover: String = mover.chars().map(partner).collect();
    format!("{} {mover} {used} {quiet_plies}", rows.join("/"))
}

/// Partners see the same position alike once the board is turned, and moves with it.
#[test]
fn partners_encode_alike_over_the_diagonal() {
    type Grand = Position<GrandCamelot>;
    let mut line = Line::new(Grand::start(RuleSet::Classic));
    let mut state = 1_u64;
    let (mut straight, mut turned) = (Encoded::default(), Encoded::default());
    let mut compared = 0;
    while line.outcome().is_none() && compared < 400 {
        let position = *line.position();
        let image = Grand::parse(&over_the_diagonal(&position.to_string()), RuleSet::Classic).unwrap();
        let turn = |square: Square| Square::at(square.rank(), square.file());
        let actions = sorted_actions(&position);
        let images: Vec<Move> = actions
            .iter()
            .map(|action| Move {
                from: turn(action.from),
                to: turn(action.to),
                captured: action.captured.squares().map(turn).collect(),
            })
            .collect();
        position.encode(Mirror::Straight, &actions, &mut straight);
        image.encode(Mirror::Straight, &images, &mut turned);
        for encoded in [&mut straight, &mut turned] {
            encoded.features.sort_unstable();
        }
        assert_eq!(straight.features, turned.features, "{position}");
        for (i, (one, two)) in straight.actions.iter().zip(&turned.actions).enumerate() {
            assert_eq!((one.origin, one.target, one.style), (two.origin, two.target, two.style));
            let captures = |encoded: &Encoded| {
                let mut rows = encoded.captures_of(i).to_vec();
                rows.sort_unstable();
                rows
            };
            assert_eq!(captures(&straight), captures(&turned));
        }
        state = camelot_core::position::mix(state);
        line.play(actions[(state % actions.len() as u64) as usize]);
        compared += 1;
    }
    assert!(compared > 100);
}
