//! Camelot, the patience: one player against the order of the cards (section 7 of the rules).
//!
//! The stock is known by its ranks and unknown in its order, so a state holds no order: `deal` leads to
//! a chance node whose outcomes are the ranks still to come. Suits never matter.
//!
//! Ruling A26: the value of a finished game is `removed / 40 - 1`, and one more for a win: from -1 for a
//! loss with nothing removed to +1. Every loss is therefore below 0, and [`crate::Outcome::winner`], which
//! reads the sign, names team One, the player, for a win and team Two, the deal, for a loss.

mod action;
mod cards;
mod text;

pub use action::Act;
pub use cards::{Cell, Cells, Rank, Region};

use crate::game::{ActionError, Game, Outcome, PositionError, Reason, RuleSet, Seat, Turn, Value};
use crate::position::mix;

/// Cards that can be removed: all but the twelve kings, queens and jacks.
pub const REMOVABLE: u8 = 40;

/// The place beside the tableau that holds one card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Waste {
    /// No card.
    Empty,
    /// A card has been dealt and chance has not yet shown which.
    Turning,
    /// A card that must be placed.
    Card(Rank),
}

/// A state of the patience.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Patience {
    /// The cells where each rank lies.
    placed: [Cells; Rank::COUNT],
    waste: Waste,
    removal: bool,
    removed: u8,
    /// How many cards of each rank are still to come.
    stock: [u8; Rank::COUNT],
    /// Kept for the trait; the patience has one set of rules.
    rules: RuleSet,
    key: u64,
}

impl Patience {
    /// The cells where a rank lies.
    #[must_use]
    pub fn placed(&self, rank: Rank) -> Cells {
        self.placed[rank.index()]
    }

    /// The value of the cards removed so far, and a bonus.
    fn worth(&self, bonus: f32) -> Value {
        let value = f32::from(self.removed) / f32::from(REMOVABLE) + bonus - 1.0;
        Value::new(value).expect("at most 40 cards are removed, and all of them in a win")
    }

    /// The cells with a card.
    #[must_use]
    pub fn occupied(&self) -> Cells {
        self.placed.iter().fold(Cells::NONE, |all, &cells| all | cells)
    }

    /// The rank that lies on a cell.
    #[must_use]
    pub fn at(&self, cell: Cell) -> Option<Rank> {
        Rank::all().find(|&rank| self.placed(rank).contains(cell))
    }

    /// The waste.
    #[must_use]
    pub fn waste(&self) -> Waste {
        self.waste
    }

    /// Whether cards may be removed.
    #[must_use]
    pub fn removal(&self) -> bool {
        self.removal
    }

    /// Cards removed so far, at most [`REMOVABLE`].
    #[must_use]
    pub fn removed(&self) -> u8 {
        self.removed
    }

    /// How many cards of a rank are still to come, from 0 to 4. A card that is being turned over counts.
    #[must_use]
    pub fn stock(&self, rank: Rank) -> u8 {
        self.stock[rank.index()]
    }

    /// How many cards are still to come, of all ranks.
    #[must_use]
    pub fn stock_left(&self) -> u8 {
        self.stock.iter().sum()
    }

    /// The empty cells where a card may be placed.
    #[must_use]
    pub fn homes(&self, rank: Rank) -> Cells {
        rank.home() & !self.occupied()
    }

    fn can_deal(&self) -> bool {
        self.waste == Waste::Empty && self.stock_left() > 0 && self.occupied() != Cells::ALL
    }

    fn can_remove(&self) -> bool {
        let lies = |worth: u8| !self.placed(Rank::of_worth(worth)).is_empty();
        self.removal
            && (lies(10)
                || self.placed(Rank::of_worth(5)).len() > 1
                || (1..5).any(|v| lies(v) && lies(10 - v)))
    }

    fn push_removals(&self, out: &mut Vec<Act>) {
        let cells = |worth: u8| self.placed(Rank::of_worth(worth));
        out.extend(cells(10).iter().map(Act::Remove));
        for worth in 1..=5 {
            for one in cells(worth).iter() {
                let others = cells(10 - worth).iter().filter(|&other| worth < 5 || other > one);
                out.extend(others.map(|other| Act::pair(one, other)));
            }
        }
    }

    fn set_waste(&mut self, waste: Waste) {
        self.key ^= waste_key(self.waste) ^ waste_key(waste);
        self.waste = waste;
    }

    fn set_removal(&mut self, removal: bool) {
        if self.removal != removal {
            self.key ^= REMOVAL_KEY;
            self.removal = removal;
        }
    }

    fn place(&mut self, cell: Cell, rank: Rank) {
        self.placed[rank.index()] = self.placed(rank) | Cells::of(cell);
        self.key ^= cell_key(cell, rank);
    }

    fn remove(&mut self, cell: Cell) {
        if let Some(rank) = self.at(cell) {
            self.placed[rank.index()] = self.placed(rank) & !Cells::of(cell);
            self.key ^= cell_key(cell, rank);
            self.removed += 1;
        }
    }

