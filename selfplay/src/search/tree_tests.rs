//! The tree as a data structure: budgets, several walks at once, what is kept from move to move, and memory.

use camelot_core::toys::{Dice, Subtraction, exact_value};
use camelot_core::{Cam, Game, Line, Position, RuleSet};
use camelot_models::{Encode, Evaluation, Evaluator, NetEvaluator, Request, SparseShape, Wdl, Weights};

use super::node::NO_CHILD;
use super::*;
use crate::cache::Cached;
use crate::games::random_opening;
use crate::rng::{Purpose, generator};

pub(super) type Board = Position<Cam>;

const SHAPE: SparseShape = SparseShape { accumulator: 32, hidden: 32, policy: 32 };

pub(super) fn network(seed: u64) -> NetEvaluator<Board> {
    NetEvaluator::new(&Weights::random(Board::sizes(), SHAPE, seed))
}

pub(super) fn line(number: u64, plies: u32) -> Line<Board> {
    let mut rng = generator(9, Purpose::Bench, number);
    random_opening(&Board::start(RuleSet::Classic), plies, &mut rng)
}

/// Likes some actions more than others, and wants its positions in batches.
#[derive(Clone, Debug)]
pub(super) struct Wide<E>(pub(super) E, pub(super) usize);

impl<G: Game, E: Evaluator<G>> Evaluator<G> for Wide<E> {
    fn evaluate(&mut self, position: &G, actions: &[G::Action], logits: &mut Vec<f32>) -> Wdl {
        self.0.evaluate(position, actions, logits)
    }

    fn batch_size(&self) -> usize {
        self.1
    }
}

/// Judges by the position's key: different for each position, the same whenever it comes up.
#[derive(Clone, Debug)]
struct Moody;

impl<G: Game> Evaluator<G> for Moody {
    fn evaluate(&mut self, position: &G, actions: &[G::Action], logits: &mut Vec<f32>) -> Wdl {
        logits.clear();
        logits.extend((0..actions.len() as u64).map(|i| (position.key() >> (i % 60) & 3) as f32));
        Wdl::from_value((position.key() & 0xFF) as f32 / 255.0 - 0.5)
    }
}

/// Every node says what its edges and its parent's edge say, and no walk is left under way.
fn check_tree<G: Game>(search: &Search<G>) {
    let mut owners = vec![0; search.nodes.len()];
    let mut edges_owned = 0;
    for node in &search.nodes {
        assert_eq!((node.in_flight, node.pending), (0, false));
        edges_owned += node.count as usize;
        let mut actions = Vec::new();
        if node.count > 0 {
            node.state.legal_actions(&mut actions);
            assert_eq!(actions, search.actions[node.edges()]);
        }
        let mut visits = 0;
        for place in node.edges() {
            let edge = &search.edges[place];
            visits += edge.mean.visits;
            assert_eq!(edge.in_flight, 0);
            if edge.child == NO_CHILD {
                assert_eq!(edge.mean.visits, 0);
                continue;
            }
            let child = &search.nodes[edge.child as usize];
            owners[edge.child as usize] += 1;
            let mut next = node.state.clone();
            next.play(search.actions[place]);
            assert_eq!(next, child.state);
            assert!(child.mean.visits <= edge.mean.visits);
        }
        // One evaluation of its own comes on top where it was asked for one.
        assert!(
            node.mean.visits == visits || node.mean.visits == visits + 1,
            "{} {visits}",
            node.mean.visits
        );
    }
    assert_eq!(owners[0], 0);
    assert!(owners[1..].iter().all(|&owner| owner == 1));
    assert_eq!(edges_owned, search.edges.len());
    assert_eq!(search.edges.len(), search.actions.len());
}

#[test]
fn a_budget_of_simulations_is_kept_to_the_last() {
    for count in [1, 2, 7, 100, 333] {
        for number in 0..5 {
            let line = line(number, 6);
            let mut search = Search::new(SearchSettings::PLAY);
            for (threads, width) in [(1, 1), (1, 8), (3, 1), (2, 4)] {
                let limits = Limits::simulations(count);
                let mut evaluators = vec![Wide(network(1), width); threads];
                let decision = think(&mut search, &line, &limits, &mut evaluators);
                check_tree(&search);
                assert!(decision.simulations == count || decision.settled);
                let visits: u32 = search.root_edges().map(|edge| edge.visits).sum();
                assert_eq!(visits, decision.simulations, "{threads} threads, {width} at once");
            }
        }
    }
}

