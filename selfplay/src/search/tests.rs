//! Search against games whose exact values are known.

use camelot_core::toys::{Dice, Relay, Stones, Subtraction, Take, Throw, exact_value};
use camelot_core::{Cam, Game, Line, Patience, Position, RuleSet, Turn};
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
        let limits = &Limits::simulations(4000);
        for decision in [
            puct_search(&mut search, &line, limits, &mut Blank),
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

fn patience(text: &str) -> Patience {
    Patience::parse(text, RuleSet::Classic).unwrap()
}

/// Ends of the patience with every position that play can lead to.
#[test]
fn search_is_exact_in_ends_of_the_patience() {
    let mut checked = 0;
    // A ten or a queen next: the ten must not take the queen's last cell.
    search_is_exact(&patience("KQ.K/J..J/J..J/KQQK - - 38 0000000002010"), &mut checked);
    // A full grid: whatever is removed first decides who finds a cell later.
    search_is_exact(&patience("KQ5K/J9AJ/JTTJ/KQ5K - r 34 0000000000020"), &mut checked);
    assert!(checked > 200, "{checked}");
}

/// Larger ends, looked at from their first position alone.
#[test]
fn the_first_choice_of_longer_ends_of_the_patience_is_the_best() {
    for text in [
        "KQ.K/J..J/J..J/KQ.K T - 36 0000000003020",
        "K..K/J..J/J..J/KQ.K 9 - 37 1000000001030",
        "KQTK/J9AJ/J59J/KQ5K - r 32 1000000001020",
    ] {
        let position = patience(text);
        let exact = exact_value(&position);
        let line = Line::new(position);
        for seed in 0..3 {
            let mut search = Search::new(SearchSettings::PLAY);
            let mut rng = generator(seed, Purpose::Bench, 0);
            for action in [
                puct_search(&mut search, &line, &Limits::simulations(6000), &mut Blank).action,
                gumbel_search(&mut search, &line, EXACT, &mut Blank, &mut rng).action,
            ] {
                let mut next = position;
                next.play(action);
                let value = exact_value(&next);
                assert!((value - exact).abs() < 1e-4, "{text}: {action} is worth {value}, not {exact}");
            }
        }
    }
}

/// Where everything in reach comes about by chance, the mean of the simulations is the expectation.
#[test]
fn chance_is_sampled_evenly_and_in_no_fixed_order() {
    use super::node::Edge;
    let shares = [0.1_f32, 0.4, 0.05, 0.25, 0.2];
    let mut edges: Vec<Edge> = shares.iter().map(|&share| Edge::new(share)).collect();
    let mut counts = [0_u32; 5];
    for visits in 0..1000 {
        counts[super::select::chance_outcome(&edges, visits)] += 1;
        for (&count, share) in counts.iter().zip(shares) {
            let expected = share * (visits + 1) as f32;
            assert!((count as f32 - expected).abs() < 3.0, "{counts:?} after {visits}");
        }
    }
    let mut firsts = [0; 13];
    for left in 1..400 {
        edges.clear();
        edges.extend(
            (0..13).map(|rank| {
                Edge::new(if rank == 0 { 1.0 } else { left as f32 } / (12.0 * left as f32 + 1.0))
            }),
        );
        firsts[super::select::chance_outcome(&edges, 0)] += 1;
    }
    assert!(firsts[1..].iter().all(|&first| first > 10), "{firsts:?}");
}

/// Knows that one action is certain to be middling and others look bad: the first is played, and the
/// search thinks the better of its root for it.
#[test]
fn a_certain_result_between_win_and_loss_is_not_let_go() {
    struct Gloomy;
    impl<G: Game> Evaluator<G> for Gloomy {
        fn evaluate(&mut self, _: &G, actions: &[G::Action], logits: &mut Vec<f32>) -> Wdl {
            logits.clear();
            logits.resize(actions.len(), 0.0);
            Wdl::from_value(-1.0)
        }
    }
    let dice = Dice::parse("6 1 choosing", RuleSet::Classic).unwrap();
    let line = Line::new(dice);
    let mut search = Search::new(SearchSettings::PLAY);
    // Keeping 6 is worth 0 for certain; six simulations do not settle the rest.
    let decision = puct_search(&mut search, &line, &Limits::simulations(6), &mut Gloomy);
    assert!(!decision.settled);
    assert_eq!(decision.action, Throw::Stop);
    // One of seven opinions is the evaluator's own of the root.
    assert!(decision.wdl.value() >= -1.0 / 7.0 - 1e-6, "{:?}", decision.wdl);
}

#[test]
fn random_playouts_find_the_known_first_moves() {
    let mut search = Search::new(SearchSettings::PLAY);
    let mut evaluator = RolloutEvaluator::new(generator(5, Purpose::Bench, 0));
    let line = Line::new(Subtraction::with_heap(10));
    let decision = puct_search(&mut search, &line, &Limits::simulations(2000), &mut evaluator);
    assert_eq!(decision.action, Take(2));
    let mut search = Search::new(SearchSettings::PLAY);
    let mut evaluator = RolloutEvaluator::new(generator(6, Purpose::Bench, 0));
    let line = Line::new(Relay::new(2, [1, 1, 1, 1]));
    let decision = puct_search(&mut search, &line, &Limits::simulations(50), &mut evaluator);
    assert_eq!(decision.action, Stones(2));
    let mut search = Search::new(SearchSettings::PLAY);
    let mut evaluator = RolloutEvaluator::new(generator(7, Purpose::Bench, 0));
    let mut line = Line::new(Dice::start(RuleSet::Classic));
    for action in [Throw::Roll, Throw::Face(4)] {
        line.play(action);
    }
    let decision = puct_search(&mut search, &line, &Limits::simulations(500), &mut evaluator);
    // Keeping 4 is worth 4/6 - 1; throwing again is worth (0 + 6 + 7 + 8) / 4 / 6 - 1 or better.
    assert_eq!(decision.action, Throw::Roll);
}

#[test]
fn the_quickest_win_is_played() {
    let position = Position::<Cam>::parse("1/1w1/5/7/7/7/b6/7/7/7/5/3/1 W - 0", RuleSet::Wcf).unwrap();
    let line = Line::new(position);
    let mut search = Search::new(SearchSettings::PLAY);
    let decision = puct_search(&mut search, &line, &Limits::simulations(200), &mut Blank);
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
        puct_search(&mut search, &line, &Limits::simulations(300), &mut Blank);
        search.root_edges().find(|edge| edge.action == back).unwrap()
    };
    let edge = losing(false);
    assert!(edge.visits == 0 || edge.value == Some(-0.75), "{edge:?}");
    assert!(!edge.settled && !edge.excluded);
    assert!(losing(true).excluded);
}
