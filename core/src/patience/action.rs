//! Actions and their text: `deal`, `place:CELL`, `remove:CELL`, `pair:CELL+CELL`, `draw:RANK`.

use std::fmt;

use super::{Cell, Patience, Rank};
use crate::game::{ActionError, Game};

/// A decision of the player or of chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Act {
    /// Turn over the next card of the stock.
    Deal,
    /// Put the waste card on a cell.
    Place(Cell),
    /// Remove a ten.
    Remove(Cell),
    /// Remove two cards that sum to ten, the lower cell first.
    Pair(Cell, Cell),
    /// Chance shows a card.
    Draw(Rank),
}

impl Act {
    /// The pair of two cells, in the order that counts.
    #[must_use]
    pub fn pair(one: Cell, other: Cell) -> Self {
        Self::Pair(one.min(other), one.max(other))
    }
}

impl fmt::Display for Act {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deal => f.write_str("deal"),
            Self::Place(cell) => write!(f, "place:{}", cell.index()),
            Self::Remove(cell) => write!(f, "remove:{}", cell.index()),
            Self::Pair(one, other) => write!(f, "pair:{}+{}", one.index(), other.index()),
            Self::Draw(rank) => write!(f, "draw:{}", rank.symbol()),
        }
    }
}

const EXPECTED: &str = "expected `deal`, `place:CELL`, `remove:CELL`, `pair:CELL+CELL` or `draw:RANK`";

/// Reads a legal action. A pair may name its cells in either order, and where the verb is clear from the
/// position the cells alone will do: `6` places or removes, `4+9` is a pair.
pub(super) fn read(position: &Patience, text: &str) -> Result<Act, ActionError> {
    let mut legal = Vec::new();
    if position.outcome().is_none() {
        position.legal_actions(&mut legal);
    }
    let meant = meanings(text).ok_or_else(|| ActionError::new(text, EXPECTED))?;
    let chosen = meant.into_iter().flatten().find(|action| legal.contains(action));
    chosen.ok_or_else(|| ActionError::new(text, "not legal here"))
}

/// What a text can mean; nothing if it is no action at all.
fn meanings(text: &str) -> Option<[Option<Act>; 2]> {
    let one = |act: Act| Some([Some(act), None]);
    match text.split_once(':') {
        None if text == "deal" => one(Act::Deal),
        None => match text.split_once('+') {
            Some(cells) => one(pair(cells)?),
            None => cell(text).map(|cell| [Some(Act::Place(cell)), Some(Act::Remove(cell))]),
        },
        Some(("place", rest)) => one(Act::Place(cell(rest)?)),
        Some(("remove", rest)) => one(Act::Remove(cell(rest)?)),
        Some(("pair", rest)) => one(pair(rest.split_once('+')?)?),
        Some(("draw", rest)) => {
            let mut symbols = rest.chars();
            let rank = Rank::of_symbol(symbols.next()?)?;
            if symbols.next().is_none() { one(Act::Draw(rank)) } else { None }
        }
        Some(_) => None,
    }
}

fn pair((one, other): (&str, &str)) -> Option<Act> {
    let (one, other) = (cell(one)?, cell(other)?);
    (one != other).then(|| Act::pair(one, other))
}

/// A cell's number as it is written: no sign, no leading zero.
fn cell(text: &str) -> Option<Cell> {
    let known = Cell::new(text.parse().ok()?)?;
    (known.index().to_string() == text).then_some(known)
}
