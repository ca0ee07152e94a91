//! What a run will cost: memory, disk, and how far it will come.

use std::fmt;

use camelot_models::{Encode, Shape, Weights};
use camelot_selfplay::players::Advance;
use camelot_train::learner::PART;
use rayon::ThreadPool;
use serde::Serialize;

use super::progress::Watch;
use super::{Prepared, Training};
use crate::commands::{print_json, print_text};
use crate::config::{Config, DeviceName};
use crate::failure::Failure;
use crate::machine;
use crate::run_folder::RunFolder;

/// Iterations that are tried, and games in each of them.
const TRIED: u64 = 2;
const GAMES: (u64, u64) = (8, 64);

/// What the program needs before it does anything, and for each thread.
const BASE_BYTES: usize = 60 << 20;
const THREAD_BYTES: usize = 12 << 20;
/// Numbers that learning keeps a square, channel and convolution of a residual network, for each position of a part
/// of a batch (measured: 9 in Camelot).
const ACTIVATIONS: usize = 10;
/// Bytes of a self-play game until it is in the window.
const GAME_BYTES: usize = 8 << 10;
/// Copies of the network in memory: trained, averaged, two moments, gradients, and those in passing.
const COPIES: usize = 10;

/// The memory that a window takes when it is full, in bytes.
pub(super) fn window_bytes<G: Encode>(config: &Config) -> usize {
    // The start has more legal actions than most positions of a game; the patience begins with one.
    let actions = G::start(config.rules).count_actions(&mut Vec::new()).max(16);
    config.window.most * (std::mem::size_of::<G>() + 2 * actions + 48)
}

/// The memory that a run takes once its window is full, in bytes.
fn memory_bytes<G: Encode>(config: &Config, threads: usize) -> usize {
    let network = 4 * Weights::zeros(G::sizes(), config.network).count();
    BASE_BYTES
        + window_bytes::<G>(config)
        + COPIES * network
        + threads * (THREAD_BYTES + learning_bytes::<G>(config))
        + config.games_per_iteration as usize * GAME_BYTES
}

/// What a thread keeps of a part of a batch while it learns, in bytes. On a graphics card it is that one's memory.
fn learning_bytes<G: Encode>(config: &Config) -> usize {
    match config.network {
        Shape::Residual(shape) if config.device == DeviceName::Cpu => {
            let squares = G::sizes().grid.map_or(1, |grid| grid.rows * grid.columns);
            4 * ACTIVATIONS * PART * squares * shape.channels * (2 * shape.blocks + 1)
        }
        _ => 4 * PART * 4096,
    }
}

/// Refuses a run that does not fit into the machine's memory.
pub(super) fn check_memory<G: Encode>(config: &Config, threads: usize) -> Result<(), Failure> {
    let (needed, Some(there)) = (memory_bytes::<G>(config, threads) as u64, machine::memory_bytes()) else {
        return Ok(());
    };
    if needed <= there {
        return Ok(());
    }
    let window = window_bytes::<G>(config) as u64;
    if needed - window > there {
        let key = match config.network {
            Shape::Residual(_) => "network.channels",
            Shape::Sparse(_) => "network.accumulator",
        };
        return Err(Failure::error(format!(
            "configuration key `{key}`: the run would take {} without its window, and there are {}; expected a smaller \
             network, or fewer --threads",
            size(needed - window),
            size(there)
        )));
    }
    let each = window / config.window.most as u64;
    let room = (there + window - needed) / each;
    Err(Failure::error(format!(
        "configuration key `training.window_positions` is {}: the run would take {}, and there are {}; expected at \
         most {room}",
        config.window.most,
        size(needed),
        size(there)
    )))
}

/// A number of bytes for people.
fn size(bytes: u64) -> String {
    match bytes as f64 / 1e6 {
        megabytes if megabytes < 1_000.0 => format!("{megabytes:.0} MB"),
        megabytes => format!("{:.1} GB", megabytes / 1e3),
    }
}

/// What `train --dry-run` answers.
#[derive(Clone, Debug, Serialize)]
struct Estimate {
    game: &'static str,
    network: String,
    threads: usize,
    instructions: &'static str,
    memory_bytes: u64,
    machine_memory_bytes: Option<u64>,
    /// Games, checkpoints and metrics at the end of the run.
    disk_bytes: u64,
    free_disk_bytes: Option<u64>,
    minutes: f64,
    iterations: u64,
    games: u64,
    games_per_second: f64,
}

