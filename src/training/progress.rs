//! What a run says while it works: the plan, a live line on a terminal, a line an iteration.

use std::io::IsTerminal;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use camelot_core::{Reason, Team};
use camelot_models::checkpoint::Counters;
use camelot_models::{Encode, Weights};
use camelot_selfplay::{GamesReport, Progress};
use camelot_train::Losses;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::estimate::window_bytes;
use crate::commands::{print_json, print_line};
use crate::config::Config;
use crate::failure::{Failure, is_broken_pipe};
use crate::interrupt;
use crate::machine;
use crate::run_folder::RunFolder;
use crate::training::Rated;

/// Says what will be done and what it will cost.
pub(super) fn announce<G: Encode>(config: &Config, run: &RunFolder, threads: usize, counters: &Counters) {
    let shape = config.network;
    let numbers = Weights::zeros(G::sizes(), shape).count();
    let window = window_bytes::<G>(config) as f64 / 1e6;
    eprintln!(
        "{} under {} rules, seed {}, {threads} threads with {}, run folder {}",
        config.game,
        config.rules.name(),
        config.seed,
        machine::instructions(),
        run.path.display()
    );
    eprintln!(
        "{shape} network ({numbers} numbers); window of {} positions, up to about {window:.0} MB of memory",
        config.window_positions
    );
    let minutes = config.budget.minutes;
    let used = counters.seconds / 60.0;
    if counters.iteration == 0 {
        eprintln!("training for {minutes:.1} minutes, then {} matches", config.opponents.len());
    } else {
        eprintln!(
            "going on after iteration {}: {used:.1} of {minutes:.1} minutes of training used",
            counters.iteration
        );
    }
}

/// Says what was saved and how to go on.
pub(super) fn say_how_to_go_on(run: &RunFolder, iteration: u64) {
    let path = run.path.display();
    eprintln!("stopped; saved up to iteration {iteration}. To go on: camelot train --run {path}");
}

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
}

