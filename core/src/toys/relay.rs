//! Four seats in two partnerships take one or two stones from a common heap; the team that takes the
//! last one wins. Each seat may move only a given number of times; a seat that has spent its turns is
//! skipped, so that turns need not alternate between the teams. When all are spent the game is drawn.

use std::fmt;

use super::subtraction::parse_listed;
use crate::game::{ActionError, Game, Outcome, PositionError, Reason, RuleSet, Seat, Team, Turn};

/// The relay game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relay {
    heap: u8,
    turns_left: [u8; 4],
    seat: u8,
    last_mover: u8,
}

/// How many stones are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stones(pub u8);

impl Relay {
    /// A heap, and how often each seat may move.
    #[must_use]
    pub fn new(heap: u8, turns_left: [u8; 4]) -> Self {
        let mut game = Self { heap, turns_left, seat: 3, last_mover: 3 };
        game.pass_on();
        game
    }

    /// Moves the turn to the next seat that has one left; stays where nobody has.
    fn pass_on(&mut self) {
        for step in 1..=4 {
            let seat = (self.seat + step) % 4;
            if self.turns_left[usize::from(seat)] > 0 {
                self.seat = seat;
                return;
            }
        }
    }
}

impl fmt::Display for Stones {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "stones:{}", self.0)
    }
}

impl fmt::Display for Relay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = self.turns_left;
        write!(f, "{} {a} {b} {c} {d} {} {}", self.heap, self.seat, self.last_mover)
    }
}

impl Game for Relay {
    type Action = Stones;
    const NAME: &'static str = "toy-relay";
    const SEATS: u8 = 4;

    fn start(_rules: RuleSet) -> Self {
        Self::new(9, [2, 1, 3, 2])
    }

    fn parse(text: &str, _rules: RuleSet) -> Result<Self, PositionError> {
        let bad = || {
            PositionError::new(
                "the numbers",
                text,
                "seven numbers: heap, turns of four seats, seat, last mover",
            )
        };
        let numbers: Vec<u8> =
            text.split(' ').map(str::parse).collect::<Result<_, _>>().map_err(|_| bad())?;
        let [heap, a, b, c, d, seat, last_mover] = numbers[..] else { return Err(bad()) };
        if seat > 3 || last_mover > 3 {
            return Err(bad());
        }
        let game = Self { heap, turns_left: [a, b, c, d], seat, last_mover };
        let stuck = game.outcome().is_none() && game.turns_left[usize::from(seat)] == 0;
        if stuck { Err(bad()) } else { Ok(game) }
    }

    fn rules(&self) -> RuleSet {
        RuleSet::Classic
    }

    fn turn(&self) -> Turn {
        Turn::Player(Seat(self.seat))
    }

    fn legal_actions(&self, out: &mut Vec<Stones>) {
        out.extend((1..=self.heap.min(2)).map(Stones));
    }

    fn play(&mut self, action: Stones) {
        self.heap -= action.0;
        self.turns_left[usize::from(self.seat)] -= 1;
        self.last_mover = self.seat;
        self.pass_on();
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.heap == 0 {
            let team: Team = Self::team(Seat(self.last_mover));
            return Some(Outcome::win(team, Reason::Objective));
        }
        (self.turns_left == [0; 4]).then(|| Outcome::draw(Reason::Objective))
    }

    fn key(&self) -> u64 {
        let numbers = [&[self.heap, self.seat, self.last_mover][..], &self.turns_left].concat();
        numbers.iter().fold(0, |key, &number| crate::position::mix(key ^ u64::from(number)))
    }

    fn parse_action(&self, text: &str) -> Result<Stones, ActionError> {
        parse_listed(self, text)
    }
}
