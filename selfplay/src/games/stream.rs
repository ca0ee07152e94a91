//! One game of self-play after another, as a machine that stops wherever it wants an evaluation.

use camelot_core::record::{GameRecord, PlyRecord, SearchRecord, quantise_policy, sorted_actions};
use camelot_core::{Game, Line, Outcome, Team, Turn};
use camelot_models::{Encode, Evaluation, Request};
use rand::{RngExt, SeedableRng};
use std::sync::atomic::Ordering;

use super::{GAMES_LIMIT, Progress, SelfPlay, positions_of, random_opening};
use crate::players::{Advance, LoadedPlayer, Player};
use crate::rng::{Generator, Purpose, derive_seed};
use crate::rollout::draw_outcome;
use crate::search::{Decision, Descent, GumbelPlan, Limits, Search, Ticket, decide_by_visits};

/// A game in progress with its search.
pub(super) struct Stream<'a, G: Encode + Advance> {
    selfplay: &'a SelfPlay<'a>,
    network: u64,
    number: u64,
    seed: u64,
    rng: Generator,
    line: Line<G>,
    records: Vec<PlyRecord>,
    outcome: Option<Outcome>,
    search: Search<G>,
    plan: GumbelPlan,
    partner: Option<Box<dyn Player<G>>>,
    /// The team that the partner holds in this game.
    partners_team: Option<Team>,
    thinking: Option<Thinking>,
    ticket: Option<Ticket>,
}

/// The search that is under way.
#[derive(Clone, Copy, Debug)]
enum Thinking {
    /// Its root is being evaluated.
    Beginning(Depth),
    /// A recorded search.
    Full,
    /// A fast one, and its simulations so far.
    Fast(u32),
}

/// Which of the two searches a move gets (playout cap randomisation, Wu 2019).
#[derive(Clone, Copy, Debug)]
enum Depth {
    Full,
    Fast,
}

impl<'a, G: Encode + Advance> Stream<'a, G> {
    /// A stream that begins with game `number`; `network` names the weights in its record.
    pub(super) fn new(selfplay: &'a SelfPlay<'a>, network: u64, number: u64) -> Self {
        let mut stream = Self {
            selfplay,
            network,
            number,
            seed: 0,
            rng: Generator::seed_from_u64(0),
            line: Line::new(G::start(selfplay.rules)),
            records: Vec::new(),
            outcome: None,
            search: Search::new(selfplay.settings.search),
            plan: GumbelPlan::default(),
            partner: selfplay.partner.map(LoadedPlayer::seat),
            partners_team: None,
            thinking: None,
            ticket: None,
        };
        stream.begin(number);
        stream
    }

    /// Starts another game.
    pub(super) fn begin(&mut self, number: u64) {
        let SelfPlay { seed, iteration, rules, settings, .. } = *self.selfplay;
        self.number = number;
        self.seed = derive_seed(seed, Purpose::SelfPlay, iteration * GAMES_LIMIT + number);
        self.rng = Generator::seed_from_u64(self.seed);
        let plies = self.rng.random_range(0..=settings.opening_plies);
        self.line = random_opening(&G::start(rules), plies, &mut self.rng);
        self.records.clear();
        self.records.extend(
            positions_of(&self.line)
                .iter()
                .map(|(position, action)| PlyRecord { action: place(position, *action), search: None }),
        );
        self.outcome = None;
        self.thinking = None;
        self.partners_team = self.spar();
    }

    /// Whether the partner takes part in the game that begins, and on which side.
    fn spar(&mut self) -> Option<Team> {
        let share = self.selfplay.settings.sparring_share;
        let partner = self.partner.as_mut().filter(|_| share > 0.0)?;
        let side = if self.rng.random() { Team::One } else { Team::Two };
        if self.rng.random::<f32>() >= share {
            return None;
        }
        partner.new_game();
        Some(side)
    }

    /// The game's number.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Plays on until an evaluation is wanted. Returns `false` at the end of the game.
    pub(super) fn advance(&mut self, progress: &Progress) -> bool {
        loop {
            let Some(thinking) = self.thinking else {
                self.outcome = self.ended();
                if self.outcome.is_some() {
                    return false;
                }
                if self.begin_ply(progress) {
                    return true;
                }
                continue;
            };
            if self.search.has_probes() {
                if let Descent::Wanted(ticket) = self.search.descend(None) {
                    self.ticket = Some(ticket);
                    return true;
                }
                continue;
            }
            let wanted = match thinking {
                Thinking::Beginning(depth) => {
                    self.thinking = Some(self.begin_search(depth));
                    continue;
                }
                Thinking::Full => self.plan.next(&self.search).map(Some),
                Thinking::Fast(done) => {
                    let another = done < self.selfplay.settings.fast_simulations && self.search.goes_on();
                    self.thinking = Some(Thinking::Fast(done + u32::from(another)));
                    another.then_some(None)
                }
            };
            let Some(first) = wanted else {
                self.end_search(progress);
                continue;
            };
            if let Descent::Wanted(ticket) = self.search.descend(first) {
                self.ticket = Some(ticket);
                return true;
            }
        }
    }

