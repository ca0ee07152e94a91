//! Search for play: PUCT from the root down, the most visited action wins.

use camelot_core::{Game, Line};
use camelot_models::Evaluator;

use super::limits::{Limits, Watch};
use super::root::{Decision, RootEdge};
use super::select::best_index;
use super::tree::Search;

/// Searches the position at the end of `line` with one evaluator, one simulation at a time, and chooses.
pub fn puct_search<G: Game>(
    search: &mut Search<G>,
    line: &Line<G>,
    limits: &Limits,
    evaluator: &mut impl Evaluator<G>,
) -> Decision<G::Action> {
    let mut watch = Watch::new(limits);
    search.begin(line, evaluator);
    while search.goes_on() && watch.allows_another() {
        search.simulate(None, evaluator);
    }
    decide_by_visits(search, watch.simulations())
}

impl<G: Game> Search<G> {
    /// Whether further simulations can change the choice, and there is room for them.
    #[must_use]
    pub fn goes_on(&self) -> bool {
        self.root_actions() > 1 && !self.settled() && !self.is_full()
    }
}

/// Chooses the most visited action; exact results come first: the quickest win, never a loss while there is
/// anything else, the longest way if all lose.
pub fn decide_by_visits<G: Game>(search: &Search<G>, simulations: u32) -> Decision<G::Action> {
    let edges: Vec<_> = search.root_edges().collect();
    // What is certainly lost has no share in the policy while there is anything else.
    let lost = |edge: &RootEdge<G::Action>| edge.settled && edge.value.is_some_and(|value| value <= -1.0);
    let all_lost = edges.iter().all(lost);
    let counts = |edge: &RootEdge<G::Action>| if all_lost || !lost(edge) { edge.visits } else { 0 };
    let total: u32 = edges.iter().map(counts).sum();
    let share = |edge: &RootEdge<G::Action>| {
        if total == 0 { edge.prior } else { counts(edge) as f32 / total as f32 }
    };
    let best = final_choice(&edges, search.settled());
    Decision {
        action: edges[best].action,
        policy: edges.iter().map(|edge| (edge.action, share(edge))).collect(),
        wdl: search.root_wdl(),
        simulations,
        settled: search.settled(),
        line: search.principal_variation(best),
    }
}

/// The index of the action to play: the quickest certain win; else, if everything is known, the best
/// value by the longest way; else the most visited action that is not certainly lost, unless another is
/// certain to be worth more than that one's mean: simulations do not go to what is known already.
pub(super) fn final_choice<A>(edges: &[RootEdge<A>], settled: bool) -> usize {
    const CERTAIN: f64 = 1e12;
    let open = |edge: &&RootEdge<A>| !edge.excluded && !edge.settled && edge.visits > 0;
    let favourite = edges.iter().filter(open).max_by_key(|edge| edge.visits).and_then(|edge| edge.value);
    best_index(edges.iter().map(|edge| {
        let (visits, plies) = (f64::from(edge.visits), f64::from(edge.plies));
        let value = f64::from(edge.value.unwrap_or(-1.0));
        match (edge.settled, settled) {
            (true, _) if value >= 1.0 => CERTAIN - plies,
            (true, true) => value * 1e9 + plies,
            (true, false) if value <= -1.0 => plies - CERTAIN,
            _ if edge.excluded => -CERTAIN / 2.0,
            (true, false) if favourite.is_some_and(|mean| value >= f64::from(mean)) => {
                CERTAIN / 2.0 + 1e6 * value
            }
            (false, true) => -CERTAIN / 4.0,
            // Visits decide; among equals the value, then the prior.
            (_, false) => visits + 0.25 * value + 0.1 * f64::from(edge.prior),
        }
    }))
}
