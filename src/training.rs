//! The loop that joins self-play and learning, one iteration after another, until the budget ends.
//!
//! An iteration is self-play with the averaged weights, the games' shard, the learning steps, a line of
//! metrics and a checkpoint, in this order. Only the checkpoint counts: whatever was written for an
//! iteration without one is removed and done again when the run goes on.

mod alarm;
mod entry;
mod estimate;
mod evaluation;
mod progress;
mod strength;

use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use camelot_models::checkpoint::{self, Checkpoint, Counters};
use camelot_models::encoding::ENCODING_VERSION;
use camelot_models::{CheckpointError, Compute, Encode, Weights};
use camelot_selfplay::players::{Advance, LoadedPlayer};
use camelot_selfplay::rng::derive_seed;
use camelot_selfplay::{GamesReport, Purpose, SelfPlay, generator};
use camelot_train::{Learner, Losses, Metrics, ReplayWindow};
use rayon::ThreadPool;

use crate::config::{Config, DeviceName};
use crate::failure::Failure;
use crate::interrupt;
use crate::run_folder::RunFolder;
use alarm::DrawAlarm;
pub(crate) use estimate::dry_run;
pub(crate) use strength::Rated;

use entry::{Iteration, summarise};
use progress::Watch;
use strength::Strength;

/// A run in memory.
struct Training<'a, G: Encode> {
    config: &'a Config,
    run: &'a RunFolder,
    pool: &'a ThreadPool,
    compute: Compute,
    learner: Learner<G>,
    window: ReplayWindow<G>,
    metrics: Metrics,
    counters: Counters,
    draw_alarm: DrawAlarm,
    strength: Strength,
    partner: Option<LoadedPlayer>,
}

/// Trains until the budget ends, then measures the player.
pub(crate) fn train<G: Encode + Advance>(
    config: &Config,
    run: &RunFolder,
    pool: &ThreadPool,
    json: bool,
) -> Result<(), Failure> {
    let stop = interrupt::listen();
    estimate::check_memory::<G>(config, pool.current_num_threads())?;
    // What the end of the run needs is better missed now than after hours.
    let opponents = evaluation::load_opponents::<G>(config)?;
    let mut training = Training::<G>::open(config, run, pool)?;
    progress::announce::<G>(config, run, pool.current_num_threads(), &training.counters);
    let mut watch = Watch::new(json);
    while !training.finished() {
        if !training.iterate(&mut watch)? {
            progress::say_how_to_go_on(run, training.counters.iteration);
            return Err(Failure::Interrupted);
        }
        if stop.load(std::sync::atomic::Ordering::SeqCst) {
            progress::say_how_to_go_on(run, training.counters.iteration);
            return Err(Failure::Interrupted);
        }
    }
    let weights = Arc::new(training.learner.averaged().clone());
    let iteration = training.counters.iteration;
    drop(training);
    evaluation::evaluate::<G>(config, run, pool, weights, iteration, &opponents)?.print(run, json)
}

impl<'a, G: Encode + Advance> Training<'a, G> {
    fn open(config: &'a Config, run: &'a RunFolder, pool: &'a ThreadPool) -> Result<Self, Failure> {
        let (weights, averaged, optimizer, counters) = if let Some(found) = latest::<G>(config, run)? {
            (found.weights, found.averaged, found.optimizer, found.counters)
        } else {
            let seed = derive_seed(config.seed, Purpose::Weights, 0);
            let weights = Weights::random(G::sizes(), config.network, seed);
            (weights.clone(), weights, None, Counters::default())
        };
        let compute = match config.device {
            DeviceName::Cpu => Compute::Cpu,
            DeviceName::Gpu => {
                Compute::gpu().map_err(|why| Failure::error(format!("training.device: {why}")))?
            }
        };
        let learner =
            pool.install(|| Learner::new(weights, averaged, optimizer.as_ref(), config.learner, &compute));
        let (window, problems) =
            pool.install(|| ReplayWindow::open(&run.window(), config.window_positions, counters.iteration))?;
        for problem in problems {
            eprintln!("warning: left out and put aside as {}: {}", problem.path.display(), problem.why);
        }
        let metrics = Metrics::open(&run.path, counters.iteration)?;
        let draw_alarm = DrawAlarm::default();
        let strength = Strength::new::<G>(config, &past_ratings(run)?)?;
        let spars = config.selfplay.sparring_share > 0.0;
        let partner = spars.then(|| LoadedPlayer::load::<G>(&config.sparring_partner)).transpose()?;
        Ok(Self {
            config,
            run,
            pool,
            compute,
            learner,
            window,
            metrics,
            counters,
            draw_alarm,
            strength,
            partner,
        })
    }

