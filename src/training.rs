//! The loop that joins self-play and learning, one iteration after another, until the budget ends.
//!
//! An iteration is self-play with the averaged weights, the games' shard, the learning steps, a line of
//! metrics and a checkpoint, in this order. Only the checkpoint counts: whatever was written for an
//! iteration without one is removed and done again when the run goes on.

mod alarm;
mod entry;
mod estimate;
mod evaluation;
mod health;
mod progress;
mod recovery;
mod saved;
mod strength;

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use camelot_models::checkpoint::{self, Checkpoint, Counters};
use camelot_models::{Compute, Encode, Weights};
use camelot_selfplay::players::{Advance, LoadedPlayer};
use camelot_selfplay::{GamesReport, Purpose, SelfPlay, generator};
use camelot_train::{Learner, LearnerError, Losses, Metrics, ReplayWindow, metrics};
use rayon::ThreadPool;

use crate::config::{Config, DeviceName};
use crate::failure::Failure;
use crate::interrupt;
use crate::run_folder::RunFolder;
pub(crate) use estimate::dry_run;
pub(crate) use strength::Rated;

use entry::{Iteration, summarise};
use health::{Health, Vitals};
use progress::Watch;
use strength::Strength;

/// New positions that are looked at before they are learnt from: this share of them, at most so many.
const UNSEEN_SHARE: u64 = 8;
const UNSEEN: u64 = 1024;

/// A run in memory.
struct Training<'a, G: Encode> {
    config: &'a Config,
    run: &'a RunFolder,
    pool: &'a ThreadPool,
    compute: Compute,
    /// What the run began with.
    beginning: Checkpoint,
    learner: Learner<G>,
    /// Who plays, in a run with a promotion gate; else the learner's averaged weights do.
    promoted: Option<Arc<Weights>>,
    /// What the learning rate is multiplied by.
    rate_scale: f64,
    window: ReplayWindow<G>,
    metrics: Metrics,
    counters: Counters,
    health: Health,
    strength: Strength,
    partner: Option<LoadedPlayer>,
}

/// What a run needs besides its folder. What is missing is better missed before there is a folder, and what the end
/// of the run needs is better missed now than after hours.
struct Prepared {
    compute: Compute,
    partner: Option<LoadedPlayer>,
    opponents: Vec<LoadedPlayer>,
    strength: Strength,
}

impl Prepared {
    fn new<G: Encode + Advance>(config: &Config, threads: usize) -> Result<Self, Failure> {
        estimate::check_memory::<G>(config, threads)?;
        let compute = match config.device {
            DeviceName::Cpu => Compute::Cpu,
            DeviceName::Gpu => {
                Compute::gpu().map_err(|why| Failure::error(format!("training.device: {why}")))?
            }
        };
        let spars = config.selfplay.sparring_share > 0.0;
        Ok(Self {
            compute,
            partner: spars.then(|| LoadedPlayer::load::<G>(&config.sparring_partner)).transpose()?,
            opponents: evaluation::load_opponents::<G>(config)?,
            strength: Strength::new::<G>(config)?,
        })
    }
}

/// Trains until the budget ends, then measures the player.
pub(crate) fn train<G: Encode + Advance>(
    config: &Config,
    folder: &Path,
    pool: &ThreadPool,
    json: bool,
) -> Result<(), Failure> {
    let stop = interrupt::listen();
    let mut prepared = Prepared::new::<G>(config, pool.current_num_threads())?;
    let opponents = std::mem::take(&mut prepared.opponents);
    let run = &RunFolder::open(folder, config)?;
    let mut training = Training::<G>::open(config, run, pool, prepared)?;
    progress::announce::<G>(config, run, pool.current_num_threads(), &training.counters);
    let mut watch = Watch::new(json);
    while !training.finished() {
        let finished = training.iterate(&mut watch);
        if !matches!(finished, Ok(true)) || stop.load(Ordering::SeqCst) {
            progress::say_how_to_go_on(run, training.counters.iteration);
            return finished.and(Err(Failure::Interrupted));
        }
    }
    drop(training);
    let best = checkpoint::best_in(&run.path).expect("a finished run has a checkpoint");
    let best = Checkpoint::load_for::<G>(&best)?;
    let iteration = best.counters.iteration;
    let weights = Arc::new(best.into_player());
    evaluation::evaluate::<G>(config, run, pool, &weights, iteration, &opponents)?.print(run, json)
}

