//! What is told of an iteration: how its games went, what was learnt, how fast.

use std::collections::HashSet;

use camelot_core::{Reason, Team};
use camelot_models::Encode;
use camelot_models::checkpoint::Counters;
use camelot_selfplay::GamesReport;
use camelot_train::{Assessment, Losses};
use serde::Serialize;

use super::strength::Rated;
use crate::machine;

/// What the games of an iteration were like.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Summary {
    pub(super) games: u64,
    pub(super) plies: u64,
    /// Plies with a recorded search.
    pub(super) positions: u64,
    /// Sum of the absolute values of the games' ends.
    pub(super) values: f64,
    /// Sum of [`camelot_core::Game::points`], in games that have them.
    pub(super) points: Option<f64>,
    pub(super) first_wins: u64,
    pub(super) draws: u64,
    pub(super) castles: u64,
    pub(super) cut: u64,
    /// Different first plies ([`OPENING`]) among the games.
    pub(super) openings: u64,
}

/// Plies by which games are told apart.
const OPENING: usize = 16;

pub(super) fn summarise<G: Encode>(games: &GamesReport) -> Summary {
    let mut summary = Summary { games: games.records.len() as u64, ..Summary::default() };
    let mut openings = HashSet::new();
    for record in &games.records {
        openings.insert(record.plies.iter().take(OPENING).map(|ply| ply.action).collect::<Vec<_>>());
        summary.plies += record.plies.len() as u64;
        summary.positions += record.plies.iter().filter(|ply| ply.search.is_some()).count() as u64;
        let value = record.outcome.value;
        summary.values += f64::from(value.absolute());
        if let Some(points) = G::points(value) {
            summary.points = Some(summary.points.unwrap_or(0.0) + f64::from(points));
        }
        match record.outcome.winner() {
            Some(Team::One) => summary.first_wins += 1,
            Some(Team::Two) => {}
            None => summary.draws += 1,
        }
        summary.castles += u64::from(record.outcome.reason == Reason::Castle);
        summary.cut += u64::from(record.outcome.reason == Reason::Adjudication);
    }
    summary.openings = openings.len() as u64;
    summary
}

/// One finished iteration, as it is written to `metrics.jsonl` and to standard output.
#[derive(Clone, Debug, Serialize)]
#[expect(clippy::struct_field_names, reason = "the names are those of the fields in `metrics.jsonl`")]
pub(super) struct Iteration {
    pub(super) iteration: u64,
    seconds: f64,
    pub(super) games: u64,
    plies: u64,
    positions: u64,
    steps: u64,
    plies_per_game: f64,
    mean_value: f64,
    /// In games that count points: the cards removed in the patience.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mean_points: Option<f64>,
    pub(super) first_wins: f64,
    pub(super) draws: f64,
    /// The alarms that stand: `draws`, `openings`, `entropy`, `over-fitting`, `strength`.
    alarms: Vec<&'static str>,
    /// Share of the games that begin as no other of the iteration.
    distinct_openings: f64,
    castle_wins: f64,
    cut_games: f64,
    loss: f64,
    pub(super) policy_loss: f64,
    pub(super) value_loss: f64,
    policy_entropy: f64,
    /// Of what the policy should be.
    target_entropy: f64,
    /// How much larger the value's loss is on the new games, before they are learnt from, than on those that are.
    value_gap: f64,
    /// How far the new games' results lie from the values ([`Assessment::calibration_error`]).
    calibration_error: f64,
    gradient_norm: f64,
    learning_rate: f64,
    window_positions: usize,
    /// Iterations that the window reaches back.
    window_age: u64,
    selfplay_seconds: f64,
    learning_seconds: f64,
    simulations_per_second: f64,
    pub(super) positions_per_second: f64,
    /// Of this process, in millions of bytes; absent where the system does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    resident_megabytes: Option<f64>,
    /// Where the player was rated after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    rating: Option<Rated>,
}

impl Iteration {
    pub(super) fn new(
        summary: &Summary,
        losses: &Losses,
        unseen: &Assessment,
        counters: &Counters,
        simulations: u64,
    ) -> Self {
        let games = summary.games.max(1) as f64;
        let share = |count: u64| count as f64 / games;
        Self {
            iteration: counters.iteration,
            seconds: counters.seconds,
            games: counters.games,
            plies: counters.plies,
            positions: counters.positions,
            steps: counters.steps,
            plies_per_game: share(summary.plies),
            mean_value: summary.values / games,
            mean_points: summary.points.map(|points| points / games),
            first_wins: share(summary.first_wins),
            draws: share(summary.draws),
            alarms: Vec::new(),
            distinct_openings: share(summary.openings),
            castle_wins: share(summary.castles),
            cut_games: share(summary.cut),
            loss: losses.total,
            policy_loss: losses.policy,
            value_loss: losses.value,
            policy_entropy: losses.policy_entropy,
            target_entropy: losses.target_entropy,
            value_gap: unseen.value_loss - losses.value,
            calibration_error: unseen.calibration_error,
            gradient_norm: losses.gradient_norm,
            learning_rate: 0.0,
            window_positions: 0,
            window_age: 0,
            selfplay_seconds: 0.0,
            learning_seconds: 0.0,
            simulations_per_second: simulations as f64,
            positions_per_second: summary.positions as f64,
            resident_megabytes: machine::resident_bytes().map(|bytes| bytes as f64 / 1e6),
            rating: None,
        }
    }

    pub(super) fn timed(mut self, selfplay_seconds: f64, learning_seconds: f64) -> Self {
        self.selfplay_seconds = selfplay_seconds;
        self.learning_seconds = learning_seconds;
        self.simulations_per_second /= selfplay_seconds.max(1e-9);
        self.positions_per_second /= selfplay_seconds.max(1e-9);
        self
    }

    pub(super) fn learnt_from(mut self, positions: usize, oldest: u64, learning_rate: f64) -> Self {
        self.window_positions = positions;
        self.window_age = self.iteration.saturating_sub(oldest);
        self.learning_rate = learning_rate;
        self
    }

    pub(super) fn alarmed(mut self, alarms: Vec<&'static str>) -> Self {
        self.alarms = alarms;
        self
    }

    pub(super) fn rated(mut self, rating: Option<Rated>) -> Self {
        self.rating = rating;
        self
    }

    /// The numbers for `TensorBoard`.
    pub(super) fn scalars(&self) -> Vec<(&'static str, f64)> {
        let mut scalars = vec![
            ("loss/total", self.loss),
            ("loss/policy", self.policy_loss),
            ("loss/value", self.value_loss),
            ("policy/entropy", self.policy_entropy),
            ("policy/target_entropy", self.target_entropy),
            ("value/gap", self.value_gap),
            ("value/calibration_error", self.calibration_error),
            ("games/distinct_openings", self.distinct_openings),
            ("window/age", self.window_age as f64),
            ("learning/rate", self.learning_rate),
            ("learning/gradient_norm", self.gradient_norm),
            ("games/plies", self.plies_per_game),
            ("games/first_wins", self.first_wins),
            ("games/draws", self.draws),
            ("games/castle_wins", self.castle_wins),
            ("games/cut", self.cut_games),
            ("speed/simulations", self.simulations_per_second),
            ("speed/positions", self.positions_per_second),
            ("window/positions", self.window_positions as f64),
            ("games/mean_value", self.mean_value),
        ];
        scalars.extend(self.mean_points.map(|points| ("games/mean_points", points)));
        scalars.extend(self.resident_megabytes.map(|size| ("memory/resident_megabytes", size)));
        scalars.extend(self.rating.map(|rated| ("strength/elo", rated.elo)));
        scalars
    }
}
