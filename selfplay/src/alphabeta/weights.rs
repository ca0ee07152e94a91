//! The numbers of the evaluation, in hundredths of a Man.
//!
//! The terms were chosen by hand. Their weights were fitted to the results of games that the player played
//! against itself, by logistic regression over quiet positions.

use camelot_core::Variant;

/// By steps, from 0 on; what is further counts like the last.
type BySteps = [i16; 16];

/// By the moves that bring a piece into the goal castle, from 0 on; more count like the last.
pub(super) type ByMoves = [i16; 8];

/// What each term is worth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// A Man and a Knight, by the steps to the goal castle.
    pub(super) pieces: [BySteps; 2],
    /// A piece by the steps from its own castle.
    pub(super) home: BySteps,
    /// A piece by its distance from the middle line of its way.
    pub(super) aside: [i16; 8],
    /// None, one, and more pieces of a seat within three steps of its castle.
    pub(super) guard: [i16; 3],
    /// How near the team is to its next entry: to move, and waiting, each with one entry missing to a win, and two.
    pub(super) race: [[ByMoves; 2]; 2],
    /// Where two entries are missing: by the steps of the second nearest piece.
    pub(super) second: BySteps,
    /// Pieces of the team to move that the enemy could jump now.
    pub(super) exposed: [i16; 4],
    /// A piece that can canter.
    pub(super) canter: i16,
    /// A piece beside an enemy one.
    pub(super) contact: i16,
    /// A piece beside one of its own team.
    pub(super) company: i16,
    /// A piece between two empty squares, open to capture if an enemy comes to one of them.
    pub(super) open: i16,
    /// Being on the move.
    pub(super) tempo: i16,
}

impl Weights {
    /// The weights of a game.
    pub(super) fn of<V: Variant>() -> &'static Self {
        match (V::CASTLE_PIECES_TO_WIN, V::SEATS) {
            (1, _) => &CAM,
            (_, 2) => &CAMELOT,
            _ => &GRAND,
        }
    }
}

/// Cam and Cam All Knights.
const CAM: Weights = Weights {
    pieces: [
        [132, 128, 124, 120, 116, 112, 108, 104, 100, 96, 92, 88, 84, 80, 76, 72],
        [182, 178, 174, 170, 166, 162, 158, 154, 150, 146, 142, 138, 134, 130, 126, 122],
    ],
    home: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    aside: [0; 8],
    guard: [0, 25, 35],
    race: [[[0, 400, 180, 100, 60, 30, 10, 0], [0, 0, 0, 0, 0, 0, 0, 0]]; 2],
    second: [0; 16],
    exposed: [0, 15, 45, 70],
    canter: 0,
    contact: 0,
    company: 0,
    open: 0,
    tempo: 10,
};

/// Camelot.
const CAMELOT: Weights = Weights {
    pieces: [
        [282, 128, 124, 120, 116, 112, 108, 104, 100, 96, 92, 88, 84, 80, 76, 72],
        [332, 178, 174, 170, 166, 162, 158, 154, 150, 146, 142, 138, 134, 130, 126, 122],
    ],
    home: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    aside: [0; 8],
    guard: [0, 25, 35],
    race: [[[0, 400, 180, 100, 60, 30, 10, 0], [0, 133, 60, 33, 20, 10, 3, 0]]; 2],
    second: [0; 16],
    exposed: [0, 15, 45, 70],
    canter: 0,
    contact: 0,
    company: 0,
    open: 0,
    tempo: 10,
};

/// Grand Camelot.
const GRAND: Weights = Weights {
    pieces: [
        [282, 128, 124, 120, 116, 112, 108, 104, 100, 96, 92, 88, 84, 80, 76, 72],
        [332, 178, 174, 170, 166, 162, 158, 154, 150, 146, 142, 138, 134, 130, 126, 122],
    ],
    home: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    aside: [0; 8],
    guard: [0, 25, 35],
    race: [[[0, 400, 180, 100, 60, 30, 10, 0], [0, 133, 60, 33, 20, 10, 3, 0]]; 2],
    second: [0; 16],
    exposed: [0, 15, 45, 70],
    canter: 0,
    contact: 0,
    company: 0,
    open: 0,
    tempo: 10,
};
