//! Going back: after numbers that are not finite, and when the player has become weaker.

use std::sync::Arc;

use camelot_models::checkpoint::{self, Checkpoint};
use camelot_models::{CheckpointError, Encode};
use camelot_selfplay::players::Advance;
use camelot_train::{LearnerError, Losses};

use super::Training;
use super::progress::Watch;
use crate::config::WhenWeaker;
use crate::failure::Failure;

/// How often an iteration is learnt anew at half the rate before the run gives up.
const TRIES: u32 = 3;

impl<G: Encode + Advance> Training<'_, G> {
    /// Learns from the window. If a number is not finite or far too large, the learner goes back to the last checkpoint
    /// and tries again at half the learning rate, which then holds for the rest of the run.
    ///
    /// # Errors
    ///
    /// If that does not help [`TRIES`] times. The iteration is then lost, the checkpoint before it is there.
    pub(super) fn learn_or_go_back(
        &mut self,
        iteration: u64,
        new_positions: u64,
        watch: &mut Watch,
    ) -> Result<Losses, Failure> {
        for attempt in 0.. {
            match self.learn(iteration, new_positions) {
                Err(LearnerError::Empty) => {
                    return Err(Failure::error(format!(
                        "iteration {iteration}: no position was recorded, so there is nothing to learn from: \
                         `selfplay.full_share` is {}, expected more, or more `selfplay.games_per_iteration`",
                        self.config.selfplay.full_share
                    )));
                }
                Err(why) if attempt < TRIES => {
                    watch.say(&format!(
                        "alarm: iteration {iteration}: {why}; back to iteration {}, at half the learning rate",
                        self.counters.iteration
                    ));
                    self.rate_scale /= 2.0;
                    self.go_back_to(self.counters.iteration)?;
                }
                Err(why) => {
                    return Err(Failure::error(format!(
                        "iteration {iteration}: {why}, at {} times `training.learning_rate` too; expected a learning \
                         rate or a network that learns",
                        self.rate_scale
                    )));
                }
                Ok(losses) => return Ok(losses),
            }
        }
        unreachable!("the last attempt returns")
    }

    /// Makes the learner, and who plays, what they were after an iteration, 0 being the beginning.
    fn go_back_to(&mut self, iteration: u64) -> Result<(), CheckpointError> {
        let mut found = match iteration {
            0 => self.beginning.clone(),
            _ => Checkpoint::load_for::<G>(&checkpoint::file_in(&self.run.path, iteration))?,
        };
        self.promoted = found.promoted.take().map(Arc::new);
        self.learner = self.pool.install(|| super::learner(found, self.config, &self.compute));
        Ok(())
    }

    /// Looks into a rating far below the best: a match with the player of that time, and what follows
    /// from it. `false` if interrupted.
    pub(super) fn look_into_weakness(&mut self, iteration: u64, watch: &mut Watch) -> Result<bool, Failure> {
        let suspect = self.strength.suspect();
        let best = suspect.and_then(|best| {
            let path = checkpoint::file_in(&self.run.path, best);
            Some((best, Arc::new(Checkpoint::load_for::<G>(&path).ok()?.into_player())))
        });
        let Some((best, weights)) = best else {
            self.strength.clear();
            return Ok(true);
        };
        watch.phase("comparing the player with its best");
        let now = self.player();
        let compared = self.strength.compare::<G>([&weights, &now], iteration, self.config, self.pool);
        let Some(weaker) = compared else { return Ok(false) };
        if weaker {
            let follows = self.answer_weakness(best)?;
            watch.say(&format!("alarm: the player is weaker than after iteration {best}; {follows}"));
        }
        Ok(true)
    }

    /// What the configuration wants done, and in words what was.
    fn answer_weakness(&mut self, best: u64) -> Result<String, Failure> {
        Ok(match self.config.when_weaker {
            WhenWeaker::Tell => "training goes on (`training.when_weaker`)".into(),
            WhenWeaker::LowerRate => {
                self.rate_scale /= 2.0;
                "the learning rate is halved".into()
            }
            WhenWeaker::RollBack => {
                self.rate_scale /= 2.0;
                self.go_back_to(best)?;
                "back to that, at half the learning rate".into()
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use camelot_core::{Cam, Position};
    use camelot_models::Weights;

    use super::*;
    use crate::config::{self, Config};
    use crate::run_folder::RunFolder;
    use crate::training::{Prepared, Watch};

    type Game = Position<Cam>;

    fn config(set: &[&str]) -> Config {
        let mut keys = vec![
            "selfplay.games_per_iteration=6",
            "selfplay.simulations=4",
            "selfplay.fast_simulations=2",
            "network.accumulator=32",
            "network.hidden=32",
            "network.policy=32",
            "training.batch_size=64",
            "evaluation.games=0",
            "evaluation.ratings=0",
        ];
        keys.extend(set);
        let set: Vec<String> = keys.iter().map(ToString::to_string).collect();
        Config::try_from(config::read(config::BUILT_IN, "built in", &set).unwrap()).unwrap()
    }

    fn with_run(set: &[&str], test: impl FnOnce(&mut Training<'_, Game>)) {
        with_config(&config(set), test);
    }

    fn with_config(config: &Config, test: impl FnOnce(&mut Training<'_, Game>)) {
        let folder = tempfile::tempdir().unwrap();
        let run = RunFolder::open(folder.path(), config).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let prepared = Prepared::new::<Game>(config, 1).unwrap();
        test(&mut Training::open(config, &run, &pool, prepared).unwrap());
    }

    /// A learner whose next step is not finite.
    fn poison(training: &mut Training<'_, Game>) {
        let mut weights: Weights = training.learner.weights().clone();
        let matrices = weights.iter().len();
        for matrix in 0..matrices {
            weights.get_mut(matrix).fill(1e30);
        }
        let poisoned = Checkpoint { averaged: weights.clone(), weights, ..training.beginning.clone() };
        training.learner = super::super::learner(poisoned, training.config, &training.compute);
    }

    #[test]
    fn a_step_that_is_not_finite_sends_the_learner_back_to_the_last_checkpoint() {
        let mut undisturbed = None;
        with_run(&[], |training| {
            training.iterate(&mut Watch::silent()).unwrap();
            training.rate_scale = 0.5;
            training.iterate(&mut Watch::silent()).unwrap();
            undisturbed = Some(training.learner.weights().clone());
        });
        with_run(&[], |training| {
            training.iterate(&mut Watch::silent()).unwrap();
            let games = training.play(2, &mut Watch::silent()).unwrap();
            let positions = super::super::entry::summarise::<Game>(&games).positions;
            training.window.append(2, games.records, 1_000_000).unwrap();
            poison(training);
            let losses = training.learn_or_go_back(2, positions, &mut Watch::silent()).unwrap();
            assert!(losses.total.is_finite() && training.rate_scale == 0.5);
            assert_eq!(Some(training.learner.weights()), undisturbed.as_ref());
        });
    }

    #[test]
    fn a_run_that_cannot_be_mended_says_so_and_is_as_it_was() {
        let mut config = config(&[]);
        config.learner.value_weight = f32::INFINITY;
        with_config(&config, |training| {
            let before = training.learner.weights().clone();
            let Err(Failure::Error(error)) = training.iterate(&mut Watch::silent()) else {
                panic!("it went on")
            };
            let text = error.to_string();
            assert!(text.contains("not finite") && text.contains("0.125 times"), "{text}");
            assert!(training.rate_scale == 0.125 && training.learner.weights() == &before);
        });
    }

    #[test]
    fn an_iteration_without_positions_says_why_nothing_is_learnt() {
        with_run(&["selfplay.full_share=0.0000001"], |training| {
            let Err(Failure::Error(error)) = training.iterate(&mut Watch::silent()) else {
                panic!("it went on")
            };
            assert!(error.to_string().contains("`selfplay.full_share` is"), "{error}");
        });
    }

    #[test]
    fn what_follows_from_weakness_is_as_configured() {
        for (key, scale, back) in [("tell", 1.0, false), ("lower-rate", 0.5, false), ("roll-back", 0.5, true)]
        {
            with_run(&[&format!("training.when_weaker={key}"), "training.gate_games=2"], |training| {
                training.iterate(&mut Watch::silent()).unwrap();
                let (first, played) = (training.learner.weights().clone(), training.player());
                training.iterate(&mut Watch::silent()).unwrap();
                training.promoted = Some(Arc::new(training.learner.weights().clone()));
                training.answer_weakness(1).unwrap();
                assert!((training.rate_scale - scale).abs() < 1e-9);
                assert_eq!(training.learner.weights() == &first, back, "{key}");
                assert_eq!(training.player() == played, back, "{key}");
            });
        }
    }
}