/// Tries a little of a run in a folder that is thrown away, and says what the whole will come to.
pub(crate) fn dry_run<G: Encode + Advance>(
    config: &Config,
    folder: &std::path::Path,
    pool: &ThreadPool,
    json: bool,
) -> Result<(), Failure> {
    let threads = pool.current_num_threads();
    let scratch = tempfile::tempdir()?;
    let mut tried = config.clone();
    tried.games_per_iteration = config.games_per_iteration.clamp(GAMES.0, GAMES.1);
    tried.budget.iterations = TRIED;
    tried.evaluation.ratings = 0;
    let prepared = Prepared::new::<G>(&tried, threads)?;
    let run = RunFolder::open(scratch.path(), &tried)?;
    let mut training = Training::<G>::open(&tried, &run, pool, prepared)?;
    let mut watch = Watch::silent();
    while !training.finished() {
        if !training.iterate(&mut watch)? {
            return Err(Failure::Interrupted);
        }
    }
    let counters = training.counters;
    let bytes_in = |folder: &str| -> u64 {
        let files = std::fs::read_dir(run.path.join(folder)).into_iter().flatten().flatten();
        files.filter_map(|file| file.metadata().ok()).map(|file| file.len()).sum()
    };
    let games = counters.games as f64;
    let whole_games = (60.0 * config.budget.minutes / counters.seconds * games)
        .min((config.budget.iterations * config.games_per_iteration) as f64);
    let iterations = (whole_games / config.games_per_iteration as f64).ceil().max(1.0) as u64;
    let kept = iterations.min(config.checkpoints.keep as u64 + iterations / config.checkpoints.keep_every);
    let positions = whole_games.min(config.window.most as f64 * games / counters.positions.max(1) as f64);
    let checkpoints = camelot_models::checkpoint::list(&run.path).len().max(1) as u64;
    let estimate = Estimate {
        game: config.game,
        network: config.network.to_string(),
        threads,
        instructions: camelot_models::device::instructions(),
        memory_bytes: memory_bytes::<G>(config, threads) as u64,
        machine_memory_bytes: machine::memory_bytes(),
        disk_bytes: (bytes_in(crate::run_folder::WINDOW) as f64 / games * positions) as u64
            + bytes_in(camelot_models::checkpoint::FOLDER) / checkpoints * kept
            + 2_000 * iterations,
        free_disk_bytes: machine::free_disk_bytes(folder),
        minutes: counters.seconds / games * whole_games / 60.0,
        iterations,
        games: whole_games as u64,
        games_per_second: games / counters.seconds,
    };
    if json { print_json(&estimate) } else { print_text(&estimate.to_string()) }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = |bytes: Option<u64>| bytes.map_or("unknown".into(), size);
        writeln!(
            f,
            "{}, {} network, {} threads with {}",
            self.game, self.network, self.threads, self.instructions
        )?;
        let (memory, machine) = (size(self.memory_bytes), known(self.machine_memory_bytes));
        writeln!(f, "memory  up to about {memory} of {machine}")?;
        let (disk, free) = (size(self.disk_bytes), known(self.free_disk_bytes));
        writeln!(f, "disk    about {disk}, {free} are free")?;
        let games = self.games;
        writeln!(f, "games   about {games} in {} iterations", self.iterations)?;
        writeln!(f, "time    {:.1} minutes, and the ratings and matches", self.minutes)?;
        writeln!(
            f,
            "Measured with {:.1} games a second of an untrained network; trained ones play otherwise.",
            self.games_per_second
        )
    }
}

#[cfg(test)]
mod tests {
    use camelot_core::{Cam, Position};

    use super::*;
    use crate::config;

    fn quick() -> Config {
        Config::try_from(config::read(config::BUILT_IN, "built in", &[]).unwrap()).unwrap()
    }

    #[test]
    fn a_window_larger_than_the_machine_is_refused_by_its_key() {
        let mut config = quick();
        assert!(check_memory::<Position<Cam>>(&config, 2).is_ok());
        config.window.most = 1 << 40;
        let Err(Failure::Error(error)) = check_memory::<Position<Cam>>(&config, 2) else {
            panic!("accepted")
        };
        let text = error.to_string();
        assert!(
            text.contains("`training.window_positions` is 1099511627776") && text.contains("at most"),
            "{text}"
        );
    }

    #[test]
    fn sizes_are_told_in_handy_units() {
        assert_eq!([size(12_345_678), size(4_560_000_000)], ["12 MB", "4.6 GB"]);
    }
}