    fn finished(&self) -> bool {
        let budget = self.config.budget;
        self.counters.iteration >= budget.iterations || self.counters.seconds >= 60.0 * budget.minutes
    }

    /// How much of the budget is used, from 0 to 1.
    fn progress(&self) -> f64 {
        let budget = self.config.budget;
        let time = self.counters.seconds / (60.0 * budget.minutes);
        let rounds = self.counters.iteration as f64 / budget.iterations as f64;
        time.max(rounds).min(1.0)
    }

    /// One iteration. `false` if it was interrupted and left no trace.
    fn iterate(&mut self, watch: &mut Watch) -> Result<bool, Failure> {
        let (started, before) = (Instant::now(), self.progress());
        let iteration = self.counters.iteration + 1;
        let Some(games) = self.play(iteration, watch) else { return Ok(false) };
        let selfplay_seconds = started.elapsed().as_secs_f64();
        let summary = summarise::<G>(&games);
        let simulations = games.simulations;
        self.pool.install(|| self.window.append(iteration, games.records))?;
        watch.phase("learning");
        let losses = self.learn(iteration, summary.positions)?;
        let learning_seconds = started.elapsed().as_secs_f64() - selfplay_seconds;
        self.counters.iteration = iteration;
        self.counters.games += summary.games;
        self.counters.plies += summary.plies;
        self.counters.positions += summary.positions;
        self.counters.steps = self.learner.steps();
        self.counters.seconds += started.elapsed().as_secs_f64();
        let alarm = if G::SEATS > 1 { self.draw_alarm.update(&summary) } else { None };
        if let Some(alarm) = alarm {
            watch.say(&alarm);
        }
        let rated = self.rate(before, watch);
        let entry = Iteration::new(&summary, &losses, &self.counters, simulations)
            .timed(selfplay_seconds, learning_seconds)
            .of_window(self.window.len(), self.learning_rate())
            .alarmed(self.draw_alarm.raised(), self.strength.alarm().is_some())
            .rated(rated);
        self.metrics.record(iteration, &entry)?;
        if let Some(warning) = self.metrics.show(iteration, &entry.scalars()) {
            eprintln!("warning: {warning}");
        }
        self.save()?;
        watch.report(&entry, self.config, &self.counters)?;
        Ok(true)
    }

    fn play(&self, iteration: u64, watch: &mut Watch) -> Option<GamesReport> {
        let selfplay = SelfPlay {
            settings: &self.config.selfplay,
            weights: Arc::new(self.learner.averaged().clone()),
            partner: self.partner.as_ref(),
            compute: &self.compute,
            rules: self.config.rules,
            seed: self.config.seed,
            iteration,
        };
        let games = self.config.games_per_iteration;
        watch.games(games, &self.counters, self.config, |progress| {
            self.pool.install(|| selfplay.run::<G>(games, progress))
        })
    }

    /// Rates the player where that is due; its time is no training time.
    fn rate(&mut self, before: f64, watch: &mut Watch) -> Option<Rated> {
        if !self.strength.is_due(before, self.progress()) {
            return None;
        }
        watch.phase("rating the player");
        let weights = Arc::new(self.learner.averaged().clone());
        let iteration = self.counters.iteration;
        let rated = self.strength.rate::<G>(&weights, iteration, self.config, self.pool)?;
        watch.say(&format!("rated {rated} after iteration {iteration}; random play is 0"));
        if let Some(alarm) = self.strength.alarm() {
            watch.say(&alarm);
        }
        Some(rated)
    }

    fn learning_rate(&self) -> f64 {
        self.config.learning_rate.at(self.learner.steps(), self.progress())
    }

