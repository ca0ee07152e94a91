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
use super::select::best_index;
use super::tree::Search;
use crate::rng::Generator;

/// Settings of the Gumbel root.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
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
    let mut sequence = Vec::new();
    write_considered_visits(considered, simulations, &mut sequence);
    sequence
}

fn write_considered_visits(considered: usize, simulations: u32, sequence: &mut Vec<u32>) {
    sequence.clear();
    if considered <= 1 {
        sequence.extend(0..simulations);
        return;
    }
    let rounds = considered.next_power_of_two().trailing_zeros();
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
}

/// A search for training, a simulation at a time: [`GumbelPlan::begin`], then for each simulation
/// [`GumbelPlan::next`] says where it starts, at last [`GumbelPlan::decide`]. Used again without allocating anew.
#[derive(Debug, Default)]
pub struct GumbelPlan {
    settings: GumbelSettings,
    /// The evaluator's opinion of the root.
    raw_value: f32,
    known: Vec<Known>,
    noise: Vec<f32>,
    sequence: Vec<u32>,
    done: usize,
    scores: Vec<f32>,
}

/// What the formulas need of a root action.
#[derive(Clone, Copy, Debug)]
struct Known {
    prior: f32,
    logit: f32,
    /// Simulations that began with it. Offers followed on the way may give its edge more visits.
    visits: u32,
    value: Option<f32>,
    /// Left out as a repetition.
    excluded: bool,
    /// Worth a simulation: neither left out nor certainly lost.
    candidate: bool,
}

impl Known {
    fn new<A>(edge: &RootEdge<A>) -> Self {
        let logit = edge.prior.max(f32::MIN_POSITIVE).ln();
        let mut known = Self {
            prior: edge.prior,
            logit,
            visits: edge.visits,
            value: None,
            excluded: false,
            candidate: true,
        };
        known.update(edge);
        known
    }

    fn update<A>(&mut self, edge: &RootEdge<A>) {
        let lost = edge.settled && edge.value.is_some_and(|value| value <= -1.0);
        self.value = edge.value;
        self.excluded = edge.excluded;
        self.candidate = !edge.excluded && !lost;
    }
}

impl GumbelPlan {
    /// Deals the noise and plans the simulations of a search whose root has just been evaluated.
    pub fn begin<G: Game>(&mut self, settings: GumbelSettings, search: &Search<G>, rng: &mut Generator) {
        self.settings = settings;
        self.raw_value = search.root_mean();
        self.known.clear();
        self.known.extend(search.root_edges().map(|edge| Known { visits: 0, ..Known::new(&edge) }));
        self.noise.clear();
        self.noise.extend(self.known.iter().map(|_| settings.noise * gumbel(rng)));
        let open = self.known.iter().filter(|known| !known.excluded).count();
        write_considered_visits(settings.considered.min(open), settings.simulations, &mut self.sequence);
        self.done = 0;
    }

    /// The root action of the next simulation; `None` when the search is over.
    pub fn next<G: Game>(&mut self, search: &Search<G>) -> Option<usize> {
        if search.settled() || search.is_full() {
            return None;
        }
        let &wanted = self.sequence.get(self.done)?;
        self.done += 1;
        self.look(search);
        let best = self.best_with_visits(wanted);
        self.known[best].visits += 1;
        Some(best)
    }

    /// Simulations so far.
    #[must_use]
    pub fn simulations(&self) -> u32 {
        self.done as u32
    }

    /// The action to play, and the policy that the search has come to.
    pub fn decide<G: Game>(&mut self, search: &Search<G>) -> Decision<G::Action> {
        self.look(search);
        let most = self.known.iter().filter(|known| known.candidate).map(|known| known.visits).max();
        let edges: Vec<_> = search.root_edges().collect();
        let best = if search.settled() {
            final_choice(&edges, true)
        } else {
            self.best_with_visits(most.unwrap_or(0))
        };
        let shares = improved_policy(&self.known, self.raw_value, self.settings);
        Decision {
            action: edges[best].action,
            policy: edges.iter().map(|edge| edge.action).zip(shares).collect(),
            wdl: search.root_wdl(),
            simulations: self.simulations(),
            settled: search.settled(),
            line: search.principal_variation(best),
        }
    }