#[test]
fn one_thread_thinks_as_the_plain_search_does() {
    for number in 0..10 {
        let line = line(number, 10);
        let mut search = Search::new(SearchSettings::PLAY);
        let limits = Limits::simulations(150);
        let plain = puct_search(&mut search, &line, &limits, &mut network(2));
        let thought = think(&mut search, &line, &limits, &mut [network(2)]);
        assert_eq!(plain, thought);
        let cached = think(&mut search, &line, &limits, &mut [Cached::new(network(2), 6)]);
        assert_eq!(plain, cached);
    }
}

#[test]
fn several_threads_and_batches_find_the_exact_values() {
    for (threads, width) in [(4, 1), (1, 16), (3, 5)] {
        for heap in 2..12 {
            let position = Subtraction::with_heap(heap);
            let mut search = Search::new(SearchSettings::PLAY);
            let mut evaluators = vec![Wide(Moody, width); threads];
            let line = Line::new(position.clone());
            let decision = think(&mut search, &line, &Limits::simulations(4000), &mut evaluators);
            check_tree(&search);
            let mut next = position.clone();
            next.play(decision.action);
            assert_eq!(exact_value(&next), exact_value(&position), "heap {heap}");
        }
        let line = Line::new(Dice::parse("4 2 choosing", RuleSet::Classic).unwrap());
        let mut search = Search::new(SearchSettings::PLAY);
        let mut evaluators = vec![Wide(Moody, width); threads];
        let decision = think(&mut search, &line, &Limits::simulations(4000), &mut evaluators);
        assert!((decision.wdl.value() - exact_value(line.position())).abs() < 1e-5);
    }
}

#[test]
fn a_search_stops_when_it_is_told_to_or_when_it_is_full() {
    let line = line(1, 4);
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let mut search = Search::new(SearchSettings { memory_bytes: 500_000, ..SearchSettings::PLAY });
    let stopped = Limits { stop: Some(stop), ..Limits::default() };
    assert_eq!(think(&mut search, &line, &stopped, &mut [network(1)]).simulations, 0);
    let decision = think(&mut search, &line, &Limits::default(), &mut [network(1), network(1)]);
    assert!(search.is_full());
    let action = size_of_val(&search.edges[0]) + size_of_val(&search.actions[0]);
    let bytes = search.edges.len() * action + search.nodes.len() * size_of_val(&search.nodes[0]);
    assert!((500_000..520_000).contains(&bytes), "{bytes}");
    assert!(decision.simulations > 50 && !decision.settled);
}

/// Where captures are followed without an opinion, and where priors are spread, exact values stay exact and
/// budgets budgets.
#[test]
fn captures_can_be_followed_before_anything_is_judged() {
    struct Quiet(NetEvaluator<Board>, u32);
    impl Evaluator<Board> for Quiet {
        fn evaluate(
            &mut self,
            position: &Board,
            actions: &[camelot_core::Move],
            logits: &mut Vec<f32>,
        ) -> Wdl {
            let hot = actions.len() <= 6 && actions.iter().all(|action| !action.captured.is_empty());
            self.1 += u32::from(hot);
            self.0.evaluate(position, actions, logits)
        }
    }
    let settings = SearchSettings { capture_choices: 6, even_share: 0.3, ..SearchSettings::PLAY };
    for number in 0..10 {
        let line = line(number, 14);
        let mut search = Search::new(settings);
        let mut evaluator = Quiet(network(1), 0);
        let decision = puct_search(&mut search, &line, &Limits::simulations(300), &mut evaluator);
        check_tree(&search);
        // The root itself is judged whatever it is.
        assert!(evaluator.1 <= 1);
        assert!(decision.simulations == 300 || decision.settled || search.root_actions() == 1);
        let priors: f32 = search.root_edges().map(|edge| edge.prior).sum();
        let least = 0.3 / search.root_actions() as f32;
        assert!((priors - 1.0).abs() < 1e-4);
        assert!(search.root_edges().all(|edge| edge.prior >= 0.999 * least));
    }
}

