//! A run folder: what is in it, who holds it, and whether a configuration belongs to it.
//!
//! ```text
//! config.toml        the resolved configuration
//! run.json           when and by what program the run was begun
//! lock               held while a process trains
//! checkpoints/       NNNNNN.checkpoint, one an iteration
//! best               the iteration that the folder stands for as a player, where it is not the newest
//! window/            NNNNNN.shard, the games that are learnt from
//! metrics.jsonl      one line an iteration
//! tensorboard/       the same for TensorBoard
//! evaluation.json    the matches at the end
//! ```

use std::fs::{self, File, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use camelot_models::encoding::ENCODING_VERSION;
use camelot_models::files::{remove_partial_files, write_atomically};
use serde::Serialize;

use crate::config::{self, Config, Raw};
use crate::failure::Failure;

const CONFIG: &str = "config.toml";
const LOCK: &str = "lock";

/// The folder of the replay window in a run folder.
pub(crate) const WINDOW: &str = "window";

/// A run folder, locked by this process.
#[derive(Debug)]
pub(crate) struct RunFolder {
    pub(crate) path: PathBuf,
    /// Keeps the lock until the process ends.
    _lock: File,
}

#[derive(Debug, Serialize)]
struct About {
    begun_unix_seconds: u64,
    program: &'static str,
    program_version: &'static str,
    git_revision: Option<String>,
    encoding_version: u32,
    game: String,
    seed: u64,
}

impl RunFolder {
    /// Creates the folder of a new run, or takes hold of an existing one.
    ///
    /// # Errors
    ///
    /// If the folder holds something else, another game's run, a run with another configuration, or is in
    /// use.
    pub(crate) fn open(path: &Path, config: &Config) -> Result<Self, Failure> {
        let at = |error: std::io::Error| Failure::error(format!("run folder {}: {error}", path.display()));
        let fresh = !path.join(CONFIG).exists();
        if fresh && is_someone_elses(path).map_err(at)? {
            return Err(Failure::error(format!(
                "run folder {}: it is not empty and holds no {CONFIG}: expected a new folder or one of a run",
                path.display()
            )));
        }
        fs::create_dir_all(path).map_err(at)?;
        let lock = lock(path)?;
        if !fresh {
            let stored = stored_config(path)?;
            belongs(path, &config.raw, &stored)?;
        }
        let checkpoints = path.join(camelot_models::checkpoint::FOLDER);
        fs::create_dir_all(&checkpoints).map_err(at)?;
        for folder in [path, &checkpoints] {
            remove_partial_files(folder).map_err(at)?;
        }
        write_atomically(&path.join(CONFIG), toml::to_string(&config.raw)?.as_bytes()).map_err(at)?;
        if !path.join("run.json").exists() {
            let about = serde_json::to_string_pretty(&About::now(config))?;
            write_atomically(&path.join("run.json"), about.as_bytes()).map_err(at)?;
        }
        Ok(Self { path: path.into(), _lock: lock })
    }

    /// The folder of the replay window.
    pub(crate) fn window(&self) -> PathBuf {
        self.path.join(WINDOW)
    }

    /// The file of the matches at the end.
    pub(crate) fn evaluation(&self) -> PathBuf {
        self.path.join("evaluation.json")
    }
}

impl About {
    fn now(config: &Config) -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        Self {
            begun_unix_seconds: since.map_or(0, |since| since.as_secs()),
            program: env!("CARGO_PKG_NAME"),
            program_version: env!("CARGO_PKG_VERSION"),
            git_revision: git_revision(),
            encoding_version: ENCODING_VERSION,
            game: config.game.into(),
            seed: config.seed,
        }
    }
}

/// The revision checked out where the program was built, if that place and git are at hand.
fn git_revision() -> Option<String> {
    let source = env!("CARGO_MANIFEST_DIR");
    let output = std::process::Command::new("git").args(["-C", source, "rev-parse", "HEAD"]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_string())
}

/// The configuration stored in a run folder.
pub(crate) fn stored_config(path: &Path) -> Result<Raw, Failure> {
    let file = path.join(CONFIG);
    config::read(&config::read_file(&file)?, &file.display().to_string(), &[])
}

/// Whether a folder exists and holds a run.
pub(crate) fn is_run(path: &Path) -> bool {
    path.join(CONFIG).exists()
}

fn is_someone_elses(path: &Path) -> std::io::Result<bool> {
    if !path.exists() {
        return Ok(false);
    }
    // A run that was killed at its very beginning may have left these.
    let ours = |name: &str| name == LOCK || name.starts_with(camelot_models::files::PARTIAL_PREFIX);
    for entry in fs::read_dir(path)? {
        if !entry?.file_name().to_str().is_some_and(ours) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn belongs(path: &Path, wanted: &Raw, stored: &Raw) -> Result<(), Failure> {
    let path = path.display();
    if wanted.game != stored.game {
        return Err(Failure::error(format!(
            "run folder {path}: it holds a run of `{}`, expected `{}`; name another folder with --run",
            stored.game, wanted.game
        )));
    }
    if let Some((key, wanted, stored)) = config::first_difference(wanted, stored) {
        return Err(Failure::error(format!(
            "run folder {path}: configuration key `{key}` is {wanted}, but the run was begun with {stored}; \
             name another folder with --run"
        )));
    }
    Ok(())
}

fn lock(path: &Path) -> Result<File, Failure> {
    let file = path.join(LOCK);
    let failed = |error: std::io::Error| Failure::error(format!("{}: {error}", file.display()));
    let mut handle =
        File::options().read(true).write(true).create(true).truncate(false).open(&file).map_err(failed)?;
    match handle.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut holder = String::new();
            (&handle).take(32).read_to_string(&mut holder).map_err(failed)?;
            return Err(Failure::error(format!(
                "run folder {}: in use by process {}",
                path.display(),
                holder.trim()
            )));
        }
        Err(TryLockError::Error(error)) => return Err(failed(error)),
    }
    handle.set_len(0).map_err(failed)?;
    handle.seek(SeekFrom::Start(0)).map_err(failed)?;
    writeln!(handle, "{}", std::process::id()).map_err(failed)?;
    Ok(handle)
}
