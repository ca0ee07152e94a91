//! A search on a thread of its own, so that the engine goes on listening.

use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use camelot_core::{Game, Line, perft};
use camelot_selfplay::players::{Player, Thought};
use camelot_selfplay::rng::Generator;
use camelot_selfplay::search::Limits;

use crate::commands::print_text;
use crate::failure::Failure;
use crate::lines::texts;

/// The player and its random numbers. Whoever thinks holds the lock.
pub(super) struct Mind<G: Game> {
    pub(super) player: Box<dyn Player<G>>,
    pub(super) rng: Generator,
}

/// What a search is for.
pub(super) enum Task {
    /// A move within limits.
    Think(Limits, Answer),
    /// Counts of the game tree.
    Perft(u32),
}

/// When a move that was found is told.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    AtOnce,
    WhenStopped,
}

/// A search that has not been waited for.
pub(super) struct Search {
    stop: Arc<AtomicBool>,
    /// Set before the last line is written: whoever has read that finds the engine free.
    done: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Search {
    /// Starts to work on the position at the end of `line`.
    pub(super) fn start<G: Game>(
        line: Line<G>,
        mind: Arc<Mutex<Mind<G>>>,
        task: Task,
    ) -> Result<Self, Failure> {
        let (stop, done) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let (stopped, finished) = (Arc::clone(&stop), Arc::clone(&done));
        let work = move || {
            let answer = match task {
                Task::Think(limits, answer) => {
                    think(&line, &mind, &Limits { stop: Some(stopped), ..limits }, answer)
                }
                Task::Perft(depth) => count(line.position(), depth, &stopped),
            };
            finished.store(true, Ordering::SeqCst);
            // If nobody reads any more, the end of the input will tell.
            let _ = print_text(&answer);
        };
        let thread = thread::Builder::new().spawn(work)?;
        Ok(Self { stop, done, thread })
    }

    /// Whether it has found what it was to find.
    pub(super) fn is_done(&self) -> bool {
        self.done.load(Ordering::SeqCst)
    }

    /// Ends it if it goes on, and waits for its last line.
    pub(super) fn finish(self) {
        self.stop.store(true, Ordering::SeqCst);
        self.thread.thread().unpark();
        self.thread.join().expect("a search does not panic");
    }
}

/// Thinks, and gives the last lines to say.
fn think<G: Game>(line: &Line<G>, mind: &Mutex<Mind<G>>, limits: &Limits, answer: Answer) -> String {
    let started = Instant::now();
    let mut mind = mind.lock().unwrap_or_else(PoisonError::into_inner);
    let Mind { player, rng } = &mut *mind;
    let position = line.position();
    let mut tell = |thought: &Thought<G::Action>| {
        // As below.
        let _ = print_text(&format!("{}\n", info(position, thought, started.elapsed())));
    };
    let thought = player.think_aloud(line, limits, rng, &mut tell);
    let spent = started.elapsed();
    while answer == Answer::WhenStopped && !limits.stopped() {
        thread::park();
    }
    match thought {
        Ok(thought) => {
            let best = position.action_text(thought.action);
            format!("{}\nbestmove {best}\n", info(position, &thought, spent))
        }
        Err(why) => format!("info string error: {why}\nbestmove none\n"),
    }
}

/// What the search has come to, in one line.
fn info<G: Game>(position: &G, thought: &Thought<G::Action>, spent: Duration) -> String {
    let nodes = thought.simulations;
    let per_second = f64::from(nodes) / spent.as_secs_f64().max(1e-9);
    let mut text = format!("info nodes {nodes} time {} nps {per_second:.0}", spent.as_millis());
    if let Some(value) = thought.value {
        write!(text, " score cp {:.0}", 100.0 * value).expect("a string takes everything");
    }
    if !thought.line.is_empty() {
        write!(text, " pv {}", texts(position, &thought.line).join(" ")).expect("a string takes everything");
    }
    text
}

/// Counts the tree below each action, and in all.
fn count<G: Game>(position: &G, depth: u32, stop: &AtomicBool) -> String {
    let started = Instant::now();
    let mut text = String::new();
    let mut actions = Vec::new();
    if depth > 0 && position.outcome().is_none() {
        position.legal_actions(&mut actions);
        actions.sort_unstable();
    }
    let mut nodes = u64::from(depth == 0);
    for action in actions {
        let mut next = position.clone();
        next.play(action);
        let Some(below) = stoppable_perft(&next, depth - 1, stop) else {
            return "info string stopped\nbestmove none\n".into();
        };
        nodes += below;
        writeln!(text, "info string {} {below}", position.action_text(action))
            .expect("a string takes everything");
    }
    let ms = started.elapsed().as_millis();
    format!("{text}info depth {depth} nodes {nodes} time {ms}\nbestmove none\n")
}

/// Deep enough that looking at the flag costs nothing, and shallow enough to be done in a moment.
const PLIES_BETWEEN_LOOKS: u32 = 2;

/// [`perft()`] that can be stopped; its depth is bounded by whoever reads the command.
fn stoppable_perft<G: Game>(position: &G, depth: u32, stop: &AtomicBool) -> Option<u64> {
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    if depth <= PLIES_BETWEEN_LOOKS {
        return Some(perft(position, depth));
    }
    if position.outcome().is_some() {
        return Some(0);
    }
    let mut actions = Vec::new();
    position.legal_actions(&mut actions);
    let below = |action| {
        let mut next = position.clone();
        next.play(action);
        stoppable_perft(&next, depth - 1, stop)
    };
    actions.into_iter().map(below).sum()
}