/// A learner that goes on from a checkpoint.
fn learner<G: Encode>(from: Checkpoint, config: &Config, compute: &Compute) -> Learner<G> {
    Learner::new(from.weights, from.averaged, from.optimizer.as_ref(), config.learner, compute)
}

impl<'a, G: Encode + Advance> Training<'a, G> {
    fn open(
        config: &'a Config,
        run: &'a RunFolder,
        pool: &'a ThreadPool,
        prepared: Prepared,
    ) -> Result<Self, Failure> {
        let Prepared { compute, partner, mut strength, .. } = prepared;
        let beginning = saved::beginning::<G>(config);
        let mut found = saved::latest::<G>(config, run)?.unwrap_or_else(|| beginning.clone());
        let (counters, rate_scale) = (found.counters, found.rate_scale);
        let promoted = found.promoted.take().map(Arc::new);
        let learner = pool.install(|| learner(found, config, &compute));
        let capacity = config.window.at(counters.positions);
        let (window, problems) =
            pool.install(|| ReplayWindow::open(&run.window(), capacity, counters.iteration))?;
        for problem in problems {
            eprintln!("warning: left out and put aside as {}: {}", problem.path.display(), problem.why);
        }
        let metrics = Metrics::open(&run.path, counters.iteration)?;
        let past = metrics::read(&run.path)?;
        strength.remember(&past);
        let health = Health::new::<G>(&past);
        Ok(Self {
            config,
            run,
            pool,
            compute,
            beginning,
            learner,
            promoted,
            rate_scale,
            window,
            metrics,
            counters,
            health,
            strength,
            partner,
        })
    }

    fn finished(&self) -> bool {
        let budget = self.config.budget;
        self.counters.iteration >= budget.iterations || self.counters.seconds >= 60.0 * budget.minutes
    }

    /// How much of the budget is used after so much, from 0 to 1.
    fn progress(&self, counters: &Counters) -> f64 {
        let budget = self.config.budget;
        let time = counters.seconds / (60.0 * budget.minutes);
        let rounds = counters.iteration as f64 / budget.iterations as f64;
        time.max(rounds).min(1.0)
    }

    /// The weights that play.
    fn player(&self) -> Arc<Weights> {
        self.promoted.clone().unwrap_or_else(|| Arc::new(self.learner.averaged().clone()))
    }

    /// One iteration. `false` if it was interrupted and left no trace.
    fn iterate(&mut self, watch: &mut Watch) -> Result<bool, Failure> {
        let (started, before) = (Instant::now(), self.counters);
        let iteration = before.iteration + 1;
        let Some(games) = self.play(iteration, watch) else { return Ok(false) };
        let selfplay_seconds = started.elapsed().as_secs_f64();
        let summary = summarise::<G>(&games);
        let simulations = games.simulations;
        let capacity = self.config.window.at(before.positions + summary.positions);
        self.pool.install(|| self.window.append(iteration, games.records, capacity))?;
        watch.phase("learning");
        let unseen = self.window.newest((summary.positions / UNSEEN_SHARE).clamp(1, UNSEEN) as usize);
        let unseen = self.pool.install(|| self.learner.assess(&unseen));
        let losses = self.learn_or_go_back(iteration, summary.positions, watch)?;
        let seconds = started.elapsed().as_secs_f64();
        let after = Counters {
            iteration,
            games: before.games + summary.games,
            plies: before.plies + summary.plies,
            positions: before.positions + summary.positions,
            steps: self.learner.steps(),
            seconds: before.seconds + seconds,
        };
        for line in self.health.update(&Vitals::new(&summary, &losses, &unseen)) {
            watch.say(&line);
        }
        let rate = self.learning_rate();
        let ControlFlow::Continue(rated) = self.rate(&after, watch)? else { return Ok(false) };
        if !self.promote(iteration, watch) {
            return Ok(false);
        }
        self.counters = Counters { steps: self.learner.steps(), ..after };
        let entry = Iteration::new(&summary, &losses, &unseen, &after, simulations)
            .timed(selfplay_seconds, seconds - selfplay_seconds)
            .learnt_from(self.window.len(), self.window.oldest_iteration().unwrap_or(iteration), rate)
            .alarmed(self.alarms())
            .rated(rated);
        self.metrics.record(iteration, &entry)?;
        if let Some(warning) = self.metrics.show(iteration, &entry.scalars()) {
            eprintln!("warning: {warning}");
        }
        self.save()?;
        watch.report(&entry, self.config, &self.counters)?;
        Ok(true)
    }