    /// Learns from the window: each new position `passes` times on average.
    fn learn(&mut self, iteration: u64, new_positions: u64) -> Result<Losses, Failure> {
        let batch = self.config.learner.batch_size;
        let steps = (self.config.passes * new_positions as f64 / batch as f64).ceil().max(1.0) as u64;
        let mut rng = generator(self.config.seed, Purpose::Training, iteration);
        let mut total = Losses::default();
        for _ in 0..steps {
            let rate = self.learning_rate();
            let samples = self.window.sample(&mut rng, batch);
            if samples.is_empty() {
                return Ok(total);
            }
            let learner = &mut self.learner;
            let losses = self.pool.install(|| learner.step(&samples, &mut rng, rate))?;
            total.add(&losses, 1.0 / steps as f64);
        }
        Ok(total)
    }

    /// Writes the checkpoint, then removes what it makes superfluous.
    fn save(&mut self) -> Result<(), Failure> {
        let iteration = self.counters.iteration;
        let checkpoint = Checkpoint {
            game: G::NAME.into(),
            rules: self.config.rules,
            encoding: ENCODING_VERSION,
            engine: env!("CARGO_PKG_VERSION").into(),
            seed: self.config.seed,
            counters: self.counters,
            weights: self.learner.weights().clone(),
            averaged: self.learner.averaged().clone(),
            optimizer: self.learner.optimizer_state(),
        };
        checkpoint.save(&checkpoint::file_in(&self.run.path, iteration))?;
        self.window.commit()?;
        let keys = self.config.checkpoints;
        let mut old = checkpoint::list(&self.run.path);
        old.truncate(old.len().saturating_sub(keys.keep));
        for (iteration, path) in old {
            if !iteration.is_multiple_of(keys.keep_every) {
                std::fs::remove_file(&path).with_context(|| path.display().to_string())?;
            }
        }
        Ok(())
    }
}

/// The ratings in a run's metrics, with their iterations.
fn past_ratings(run: &RunFolder) -> Result<Vec<(u64, Rated)>, Failure> {
    let rating = |entry: &serde_json::Value| {
        let rated = serde_json::from_value(entry.get("rating")?.clone()).ok()?;
        Some((entry.get("iteration")?.as_u64()?, rated))
    };
    Ok(camelot_train::metrics::read(&run.path)?.iter().filter_map(rating).collect())
}

/// The newest checkpoint of a run that can be used; damaged ones are put aside by name.
///
/// # Errors
///
/// If a checkpoint is not this run's, or if there are checkpoints and none can be used: going on would
/// then begin anew and delete what there is.
fn latest<G: Encode>(config: &Config, run: &RunFolder) -> Result<Option<Checkpoint>, Failure> {
    let found = checkpoint::list(&run.path);
    let none = found.is_empty();
    for (iteration, path) in found.into_iter().rev() {
        match Checkpoint::load_for::<G>(&path) {
            Ok(checkpoint) => {
                belongs(config, iteration, &checkpoint)
                    .map_err(|why| Failure::error(format!("checkpoint {}: {why}", path.display())))?;
                return Ok(Some(checkpoint));
            }
            Err(CheckpointError::Codec { path, source }) if source.is_damage() => {
                let aside = path.with_extension(format!("{}.bad", checkpoint::EXTENSION));
                std::fs::rename(&path, &aside).with_context(|| path.display().to_string())?;
                eprintln!(
                    "warning: checkpoint {}: {source}; put aside as {}",
                    path.display(),
                    aside.display()
                );
            }
            Err(error) => return Err(error.into()),
        }
    }
    if none {
        return Ok(None);
    }
    Err(Failure::error(format!(
        "run folder {}: none of its checkpoints can be used; expected one that can, or a new folder",
        run.path.display()
    )))
}

/// Whether a checkpoint is the one that this run wrote after `iteration`.
fn belongs(config: &Config, iteration: u64, checkpoint: &Checkpoint) -> Result<(), String> {
    if checkpoint.counters.iteration != iteration {
        return Err(format!("it holds iteration {}, expected {iteration}", checkpoint.counters.iteration));
    }
    if checkpoint.weights.shape != config.network {
        return Err(format!("a {} network, expected {}", checkpoint.weights.shape, config.network));
    }
    if (checkpoint.rules, checkpoint.seed) != (config.rules, config.seed) {
        return Err("it is of a run with another rule set or seed".into());
    }
    Ok(())
}
