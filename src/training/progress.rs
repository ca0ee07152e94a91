//! What a run says while it works: the plan, a live line on a terminal, a line an iteration.

use std::io::IsTerminal;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use camelot_models::checkpoint::Counters;
use camelot_models::{Encode, Weights};
use camelot_selfplay::{GamesReport, Progress};
use indicatif::{ProgressBar, ProgressStyle};

use super::entry::Iteration;
use super::estimate::window_bytes;
use crate::commands::{print_json, print_line};
use crate::config::Config;
use crate::failure::{Failure, is_broken_pipe};
use crate::interrupt;
use crate::run_folder::RunFolder;

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
        camelot_models::device::instructions(),
        run.path.display()
    );
    eprintln!(
        "{shape} network ({numbers} numbers); window of {} positions, up to about {window:.0} MB of memory",
        config.window.most
    );
    let minutes = config.budget.minutes;
    let used = counters.seconds / 60.0;
    let keys = &config.evaluation;
    let matches = if keys.games == 0 { 0 } else { config.opponents.len() };
    if counters.iteration == 0 {
        eprintln!(
            "training for {minutes:.1} minutes on the {}; {} ratings meanwhile and {matches} matches at the end take time \
             of their own",
            config.device, keys.ratings
        );
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
            // A defect of this program, which has been told of already: the thread goes down with its message.
            playing.join().unwrap_or_else(|panic| {
                eprintln!(
                    "self-play failed in iteration {} of the run with seed {}; what was saved before it is whole",
                    counters.iteration + 1,
                    config.seed
                );
                std::panic::resume_unwind(panic)
            })
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