    /// The names of the alarms that stand.
    fn alarms(&self) -> Vec<&'static str> {
        let mut alarms = self.health.raised();
        if self.strength.weaker() {
            alarms.push(strength::ALARM);
        }
        alarms
    }

    fn play(&self, iteration: u64, watch: &mut Watch) -> Option<GamesReport> {
        let selfplay = SelfPlay {
            settings: &self.config.selfplay,
            weights: self.player(),
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

    /// Rates the player where that is due; its time is no training time. Breaks if interrupted.
    fn rate(
        &mut self,
        after: &Counters,
        watch: &mut Watch,
    ) -> Result<ControlFlow<(), Option<Rated>>, Failure> {
        if !self.strength.is_due(self.progress(&self.counters), self.progress(after)) {
            return Ok(ControlFlow::Continue(None));
        }
        watch.phase("rating the player");
        let (weights, iteration) = (self.player(), after.iteration);
        let rated = self.strength.rate::<G>(&weights, iteration, self.config, self.pool);
        let Some(rated) = rated else { return Ok(ControlFlow::Break(())) };
        watch.say(&format!("rated {rated} after iteration {iteration}; random play is 0"));
        let looked = self.look_into_weakness(iteration, watch)?;
        Ok(if looked { ControlFlow::Continue(Some(rated)) } else { ControlFlow::Break(()) })
    }

    /// Lets the learner's weights play from now on if they pass the gate, where there is one and it is due.
    /// `false` if interrupted.
    fn promote(&mut self, iteration: u64, watch: &mut Watch) -> bool {
        let Some(promoted) = self.promoted.clone() else { return true };
        if !iteration.is_multiple_of(self.config.gate.every) {
            return true;
        }
        watch.phase("at the promotion gate");
        let new = Arc::new(self.learner.averaged().clone());
        let passes = strength::passes_gate::<G>([&new, &promoted], iteration, self.config, self.pool);
        if passes == Some(true) {
            self.promoted = Some(new);
            watch.say(&format!("the player after iteration {iteration} takes over self-play"));
        }
        passes.is_some()
    }

    fn learning_rate(&self) -> f64 {
        self.rate_scale * self.config.learning_rate.at(self.learner.steps(), self.progress(&self.counters))
    }

    /// Learns from the window: each new position `passes` times on average.
    fn learn(&mut self, iteration: u64, new_positions: u64) -> Result<Losses, LearnerError> {
        let batch = self.config.learner.batch_size;
        let steps = (self.config.passes * new_positions as f64 / batch as f64).ceil().max(1.0) as u64;
        let mut rng = generator(self.config.seed, Purpose::Training, iteration);
        let mut total = Losses::default();
        for _ in 0..steps {
            let rate = self.learning_rate();
            let samples = self.window.sample(&mut rng, batch);
            let learner = &mut self.learner;
            let losses = self.pool.install(|| learner.step(&samples, &mut rng, rate))?;
            total.add(&losses, 1.0 / steps as f64);
        }
        self.learner.check()?;
        Ok(total)
    }
}
