//! Search for training: a Gumbel root with sequential halving, which improves the policy even with few
//! simulations (Danihelka et al., "Policy improvement by planning with Gumbel", ICLR 2022).
//!
//! Each root action has a score `g + logit + σ(q)` with Gumbel noise `g`. Simulations go to the best few
//! actions in rounds that halve their number; the best survivor is played. With
//! `σ(q) = (c_visit + max visits) · c_scale · q`, `q` scaled to `[0, 1]` (equation 8), the improved policy
//! is `softmax(logit + σ(completed q))` (equation 11), unvisited actions being completed by a mix of the
//! evaluator's value and the visited ones (equation 33).

use camelot_core::{Game, Line};
use camelot_models::Evaluator;
use rand::RngExt;

use super::puct::final_choice;
use super::root::{Decision, RootEdge};
use super::tree::{Search, best_index};
use crate::rng::Generator;

/// Settings of the Gumbel root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GumbelSettings {
    /// Simulations a search.
    pub simulations: u32,
    /// How many actions are tried at first.
    pub considered: usize,
    /// `c_visit` of equation 8.
    pub visit_offset: f32,
    /// `c_scale` of equation 8.
    pub value_scale: f32,
    /// Multiplies the noise; 0 makes the search deterministic.
    pub noise: f32,
}

/// For each simulation the number of visits that the action to simulate must have: `considered` actions
/// share `simulations` in rounds that halve their number (figure 1 and appendix B of the paper).
#[must_use]
pub fn considered_visits(considered: usize, simulations: u32) -> Vec<u32> {
    if considered <= 1 {
        return (0..simulations).collect();
    }
    let rounds = considered.next_power_of_two().trailing_zeros();
    let mut sequence = Vec::new();
    let mut visits = 0;
    let mut left = considered;
    while sequence.len() < simulations as usize {
        let share = (simulations / (rounds * left as u32)).max(1);
        for _ in 0..share {
            sequence.extend(std::iter::repeat_n(visits, left));
            visits += 1;
        }
        left = (left / 2).max(2);
    }
    sequence.truncate(simulations as usize);
    sequence
}

/// Searches the position at the end of `line`, and draws the action to play.
pub fn gumbel_search<G: Game>(
    search: &mut Search<G>,
    line: &Line<G>,
    settings: GumbelSettings,
    evaluator: &mut impl Evaluator<G>,
    rng: &mut Generator,
) -> Decision<G::Action> {
    search.start(line, evaluator);
    let raw_value = search.root_mean();
    let noise: Vec<f32> = (0..search.root_actions()).map(|_| settings.noise * gumbel(rng)).collect();
    let mut edges: Vec<_> = search.root_edges().collect();
    let open = edges.iter().filter(|edge| !edge.excluded).count();
    let sequence = considered_visits(settings.considered.min(open), settings.simulations);
    let mut simulations = 0;
    let mut scores = Vec::new();
    for wanted in sequence {
        if search.settled() || search.is_full() {
            break;
        }
        score(&edges, &noise, raw_value, settings, &mut scores);
        search.simulate(Some(best_with_visits(&edges, &scores, wanted)), evaluator);
        simulations += 1;
        edges.clear();
        edges.extend(search.root_edges());
    }
    score(&edges, &noise, raw_value, settings, &mut scores);
    let most = edges.iter().filter(|edge| is_candidate(edge)).map(|edge| edge.visits).max().unwrap_or(0);
    let best =
        if search.settled() { final_choice(&edges, true) } else { best_with_visits(&edges, &scores, most) };
    Decision {
        action: edges[best].action,
        policy: improved_policy(&edges, raw_value, settings),
        wdl: search.root_wdl(),
        simulations,
        settled: search.settled(),
        line: search.principal_variation(best),
    }
}

/// Whether an action is worth a simulation: neither left out nor certainly lost.
fn is_candidate<A>(edge: &RootEdge<A>) -> bool {
    let lost = edge.settled && edge.value.is_some_and(|value| value <= -1.0);
    !edge.excluded && !lost
}

/// The candidate of the highest score among those with `wanted` visits, or among all if none has them:
/// certainly lost actions drop out of their round.
fn best_with_visits<A>(edges: &[RootEdge<A>], scores: &[f32], wanted: u32) -> usize {
    best_index(edges.iter().zip(scores).map(|(edge, &score)| {
        let round = is_candidate(edge).then_some(edge.visits == wanted);
        (round, score)
    }))
}

/// A standard Gumbel variate.
fn gumbel(rng: &mut Generator) -> f32 {
    let uniform: f32 = rng.random_range(f32::MIN_POSITIVE..1.0);
    -(-uniform.ln()).max(f32::MIN_POSITIVE).ln()
}

