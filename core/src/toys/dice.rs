//! One player against chance: throw a die of four faces up to three times, or stop and keep the sum.
//! A throw of one loses everything. The value of a final sum `s` of at most twelve is `s / 6 - 1`.

use std::fmt;

use super::subtraction::parse_listed;
use crate::game::{ActionError, Game, Outcome, PositionError, Reason, RuleSet, Seat, Turn, Value};

/// The dice game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dice {
    sum: u8,
    throws: u8,
    rolling: bool,
    over: bool,
}

/// A decision of the player or of chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Throw {
    /// The player keeps the sum.
    Stop,
    /// The player throws.
    Roll,
    /// Chance shows a face, from 1 to 4.
    Face(u8),
}

impl fmt::Display for Throw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stop => f.write_str("stop"),
            Self::Roll => f.write_str("roll"),
            Self::Face(face) => write!(f, "face:{face}"),
        }
    }
}

impl fmt::Display for Dice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match (self.over, self.rolling) {
            (true, _) => "over",
            (false, true) => "rolling",
            (false, false) => "choosing",
        };
        write!(f, "{} {} {state}", self.sum, self.throws)
    }
}

impl Game for Dice {
    type Action = Throw;
    const NAME: &'static str = "toy-dice";
    const SEATS: u8 = 1;

    fn start(_rules: RuleSet) -> Self {
        Self { sum: 0, throws: 0, rolling: false, over: false }
    }

    fn parse(text: &str, _rules: RuleSet) -> Result<Self, PositionError> {
        let bad = || PositionError::new("the dice", text, "a sum, a count of throws and a state");
        let fields: Vec<&str> = text.split(' ').collect();
        let [sum, throws, state] = fields[..] else { return Err(bad()) };
        let (rolling, over) = match state {
            "over" => (false, true),
            "rolling" => (true, false),
            "choosing" => (false, false),
            _ => return Err(bad()),
        };
        let sum = sum.parse().ok().filter(|&sum: &u8| sum <= 12).ok_or_else(bad)?;
        let throws = throws.parse().ok().filter(|&throws: &u8| throws <= 3).ok_or_else(bad)?;
        Ok(Self { sum, throws, rolling, over })
    }

    fn rules(&self) -> RuleSet {
        RuleSet::Classic
    }

    fn turn(&self) -> Turn {
        if self.rolling { Turn::Chance } else { Turn::Player(Seat(0)) }
    }

    fn legal_actions(&self, out: &mut Vec<Throw>) {
        if self.over {
            return;
        }
        if self.rolling {
            out.extend((1..=4).map(Throw::Face));
        } else {
            out.extend([Throw::Stop, Throw::Roll]);
        }
    }

    fn play(&mut self, action: Throw) {
        match action {
            Throw::Stop => self.over = true,
            Throw::Roll => self.rolling = true,
            Throw::Face(face) => {
                self.rolling = false;
                self.throws += 1;
                self.sum = if face == 1 { 0 } else { self.sum + face };
                self.over = face == 1 || self.throws == 3;
            }
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let value = Value::new(f32::from(self.sum) / 6.0 - 1.0).unwrap_or(Value::DRAW);
        self.over.then_some(Outcome { value, reason: Reason::Objective })
    }

    fn key(&self) -> u64 {
        let flags = u64::from(self.rolling) << 1 | u64::from(self.over);
        crate::position::mix(u64::from(self.sum) << 16 | u64::from(self.throws) << 8 | flags)
    }

    fn chance_weight(&self, _outcome: Throw) -> f32 {
        0.25
    }

    fn parse_action(&self, text: &str) -> Result<Throw, ActionError> {
        parse_listed(self, text)
    }
}