    /// The position to be evaluated.
    pub(super) fn request(&self) -> Request<'_, G> {
        let ticket = self.ticket.as_ref().expect("asked after `advance` said that there is one");
        let (position, actions) = self.search.request(ticket);
        Request { position, actions }
    }

    /// Takes the evaluation.
    pub(super) fn answer(&mut self, answer: &Evaluation) {
        let ticket = self.ticket.take().expect("answered once for each request");
        self.search.apply(ticket, answer.wdl, &answer.logits);
    }

    /// The record of the game, which is over.
    pub(super) fn take_record(&mut self) -> GameRecord {
        GameRecord {
            game: G::NAME.into(),
            rules: self.selfplay.rules,
            start: self.line.start().to_string(),
            plies: std::mem::take(&mut self.records),
            outcome: self.outcome.expect("the game is over"),
            seed: self.seed,
            network: self.network,
            engine: env!("CARGO_PKG_VERSION").into(),
        }
    }

    fn ended(&self) -> Option<Outcome> {
        let settings = self.selfplay.settings;
        let cut = || {
            let quiet = self.line.position().reversible_plies() >= settings.cut_quiet_plies;
            let long = self.line.actions().len() >= settings.cut_plies;
            (quiet || long).then(|| self.line.position().broken_off())
        };
        self.line.outcome().or_else(cut)
    }

    /// Starts the next ply: a full search that is recorded, a fast one that is not, or none where there is
    /// nothing to choose. Returns whether an evaluation is wanted.
    fn begin_ply(&mut self, progress: &Progress) -> bool {
        let position = self.line.position();
        let mut actions = Vec::new();
        position.legal_actions(&mut actions);
        if position.turn() == Turn::Chance {
            actions.sort_unstable();
            let outcome = draw_outcome(position, &actions, &mut self.rng);
            self.play(outcome, None, progress);
            return false;
        }
        if let [only] = actions[..] {
            self.play(only, None, progress);
            return false;
        }
        let full = self.rng.random::<f32>() < self.selfplay.settings.full_share;
        if !full && let Some(action) = self.partners_action() {
            self.play(action, None, progress);
            return false;
        }
        self.thinking = Some(Thinking::Beginning(if full { Depth::Full } else { Depth::Fast }));
        self.ticket = self.search.start(&self.line);
        self.ticket.is_some()
    }

    fn begin_search(&mut self, depth: Depth) -> Thinking {
        match depth {
            Depth::Full => {
                self.plan.begin(self.selfplay.settings.full, &self.search, &mut self.rng);
                Thinking::Full
            }
            Depth::Fast => Thinking::Fast(0),
        }
    }

    fn end_search(&mut self, progress: &Progress) {
        let settings = self.selfplay.settings;
        let Some(thinking) = self.thinking.take() else { return };
        let (decision, action, search) = if let Thinking::Fast(done) = thinking {
            let decision = decide_by_visits(&self.search, done);
            let action = drawn(&decision, settings.fast_temperature, &mut self.rng);
            (decision, action, None)
        } else {
            let decision = self.plan.decide(&self.search);
            let (action, record) = (decision.action, search_record(&decision));
            (decision, action, Some(record))
        };
        progress.simulations.fetch_add(u64::from(decision.simulations), Ordering::Relaxed);
        let action = self.partners_action().unwrap_or(action);
        self.play(action, search, progress);
    }

    /// What the partner plays, if it is its turn. The network searches some of these positions all the same:
    /// what it learns of them must not depend on whose they are.
    fn partners_action(&mut self) -> Option<G::Action> {
        if self.partners_team != Some(self.line.position().team_to_move()) {
            return None;
        }
        let thought = self.partner.as_mut()?.think(&self.line, &Limits::default(), &mut self.rng);
        thought.ok().map(|thought| thought.action)
    }

    fn play(&mut self, action: G::Action, search: Option<SearchRecord>, progress: &Progress) {
        self.records.push(PlyRecord { action: place(self.line.position(), action), search });
        self.line.play(action);
        progress.plies.fetch_add(1, Ordering::Relaxed);
    }
}

/// An action by its share of the visits; the best one at temperature 0 and where the result is certain.
fn drawn<A: Copy>(decision: &Decision<A>, temperature: f32, rng: &mut Generator) -> A {
    if temperature == 0.0 || decision.settled {
        return decision.action;
    }
    let weight = |share: f32| share.powf(1.0 / temperature);
    let total: f32 = decision.policy.iter().map(|&(_, share)| weight(share)).sum();
    let mut left = rng.random::<f32>() * total;
    for &(action, share) in &decision.policy {
        left -= weight(share);
        if left < 0.0 {
            return action;
        }
    }
    decision.action
}

fn search_record<A: Copy + Ord>(decision: &Decision<A>) -> SearchRecord {
    let mut policy = decision.policy.clone();
    policy.sort_unstable_by_key(|&(action, _)| action);
    let shares: Vec<f32> = policy.iter().map(|&(_, share)| share).collect();
    let wdl = decision.wdl;
    SearchRecord {
        policy: quantise_policy(&shares),
        wdl: [wdl.win, wdl.draw, wdl.loss],
        simulations: decision.simulations,
    }
}

/// The place of an action among the sorted legal ones.
fn place<G: Game>(position: &G, action: G::Action) -> u16 {
    sorted_actions(position).binary_search(&action).expect("a played action is legal") as u16
}
