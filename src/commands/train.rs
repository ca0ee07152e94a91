//! `camelot train`: finds configuration and run folder, and starts training.

use std::path::{Path, PathBuf};

use super::thread_pool;
use crate::arguments::TrainArguments;
use crate::config::{self, Config, Raw};
use crate::failure::Failure;
use crate::games::with_game;
use crate::run_folder;
use crate::training;

pub(crate) fn run(arguments: &TrainArguments) -> Result<(), Failure> {
    let folder = run_path(arguments)?;
    let mut raw = read_config(arguments, &folder)?;
    if let Some(minutes) = arguments.time {
        raw.budget.minutes = minutes;
    }
    if let Some(seed) = arguments.seed {
        raw.seed = seed;
    }
    let set_here =
        |why: &String| arguments.set.iter().any(|set| why.contains(set.split('=').next().unwrap_or(set)));
    let config = Config::try_from(raw)
        .map_err(|why| if set_here(&why) { Failure::usage(why) } else { Failure::error(why) })?;
    let pool = thread_pool(arguments.threads)?;
    if arguments.dry_run {
        return with_game!(config.game, G => training::dry_run::<G>(&config, &folder, &pool, arguments.json));
    }
    with_game!(config.game, G => training::train::<G>(&config, &folder, &pool, arguments.json))
}

/// The run folder: as named, or `runs/` and the configuration's name.
fn run_path(arguments: &TrainArguments) -> Result<PathBuf, Failure> {
    if let Some(run) = &arguments.run {
        return Ok(run.clone());
    }
    let name = match &arguments.config {
        Some(config) => config
            .file_stem()
            .ok_or_else(|| Failure::usage(format!("{}: expected a configuration file", config.display())))?,
        None => config::BUILT_IN_NAME.as_ref(),
    };
    Ok(Path::new("runs").join(name))
}

/// The configuration: the file named, else the run's own, else the built-in one.
fn read_config(arguments: &TrainArguments, folder: &Path) -> Result<Raw, Failure> {
    let set = &arguments.set;
    if let Some(path) = &arguments.config {
        return config::read(&config::read_file(path)?, &path.display().to_string(), set);
    }
    if run_folder::is_run(folder) {
        let stored = toml::to_string(&run_folder::stored_config(folder)?)?;
        return config::read(&stored, &folder.display().to_string(), set);
    }
    config::read(config::BUILT_IN, "the built-in configuration", set)
}
