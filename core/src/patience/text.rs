//! Positions as text: `<grid> <waste> <removal> <removed> <stock>`.
//!
//! Ruling A24: the notation says nothing of the moment between `deal` and the card that chance shows. It is
//! written with `?` as the waste; the card still counts among the stock.
//!
//! Text comes from outside. What no play from the start leads to is refused as far as the counts tell:
//! the order in which cards came is not reconstructed beyond that.

use std::fmt;

use super::{Cell, Cells, Patience, Rank, Waste};
use crate::game::{PositionError, RuleSet};

impl fmt::Display for Patience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for cell in Cell::all() {
            if cell.index() > 0 && cell.index().is_multiple_of(4) {
                f.write_str("/")?;
            }
            write!(f, "{}", self.at(cell).map_or('.', Rank::symbol))?;
        }
        let waste = match self.waste {
            Waste::Empty => '-',
            Waste::Turning => '?',
            Waste::Card(rank) => rank.symbol(),
        };
        let removal = if self.removal { 'r' } else { '-' };
        write!(f, " {waste} {removal} {} ", self.removed)?;
        self.stock.iter().try_for_each(|left| write!(f, "{left}"))
    }
}

const GRID: &str = "the grid";
const WASTE: &str = "the waste";
const REMOVAL: &str = "the removal flag";
const REMOVED: &str = "the removed cards";
const STOCK: &str = "the stock";

pub(super) fn read(text: &str, rules: RuleSet) -> Result<Patience, PositionError> {
    let fields: Vec<&str> = text.split(' ').take(6).collect();
    let [grid, waste, removal, removed, stock] = fields[..] else {
        let expected = "five fields: grid, waste, removal flag, removed cards, stock";
        return Err(PositionError::new("the whole string", text, expected));
    };
    let mut position = Patience {
        placed: read_grid(grid)?,
        waste: read_waste(waste)?,
        removal: match removal {
            "r" => true,
            "-" => false,
            _ => return Err(PositionError::new(REMOVAL, removal, "`r` or `-`")),
        },
        removed: read_removed(removed)?,
        stock: read_stock(stock)?,
        rules,
        key: 0,
    };
    check_cards(&position, removed)?;
    check_phase(&position, waste, removal)?;
    check_history(&position, removal, removed)?;
    position.key = position.fresh_key();
    Ok(position)
}

fn read_grid(text: &str) -> Result<[Cells; Rank::COUNT], PositionError> {
    let shape =
        || PositionError::new(GRID, text, "four rows of four cells from `A23456789TJQK.`, joined by `/`");
    let rows: Vec<&str> = text.split('/').take(5).collect();
    if rows.len() != 4 || rows.iter().any(|row| row.chars().take(5).count() != 4) {
        return Err(shape());
    }
    let mut placed = [Cells::NONE; Rank::COUNT];
    for (cell, symbol) in Cell::all().zip(rows.iter().flat_map(|row| row.chars())) {
        if symbol == '.' {
            continue;
        }
        let rank = Rank::of_symbol(symbol).ok_or_else(shape)?;
        if !rank.home().contains(cell) {
            let homes: Vec<String> = rank.home().iter().map(|cell| cell.index().to_string()).collect();
            let expected = format!("{symbol} on none but the cells {}", homes.join(" "));
            return Err(PositionError::new(GRID, text, expected));
        }
        placed[rank.index()] = placed[rank.index()] | Cells::of(cell);
    }
    Ok(placed)
}

fn read_waste(text: &str) -> Result<Waste, PositionError> {
    let mut symbols = text.chars();
    match (symbols.next(), symbols.next()) {
        (Some('-'), None) => Some(Waste::Empty),
        (Some('?'), None) => Some(Waste::Turning),
        (Some(symbol), None) => Rank::of_symbol(symbol).map(Waste::Card),
        _ => None,
    }
    .ok_or_else(|| PositionError::new(WASTE, text, "one of `A23456789TJQK`, `?` or `-`"))
}

fn read_removed(text: &str) -> Result<u8, PositionError> {
    let number =
        text.parse().ok().filter(|&count: &u8| count <= super::REMOVABLE && count.to_string() == text);
    number.ok_or_else(|| PositionError::new(REMOVED, text, "a number from 0 to 40"))
}

