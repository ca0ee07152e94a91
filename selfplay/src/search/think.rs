//! One search by several threads, and several leaves at a time: for play.
//!
//! The threads share one tree behind a lock. Each holds it while it walks and lets go of it while it
//! evaluates, which takes most of the time. With one thread and an evaluator that gains nothing from batches a search
//! is the same as [`puct_search`](super::puct_search) and always comes out the same; several threads meet in
//! a different order every time.

use std::sync::Mutex;

use camelot_core::{Game, Line};
use camelot_models::{Evaluation, Evaluator, Request};

use super::limits::{Limits, Watch};
use super::puct::decide_by_visits;
use super::root::Decision;
use super::tree::{Descent, Search, Ticket};

/// At most this share of a search's simulations is under way at once: leaves chosen without knowing of each
/// other's values are worth less.
const SHARE_AT_ONCE: u32 = 16;

/// Several threads take at least this many leaves at a time, so that they meet at the lock less often: an
/// evaluation may take no longer than the walk to it.
const LEAVES_TOGETHER: usize = 8;

/// Searches the position at the end of `line` on as many threads as there are evaluators, of which there must
/// be one, and chooses as [`decide_by_visits`] does.
///
/// # Panics
///
/// If an evaluator panics.
pub fn think<G: Game, E: Evaluator<G> + Send>(
    search: &mut Search<G>,
    line: &Line<G>,
    limits: &Limits,
    evaluators: &mut [E],
) -> Decision<G::Action> {
    let watch = Watch::new(limits);
    search.begin(line, &mut evaluators[0]);
    let together = if evaluators.len() > 1 { LEAVES_TOGETHER } else { 1 };
    let at_once = limits.simulations.map_or(u32::MAX, |count| count / SHARE_AT_ONCE).max(1) as usize;
    let shared = Mutex::new(Shared { search, watch });
    let work = |evaluator: &mut E| {
        let leaves = evaluator.batch_size().max(together).min(at_once).max(1);
        Worker::new(leaves).run(&shared, evaluator);
    };
    match evaluators {
        [evaluator] => work(evaluator),
        several => std::thread::scope(|scope| {
            for evaluator in several {
                scope.spawn(|| work(evaluator));
            }
        }),
    }
    let Shared { search, watch } = shared.into_inner().expect(UNPOISONED);
    decide_by_visits(search, watch.simulations())
}

const UNPOISONED: &str = "no thread panicked with the lock";

/// What the threads share.
struct Shared<'a, G: Game> {
    search: &'a mut Search<G>,
    watch: Watch<'a>,
}

/// What a thread owns: its leaves, copied out of the tree so that others may go on with it.
struct Worker<G: Game> {
    tickets: Vec<Ticket>,
    positions: Vec<G>,
    actions: Vec<Vec<G::Action>>,
    answers: Vec<Evaluation>,
    /// Leaves at a time.
    leaves: usize,
}

impl<G: Game> Worker<G> {
    fn new(leaves: usize) -> Self {
        Self {
            tickets: Vec::with_capacity(leaves),
            positions: Vec::with_capacity(leaves),
            actions: vec![Vec::new(); leaves],
            answers: vec![Evaluation::default(); leaves],
            leaves,
        }
    }

    fn run(&mut self, shared: &Mutex<Shared<'_, G>>, evaluator: &mut impl Evaluator<G>) {
        loop {
            {
                let mut guard = shared.lock().expect(UNPOISONED);
                let Shared { search, watch } = &mut *guard;
                for (ticket, answer) in self.tickets.drain(..).zip(&self.answers) {
                    search.apply(ticket, answer.wdl, &answer.logits);
                }
                if !self.gather(search, watch) && self.tickets.is_empty() {
                    return;
                }
            }
            if self.tickets.is_empty() {
                // Everything in reach is with other threads.
                std::thread::yield_now();
                continue;
            }
            self.evaluate(evaluator);
        }
    }

    /// Walks until it has its leaves or another thread has the next one. Returns whether the search goes on.
    fn gather(&mut self, search: &mut Search<G>, watch: &mut Watch<'_>) -> bool {
        self.positions.clear();
        while self.tickets.len() < self.leaves {
            // A planned walk belongs to a simulation that has been counted.
            let counts = !search.has_probes();
            if counts && (!search.goes_on() || !watch.allows_another()) {
                return false;
            }
            match search.descend(None) {
                Descent::Finished => {}
                Descent::Busy => {
                    if counts {
                        watch.take_back();
                    }
                    break;
                }
                Descent::Wanted(ticket) => {
                    let (position, actions) = search.request(&ticket);
                    let copy = &mut self.actions[self.tickets.len()];
                    copy.clear();
                    copy.extend_from_slice(actions);
                    self.positions.push(position.clone());
                    self.tickets.push(ticket);
                }
            }
        }
        true
    }

    fn evaluate(&mut self, evaluator: &mut impl Evaluator<G>) {
        if let [position] = &self.positions[..] {
            let answer = &mut self.answers[0];
            answer.wdl = evaluator.evaluate(position, &self.actions[0], &mut answer.logits);
            return;
        }
        let requests: Vec<Request<'_, G>> = self
            .positions
            .iter()
            .zip(&self.actions)
            .map(|(position, actions)| Request { position, actions })
            .collect();
        evaluator.evaluate_batch(&requests, &mut self.answers[..requests.len()]);
    }
}
