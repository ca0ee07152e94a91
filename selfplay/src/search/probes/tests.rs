//! Offers in both ways to search.

use camelot_core::{Game, Move};
use camelot_models::{Evaluator, Wdl};

use crate::rng::{Purpose, generator};
use crate::search::tree_tests::{Board, Wide, line, network};
use crate::search::{GumbelSettings, Limits, Search, SearchSettings, gumbel_search, puct_search, think};

/// Offers are followed at every leaf, within the budget, and a failed one leaves the leaf as it was.
#[test]
fn offers_are_followed_as_part_of_a_simulation() {
    let settings = SearchSettings { offers: 8, capture_choices: 4, ..SearchSettings::PLAY };
    let mut offers = 0;
    for number in 0..10 {
        let line = line(number, 14);
        let limits = Limits::simulations(200);
        let mut search = Search::new(settings);
        let plain = puct_search(&mut search, &line, &limits, &mut network(1));
        let thought = think(&mut search, &line, &limits, &mut [network(1)]);
        assert_eq!(plain, thought);
        assert!(plain.simulations == 200 || plain.settled || search.root_actions() == 1);
        let visits: u32 = search.root_edges().map(|edge| edge.visits).sum();
        assert!(visits >= plain.simulations);
        for node in &search.nodes {
            assert_eq!((node.in_flight, node.pending), (0, false));
            for place in node.edges() {
                let edge = &search.edges[place];
                assert_eq!(edge.in_flight, 0);
                if edge.mean.visits > 0 && node.state.offers(search.actions[place], &mut Vec::new()) {
                    offers += 1;
                }
            }
        }
        think(&mut search, &line, &limits, &mut vec![Wide(network(1), 4); 3]);
        assert!(search.nodes.iter().all(|node| node.in_flight == 0 && !node.pending));
    }
    assert!(offers > 100, "{offers}");
}

/// Counts pieces, and takes every offer for a blunder.
#[derive(Clone, Debug)]
struct Timid;

impl Evaluator<Board> for Timid {
    fn evaluate(&mut self, position: &Board, actions: &[Move], logits: &mut Vec<f32>) -> Wdl {
        logits.clear();
        logits.extend(
            actions.iter().map(|&action| if position.offers(action, &mut Vec::new()) { -1.0 } else { 0.0 }),
        );
        let team = position.team_to_move();
        let [own, enemy] = [team, team.other()].map(|side| position.team_pieces(side).len() as f32);
        Wdl::from_value((own - enemy) / 8.0)
    }
}

/// The Gumbel search hears of offers at its root, and makes one that pays.
#[test]
fn offers_are_considered_whatever_their_priors() {
    let settings =
        GumbelSettings { simulations: 16, considered: 4, visit_offset: 50.0, value_scale: 1.0, noise: 0.0 };
    let mut made = [0, 0];
    for number in 0..200 {
        let line = line(number, 14);
        let mut actions = Vec::new();
        line.position().legal_actions(&mut actions);
        let others =
            actions.iter().filter(|&&action| !line.position().offers(action, &mut Vec::new())).count();
        if line.outcome().is_some() || others < settings.considered {
            continue;
        }
        for (offers, made) in [0, 30].into_iter().zip(&mut made) {
            let mut search =
                Search::new(SearchSettings { offers, capture_choices: 4, ..SearchSettings::PLAY });
            let mut rng = generator(1, Purpose::Bench, number);
            let decision = gumbel_search(&mut search, &line, settings, &mut Timid, &mut rng);
            let root = line.position();
            assert!(decision.simulations == 16 || decision.settled || search.root_actions() == 1);
            if offers > 0 {
                assert!(
                    search
                        .root_edges()
                        .all(|edge| edge.visits > 0 || !root.offers(edge.action, &mut Vec::new()))
                );
            }
            *made += u32::from(root.offers(decision.action, &mut Vec::new()));
        }
    }
    assert!(made[0] == 0 && made[1] > 5, "{made:?}");
}
