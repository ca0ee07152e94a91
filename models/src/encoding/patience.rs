//! The patience as indices of sparse features. There is one player, so nothing is turned over; the mirror
//! view exchanges left and right, which the rules do not tell apart.

use camelot_core::Patience;
use camelot_core::patience::{Act, Cell, Rank, Region, Waste};

use super::{Encode, Encoded, EncodedAction, Mirror, Sizes};

/// Ranks that count when cards are removed, ace to ten.
const NUMBERS: usize = 10;
/// Counts from 0 to 4.
const COUNTS: usize = 5;
/// Removed cards are told apart by fours.
const REMOVED_STEP: usize = 4;
const REMOVED_BUCKETS: usize = 40 / REMOVED_STEP + 1;
/// A cell is empty or holds one of the ranks.
const CELL_STATES: usize = Rank::COUNT + 1;

const INPUTS: usize = Cell::COUNT * CELL_STATES
    + CELL_STATES
    + 1
    + Rank::COUNT * COUNTS
    + REMOVED_BUCKETS
    + 2 * COUNTS
    + 4 * COUNTS * COUNTS
    + COUNTS
    + 3 * COUNTS * COUNTS;

/// What an action does, in the place of a board game's [`super::Style`].
#[derive(Clone, Copy)]
enum Deed {
    Deal,
    Place,
    Remove,
    Pair,
}

const DEEDS: usize = 4;

fn viewed(cell: Cell, mirror: Mirror) -> usize {
    match mirror {
        Mirror::Straight => cell.index(),
        Mirror::Mirrored => cell.mirrored().index(),
    }
}

/// The rank of the waste card; the moment before it is shown looks like an empty waste.
fn waste_card(position: &Patience) -> Option<Rank> {
    match position.waste() {
        Waste::Card(rank) => Some(rank),
        Waste::Empty | Waste::Turning => None,
    }
}

/// Writes features block after block.
struct Blocks<'a> {
    base: usize,
    features: &'a mut Vec<u16>,
}

impl Blocks<'_> {
    /// A block of `count` features of which one is active.
    fn one_of(&mut self, count: usize, which: usize) {
        self.features.push((self.base + which) as u16);
        self.base += count;
    }

    /// A block for two counts at once: what matters is how they meet.
    fn meeting(&mut self, one: u8, other: u8) {
        self.one_of(COUNTS * COUNTS, usize::from(one) * COUNTS + usize::from(other));
    }
}

impl Encode for Patience {
    fn sizes() -> Sizes {
        Sizes {
            inputs: INPUTS,
            origins: CELL_STATES,
            targets: Cell::COUNT + 1,
            styles: DEEDS,
            captures: Cell::COUNT * NUMBERS,
            grid: None,
        }
    }

    fn encode(&self, mirror: Mirror, actions: &[Act], out: &mut Encoded) {
        out.features.clear();
        encode_features(self, mirror, &mut out.features);
        out.actions.clear();
        out.captures.clear();
        for &action in actions {
            let (deed, target, cleared) = match action {
                Act::Deal | Act::Draw(_) => (Deed::Deal, None, [None; 2]),
                Act::Place(cell) => (Deed::Place, Some(cell), [None; 2]),
                Act::Remove(cell) => (Deed::Remove, None, [Some(cell), None]),
                Act::Pair(one, other) => (Deed::Pair, None, [Some(one), Some(other)]),
            };
            for cell in cleared.into_iter().flatten() {
                let rank = self.at(cell).filter(|rank| rank.worth().is_some());
                out.captures.extend(rank.map(|rank| (viewed(cell, mirror) * NUMBERS + rank.index()) as u16));
            }
            out.actions.push(EncodedAction {
                origin: waste_card(self).map_or(0, |rank| 1 + rank.index()) as u16,
                target: target.map_or(0, |cell| 1 + viewed(cell, mirror)) as u16,
                style: deed as u16,
                captures_end: out.captures.len() as u32,
            });
        }
    }
}