fn read_stock(text: &str) -> Result<[u8; Rank::COUNT], PositionError> {
    let bad = || PositionError::new(STOCK, text, "13 digits from 0 to 4, ace to king");
    let digits: Option<Vec<u8>> = text
        .chars()
        .take(Rank::COUNT + 1)
        .map(|digit| digit.to_digit(10).filter(|&count| count <= 4).map(|count| count as u8))
        .collect();
    digits.and_then(|digits| digits.try_into().ok()).ok_or_else(bad)
}

/// How many cards of a rank have gone: neither in the tableau nor the waste nor the stock.
fn gone(position: &Patience, rank: Rank) -> Option<u8> {
    let held = u8::from(position.waste == Waste::Card(rank));
    4_u8.checked_sub(position.placed(rank).len() + held + position.stock(rank))
}

/// The cards add up, and those that are gone can have been removed.
fn check_cards(position: &Patience, removed: &str) -> Result<(), PositionError> {
    let mut missing = [0; Rank::COUNT];
    for rank in Rank::all() {
        missing[rank.index()] = gone(position, rank).ok_or_else(|| {
            let seen = format!("more than four of {}", rank.symbol());
            PositionError::new("the cards", &seen, "at most four of a rank in grid, waste and stock together")
        })?;
    }
    let total: u8 = missing.iter().sum();
    if total != position.removed {
        return Err(PositionError::new(
            REMOVED,
            removed,
            format!("{total}, the cards that are nowhere else"),
        ));
    }
    for rank in Rank::all().filter(|&rank| missing[rank.index()] > 0) {
        let (symbol, count) = (rank.symbol(), missing[rank.index()]);
        let problem = match rank.worth() {
            None => Some("all four in grid, waste and stock: they are never removed".to_string()),
            Some(5) if count % 2 == 1 => Some("an even number, since fives go in pairs".into()),
            Some(worth @ (1..5 | 6..10)) => {
                let partner = Rank::of_worth(10 - worth);
                (missing[partner.index()] != count)
                    .then(|| format!("as many gone as of {}, which they go with", partner.symbol()))
            }
            Some(_) => None,
        };
        if let Some(expected) = problem {
            return Err(PositionError::new("the cards", &format!("{count} of {symbol} gone"), expected));
        }
    }
    Ok(())
}

/// Waste and removal flag go together with the tableau and the stock.
fn check_phase(position: &Patience, waste: &str, removal: &str) -> Result<(), PositionError> {
    let full = position.occupied() == Cells::ALL;
    let empty_stock = position.stock_left() == 0;
    if position.waste != Waste::Empty && full {
        return Err(PositionError::new(WASTE, waste, "`-`, since no card is dealt to a full grid"));
    }
    if position.waste == Waste::Turning && empty_stock {
        return Err(PositionError::new(WASTE, waste, "`-` or a card, since the stock is empty"));
    }
    if position.waste != Waste::Empty && position.removal {
        return Err(PositionError::new(REMOVAL, removal, "`-` while a card is dealt and not placed"));
    }
    if position.waste == Waste::Empty && !position.removal && (full || empty_stock) {
        return Err(PositionError::new(
            REMOVAL,
            removal,
            "`r`, since the grid is full or all cards are placed",
        ));
    }
    Ok(())
}

/// Cards are removed from a grid that was full, or when all cards are placed. Before the first removal 16
/// cards were placed; if the player has placed again since, at least one more.
fn check_history(position: &Patience, removal: &str, removed: &str) -> Result<(), PositionError> {
    let occupied = position.occupied().len();
    let placed = occupied + position.removed;
    let all_placed = position.stock_left() == 0 && position.waste == Waste::Empty;
    if position.removal {
        let since_full = Cell::COUNT as u8 - occupied;
        let tens = gone(position, Rank::of_worth(10)).unwrap_or(0);
        let only_pairs_for_odd = since_full % 2 == 1 && tens == 0;
        if !all_placed && (position.removed < since_full || only_pairs_for_odd) {
            let expected = "`-`, since the empty cells cannot have been cleared from a full grid";
            return Err(PositionError::new(REMOVAL, removal, expected));
        }
        return Ok(());
    }
    let least = Cell::COUNT as u8 + u8::from(position.waste == Waste::Empty);
    if position.removed > 0 && placed < least {
        let expected = "0, since the grid has not been full: fewer than 16 cards came before";
        return Err(PositionError::new(REMOVED, removed, expected));
    }
    Ok(())
}
