//! All that a search found out about a position, for those who want more than a move.

use camelot_core::{Game, Line};
use camelot_models::{Encode, Evaluator, Wdl};

use super::NetPlayer;
use crate::search::{Limits, RootEdge, think};

/// One action of the position.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate<A> {
    /// What the search knows of it.
    pub edge: RootEdge<A>,
    /// The network's own logit, of which the search makes the prior.
    pub logit: f32,
    /// The best play found from it on, itself first.
    pub line: Vec<A>,
}

/// What came out of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis<A> {
    /// Win, draw and loss shares in the view of the player to move.
    pub wdl: Wdl,
    /// The same by the network alone, without a search.
    pub network: Wdl,
    /// Whether the result is certain.
    pub settled: bool,
    /// Simulations spent.
    pub simulations: u32,
    /// All legal actions: the one to play first, then by visits and prior.
    pub candidates: Vec<Candidate<A>>,
}

impl<G: Encode> NetPlayer<G> {
    /// Searches the position at the end of `line` anew, whatever was searched before. The line is not over and has a player to move. Where `limits` sets
    /// neither simulations nor time, the player's own effort holds.
    pub fn analyse(&mut self, line: &Line<G>, limits: &Limits) -> Analysis<<G as Game>::Action> {
        self.search.forget();
        let limits = limits.or(&self.limits);
        let decision = think(&mut self.search, line, &limits, &mut self.evaluators);
        let (network, logits) = self.opinion(line.position());
        let edges = self.search.root_edges().zip(logits);
        let mut candidates: Vec<_> =
            edges.map(|(edge, logit)| Candidate { edge, logit, line: Vec::new() }).collect();
        for (number, candidate) in candidates.iter_mut().enumerate() {
            candidate.line = self.search.principal_variation(number);
        }
        candidates.sort_by(|one, other| {
            let played = |candidate: &Candidate<_>| candidate.edge.action == decision.action;
            (played(other).cmp(&played(one)))
                .then(other.edge.visits.cmp(&one.edge.visits))
                .then(other.edge.prior.total_cmp(&one.edge.prior))
        });
        Analysis {
            wdl: decision.wdl,
            network,
            settled: decision.settled,
            simulations: decision.simulations,
            candidates,
        }
    }

    /// The network's value of a position, and a logit for each legal action.
    fn opinion(&mut self, position: &G) -> (Wdl, Vec<f32>) {
        let (mut actions, mut logits) = (Vec::new(), Vec::new());
        position.legal_actions(&mut actions);
        let evaluator = self.evaluators.first_mut().expect("a player has a thread");
        (evaluator.evaluate(position, &actions, &mut logits), logits)
    }
}

#[cfg(test)]
mod tests {
    use camelot_core::{Cam, Position, RuleSet};
    use camelot_models::{SparseShape, Weights};

    use super::*;
    use crate::players::{NetOptions, Player};
    use crate::rng::{Purpose, generator};

    #[test]
    fn an_analysis_plays_what_the_player_plays_and_accounts_for_its_simulations() {
        type G = Position<Cam>;
        let shape = SparseShape { accumulator: 32, hidden: 32, policy: 32 };
        let weights = Weights::random(G::sizes(), shape, 3);
        let player = || NetPlayer::<G>::new(&weights, NetOptions::default());
        let line = Line::new(G::start(RuleSet::Classic));
        let limits = Limits::simulations(60);
        let analysis = player().analyse(&line, &limits);
        let mut rng = generator(1, Purpose::Bench, 0);
        let thought = player().think(&line, &limits, &mut rng).unwrap();
        let first = &analysis.candidates[0];
        assert_eq!((first.edge.action, &first.line), (thought.action, &thought.line));
        assert_eq!(Some(analysis.wdl.value()), thought.value);
        let mut actions = Vec::new();
        line.position().legal_actions(&mut actions);
        assert_eq!(analysis.candidates.len(), actions.len());
        let visits: u32 = analysis.candidates.iter().map(|candidate| candidate.edge.visits).sum();
        // Offers that are followed add visits to those of the simulations.
        assert!(analysis.simulations == 60 && visits >= 60, "{visits}");
        let priors: f32 = analysis.candidates.iter().map(|candidate| candidate.edge.prior).sum();
        assert!((priors - 1.0).abs() < 1e-3, "{priors}");
        // Nothing bends the priors of this player: they are the softmax of the logits.
        let shift = |candidate: &Candidate<_>| candidate.edge.prior.ln() - candidate.logit;
        assert!(analysis.candidates.iter().all(|one| (shift(one) - shift(first)).abs() < 1e-3));
        for candidate in analysis.candidates.iter().filter(|candidate| candidate.edge.visits > 0) {
            assert_eq!(candidate.line[0], candidate.edge.action);
        }
    }
}