    /// Takes over what the last simulation found out, and scores the actions anew.
    fn look<G: Game>(&mut self, search: &Search<G>) {
        for (known, edge) in self.known.iter_mut().zip(search.root_edges()) {
            known.update(&edge);
        }
        improved_logits(&self.known, self.raw_value, self.settings, &mut self.scores);
        for (score, noise) in self.scores.iter_mut().zip(&self.noise) {
            *score += noise;
        }
    }

    /// The candidate of the highest score among those with `wanted` visits, or among all if none has them:
    /// certainly lost actions drop out of their round.
    fn best_with_visits(&self, wanted: u32) -> usize {
        best_index(self.known.iter().zip(&self.scores).map(|(known, &score)| {
            let round = known.candidate.then_some(known.visits == wanted);
            (round, score)
        }))
    }
}

/// Searches the position at the end of `line`, and draws the action to play.
pub fn gumbel_search<G: Game>(
    search: &mut Search<G>,
    line: &Line<G>,
    settings: GumbelSettings,
    evaluator: &mut impl Evaluator<G>,
    rng: &mut Generator,
) -> Decision<G::Action> {
    search.begin(line, evaluator);
    let mut plan = GumbelPlan::default();
    plan.begin(settings, search, rng);
    while let Some(first) = plan.next(search) {
        search.simulate(Some(first), evaluator);
    }
    plan.decide(search)
}

/// A standard Gumbel variate.
fn gumbel(rng: &mut Generator) -> f32 {
    let uniform: f32 = rng.random_range(f32::MIN_POSITIVE..1.0);
    -(-uniform.ln()).max(f32::MIN_POSITIVE).ln()
}

/// The value that completes unvisited actions (equation 33): the evaluator's value and the mean of the
/// visited actions, weighted by their priors, in proportion to the visits.
fn mixed_value(known: &[Known], raw_value: f32) -> f32 {
    let (mut visits, mut prior, mut weighted) = (0, 0.0, 0.0);
    for edge in known.iter().filter(|edge| edge.visits > 0) {
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
fn improved_logits(known: &[Known], raw_value: f32, settings: GumbelSettings, out: &mut Vec<f32>) {
    let most = known.iter().map(|edge| edge.visits).max().unwrap_or(0);
    let scale = (settings.visit_offset + most as f32) * settings.value_scale;
    let mixed = mixed_value(known, raw_value);
    out.clear();
    out.extend(known.iter().map(|edge| {
        let value = edge.value.unwrap_or(mixed);
        edge.logit + scale * f32::midpoint(value, 1.0)
    }));
}

/// Equation 11. Actions left out as repetitions get nothing.
fn improved_policy(known: &[Known], raw_value: f32, settings: GumbelSettings) -> Vec<f32> {
    let mut logits = Vec::new();
    improved_logits(known, raw_value, settings, &mut logits);
    let open = || known.iter().zip(&logits).filter(|(edge, _)| !edge.excluded);
    let top = open().map(|(_, &logit)| logit).fold(f32::MIN, f32::max);
    let sum: f32 = open().map(|(_, logit)| (logit - top).exp()).sum();
    let share = |(edge, logit): (&Known, &f32)| {
        if edge.excluded { 0.0 } else { (logit - top).exp() / sum }
    };
    known.iter().zip(&logits).map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(prior: f32, visits: u32, value: Option<f32>) -> Known {
        let edge = RootEdge { action: 0, prior, visits, value, settled: false, plies: 0, excluded: false };
        Known::new(&edge)
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
        for (share, weight) in policy.iter().zip(weights) {
            assert!((share - weight / sum).abs() < 1e-5);
        }
    }

    #[test]
    fn an_even_policy_with_even_values_stays_even() {
        let edges = [edge(0.5, 2, Some(0.3)), edge(0.5, 2, Some(0.3))];
        let policy = improved_policy(&edges, -0.5, SETTINGS);
        assert!((policy[0] - 0.5).abs() < 1e-6);
    }
}
