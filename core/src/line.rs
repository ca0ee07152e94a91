//! A game in progress: the position, and what the rules must remember of how it came about.

use crate::game::{Game, Outcome, Reason};

/// A line of play from a start position.
#[derive(Clone, Debug)]
pub struct Line<G: Game> {
    start: G,
    position: G,
    actions: Vec<G::Action>,
    /// Keys of the positions before this one that play could still return to, oldest first.
    past_keys: Vec<u64>,
}

impl<G: Game> Line<G> {
    /// A line that starts at `position`, with nothing behind it.
    #[must_use]
    pub fn new(position: G) -> Self {
        Self { start: position.clone(), position, actions: Vec::new(), past_keys: Vec::new() }
    }

    /// The position that the line started from.
    #[must_use]
    pub fn start(&self) -> &G {
        &self.start
    }

    /// The position now.
    #[must_use]
    pub fn position(&self) -> &G {
        &self.position
    }

    /// The actions played, chance outcomes included.
    #[must_use]
    pub fn actions(&self) -> &[G::Action] {
        &self.actions
    }

    /// Keys of earlier positions that can still recur, oldest first.
    #[must_use]
    pub fn past_keys(&self) -> &[u64] {
        &self.past_keys
    }

    /// Plays a legal action.
    pub fn play(&mut self, action: G::Action) {
        self.past_keys.push(self.position.key());
        self.position.play(action);
        self.actions.push(action);
        let reversible = usize::from(self.position.reversible_plies());
        let stale = self.past_keys.len().saturating_sub(reversible);
        self.past_keys.drain(..stale);
    }

    /// How often the present position has occurred, itself included.
    #[must_use]
    pub fn occurrences(&self) -> usize {
        let key = self.position.key();
        1 + self.past_keys.iter().filter(|past| **past == key).count()
    }

    /// The outcome of the game so far: the position's own, or a draw at its third occurrence.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        let repeated = || (self.occurrences() >= 3).then(|| Outcome::draw(Reason::Repetition));
        self.position.outcome().or_else(repeated)
    }
}
