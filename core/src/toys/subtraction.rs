//! Two players take one, two or three counters from a heap; who takes the last one wins. Heaps that
//! are a multiple of four are lost for the player to move.

use std::fmt;

use crate::game::{ActionError, Game, Outcome, PositionError, Reason, RuleSet, Seat, Team, Turn};

/// The subtraction game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subtraction {
    heap: u8,
    seat: u8,
}

/// How many counters are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Take(pub u8);

impl Subtraction {
    /// A heap of `heap` counters, the first player to move.
    #[must_use]
    pub fn with_heap(heap: u8) -> Self {
        Self { heap, seat: 0 }
    }
}

impl fmt::Display for Take {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "take:{}", self.0)
    }
}

impl fmt::Display for Subtraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.heap, self.seat)
    }
}

impl Game for Subtraction {
    type Action = Take;
    const NAME: &'static str = "toy-subtraction";
    const SEATS: u8 = 2;

    fn start(_rules: RuleSet) -> Self {
        Self::with_heap(10)
    }

    fn parse(text: &str, _rules: RuleSet) -> Result<Self, PositionError> {
        let bad = || PositionError::new("the heap and seat", text, "two numbers, the seat 0 or 1");
        let (heap, seat) = text.split_once(' ').ok_or_else(bad)?;
        let (heap, seat) = (heap.parse().map_err(|_| bad())?, seat.parse().map_err(|_| bad())?);
        if seat > 1 { Err(bad()) } else { Ok(Self { heap, seat }) }
    }

    fn rules(&self) -> RuleSet {
        RuleSet::Classic
    }

    fn turn(&self) -> Turn {
        Turn::Player(Seat(self.seat))
    }

    fn legal_actions(&self, out: &mut Vec<Take>) {
        out.extend((1..=self.heap.min(3)).map(Take));
    }

    fn play(&mut self, action: Take) {
        self.heap -= action.0;
        self.seat = 1 - self.seat;
    }

    fn outcome(&self) -> Option<Outcome> {
        let last_mover = if self.seat == 0 { Team::Two } else { Team::One };
        (self.heap == 0).then(|| Outcome::win(last_mover, Reason::Objective))
    }

    fn key(&self) -> u64 {
        crate::position::mix(u64::from(self.heap) << 8 | u64::from(self.seat))
    }

    fn parse_action(&self, text: &str) -> Result<Take, ActionError> {
        parse_listed(self, text)
    }
}

/// Reads an action by comparing with the texts of the legal ones.
pub(super) fn parse_listed<G: Game>(position: &G, text: &str) -> Result<G::Action, ActionError> {
    let mut actions = Vec::new();
    position.legal_actions(&mut actions);
    let found = actions.into_iter().find(|action| action.to_string() == text);
    found.ok_or_else(|| ActionError::new(text, "not a legal action in this position"))
}
