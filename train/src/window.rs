//! The replay window: the samples of the newest iterations, in memory and as shards on the disk.
//!
//! An iteration is in the window whole or not at all. The window is the shortest run of newest
//! iterations that holds at least its capacity ([`WindowSize`]), so that its contents depend on the shards alone and a
//! resumed process holds what an uninterrupted one would.

mod size;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::{fs, io};

use camelot_core::Game;
use camelot_core::record::GameRecord;
use camelot_core::shard::Shard;
use camelot_models::files::remove_partial_files;
use rand::{Rng, RngExt};
use rayon::prelude::*;
use thiserror::Error;

use crate::sample::{Sample, samples_of};
use crate::shard::{self, ShardError};
pub use size::WindowSize;

/// A replay window that cannot be opened or extended.
#[derive(Debug, Error)]
pub enum WindowError {
    /// The file system refused something to the window's folder or a file in it.
    #[error("replay window {path}: cannot {action}: {source}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// What the file system said.
        source: io::Error,
    },
    /// A shard cannot be written, or the records for it hold no games.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// An iteration that is not newer than those in the window.
    #[error("replay window {path}: iteration {found}, expected one after {newest}")]
    Order {
        /// The folder.
        path: PathBuf,
        /// The iteration to append.
        found: u64,
        /// The newest one in the window.
        newest: u64,
    },
}

/// A shard that was put aside because it cannot be used.
#[derive(Debug)]
pub struct ShardProblem {
    /// Where the file is now.
    pub path: PathBuf,
    /// What is wrong with it.
    pub why: ShardError,
}

/// A window that grows makes room for this part of itself in advance.
const SPARE: usize = 8;

/// One iteration's share of the window.
#[derive(Clone, Copy, Debug)]
struct Span {
    iteration: u64,
    samples: usize,
}

/// The newest samples of a run.
#[derive(Debug)]
pub struct ReplayWindow<G> {
    folder: PathBuf,
    /// Oldest first.
    samples: VecDeque<Sample<G>>,
    /// The iterations that `samples` are of, oldest first.
    spans: VecDeque<Span>,
    /// Iterations that no longer fit, whose shards are still there.
    outgrown: Vec<u64>,
}

impl<G: Game> ReplayWindow<G> {
    /// Opens the window in `folder`, which is created if need be, as it was after `last_iteration`, when it held
    /// `capacity_positions`.
    ///
    /// Partial files of a killed process are deleted, and so are shards of later iterations, which no
    /// checkpoint counts, and of iterations that no longer fit. A shard that cannot be used is renamed to
    /// `NAME.bad` and reported. Other files are left alone.
    ///
    /// # Errors
    ///
    /// If the file system refuses.
    pub fn open(
        folder: &Path,
        capacity_positions: usize,
        last_iteration: u64,
    ) -> Result<(Self, Vec<ShardProblem>), WindowError> {
        fs::create_dir_all(folder).map_err(io_error(folder, "create it"))?;
        let mut window = Self {
            folder: folder.into(),
            samples: VecDeque::new(),
            spans: VecDeque::new(),
            outgrown: Vec::new(),
        };
        let mut problems = Vec::new();
        let (mut kept, superseded): (Vec<u64>, Vec<u64>) =
            tidy(folder)?.into_iter().partition(|&iteration| iteration <= last_iteration);
        superseded.into_iter().try_for_each(|iteration| window.delete(iteration))?;
        kept.sort_unstable();
        for iteration in kept.into_iter().rev() {
            if window.len() >= capacity_positions && !window.spans.is_empty() {
                window.delete(iteration)?;
                continue;
            }
            match load(folder, iteration) {
                Ok(samples) => window.prepend(iteration, samples),
                Err(ShardError::Io { path, source }) => return Err(io_error(&path, "read it")(source)),
                // Games of another version are somebody's work, not damage: better to stop than to lose them.
                Err(why @ ShardError::Codec { .. }) if !why.is_damage() => return Err(why.into()),
                Err(why) => problems.push(quarantine(&shard::file_in(folder, iteration), why)?),
            }
        }
        Ok((window, problems))
    }

    /// Writes an iteration's games to their shard and takes them into the window, which from now on holds
    /// `capacity_positions`; the oldest iterations that no longer fit are forgotten. Their shards stay until
    /// [`Self::commit`].
    ///
    /// # Errors
    ///
    /// If the iteration is not a new one, a record is no game of `G`, or the file system refuses. Nothing
    /// is written or taken in then.
    pub fn append(
        &mut self,
        iteration: u64,
        records: Vec<GameRecord>,
        capacity_positions: usize,
    ) -> Result<(), WindowError> {
        if let Some(newest) = self.newest_iteration().filter(|&newest| newest >= iteration) {
            return Err(WindowError::Order { path: self.folder.clone(), found: iteration, newest });
        }
        let shard = Shard { game: G::NAME.into(), iteration, records };
        let samples = replay(&shard, &shard::file_in(&self.folder, iteration))?;
        shard::save(&shard, &self.folder)?;
        self.spans.push_back(Span { iteration, samples: samples.len() });
        self.make_room(samples.len());
        self.samples.extend(samples);
        self.evict(capacity_positions);
        Ok(())
    }