#[test]
fn the_tree_goes_with_the_game() {
    let settings = SearchSettings { reuse_tree: true, ..SearchSettings::PLAY };
    let limits = Limits::simulations(300);
    let mut search = Search::new(settings);
    let mut kept = 0;
    for number in 0..4 {
        let mut line = line(number, 8);
        let mut evaluators = [network(3)];
        while line.outcome().is_none() && line.actions().len() < 60 {
            let decision = think(&mut search, &line, &limits, &mut evaluators);
            check_tree(&search);
            assert!(search.nodes[0].state == *line.position());
            let visits: u32 = search.root_edges().map(|edge| edge.visits).sum();
            kept += u64::from(visits - decision.simulations);
            assert!(decision.simulations == 300 || decision.settled || search.root_actions() == 1);
            line.play(decision.action);
            // Now and then somebody else moves, so that two plies are followed at once.
            if line.outcome().is_none() && line.actions().len().is_multiple_of(3) {
                let mut actions = Vec::new();
                line.position().legal_actions(&mut actions);
                line.play(actions[line.actions().len() % actions.len()]);
            }
        }
    }
    assert!(kept > 1_000, "{kept}");
}

#[test]
fn a_tree_of_another_game_is_not_taken_over() {
    let settings = SearchSettings { reuse_tree: true, ..SearchSettings::PLAY };
    let (one, other) = (line(1, 8), line(2, 8));
    let limits = Limits::simulations(100);
    let mut search = Search::new(settings);
    think(&mut search, &one, &limits, &mut [network(3)]);
    let after = think(&mut search, &other, &limits, &mut [network(3)]);
    let fresh = think(&mut Search::new(settings), &other, &limits, &mut [network(3)]);
    assert_eq!(after, fresh);
}

/// Once its buffers have grown a search allocates nothing more, whatever the way it is driven.
#[test]
fn a_simulation_allocates_nothing() {
    allocates_nothing(SearchSettings::PLAY);
    allocates_nothing(SearchSettings { offers: 30, capture_choices: 4, ..SearchSettings::PLAY });
}

fn allocates_nothing(search: SearchSettings) {
    let line = line(3, 12);
    let mut search = Search::new(search);
    let mut evaluator = Cached::new(network(4), 10);
    let mut plan = GumbelPlan::default();
    let settings =
        GumbelSettings { simulations: 400, considered: 16, visit_offset: 50.0, value_scale: 0.2, noise: 1.0 };
    let mut rng = generator(1, Purpose::Bench, 0);
    let mut counts = Vec::new();
    for _ in 0..2 {
        let count = allocation_counter::measure(|| {
            search.begin(&line, &mut evaluator);
            plan.begin(settings, &search, &mut rng);
            while let Some(first) = plan.next(&search) {
                search.simulate(Some(first), &mut evaluator);
            }
            for _ in 0..1_000 {
                search.simulate(None, &mut evaluator);
            }
        });
        counts.push(count.count_total);
        // Another tree may grow a little larger than the first, and its paths a little longer.
        search.probes.reserve(30);
        search.spare.reserve(30);
        search.spare.iter_mut().for_each(|path| path.reserve(200));
        search.keys.reserve(200);
        search.scratch.reserve(1_000);
        search.nodes.reserve(2_000);
        search.edges.reserve(100_000);
        search.actions.reserve(100_000);
    }
    assert!(counts[0] > 0, "the counter counts");
    assert_eq!(counts[1], 0);
}

#[test]
fn a_cache_gives_back_what_the_evaluator_said() {
    let mut plain = network(5);
    let mut cached = Cached::new(network(5), 4);
    let positions: Vec<Board> = (0..200).map(|i| *line(i % 40, (i % 7) as u32).position()).collect();
    let (mut expected, mut found) = (Vec::new(), Vec::new());
    let lists: Vec<Vec<_>> = positions
        .iter()
        .map(|position| {
            let mut actions = Vec::new();
            position.legal_actions(&mut actions);
            actions
        })
        .collect();
    for (position, actions) in positions.iter().zip(&lists) {
        let wdl = plain.evaluate(position, actions, &mut expected);
        assert_eq!(cached.evaluate(position, actions, &mut found), wdl);
        assert_eq!(found, expected);
    }
    for part in (0..positions.len()).collect::<Vec<_>>().chunks(9) {
        let requests: Vec<_> =
            part.iter().map(|&i| Request { position: &positions[i], actions: &lists[i] }).collect();
        let mut answers = vec![Evaluation::default(); part.len()];
        cached.evaluate_batch(&requests, &mut answers);
        for (&i, answer) in part.iter().zip(&answers) {
            assert_eq!(plain.evaluate(&positions[i], &lists[i], &mut expected), answer.wdl);
            assert_eq!(answer.logits, expected);
        }
    }
}
