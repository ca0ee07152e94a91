//! What of a run is on the disk: the checkpoint to go on from, and the next one.

use anyhow::Context;
use camelot_models::checkpoint::{self, Checkpoint};
use camelot_models::encoding::ENCODING_VERSION;
use camelot_models::files::write_atomically;
use camelot_models::{CheckpointError, Encode, Weights};
use camelot_selfplay::Purpose;
use camelot_selfplay::players::Advance;
use camelot_selfplay::rng::derive_seed;

use super::Training;
use crate::config::Config;
use crate::failure::Failure;
use crate::run_folder::RunFolder;

/// What a run begins with: random weights that the seed fixes.
pub(super) fn beginning<G: Encode>(config: &Config) -> Checkpoint {
    let seed = derive_seed(config.seed, Purpose::Weights, 0);
    let weights = Weights::random(G::sizes(), config.network, seed);
    Checkpoint {
        game: G::NAME.into(),
        rules: config.rules,
        encoding: ENCODING_VERSION,
        engine: env!("CARGO_PKG_VERSION").into(),
        seed: config.seed,
        counters: checkpoint::Counters::default(),
        averaged: weights.clone(),
        promoted: (config.gate.games > 0).then(|| weights.clone()),
        weights,
        rate_scale: 1.0,
        optimizer: None,
    }
}

/// The newest checkpoint of a run that can be used; damaged ones are put aside by name.
///
/// # Errors
///
/// If a checkpoint is not this run's, or if there are checkpoints and none can be used: going on would
/// then begin anew and delete what there is.
pub(super) fn latest<G: Encode>(config: &Config, run: &RunFolder) -> Result<Option<Checkpoint>, Failure> {
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
    if checkpoint.promoted.is_some() != (config.gate.games > 0) {
        return Err("it is of a run with another promotion gate".into());
    }
    Ok(())
}

impl<G: Encode + Advance> Training<'_, G> {
    /// Writes the checkpoint, then removes what it makes superfluous. The one of the best rating stays.
    pub(super) fn save(&mut self) -> Result<(), Failure> {
        let iteration = self.counters.iteration;
        let checkpoint = Checkpoint {
            counters: self.counters,
            weights: self.learner.weights().clone(),
            averaged: self.learner.averaged().clone(),
            promoted: self.promoted.as_deref().cloned(),
            rate_scale: self.rate_scale,
            optimizer: self.learner.optimizer_state(),
            ..self.beginning.clone()
        };
        checkpoint.save(&checkpoint::file_in(&self.run.path, iteration))?;
        self.name_the_best()?;
        self.window.commit()?;
        let keys = self.config.checkpoints;
        let mut old = checkpoint::list(&self.run.path);
        old.truncate(old.len().saturating_sub(keys.keep));
        for (iteration, path) in old {
            let kept = iteration.is_multiple_of(keys.keep_every) || self.strength.best() == Some(iteration);
            if !kept {
                std::fs::remove_file(&path).with_context(|| path.display().to_string())?;
            }
        }
        Ok(())
    }
    /// Names the checkpoint that the run folder stands for, where that is not the newest.
    fn name_the_best(&self) -> Result<(), Failure> {
        let file = self.run.path.join(checkpoint::BEST);
        let done = match self.strength.best().filter(|_| self.strength.weaker()) {
            Some(best) => write_atomically(&file, format!("{best}\n").as_bytes()),
            None if file.exists() => std::fs::remove_file(&file),
            None => Ok(()),
        };
        Ok(done.with_context(|| file.display().to_string())?)
    }
}
