//! Which action is tried first: the better the guess, the sooner the rest is cut off.
//!
//! First what the table knows as best, then what the game itself promises (wins and captures), then the two
//! *killers*, quiet actions that last refuted a position at this ply, then the *history*: how often an action
//! refuted any position, the deeper the better (Schaeffer, "The History Heuristic", 1983).

use super::MAX_PLY;
use super::judge::Judge;

/// A promise of at least this much comes before the killers: see [`Judge::promise`].
pub(super) const LOUD: i32 = 1 << 24;

const TABLE_FIRST: i32 = i32::MAX;
const KILLER: i32 = 1 << 22;
/// History stays below the killers.
const HISTORY_LIMIT: i32 = 1 << 20;
/// Actions share the counts of history by the squares they leave and reach.
const SLOTS: usize = 1 << 16;

/// What refuted positions so far.
#[derive(Debug)]
pub(super) struct Ordering<A> {
    killers: Vec<[Option<A>; 2]>,
    history: Vec<i32>,
}

impl<A: Copy + Eq> Ordering<A> {
    pub(super) fn new() -> Self {
        Self { killers: Vec::new(), history: Vec::new() }
    }

    /// Forgets everything.
    pub(super) fn start(&mut self) {
        self.killers.clear();
        self.killers.resize(MAX_PLY + 1, [None; 2]);
        self.history.clear();
        self.history.resize(SLOTS, 0);
    }

    /// Appends the rank of each action; higher ranks are tried first. `best` is the index of the action that
    /// the table knows as best.
    pub(super) fn rank<G: camelot_core::Game<Action = A>>(
        &self,
        (judge, position): (&impl Judge<G>, &G),
        actions: &[A],
        (best, ply): (Option<u16>, usize),
        ranks: &mut Vec<i32>,
    ) {
        let killers = &self.killers[ply];
        ranks.extend(actions.iter().enumerate().map(|(index, &action)| {
            if best.is_some_and(|best| usize::from(best) == index) {
                return TABLE_FIRST;
            }
            let promise = judge.promise(position, action);
            if promise >= LOUD {
                promise
            } else if killers.contains(&Some(action)) {
                KILLER
            } else {
                self.history[judge.slot(action)] + promise
            }
        }));
    }

    /// Remembers that an action refuted a position at a ply, `depth` plies above the horizon.
    pub(super) fn refuted(&mut self, action: A, slot: usize, ply: usize, depth: i32) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(action) {
            killers[1] = killers[0].replace(action);
        }
        self.history[slot] += depth * depth;
        if self.history[slot] > HISTORY_LIMIT {
            self.history.iter_mut().for_each(|count| *count /= 2);
        }
    }
}

/// The index of the highest rank at or after `from`, the first of equals, and marks it as used. `None` when all are used.
pub(super) fn next_best(ranks: &mut [i32]) -> Option<usize> {
    let mut best = None;
    let mut highest = i32::MIN;
    for (index, &rank) in ranks.iter().enumerate() {
        if rank > highest {
            (best, highest) = (Some(index), rank);
        }
    }
    if let Some(index) = best {
        ranks[index] = i32::MIN;
    }
    best
}
