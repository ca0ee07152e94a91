//! Section 7 of the rules, sentence by sentence and without haste, on a list of cells and a heap of cards.

use std::collections::BTreeSet;

use super::RANKS;

/// The tableau as a list, the cards to come as a heap without order.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) cells: Vec<Option<usize>>,
    pub(super) waste: Option<usize>,
    pub(super) turning: bool,
    pub(super) heap: Vec<usize>,
    pub(super) removal: bool,
    pub(super) score: usize,
}

/// Ranks as numbers: ace 1, jack 11, queen 12, king 13.
pub(super) fn symbol(rank: usize) -> char {
    RANKS.chars().nth(rank - 1).unwrap()
}

/// Row and column say what a cell is for: both at the rim a corner, one of them a middle, none the centre.
fn allowed(rank: usize, cell: usize) -> bool {
    let outer = |line: usize| line == 0 || line == 3;
    match rank {
        13 => outer(cell / 4) && outer(cell % 4),
        12 => outer(cell / 4) && !outer(cell % 4),
        11 => !outer(cell / 4) && outer(cell % 4),
        _ => true,
    }
}

impl Table {
    pub(super) fn new() -> Self {
        let heap = (1..=13).flat_map(|rank| [rank; 4]).collect();
        Self { cells: vec![None; 16], waste: None, turning: false, heap, removal: false, score: 0 }
    }

    fn full(&self) -> bool {
        self.cells.iter().all(Option::is_some)
    }

    /// The waste card's cells.
    fn places(&self, rank: usize) -> Vec<usize> {
        (0..16).filter(|&cell| self.cells[cell].is_none() && allowed(rank, cell)).collect()
    }

    fn removals(&self) -> Vec<Vec<usize>> {
        let mut found = Vec::new();
        if !self.removal {
            return found;
        }
        for a in 0..16 {
            let Some(first) = self.cells[a] else { continue };
            if first == 10 {
                found.push(vec![a]);
            }
            for b in a + 1..16 {
                // No jack, queen or king, and no ten with nothing, sums to ten with another card.
                if self.cells[b].is_some_and(|second| first + second == 10) {
                    found.push(vec![a, b]);
                }
            }
        }
        found
    }

    fn may_deal(&self) -> bool {
        self.waste.is_none() && !self.turning && !self.heap.is_empty() && !self.full()
    }

    pub(super) fn actions(&self) -> BTreeSet<String> {
        let mut texts = BTreeSet::new();
        if self.turning {
            texts.extend(self.heap.iter().map(|&rank| format!("draw:{}", symbol(rank))));
        } else if let Some(rank) = self.waste {
            texts.extend(self.places(rank).into_iter().map(|cell| format!("place:{cell}")));
        } else {
            texts.extend(self.may_deal().then(|| "deal".to_string()));
            for cells in self.removals() {
                texts.insert(match cells[..] {
                    [one] => format!("remove:{one}"),
                    _ => format!("pair:{}+{}", cells[0], cells[1]),
                });
            }
        }
        texts
    }

    /// `won`, `lost`, or nothing as long as the game goes on.
    pub(super) fn result(&self) -> Option<&'static str> {
        if self.turning {
            return None;
        }
        if let Some(rank) = self.waste {
            return (rank > 10 && self.places(rank).is_empty()).then_some("lost");
        }
        let over = self.removals().is_empty();
        let all_placed = self.heap.is_empty();
        let centre_empty = [5, 6, 9, 10].iter().all(|&cell| self.cells[cell].is_none());
        if self.full() && over || all_placed && over && !centre_empty {
            return Some("lost");
        }
        (all_placed && over && centre_empty).then_some("won")
    }

    pub(super) fn play(&mut self, text: &str) {
        let (verb, rest) = text.split_once(':').unwrap_or((text, ""));
        match verb {
            "deal" => (self.turning, self.removal) = (true, false),
            "draw" => {
                let rank = 1 + RANKS.find(rest).unwrap();
                let at = self.heap.iter().position(|&card| card == rank).unwrap();
                self.heap.swap_remove(at);
                (self.waste, self.turning) = (Some(rank), false);
            }
            "place" => {
                self.cells[rest.parse::<usize>().unwrap()] = self.waste.take();
                if self.full() || self.heap.is_empty() {
                    self.removal = true;
                }
            }
            _ => {
                for cell in rest.split('+') {
                    self.cells[cell.parse::<usize>().unwrap()] = None;
                    self.score += 1;
                }
            }
        }
    }
}
