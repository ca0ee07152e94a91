//! Search against games whose exact values are known.

use camelot_core::toys::{Dice, Relay, Stones, Subtraction, Take, Throw, exact_value};
use camelot_core::{Cam, Game, Line, Position, RuleSet, Turn};
use camelot_models::{Evaluator, Wdl};

use super::*;
use crate::rng::{Purpose, generator};
use crate::rollout::RolloutEvaluator;

/// Knows nothing: every action alike, every value even.
struct Blank;

impl<G: Game> Evaluator<G> for Blank {
    fn evaluate(&mut self, _: &G, actions: &[G::Action], logits: &mut Vec<f32>) -> Wdl {
        logits.clear();
        logits.resize(actions.len(), 0.0);
        Wdl::EVEN
    }
}

const EXACT: GumbelSettings =
    GumbelSettings { simulations: 4000, considered: 16, visit_offset: 50.0, value_scale: 1.0, noise: 1.0 };

/// Searches every position in reach by both searches and compares value and choice with brute force.
fn search_is_exact<G: Game>(position: &G, checked: &mut usize) {
    if position.outcome().is_some() {
        return;
    }
    let mut actions = Vec::new();
    position.legal_actions(&mut actions);
    let after = |action: G::Action| {
        let mut next = position.clone();
        next.play(action);
        next
    };
    if let Turn::Player(seat) = position.turn() {
        let sign = G::team(seat).sign();
        let line = Line::new(position.clone());
        let mut search = Search::new(SearchSettings::PLAY);
        let mut rng = generator(1, Purpose::Bench, *checked as u64);
        let limit = Limit::Simulations(4000);
        for decision in [
            puct_search(&mut search, &line, limit, &mut Blank),
            gumbel_search(&mut search, &line, EXACT, &mut Blank, &mut rng),
        ] {
            let exact = sign * exact_value(position);
            let chosen = sign * exact_value(&after(decision.action));
            assert!((chosen - exact).abs() < 1e-6, "{position}: {} is worth {chosen}", decision.action);
            if actions.len() > 1 {
                assert!(decision.settled, "{position}");
                assert!((decision.wdl.value() - exact).abs() < 1e-5, "{position}: {:?}", decision.wdl);
            }
        }
        *checked += 1;
    }
    for action in actions {
        search_is_exact(&after(action), checked);
    }
}

#[test]
fn search_is_exact_for_two_players() {
    let mut checked = 0;
    search_is_exact(&Subtraction::with_heap(9), &mut checked);
    assert!(checked > 100, "{checked}");
}

#[test]
fn search_is_exact_for_partners_whose_turns_are_skipped() {
    let mut checked = 0;
    search_is_exact(&Relay::new(7, [2, 1, 3, 2]), &mut checked);
    search_is_exact(&Relay::new(9, [1, 0, 2, 2]), &mut checked);
    search_is_exact(&Relay::new(12, [2, 1, 2, 1]), &mut checked);
    assert!(checked > 60, "{checked}");
}

#[test]
fn search_is_exact_against_chance() {
    let mut checked = 0;
    search_is_exact(&Dice::start(RuleSet::Classic), &mut checked);
    assert!(checked >= 10, "{checked}");
}

#[test]
fn random_playouts_find_the_known_first_moves() {
    let mut search = Search::new(SearchSettings::PLAY);
    let mut evaluator = RolloutEvaluator::new(generator(5, Purpose::Bench, 0));
    let line = Line::new(Subtraction::with_heap(10));
    let decision = puct_search(&mut search, &line, Limit::Simulations(2000), &mut evaluator);
    assert_eq!(decision.action, Take(2));
    let mut search = Search::new(SearchSettings::PLAY);
    let mut evaluator = RolloutEvaluator::new(generator(6, Purpose::Bench, 0));
    let line = Line::new(Relay::new(2, [1, 1, 1, 1]));
    let decision = puct_search(&mut search, &line, Limit::Simulations(50), &mut evaluator);
    assert_eq!(decision.action, Stones(2));
    let mut search = Search::new(SearchSettings::PLAY);
    let mut evaluator = RolloutEvaluator::new(generator(7, Purpose::Bench, 0));
    let mut line = Line::new(Dice::start(RuleSet::Classic));
    for action in [Throw::Roll, Throw::Face(4)] {
        line.play(action);
    }
    let decision = puct_search(&mut search, &line, Limit::Simulations(500), &mut evaluator);
    // Keeping 4 is worth 4/6 - 1; throwing again is worth (0 + 6 + 7 + 8) / 4 / 6 - 1 or better.
    assert_eq!(decision.action, Throw::Roll);
}

#[test]
fn the_quickest_win_is_played() {
    let position = Position::<Cam>::parse("1/1w1/5/7/7/7/b6/7/7/7/5/3/1 W - 0", RuleSet::Wcf).unwrap();
    let line = Line::new(position);
    let mut search = Search::new(SearchSettings::PLAY);
    let decision = puct_search(&mut search, &line, Limit::Simulations(200), &mut Blank);
    assert_eq!(line.position().action_text(decision.action), "D12-D13");
    assert_eq!(decision.wdl.value(), 1.0);
    let played = search.root_edges().find(|edge| edge.action == decision.action).unwrap();
    assert!(played.settled && played.plies == 0);
}

#[test]
fn a_return_to_an_earlier_position_counts_as_a_draw() {
    let position =
        Position::<Cam>::parse("1/3/5/7/7/7/B2B2B/7/W2W2W/7/5/3/1 W - 10", RuleSet::Classic).unwrap();
    let mut line = Line::new(position);
    for text in ["A5-A4", "A7-A8", "A4-A5"] {
        let action = line.position().parse_action(text).unwrap();
        line.play(action);
    }
    // A8-A7 leads back to the start position.
    let back = line.position().parse_action("A8-A7").unwrap();
    let losing = |avoid_repetition| {
        let settings = SearchSettings { draw_value: -0.75, avoid_repetition, ..SearchSettings::PLAY };
        let mut search = Search::new(settings);
        puct_search(&mut search, &line, Limit::Simulations(300), &mut Blank);
        search.root_edges().find(|edge| edge.action == back).unwrap()
    };
    let edge = losing(false);
    assert!(edge.visits == 0 || edge.value == Some(-0.75), "{edge:?}");
    assert!(!edge.settled && !edge.excluded);
    assert!(losing(true).excluded);
}