    fn draw(&mut self, rank: Rank) {
        let left = self.stock(rank);
        self.key ^= stock_key(rank, left) ^ stock_key(rank, left - 1);
        self.stock[rank.index()] = left - 1;
    }

    /// The key of a state as it is, not as it came about.
    fn fresh_key(&self) -> u64 {
        let cards = Rank::all().fold(0, |key, rank| {
            let placed = self.placed(rank).iter().fold(0, |key, cell| key ^ cell_key(cell, rank));
            key ^ placed ^ stock_key(rank, self.stock(rank))
        });
        cards ^ waste_key(self.waste) ^ if self.removal { REMOVAL_KEY } else { 0 }
    }
}

const REMOVAL_KEY: u64 = mix(5 << 32);

fn cell_key(cell: Cell, rank: Rank) -> u64 {
    mix(6 << 32 | (cell.index() << 8 | rank.index()) as u64)
}

fn stock_key(rank: Rank, left: u8) -> u64 {
    mix(7 << 32 | (rank.index() << 8) as u64 | u64::from(left))
}

fn waste_key(waste: Waste) -> u64 {
    mix(8 << 32
        | match waste {
            Waste::Empty => 0,
            Waste::Turning => 1,
            Waste::Card(rank) => 2 + rank.index() as u64,
        })
}

/// The cards removed in a finished game of this value.
fn removed_of(value: Value) -> f32 {
    let won = value.absolute() >= 1.0;
    (f32::from(REMOVABLE) * (value.absolute() + 1.0 - f32::from(u8::from(won)))).round()
}

impl Game for Patience {
    type Action = Act;
    const NAME: &'static str = "patience";
    const SEATS: u8 = 1;

    fn start(rules: RuleSet) -> Self {
        let mut start = Self {
            placed: [Cells::NONE; Rank::COUNT],
            waste: Waste::Empty,
            removal: false,
            removed: 0,
            stock: [4; Rank::COUNT],
            rules,
            key: 0,
        };
        start.key = start.fresh_key();
        start
    }

    fn parse(text: &str, rules: RuleSet) -> Result<Self, PositionError> {
        text::read(text, rules)
    }

    fn rules(&self) -> RuleSet {
        self.rules
    }

    fn turn(&self) -> Turn {
        if self.waste == Waste::Turning { Turn::Chance } else { Turn::Player(Seat(0)) }
    }

    fn legal_actions(&self, out: &mut Vec<Act>) {
        match self.waste {
            Waste::Turning => out.extend(Rank::all().filter(|&rank| self.stock(rank) > 0).map(Act::Draw)),
            Waste::Card(rank) => out.extend(self.homes(rank).iter().map(Act::Place)),
            Waste::Empty => {
                if self.can_deal() {
                    out.push(Act::Deal);
                }
                if self.removal {
                    self.push_removals(out);
                }
            }
        }
    }

    fn play(&mut self, action: Act) {
        match action {
            Act::Deal => {
                self.set_waste(Waste::Turning);
                self.set_removal(false);
            }
            Act::Draw(rank) => {
                self.draw(rank);
                self.set_waste(Waste::Card(rank));
            }
            Act::Place(cell) => {
                if let Waste::Card(rank) = self.waste {
                    self.place(cell, rank);
                }
                self.set_waste(Waste::Empty);
                // Ruling A23: removal begins once nothing else can be done; dealing ends it.
                self.set_removal(self.occupied() == Cells::ALL || self.stock_left() == 0);
            }
            Act::Remove(cell) => self.remove(cell),
            Act::Pair(one, other) => {
                self.remove(one);
                self.remove(other);
            }
        }
    }

    /// Won only after the last removal: as long as a card can be removed the game goes on. Ruling A25.
    fn outcome(&self) -> Option<Outcome> {
        let over = match self.waste {
            Waste::Turning => false,
            Waste::Card(rank) => self.homes(rank).is_empty(),
            Waste::Empty => !self.can_deal() && !self.can_remove(),
        };
        if !over {
            return None;
        }
        let finished = self.waste == Waste::Empty && self.stock_left() == 0;
        let won = finished && (self.occupied() & Region::Centre.cells()).is_empty();
        Some(if won {
            Outcome { value: self.worth(1.0), reason: Reason::Objective }
        } else {
            Outcome { value: self.worth(0.0), reason: Reason::Stalemate }
        })
    }

    fn broken_off(&self) -> Outcome {
        Outcome { value: self.worth(0.0), reason: Reason::Adjudication }
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn chance_weight(&self, outcome: Act) -> f32 {
        match outcome {
            Act::Draw(rank) => f32::from(self.stock(rank)) / f32::from(self.stock_left()),
            _ => 0.0,
        }
    }

    fn points(value: Value) -> Option<f32> {
        Some(removed_of(value))
    }

    fn parse_action(&self, text: &str) -> Result<Act, ActionError> {
        action::read(self, text)
    }
}