/// The value that completes unvisited actions (equation 33): the evaluator's value and the mean of the
/// visited actions, weighted by their priors, in proportion to the visits.
fn mixed_value<A>(edges: &[RootEdge<A>], raw_value: f32) -> f32 {
    let (mut visits, mut prior, mut weighted) = (0, 0.0, 0.0);
    for edge in edges.iter().filter(|edge| edge.visits > 0) {
        visits += edge.visits;
        prior += edge.prior;
        weighted += edge.prior * edge.value.unwrap_or(raw_value);
    }
    if visits == 0 || prior <= 0.0 {
        return raw_value;
    }
    let visits = visits as f32;
    (raw_value + visits * weighted / prior) / (1.0 + visits)
}

/// Writes `logit + σ(completed q)` of each action to `out`.
fn improved_logits<A>(edges: &[RootEdge<A>], raw_value: f32, settings: GumbelSettings, out: &mut Vec<f32>) {
    let most = edges.iter().map(|edge| edge.visits).max().unwrap_or(0);
    let scale = (settings.visit_offset + most as f32) * settings.value_scale;
    let mixed = mixed_value(edges, raw_value);
    out.clear();
    out.extend(edges.iter().map(|edge| {
        let value = edge.value.unwrap_or(mixed);
        edge.prior.max(f32::MIN_POSITIVE).ln() + scale * f32::midpoint(value, 1.0)
    }));
}

/// The improved logits with the noise that the actions were dealt.
fn score<A>(
    edges: &[RootEdge<A>],
    noise: &[f32],
    raw_value: f32,
    settings: GumbelSettings,
    out: &mut Vec<f32>,
) {
    improved_logits(edges, raw_value, settings, out);
    for (score, noise) in out.iter_mut().zip(noise) {
        *score += noise;
    }
}

/// Equation 11. Actions left out as repetitions get nothing.
fn improved_policy<A: Copy>(
    edges: &[RootEdge<A>],
    raw_value: f32,
    settings: GumbelSettings,
) -> Vec<(A, f32)> {
    let mut logits = Vec::new();
    improved_logits(edges, raw_value, settings, &mut logits);
    let open = || edges.iter().zip(&logits).filter(|(edge, _)| !edge.excluded);
    let top = open().map(|(_, &logit)| logit).fold(f32::MIN, f32::max);
    let sum: f32 = open().map(|(_, logit)| (logit - top).exp()).sum();
    edges
        .iter()
        .zip(&logits)
        .map(|(edge, logit)| {
            let share = if edge.excluded { 0.0 } else { (logit - top).exp() / sum };
            (edge.action, share)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(prior: f32, visits: u32, value: Option<f32>) -> RootEdge<u8> {
        RootEdge { action: 0, prior, visits, value, settled: false, plies: 0, excluded: false }
    }

    const SETTINGS: GumbelSettings =
        GumbelSettings { simulations: 16, considered: 4, visit_offset: 50.0, value_scale: 0.1, noise: 0.0 };

    #[test]
    fn sequential_halving_shares_its_simulations_by_the_published_schedule() {
        assert_eq!(considered_visits(1, 3), [0, 1, 2]);
        assert_eq!(considered_visits(4, 8), [0, 0, 0, 0, 1, 1, 2, 2]);
        // Four actions, 16 simulations: two rounds of 4 x 2 and 2 x 4.
        assert_eq!(considered_visits(4, 16), [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
        assert_eq!(considered_visits(3, 4), [0, 0, 0, 1]);
    }

    #[test]
    fn unvisited_actions_are_completed_by_the_mixed_value() {
        let edges = [edge(0.5, 3, Some(0.6)), edge(0.3, 1, Some(-0.2)), edge(0.2, 0, None)];
        // Visited: (0.5 * 0.6 - 0.3 * 0.2) / 0.8 = 0.3; with four visits (0.1 + 4 * 0.3) / 5 = 0.26.
        assert!((mixed_value(&edges, 0.1) - 0.26).abs() < 1e-6);
        assert!((mixed_value(&edges[2..], 0.1) - 0.1).abs() < 1e-6);
    }

    #[test]
    fn the_improved_policy_is_the_softmax_of_logits_and_scaled_values() {
        let edges = [edge(0.5, 3, Some(0.6)), edge(0.3, 1, Some(-0.2)), edge(0.2, 0, None)];
        let policy = improved_policy(&edges, 0.1, SETTINGS);
        // σ = (50 + 3) * 0.1 = 5.3 on values 0.8, 0.4 and 0.63.
        let weights =
            [0.5 * (5.3_f32 * 0.8).exp(), 0.3 * (5.3_f32 * 0.4).exp(), 0.2 * (5.3_f32 * 0.63).exp()];
        let sum: f32 = weights.iter().sum();
        for ((_, share), weight) in policy.iter().zip(weights) {
            assert!((share - weight / sum).abs() < 1e-5);
        }
    }

    #[test]
    fn an_even_policy_with_even_values_stays_even() {
        let edges = [edge(0.5, 2, Some(0.3)), edge(0.5, 2, Some(0.3))];
        let policy = improved_policy(&edges, -0.5, SETTINGS);
        assert!((policy[0].1 - 0.5).abs() < 1e-6);
    }
}
