//! What the games of a file have in common, in numbers.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use camelot_core::{Game, Outcome};
use serde::Serialize;

use super::count;
use super::game::Opened;
use super::source::Contents;

/// The numbers of one game.
#[derive(Debug)]
pub(super) struct Facts {
    game: &'static str,
    rules: &'static str,
    plies: usize,
    outcome: Option<Outcome>,
    engine: Option<String>,
    searched: u64,
    simulations: u64,
}

/// The numbers of a file.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Summary {
    file: String,
    kind: Option<&'static str>,
    iteration: Option<u64>,
    variants: BTreeSet<&'static str>,
    rule_sets: BTreeSet<&'static str>,
    engines: BTreeSet<String>,
    games: usize,
    /// Games that are broken and not counted in the others.
    pub(super) broken: usize,
    p1wins: usize,
    draws: usize,
    p2wins: usize,
    unfinished: usize,
    reasons: BTreeMap<String, usize>,
    plies: usize,
    plies_min: Option<usize>,
    plies_max: Option<usize>,
    searched: u64,
    simulations: u64,
}

impl Facts {
    pub(super) fn of<G: Game>(game: &Opened<'_, G>) -> Self {
        let record = game.record.map(|(_, record)| record);
        let searches =
            || record.into_iter().flat_map(|record| &record.plies).filter_map(|ply| ply.search.as_ref());
        Self {
            game: G::NAME,
            rules: game.line.start().rules().name(),
            plies: game.line.actions().len(),
            outcome: game.outcome,
            engine: record.map(|record| record.engine.clone()),
            searched: searches().count() as u64,
            simulations: searches().map(|search| u64::from(search.simulations)).sum(),
        }
    }
}

impl Summary {
    /// The summary of no games yet.
    pub(super) fn new(name: &str, contents: Option<&Contents>) -> Self {
        Self {
            file: name.into(),
            kind: contents.map(Contents::kind),
            iteration: contents.and_then(Contents::iteration),
            ..Self::default()
        }
    }

    /// Counts a game.
    pub(super) fn add(&mut self, facts: &Facts) {
        self.variants.insert(facts.game);
        self.rule_sets.insert(facts.rules);
        self.engines.extend(facts.engine.clone());
        self.games += 1;
        match facts.outcome.map(|outcome| outcome.token()) {
            Some("p1win") => self.p1wins += 1,
            Some("p2win") => self.p2wins += 1,
            Some(_) => self.draws += 1,
            None => self.unfinished += 1,
        }
        if let Some(outcome) = facts.outcome {
            *self.reasons.entry(outcome.reason.to_string()).or_default() += 1;
        }
        self.plies += facts.plies;
        self.stretch(Some(facts.plies), Some(facts.plies));
        self.searched += facts.searched;
        self.simulations += facts.simulations;
    }

    /// Counts the games of another file.
    pub(super) fn merge(&mut self, other: &Self) {
        self.variants.extend(&other.variants);
        self.rule_sets.extend(&other.rule_sets);
        self.engines.extend(other.engines.iter().cloned());
        self.games += other.games;
        self.broken += other.broken;
        self.p1wins += other.p1wins;
        self.draws += other.draws;
        self.p2wins += other.p2wins;
        self.unfinished += other.unfinished;
        for (reason, games) in &other.reasons {
            *self.reasons.entry(reason.clone()).or_default() += games;
        }
        self.plies += other.plies;
        self.stretch(other.plies_min, other.plies_max);
        self.searched += other.searched;
        self.simulations += other.simulations;
    }

    fn stretch(&mut self, min: Option<usize>, max: Option<usize>) {
        self.plies_min = self.plies_min.into_iter().chain(min).min();
        self.plies_max = self.plies_max.max(max);
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |names: &BTreeSet<&str>| names.iter().copied().collect::<Vec<_>>().join(", ");
        write!(f, "{}", self.file)?;
        if let Some(iteration) = self.iteration {
            write!(f, ", iteration {iteration}")?;
        }
        write!(f, ": {}", count(self.games, "game"))?;
        if self.broken > 0 {
            write!(f, " and {} broken", self.broken)?;
        }
        if self.games == 0 {
            return Ok(());
        }
        writeln!(f, " of {} ({} rules)", list(&self.variants), list(&self.rule_sets))?;
        let mean = self.plies as f64 / self.games as f64;
        let (min, max) = (self.plies_min.unwrap_or(0), self.plies_max.unwrap_or(0));
        writeln!(f, "  plies a game: {mean:.1} ({min} to {max}), {} in all", self.plies)?;
        write!(f, "  results: {} 1-0, {} drawn, {} 0-1", self.p1wins, self.draws, self.p2wins)?;
        if self.unfinished > 0 {
            write!(f, ", {} unfinished", self.unfinished)?;
        }
        let reasons: Vec<_> =
            self.reasons.iter().map(|(reason, games)| format!("{reason} {games}")).collect();
        if !reasons.is_empty() {
            write!(f, "; by {}", reasons.join(", "))?;
        }
        if !self.engines.is_empty() {
            let engines: Vec<_> = self.engines.iter().map(String::as_str).collect();
            let (searched, simulations) = (self.searched, self.simulations);
            write!(f, "\n  engine {}: {searched} searched positions, ", engines.join(", "))?;
            write!(f, "{simulations} simulations behind them")?;
        }
        Ok(())
    }
}