    /// Deletes the shards of iterations that no longer fit. To be called when the newest iteration can no
    /// longer be lost: a run that goes on from the one before needs the shards of that one.
    ///
    /// # Errors
    ///
    /// If the file system refuses; what is left is deleted by the next call or the next [`Self::open`].
    pub fn commit(&mut self) -> Result<(), WindowError> {
        while let Some(&iteration) = self.outgrown.last() {
            self.delete(iteration)?;
            self.outgrown.pop();
        }
        Ok(())
    }

    /// Draws samples uniformly, with replacement; none from an empty window.
    pub fn sample(&self, rng: &mut impl Rng, count: usize) -> Vec<&Sample<G>> {
        if self.is_empty() {
            return Vec::new();
        }
        (0..count).map(|_| &self.samples[rng.random_range(0..self.samples.len())]).collect()
    }

    /// Up to `count` samples of the newest iteration, at even distances.
    #[must_use]
    pub fn newest(&self, count: usize) -> Vec<&Sample<G>> {
        let newest = self.spans.back().map_or(0, |span| span.samples);
        let count = count.min(newest);
        let start = self.samples.len() - newest;
        (0..count).map(|index| &self.samples[start + index * newest / count]).collect()
    }

    /// How many samples there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Whether there are no samples.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// The newest iteration in the window.
    #[must_use]
    pub fn newest_iteration(&self) -> Option<u64> {
        self.spans.back().map(|span| span.iteration)
    }

    /// The oldest iteration in the window.
    #[must_use]
    pub fn oldest_iteration(&self) -> Option<u64> {
        self.spans.front().map(|span| span.iteration)
    }

    fn prepend(&mut self, iteration: u64, samples: Vec<Sample<G>>) {
        self.spans.push_front(Span { iteration, samples: samples.len() });
        self.make_room(samples.len());
        for sample in samples.into_iter().rev() {
            self.samples.push_front(sample);
        }
    }

    /// Makes room for so many more samples, and where that takes new memory, for an eighth of all besides. A buffer that
    /// doubled would take twice what the window needs.
    fn make_room(&mut self, more: usize) {
        let (len, capacity) = (self.samples.len(), self.samples.capacity());
        if len + more > capacity {
            self.samples.reserve_exact(more + len / SPARE);
        }
    }

    /// Forgets the oldest iterations as long as the others fill the capacity.
    fn evict(&mut self, capacity: usize) {
        while self.spans.len() > 1 && self.samples.len() - self.spans[0].samples >= capacity {
            let Span { iteration, samples } = self.spans[0];
            self.spans.pop_front();
            self.samples.drain(..samples);
            self.outgrown.push(iteration);
        }
    }

    fn delete(&self, iteration: u64) -> Result<(), WindowError> {
        delete_file(&shard::file_in(&self.folder, iteration))
    }
}

fn io_error(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> WindowError {
    let path = path.into();
    move |source| WindowError::Io { path, action, source }
}

/// Deletes a file; one that is gone already is as good.
fn delete_file(path: &Path) -> Result<(), WindowError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(io_error(path, "delete it")(error)),
        _ => Ok(()),
    }
}

/// Deletes what a killed process left half written and lists the iterations that have a shard.
fn tidy(folder: &Path) -> Result<Vec<u64>, WindowError> {
    remove_partial_files(folder).map_err(io_error(folder, "tidy it"))?;
    let mut iterations = Vec::new();
    for entry in fs::read_dir(folder).map_err(io_error(folder, "list it"))? {
        let entry = entry.map_err(io_error(folder, "list it"))?;
        iterations.extend(entry.file_name().to_str().and_then(shard::iteration_of));
    }
    Ok(iterations)
}

fn load<G: Game>(folder: &Path, iteration: u64) -> Result<Vec<Sample<G>>, ShardError> {
    replay(&shard::load(folder, iteration, G::NAME)?, &shard::file_in(folder, iteration))
}

/// The samples of a shard's games, in order.
fn replay<G: Game>(shard: &Shard, path: &Path) -> Result<Vec<Sample<G>>, ShardError> {
    let games: Vec<_> = shard.records.par_iter().map(samples_of).collect();
    let mut samples = Vec::new();
    for (index, game) in games.into_iter().enumerate() {
        samples.extend(game.map_err(|source| ShardError::Record { path: path.into(), index, source })?);
    }
    Ok(samples)
}

fn quarantine(path: &Path, why: ShardError) -> Result<ShardProblem, WindowError> {
    let aside = path.with_extension(format!("{}.bad", shard::EXTENSION));
    fs::rename(path, &aside).map_err(io_error(path, "rename it"))?;
    Ok(ShardProblem { path: aside, why })
}

#[cfg(test)]
mod tests;
