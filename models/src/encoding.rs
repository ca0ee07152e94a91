//! Positions and actions as indices of sparse features.
//!
//! Everything is seen from the player to move: the board is turned so that all armies look alike to the
//! network, and a left-right mirror image can be asked for ([`Mirror`]). `docs/encoding.md` specifies the
//! numbering; [`ENCODING_VERSION`] changes with it.

mod board;
mod grid;
mod patience;
mod tactics;

use camelot_core::Game;

pub use board::EncodedVariant;
pub use grid::{Grid, NEIGHBOURHOOD};

/// Raised whenever a feature or an action index changes its meaning.
pub const ENCODING_VERSION: u32 = 2;

/// Whether files are read from left to right or from right to left. Both are the same in games of four
/// armies: there a mirror image would put the partner on the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mirror {
    /// As the board is.
    Straight,
    /// The mirror image.
    Mirrored,
}

/// How many rows each table of the network needs. What a row means is the game's affair: of the board games
/// and the patience it is said here, in full in `docs/encoding.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Features of a position.
    pub inputs: usize,
    /// Origins of an action: square, kind of piece, exposed or not; in the patience the card in hand.
    pub origins: usize,
    /// Targets of an action: square, in danger or not; in the patience the cell that a card is placed on.
    pub targets: usize,
    /// Styles of an action: for board games see [`Style`]; in the patience what is done.
    pub styles: usize,
    /// Captured pieces: square, kind of piece; in the patience removed cards: cell, rank.
    pub captures: usize,
    /// The board that the features and rows belong to; none in the patience. The rows of origins, targets and
    /// captures then come kind after kind, each with a row a square.
    pub grid: Option<&'static Grid>,
}

/// How an action moves its piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// One step.
    Step,
    /// One or more canters.
    Canter,
    /// One capture, after canters or not.
    Jump,
    /// Two or more captures.
    Chain,
}

/// The number of [`Style`]s.
pub const STYLES: usize = 4;

/// One action as rows of the policy's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EncodedAction {
    /// Row of the origin table.
    pub origin: u16,
    /// Row of the target table.
    pub target: u16,
    /// Row of the style table.
    pub style: u16,
    /// Where the action's rows of the capture table end in [`Encoded::captures`]; they start where
    /// those of the action before end.
    pub captures_end: u32,
}

/// One position and its legal actions as indices; reused from call to call.
#[derive(Clone, Debug, Default)]
pub struct Encoded {
    /// The active features, each once.
    pub features: Vec<u16>,
    /// The actions in the order they were given.
    pub actions: Vec<EncodedAction>,
    /// Rows of the capture table for all actions.
    pub captures: Vec<u16>,
}

impl Encoded {
    /// The rows of the capture table of one action.
    #[must_use]
    pub fn captures_of(&self, action: usize) -> &[u16] {
        let start = action.checked_sub(1).map_or(0, |before| self.actions[before].captures_end);
        &self.captures[start as usize..self.actions[action].captures_end as usize]
    }

    /// Puts the features, and the captures of each action, in rising order: sums over them are then the same
    /// for positions that encode alike.
    pub fn sort(&mut self) {
        self.features.sort_unstable();
        let mut start = 0;
        for action in &self.actions {
            let end = action.captures_end as usize;
            self.captures[start..end].sort_unstable();
            start = end;
        }
    }
}

/// A game that a network can be trained for.
pub trait Encode: Game {
    /// The sizes of the tables.
    fn sizes() -> Sizes;

    /// A number that positions share only if they encode alike, whatever led to them.
    fn encoding_key(&self) -> u64 {
        self.key()
    }

    /// Encodes a position and its legal actions, replacing what `out` held.
    fn encode(&self, mirror: Mirror, actions: &[Self::Action], out: &mut Encoded);
}