fn encode_features(position: &Patience, mirror: Mirror, features: &mut Vec<u16>) {
    for cell in (!position.occupied()).iter() {
        features.push((viewed(cell, mirror) * CELL_STATES) as u16);
    }
    for rank in Rank::all() {
        let row = |cell| (viewed(cell, mirror) * CELL_STATES + 1 + rank.index()) as u16;
        features.extend(position.placed(rank).iter().map(row));
    }
    let mut blocks = Blocks { base: Cell::COUNT * CELL_STATES, features };
    blocks.one_of(CELL_STATES, waste_card(position).map_or(0, |rank| 1 + rank.index()));
    if position.removal() {
        blocks.one_of(1, 0);
    } else {
        blocks.base += 1;
    }
    for rank in Rank::all() {
        blocks.one_of(COUNTS, usize::from(position.stock(rank)));
    }
    blocks.one_of(REMOVED_BUCKETS, usize::from(position.removed()) / REMOVED_STEP);
    let lie = |worth: usize| Rank::new(worth - 1).map_or(0, |rank| position.placed(rank).len());
    for alone in [5, 10] {
        blocks.one_of(COUNTS, usize::from(lie(alone)));
    }
    for low in 1..5 {
        blocks.meeting(lie(low), lie(10 - low));
    }
    blocks.one_of(COUNTS, usize::from((Region::Centre.cells() & !position.occupied()).len()));
    for court in [Rank::KING, Rank::QUEEN, Rank::JACK] {
        blocks.meeting(position.homes(court).len(), position.stock(court));
    }
}

#[cfg(test)]
mod tests {
    use camelot_core::patience::Cell;
    use camelot_core::{Game, RuleSet};

    use super::*;

    fn encoded(text: &str, mirror: Mirror) -> Encoded {
        let position = Patience::parse(text, RuleSet::Classic).unwrap();
        let mut actions = Vec::new();
        position.legal_actions(&mut actions);
        let mut encoded = Encoded::default();
        position.encode(mirror, &actions, &mut encoded);
        encoded
    }

    #[test]
    fn the_documented_number_of_features_is_right() {
        assert_eq!(Patience::sizes().inputs, 505);
    }

    #[test]
    fn every_index_lies_within_its_table_and_no_feature_stands_twice() {
        for text in [
            "..../..../..../.... - - 0 4444444444444",
            "..../..../..../.... ? - 0 4444444444444",
            "T222/3333/4444/AAAA - r 0 0100444443444",
            "KQQK/J9AJ/JT.J/KQQK - r 37 0000000000000",
            "KQ.K/J..J/J..J/KQQK Q - 40 0000000000000",
            "...K/..../..../.... 2 - 0 4344444444443",
        ] {
            let (encoded, sizes) = (encoded(text, Mirror::Straight), Patience::sizes());
            assert!(encoded.features.iter().all(|&feature| usize::from(feature) < sizes.inputs), "{text}");
            let mut once = encoded.features.clone();
            once.sort_unstable();
            once.dedup();
            assert_eq!(once.len(), encoded.features.len(), "{text}");
            for action in &encoded.actions {
                assert!(
                    usize::from(action.origin) < sizes.origins && usize::from(action.target) < sizes.targets
                );
                assert!(usize::from(action.style) < sizes.styles);
            }
            assert!(encoded.captures.iter().all(|&row| usize::from(row) < sizes.captures), "{text}");
        }
    }

    #[test]
    fn a_reflected_position_encodes_as_the_mirror_view_of_the_original() {
        let here = "A5.K/.T5./9..J/..Q2 3 - 0 3334244433333";
        let there = "K.5A/.5T./J..9/2Q.. 3 - 0 3334244433333";
        let (mut one, mut other) = (encoded(here, Mirror::Mirrored), encoded(there, Mirror::Straight));
        one.features.sort_unstable();
        other.features.sort_unstable();
        assert_eq!(one.features, other.features);
        let sorted = |encoded: &Encoded| {
            let mut targets: Vec<u16> = encoded.actions.iter().map(|action| action.target).collect();
            targets.sort_unstable();
            targets
        };
        assert_eq!(sorted(&one), sorted(&other));
        assert_eq!(Cell::new(4).map(Cell::mirrored), Cell::new(7));
    }
}
