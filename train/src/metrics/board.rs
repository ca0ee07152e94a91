//! `TensorBoard` behind a wall: its writer panics where others return errors, and none of that may reach
//! a run.

use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::{SystemTime, UNIX_EPOCH};
use std::{fmt, fs, mem};

use tensorboard_rs::summary_writer::SummaryWriter;

/// The folder of `TensorBoard`'s files in a run folder.
const FOLDER: &str = "tensorboard";

/// A writer of scalars that fails at most once.
pub(crate) struct Board {
    folder: PathBuf,
    state: State,
}

enum State {
    Open(Box<SummaryWriter>),
    /// Failed, with a warning that nobody has seen yet.
    Failed(String),
    Silent,
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Board").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl Board {
    /// Opens a fresh sub-folder: two writers in one folder would overwrite each other's file.
    pub(crate) fn open(run_folder: &Path, first_iteration: u64) -> Self {
        silence_panics();
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        let folder = run_folder.join(FOLDER).join(format!("{first_iteration:06}-{seconds}"));
        // The folder is made here so that the usual failure comes with a reason.
        let state = match fs::create_dir_all(&folder) {
            Err(error) => State::Failed(warning(&folder, &error.to_string())),
            Ok(()) => match panic::catch_unwind(|| SummaryWriter::new(&folder)) {
                Ok(writer) => State::Open(Box::new(writer)),
                Err(_) => State::Failed(warning(&folder, "its writer panicked")),
            },
        };
        Self { folder, state }
    }

    /// Writes scalars; returns the warning of the first failure.
    pub(crate) fn show(&mut self, iteration: u64, scalars: &[(&str, f64)]) -> Option<String> {
        if let State::Open(writer) = &mut self.state {
            let written = panic::catch_unwind(AssertUnwindSafe(|| {
                for (tag, value) in scalars {
                    writer.add_scalar(tag, *value as f32, iteration as usize);
                }
                writer.flush();
            }));
            if written.is_err() {
                self.fail("its writer stopped");
            }
        }
        match mem::replace(&mut self.state, State::Silent) {
            State::Failed(warning) => Some(warning),
            other => {
                self.state = other;
                None
            }
        }
    }

    fn fail(&mut self, why: &str) {
        let failed = State::Failed(warning(&self.folder, why));
        if let State::Open(writer) = mem::replace(&mut self.state, failed) {
            close(writer);
        }
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        if let State::Open(writer) = mem::replace(&mut self.state, State::Silent) {
            close(writer);
        }
    }
}

/// Closes a writer, whose destructor panics where its thread has died.
fn close(writer: Box<SummaryWriter>) {
    let _ = panic::catch_unwind(AssertUnwindSafe(|| drop(writer)));
}

fn warning(folder: &Path, why: &str) -> String {
    format!("TensorBoard files in {}: {why}; metrics go on in {} alone", folder.display(), super::FILE)
}

/// Keeps the panics of `TensorBoard`'s writer off standard error, where they would look like a crash of the
/// run; they are caught and become one warning. All other panics are reported as before.
fn silence_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let place = info.location().map_or("", panic::Location::file);
            if !place.contains("tensorboard-rs-") {
                report(info);
            }
        }));
    });
}