pub(super) fn summarise<G: Encode>(games: &GamesReport) -> Summary {
    let mut summary = Summary { games: games.records.len() as u64, ..Summary::default() };
    for record in &games.records {
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
    summary
}

/// One finished iteration, as it is written to `metrics.jsonl` and to standard output.
#[derive(Clone, Copy, Debug, Serialize)]
#[expect(clippy::struct_field_names, reason = "the names are those of the fields in `metrics.jsonl`")]
pub(super) struct Iteration {
    iteration: u64,
    seconds: f64,
    games: u64,
    plies: u64,
    positions: u64,
    steps: u64,
    plies_per_game: f64,
    mean_value: f64,
    /// In games that count points: the cards removed in the patience.
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_points: Option<f64>,
    first_wins: f64,
    draws: f64,
    /// Draws have taken over.
    draw_alarm: bool,
    castle_wins: f64,
    cut_games: f64,
    loss: f64,
    policy_loss: f64,
    value_loss: f64,
    policy_entropy: f64,
    gradient_norm: f64,
    learning_rate: f64,
    window_positions: usize,
    selfplay_seconds: f64,
    learning_seconds: f64,
    simulations_per_second: f64,
    positions_per_second: f64,
    /// Of this process, in millions of bytes; absent where the system does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    resident_megabytes: Option<f64>,
    /// Where the player was rated after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    rating: Option<Rated>,
}

impl Iteration {
    pub(super) fn new(summary: &Summary, losses: &Losses, counters: &Counters, simulations: u64) -> Self {
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
            draw_alarm: false,
            castle_wins: share(summary.castles),
            cut_games: share(summary.cut),
            loss: losses.total,
            policy_loss: losses.policy,
            value_loss: losses.value,
            policy_entropy: losses.policy_entropy,
            gradient_norm: losses.gradient_norm,
            learning_rate: 0.0,
            window_positions: 0,
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

    pub(super) fn of_window(mut self, positions: usize, learning_rate: f64) -> Self {
        self.window_positions = positions;
        self.learning_rate = learning_rate;
        self
    }

    pub(super) fn alarmed(mut self, draws: bool) -> Self {
        self.draw_alarm = draws;
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

/// Shows progress: a live line where standard error is a terminal, finished iterations everywhere.
pub(super) struct Watch {
    bar: ProgressBar,
    json: bool,
    last_line: Option<Instant>,
    /// Whoever read our lines has gone away; training goes on without them.
    unheard: bool,
}

impl Watch {
    pub(super) fn new(json: bool) -> Self {
        let bar = if std::io::stderr().is_terminal() {
            let style = "{spinner} {msg}";
            let style = ProgressStyle::with_template(style).expect("the template is well formed");
            ProgressBar::new_spinner().with_style(style)
        } else {
            ProgressBar::hidden()
        };
        Self { bar, json, last_line: None, unheard: false }
    }

    /// Shows nothing.
    pub(super) fn silent() -> Self {
        Self { bar: ProgressBar::hidden(), json: false, last_line: None, unheard: true }
    }

    /// Runs self-play on a thread of its own and shows how far it is.
    pub(super) fn games(
        &mut self,
        games: u64,
        counters: &Counters,
        config: &Config,
        play: impl FnOnce(&Progress) -> Option<GamesReport> + Send,
    ) -> Option<GamesReport> {
        let progress = Progress { stop: interrupt::listen(), ..Progress::default() };
        let started = Instant::now();
        std::thread::scope(|scope| {
            let playing = scope.spawn(|| play(&progress));
            while !playing.is_finished() {
                let seconds = started.elapsed().as_secs_f64();
                let done = progress.games.load(Ordering::Relaxed);
                let simulations = progress.simulations.load(Ordering::Relaxed) as f64 / seconds.max(1e-3);
                let left = time_left(config, counters, seconds);
                self.bar.set_message(format!(
                    "iteration {}: {done}/{games} games, {:.0}k simulations/s, {left} left",
                    counters.iteration + 1,
                    simulations / 1e3,
                ));
                self.bar.tick();
                std::thread::sleep(Duration::from_millis(10));
            }
            playing.join().expect("self-play does not panic")
        })
    }

    /// Names what is going on besides self-play.
    pub(super) fn phase(&mut self, what: &str) {
        self.bar.set_message(what.to_string());
        self.bar.tick();
    }

    /// Says something out of the ordinary.
    pub(super) fn say(&mut self, line: &str) {
        self.bar.suspend(|| eprintln!("{line}"));
    }

    /// Reports a finished iteration. Lines for people come at most every few seconds, so that short
    /// iterations do not flood a log.
    pub(super) fn report(
        &mut self,
        entry: &Iteration,
        config: &Config,
        counters: &Counters,
    ) -> Result<(), Failure> {
        const PAUSE: Duration = Duration::from_secs(5);
        if self.unheard {
            return Ok(());
        }
        if self.json {
            return self.heard(print_json(entry));
        }
        if self.last_line.is_some_and(|last| last.elapsed() < PAUSE) {
            return Ok(());
        }
        self.last_line = Some(Instant::now());
        let results = match entry.mean_points {
            Some(points) => format!("points {points:.2}  won {:.2} %", 100.0 * entry.first_wins),
            None => format!("draws {:>2.0} %", 100.0 * entry.draws),
        };
        let line = format!(
            "{:>5}  {:>7} games  {:>5.1}k positions/s  policy {:.3}  value {:.3}  {results}  {} left",
            entry.iteration,
            entry.games,
            entry.positions_per_second / 1e3,
            entry.policy_loss,
            entry.value_loss,
            time_left(config, counters, 0.0),
        );
        let printed = self.bar.suspend(|| print_line(&line));
        self.heard(printed)
    }

    fn heard(&mut self, printed: Result<(), Failure>) -> Result<(), Failure> {
        match printed {
            Err(Failure::Error(error)) if is_broken_pipe(&error) => {
                self.unheard = true;
                Ok(())
            }
            other => other,
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// What is left of the budget: of its minutes, or of its iterations at the pace so far.
fn time_left(config: &Config, counters: &Counters, running_seconds: f64) -> String {
    let minutes = 60.0 * config.budget.minutes - counters.seconds - running_seconds;
    let pace = counters.seconds / counters.iteration.max(1) as f64;
    let rounds = config.budget.iterations.saturating_sub(counters.iteration) as f64 * pace - running_seconds;
    let left = if counters.iteration > 0 { minutes.min(rounds) } else { minutes }.max(0.0) as u64;
    match left {
        0..60 => format!("{left} s"),
        60..3600 => format!("{}:{:02} min", left / 60, left % 60),
        _ => format!("{}:{:02} h", left / 3600, left / 60 % 60),
    }
}
